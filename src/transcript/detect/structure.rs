//! Detects the format of a file from the structure of its beginning.
//!
//! The beginning may be cut anywhere, and the answer is given as soon as it is clear: the names of
//! fields often suffice before their values are complete. If the answer is `More`, ask again with
//! twice as many bytes; all questions together then cost no more than a few readings of what was
//! needed.

use crate::json::JsonError;
use crate::json::cursor::Cursor;
use crate::json::scan::skip_space;
use crate::json::tape::{Node, Tape, unescape};
use crate::transcript::formats::registry::Format;
use crate::transcript::formats::seen_fields::SeenFields;
use crate::wire::{Framing, WireFormat, sniff};

/// The number of records without a sign of their format (pings, bare errors) after which detection
/// gives up.
const RECORDS: usize = 64;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructureAnswer {
    /// This format.
    Is(Format),
    /// More bytes are needed.
    More,
    /// No known format.
    Nothing,
}

/// Where the content begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentStart {
    /// JSON (an object, or an array of them), at this byte.
    Json(usize),
    /// Server-sent events, at this byte.
    Sse(usize),
    /// More bytes are needed.
    More,
    /// There is neither.
    Nothing,
}

/// The format of a file that begins with `head`; `over` says that `head` is the whole file.
pub(crate) fn detect(head: &[u8], over: bool) -> StructureAnswer {
    match content_start(head, over) {
        ContentStart::Json(at) => of_json(head, at, over),
        ContentStart::Sse(at) => of_sse(head.get(at..).unwrap_or_default(), over),
        ContentStart::More => StructureAnswer::More,
        ContentStart::Nothing => StructureAnswer::Nothing,
    }
}

/// Where the content of a file begins: after a byte order mark, white space, and text that was
/// printed before it, even if that has brackets.
pub(crate) fn content_start(head: &[u8], over: bool) -> ContentStart {
    const BOM: &[u8] = b"\xef\xbb\xbf";
    if head.len() < BOM.len() && BOM.starts_with(head) && !over {
        return ContentStart::More;
    }
    search(head, if head.starts_with(BOM) { BOM.len() } else { 0 }, over)
}

/// How the lines of server-sent events begin.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// Is it the beginning of the name of a field of server-sent events?
pub(crate) fn is_field(rest: &[u8]) -> bool {
    !rest.is_empty() && FIELDS.iter().any(|field| field.starts_with(rest))
}

/// Are these server-sent events of which the first is cut off?
pub(crate) fn is_cut(stream: &[u8]) -> bool {
    let mut framing = Framing::default();
    if framing.next(stream, &mut 0, usize::MAX).is_some() {
        return false;
    }
    framing.finish(usize::MAX).is_none_or(|frame| is_cut_json(frame.data))
}

/// Is it JSON that lacks only its end?
pub(crate) fn is_cut_json(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.is_empty() || Tape::default().read(text, 0).is_err_and(|error| error.is_cut())
}

/// [`content_start`], from `at` on.
fn search(head: &[u8], at: usize, over: bool) -> ContentStart {
    let none = if over { ContentStart::Nothing } else { ContentStart::More };
    let mut at = at;
    loop {
        at = skip_space(head, at);
        let rest = head.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return none;
        }
        if FIELDS.iter().any(|field| rest.starts_with(field)) {
            return ContentStart::Sse(at);
        }
        if !over && is_field(rest) {
            return ContentStart::More;
        }
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        for found in memchr::memchr2_iter(b'{', b'[', line) {
            match is_start(head, at + found) {
                Some(true) => return ContentStart::Json(at + found),
                Some(false) => {}
                None if over => return ContentStart::Json(at + found),
                None => return ContentStart::More,
            }
        }
        at += length;
    }
}

/// Does an object with fields, or an array of objects, begin at this bracket? `None` if too few
/// bytes follow to know.
fn is_start(head: &[u8], at: usize) -> Option<bool> {
    let next = skip_space(head, at + 1);
    match (head.get(at)?, head.get(next)?) {
        (b'{', b'"') | (b'[', b'{') => Some(true),
        // An empty one may be a whole file, and much else.
        (b'{', b'}') | (b'[', b']') => match head.get(skip_space(head, next + 1)) {
            None => None,
            Some(b'{' | b'[') => Some(true),
            Some(_) => Some(false),
        },
        _ => Some(false),
    }
}

fn of_sse(stream: &[u8], over: bool) -> StructureAnswer {
    let (mut framing, mut at) = (Framing::default(), 0);
    let mut seen = 0;
    while let Some(frame) = framing.next(stream, &mut at, usize::MAX) {
        if let Recognised::Is(format) = recognise(frame.data, skip_space(frame.data, 0)) {
            return StructureAnswer::Is(format);
        }
        seen += 1;
        if seen == RECORDS {
            return StructureAnswer::Nothing;
        }
    }
    // In server-sent events the rest is one last record.
    match framing.finish(usize::MAX) {
        Some(frame) => match recognise(frame.data, skip_space(frame.data, 0)) {
            Recognised::Is(format) => StructureAnswer::Is(format),
            _ if over => StructureAnswer::Nothing,
            _ => StructureAnswer::More,
        },
        None if over => StructureAnswer::Nothing,
        None => StructureAnswer::More,
    }
}

