//! What a file is, told from how it begins.
//!
//! The beginning may be cut anywhere, and the answer comes as soon as there is one: names of fields
//! tell before their values are whole. Where it is `More`, ask again with twice as much; all
//! questions together cost no more than a few readings of what was needed.

use crate::json::JsonError;
use crate::json::scan::skip_space;
use crate::json::tape::{Node, Tape};
use crate::model::{Kind, View};
use crate::transcript::Format;
use crate::wire::{Framing, WireFormat, sniff};

/// So many records may say nothing of their format (pings, bare errors) before it is given up.
const RECORDS: usize = 64;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructureAnswer {
    /// It is of this format.
    Is(Format),
    /// It cannot be told yet.
    More,
    /// It is of none.
    Nothing,
}

/// Where the content begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentStart {
    /// JSON (an object, or an array of them), at this byte.
    Json(usize),
    /// Server-sent events, at this byte.
    Sse(usize),
    /// It cannot be told yet.
    More,
    /// There is neither.
    Nothing,
}

/// The format of a file that begins with `head`; `over` where that is all of it.
pub(crate) fn told(head: &[u8], over: bool) -> StructureAnswer {
    match begin(head, over) {
        ContentStart::Json(at) => of_json(head, at, over),
        ContentStart::Sse(at) => of_sse(head.get(at..).unwrap_or_default(), over),
        ContentStart::More => StructureAnswer::More,
        ContentStart::Nothing => StructureAnswer::Nothing,
    }
}

/// Where the content of a file begins: behind a byte order mark, white space, and text that somebody
/// printed before it, brackets in it or not.
pub(crate) fn begin(head: &[u8], over: bool) -> ContentStart {
    const BOM: &[u8] = b"\xef\xbb\xbf";
    if head.len() < BOM.len() && BOM.starts_with(head) && !over {
        return ContentStart::More;
    }
    search(head, if head.starts_with(BOM) { BOM.len() } else { 0 }, over)
}

/// How the lines of server-sent events begin.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// Is it the name of a field of server-sent events, as far as it goes?
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

/// Is it JSON, but for its end?
pub(crate) fn is_cut_json(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.is_empty() || Tape::default().read(text, 0).is_err_and(|error| error.is_cut())
}

/// The same, from `at` on.
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

/// Does an object with fields, or an array of objects, begin at this bracket? `None` where it is not
/// there to be seen.
fn is_start(head: &[u8], at: usize) -> Option<bool> {
    let next = skip_space(head, at + 1);
    match (head.get(at)?, head.get(next)?) {
        (b'{', b'"') | (b'[', b'{') => Some(true),
        // Empty ones may be a whole file, and much else.
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
        if let Judged::Is(format) = judge(frame.data, skip_space(frame.data, 0)) {
            return StructureAnswer::Is(format);
        }
        seen += 1;
        if seen == RECORDS {
            return StructureAnswer::Nothing;
        }
    }
    // These are server-sent events: there is one last record.
    match framing.finish(usize::MAX) {
        Some(frame) => match judge(frame.data, skip_space(frame.data, 0)) {
            Judged::Is(format) => StructureAnswer::Is(format),
            _ if over => StructureAnswer::Nothing,
            _ => StructureAnswer::More,
        },
        None if over => StructureAnswer::Nothing,
        None => StructureAnswer::More,
    }
}