/// The format of records one after another, or of the elements of an array.
fn of_json(head: &[u8], at: usize, over: bool) -> StructureAnswer {
    let mut at = at;
    let listed = head.get(at) == Some(&b'[');
    if listed {
        at = skip_space(head, at + 1);
        if matches!(head.get(at), None | Some(b']')) {
            return if over {
                StructureAnswer::Is(Format::WithParts)
            } else {
                StructureAnswer::More
            };
        }
    }
    for _ in 0..RECORDS {
        match recognise(head, at) {
            Recognised::Is(format) => return StructureAnswer::Is(format),
            Recognised::Cut(_) if !over => return StructureAnswer::More,
            Recognised::Cut(seen) => {
                let likely = Format::of_cut(&seen, listed);
                return likely.map_or(StructureAnswer::Nothing, StructureAnswer::Is);
            }
            Recognised::Unclear(end) => {
                at = skip_space(head, end);
                if listed && head.get(at) == Some(&b',') {
                    at = skip_space(head, at + 1);
                }
                if listed && head.get(at) == Some(&b']') {
                    return StructureAnswer::Nothing;
                }
            }
            Recognised::Bad(end) => {
                let rest = head.get(end..).unwrap_or_default();
                at = end + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
        }
        if head.get(at) != Some(&b'{') {
            match search(head, at, over) {
                ContentStart::Json(found) => at = found,
                ContentStart::Sse(found) => {
                    return of_sse(head.get(found..).unwrap_or_default(), over);
                }
                ContentStart::More => return StructureAnswer::More,
                ContentStart::Nothing => return StructureAnswer::Nothing,
            }
        }
    }
    StructureAnswer::Nothing
}

/// The result of looking at a record.
enum Recognised {
    Is(Format),
    /// It is cut off after these fields.
    Cut(SeenFields),
    /// It is complete, ends here, and could be of any format.
    Unclear(usize),
    /// It is not JSON from here on.
    Bad(usize),
}

/// The fields of an object that may be cut off.
struct CutObject<'a> {
    bytes: &'a [u8],
    cursor: Cursor<'a>,
    tape: Tape,
}

impl<'a> CutObject<'a> {
    /// The object whose brace is at `at`.
    fn new(bytes: &'a [u8], at: usize) -> CutObject<'a> {
        CutObject { bytes, cursor: Cursor::new(bytes, at), tape: Tape::default() }
    }

    /// Steps to the value of the next field; gives its key, `None` after the last.
    fn key(&mut self) -> Result<Option<String>, JsonError> {
        let Some(key) = self.cursor.field()? else { return Ok(None) };
        let raw = self.bytes.get(key.start..key.end).unwrap_or_default();
        Ok(Some(unescape(raw).into_owned()))
    }

    /// The first byte of the value.
    fn first(&self) -> u8 {
        self.cursor.first_byte().unwrap_or_default()
    }

    /// Steps over the value; gives what `look` makes of it.
    fn value<T>(&mut self, look: impl FnOnce(Node<'_>) -> T) -> Result<T, JsonError> {
        self.cursor.at = self.tape.read(self.bytes, self.cursor.at)?;
        Ok(look(self.tape.root(self.bytes)))
    }
}

/// The format of the object at `at`.
fn recognise(bytes: &[u8], at: usize) -> Recognised {
    if bytes.get(at) != Some(&b'{') {
        return if at >= bytes.len() {
            Recognised::Cut(SeenFields::default())
        } else {
            Recognised::Bad(at)
        };
    }
    let mut walk = CutObject::new(bytes, at);
    let mut seen = SeenFields::default();
    let error = loop {
        match read_field(&mut walk, &mut seen) {
            Ok(NextField::Is(format)) => return Recognised::Is(format),
            Ok(NextField::More) => {}
            Ok(NextField::End) => {
                if let Some(format) = Format::of_record(&seen) {
                    return Recognised::Is(format);
                }
                let record = bytes.get(at..walk.cursor.at).unwrap_or_default();
                return match sniff(record) {
                    Some(format) => Recognised::Is(Format::Stream(WireFormat::Provider(format))),
                    None => Recognised::Unclear(walk.cursor.at),
                };
            }
            Err(error) => break error,
        }
    };
    if error.is_cut() { Recognised::Cut(seen) } else { Recognised::Bad(error.offset) }
}

enum NextField {
    Is(Format),
    More,
    End,
}

fn read_field(walk: &mut CutObject<'_>, seen: &mut SeenFields) -> Result<NextField, JsonError> {
    let Some(name) = walk.key()? else { return Ok(NextField::End) };
    let (first, start) = (walk.first(), walk.cursor.at);
    if seen.add(&name, first)
        && let Some(format) = Format::detect(seen)
    {
        return Ok(NextField::Is(format));
    }
    if Format::looks_inside(&name)
        && let Some(format) = of_inside(&name, walk.bytes, start, seen)
    {
        return Ok(NextField::Is(format));
    }
    let kind = walk.value(|node| node.str().map(|text| Box::from(&*text)))?;
    if name == "type" {
        seen.set_kind(kind);
        if let Some(format) = Format::detect(seen) {
            return Ok(NextField::Is(format));
        }
    }
    Ok(NextField::More)
}

/// The format that the fields of the object at `at` show, or those of the first element of the
/// array there.
fn of_inside(name: &str, bytes: &[u8], at: usize, seen: &SeenFields) -> Option<Format> {
    let at = match bytes.get(at)? {
        b'[' => skip_space(bytes, at + 1),
        _ => at,
    };
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let (mut walk, mut inside) = (CutObject::new(bytes, at), SeenFields::default());
    while let Ok(Some(field)) = walk.key() {
        if inside.add(&field, walk.first())
            && let Some(format) = Format::detect_inside(name, &inside, seen)
        {
            return Some(format);
        }
        walk.value(|_| ()).ok()?;
    }
    None
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