/// Records one after another, or the elements of an array.
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
        match judge(head, at) {
            Judged::Is(format) => return StructureAnswer::Is(format),
            Judged::Cut(_) if !over => return StructureAnswer::More,
            Judged::Cut(Hint::Info) if !listed => {
                return StructureAnswer::Is(Format::OpenCodeExport);
            }
            Judged::Cut(Hint::Info | Hint::Parts) => return StructureAnswer::Is(Format::WithParts),
            Judged::Cut(Hint::None) => return StructureAnswer::Nothing,
            Judged::Unclear(end) => {
                at = skip_space(head, end);
                if listed && head.get(at) == Some(&b',') {
                    at = skip_space(head, at + 1);
                }
                if listed && head.get(at) == Some(&b']') {
                    return StructureAnswer::Nothing;
                }
            }
            Judged::Bad(end) => {
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

/// What a record says.
enum Judged {
    Is(Format),
    /// It is cut off and has said no more than this.
    Cut(Hint),
    /// It is whole, ends here, and could be anything.
    Unclear(usize),
    /// It is no JSON from here on.
    Bad(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    None,
    Info,
    Parts,
}

/// The names that have been seen in a record.
#[derive(Default)]
struct SeenFields {
    /// Its `type`.
    kind: Option<Box<str>>,
    properties: bool,
    session_id: bool,
    part: bool,
    timestamp: bool,
    info: bool,
    parts: bool,
    role: bool,
    run_id: bool,
    seq: bool,
    /// `kind` or `payload`, as a delta has them.
    said: bool,
    claude: u8,
}

impl SeenFields {
    fn format(&self) -> Option<Format> {
        const RUN: [&str; 6] =
            ["step_start", "text", "reasoning", "tool_use", "step_finish", "error"];
        let kind = self.kind.as_deref();
        if self.properties && kind.is_some() {
            return Some(Format::OpenCodeEvents);
        }
        if self.session_id
            && (self.part || self.timestamp)
            && kind.is_some_and(|kind| RUN.contains(&kind))
        {
            return Some(Format::OpenCodeRun);
        }
        if self.run_id && self.seq && self.said {
            return Some(Format::Stream(WireFormat::Delta));
        }
        if self.claude >= 2 {
            return Some(Format::ClaudeCode);
        }
        if self.info && self.parts {
            return Some(Format::WithParts);
        }
        (self.role && self.parts && self.run_id).then_some(Format::Messages)
    }

    fn hint(&self) -> Hint {
        match (self.info, self.parts) {
            (true, _) => Hint::Info,
            (_, true) => Hint::Parts,
            _ => Hint::None,
        }
    }
}

/// An object that may be cut off, key by key.
struct ObjectWalk<'a> {
    bytes: &'a [u8],
    at: usize,
    tape: Tape,
    begun: bool,
}

impl<'a> ObjectWalk<'a> {
    /// The object whose brace is at `at`.
    fn new(bytes: &'a [u8], at: usize) -> ObjectWalk<'a> {
        ObjectWalk { bytes, at: at + 1, tape: Tape::default(), begun: false }
    }

    fn error(&self) -> JsonError {
        let cut = self.at >= self.bytes.len();
        let message = "expected something else";
        if cut { JsonError::cut(message, self.at) } else { JsonError::syntax(message, self.at) }
    }

    /// The next name, `at` being where its value begins; `None` behind the last, `at` being behind
    /// the object.
    fn key(&mut self) -> Result<Option<String>, JsonError> {
        self.at = skip_space(self.bytes, self.at);
        match self.bytes.get(self.at) {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if self.begun => self.at = skip_space(self.bytes, self.at + 1),
            Some(b'"') if !self.begun => {}
            _ => return Err(self.error()),
        }
        self.begun = true;
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.error());
        }
        let name = self.value(|node| node.str().unwrap_or_default().into_owned())?;
        self.at = skip_space(self.bytes, self.at);
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.error());
        }
        self.at = skip_space(self.bytes, self.at + 1);
        Ok(Some(name))
    }

    /// The first byte of the value at `at`.
    fn first(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    /// The value at `at`, which is moved behind it.
    fn value<T>(&mut self, look: impl FnOnce(Node<'_>) -> T) -> Result<T, JsonError> {
        let end = self.tape.read(self.bytes, self.at)?;
        self.at = end;
        Ok(look(self.tape.root(self.bytes)))
    }
}

/// The object at `at`.
fn judge(bytes: &[u8], at: usize) -> Judged {
    if bytes.get(at) != Some(&b'{') {
        return if at >= bytes.len() { Judged::Cut(Hint::None) } else { Judged::Bad(at) };
    }
    let mut walk = ObjectWalk::new(bytes, at);
    let mut seen = SeenFields::default();
    let error = loop {
        match read_field(&mut walk, &mut seen) {
            Ok(NextField::Is(format)) => return Judged::Is(format),
            Ok(NextField::More) => {}
            Ok(NextField::End) => {
                let record = bytes.get(at..walk.at).unwrap_or_default();
                return match sniff(record) {
                    Some(format) => Judged::Is(Format::Stream(WireFormat::Provider(format))),
                    None => Judged::Unclear(walk.at),
                };
            }
            Err(error) => break error,
        }
    };
    if error.is_cut() { Judged::Cut(seen.hint()) } else { Judged::Bad(error.offset) }
}

enum NextField {
    Is(Format),
    More,
    End,
}

fn read_field(walk: &mut ObjectWalk<'_>, seen: &mut SeenFields) -> Result<NextField, JsonError> {
    let Some(name) = walk.key()? else { return Ok(NextField::End) };
    let (first, start) = (walk.first(), walk.at);
    match (&*name, first) {
        ("messages", b'[') => return Ok(NextField::Is(Format::OpenCodeExport)),
        ("properties", b'{') => seen.properties = true,
        ("sessionID", b'"') => seen.session_id = true,
        ("part", b'{') => seen.part = true,
        ("timestamp", b'0'..=b'9') => seen.timestamp = true,
        ("role", b'"') => seen.role = true,
        ("runId", b'"') => seen.run_id = true,
        ("seq", b'-' | b'0'..=b'9') => seen.seq = true,
        ("kind", b'"') | ("payload", b'{') => seen.said = true,
        // No other format has names like these.
        ("parentUuid" | "leafUuid" | "isSidechain", _) => seen.claude += 2,
        ("sessionId" | "uuid", b'"') => seen.claude += 1,
        ("info", b'{') => seen.info = true,
        ("parts", b'[') => seen.parts = true,
        _ => {}
    }
    if let Some(format) = seen.format() {
        return Ok(NextField::Is(format));
    }
    let inside = match (&*name, first) {
        ("info", b'{') => of_info(walk.bytes, start),
        ("parts", b'[') => of_parts(walk.bytes, start, seen),
        ("payload", b'{') => is_event(walk.bytes, start).then_some(Format::OpenCodeEvents),
        _ => None,
    };
    if let Some(format) = inside {
        return Ok(NextField::Is(format));
    }
    let kind = walk.value(|node| node.str().map(|text| Box::from(&*text)))?;
    if name == "type" {
        if kind.as_deref() == Some("file-history-snapshot") {
            return Ok(NextField::Is(Format::ClaudeCode));
        }
        seen.kind = kind;
        if let Some(format) = seen.format() {
            return Ok(NextField::Is(format));
        }
    }
    Ok(NextField::More)
}

/// An `info` is a session's in an export, a message's elsewhere.
fn of_info(bytes: &[u8], at: usize) -> Option<Format> {
    let mut walk = ObjectWalk::new(bytes, at);
    while let Ok(Some(name)) = walk.key() {
        match &*name {
            "role" | "sessionID" => return Some(Format::WithParts),
            "slug" | "projectID" | "directory" | "title" | "version" => {
                return Some(Format::OpenCodeExport);
            }
            _ => {}
        }
        walk.value(|_| ()).ok()?;
    }
    None
}

/// The first of the parts tells by its fields.
fn of_parts(bytes: &[u8], at: usize, seen: &SeenFields) -> Option<Format> {
    let at = skip_space(bytes, at + 1);
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut walk = ObjectWalk::new(bytes, at);
    while let Ok(Some(name)) = walk.key() {
        match &*name {
            "kind" if walk.first() == b'"' => return Some(Format::Messages),
            "messageID" | "sessionID" | "callID" => return Some(Format::WithParts),
            "type" if !seen.role => return Some(Format::WithParts),
            _ => {}
        }
        walk.value(|_| ()).ok()?;
    }
    None
}

/// A wrapped event.
fn is_event(bytes: &[u8], at: usize) -> bool {
    let (mut walk, mut kind) = (ObjectWalk::new(bytes, at), false);
    while let Ok(Some(name)) = walk.key() {
        match &*name {
            "type" if walk.first() == b'"' => kind = true,
            "properties" if kind && walk.first() == b'{' => return true,
            _ => {}
        }
        let kind_of_value = walk.value(|node| node.kind());
        if kind_of_value.is_err() || kind_of_value == Ok(Kind::Missing) {
            return false;
        }
    }
    false
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
