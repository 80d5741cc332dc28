//! What the beginning of one record shows of its format: the names of its fields, and the values of a few.

use crate::detect::answer::{LikelyFormat, StructureAnswer};
use crate::detect::recognised::UNCERTAIN;
use crate::formats::message_arrays::{envelope, signs};
use crate::formats::registry::Format;
use crate::formats::{opencode_export, opencode2_export};
use apex_parts_agents::SeenFields;
use apex_parts_json::JsonError;
use apex_parts_json::cursor::Cursor;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape, unescape};
use apex_parts_wire::{UnreadFormat, WireFormat, sniff, unread_name};

/// The result of looking at a record.
pub(crate) enum RecordHead {
    /// It shows a format, or one that is not read.
    Shown(StructureAnswer),
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

/// The format of the object at `at`, in a record whose SSE event has this name.
pub(crate) fn look(bytes: &[u8], at: usize, event: &str, likely: &mut LikelyFormat) -> RecordHead {
    if bytes.get(at) != Some(&b'{') {
        return if at >= bytes.len() {
            RecordHead::Cut(SeenFields::default())
        } else {
            RecordHead::Bad(at)
        };
    }
    let mut walk = CutObject::new(bytes, at);
    let mut seen = SeenFields::default();
    let error = loop {
        match read_field(&mut walk, &mut seen, likely, at) {
            Ok(NextField::Shown(answer)) => return RecordHead::Shown(answer),
            Ok(NextField::More) => {}
            Ok(NextField::End) => {
                let record = bytes.get(at..walk.cursor.at).unwrap_or_default();
                if likely.format.is_none() && holds_exchange(record) {
                    return RecordHead::Shown(StructureAnswer::Is(Format::OpenAiChatMessages));
                }
                if let Some(name) = unread_name(event, &String::from_utf8_lossy(record)) {
                    return RecordHead::Shown(StructureAnswer::Unread(name));
                }
                if likely.format.is_some() {
                    let is_sure = likely.records == 0;
                    likely.records = likely.records.saturating_sub(1);
                    return match is_sure {
                        true => RecordHead::Shown(likely.or(StructureAnswer::Nothing)),
                        false => RecordHead::Unclear(walk.cursor.at),
                    };
                }
                let stream = sniff(record).map(|own| Format::Stream(WireFormat::Provider(own)));
                return match stream.or_else(|| Format::of_record(&seen)) {
                    Some(format) => RecordHead::Shown(StructureAnswer::Is(format)),
                    None => RecordHead::Unclear(walk.cursor.at),
                };
            }
            Err(error) => break error,
        }
    };
    if error.is_cut() { RecordHead::Cut(seen) } else { RecordHead::Bad(error.offset) }
}

/// Has a complete record a request or an answer in a field, where its own fields show no format? Its reader tells which.
fn holds_exchange(record: &[u8]) -> bool {
    let mut tape = Tape::default();
    tape.read(record, 0).is_ok() && envelope::is_exchange(tape.root(record))
}

enum NextField {
    Shown(StructureAnswer),
    More,
    End,
}

/// Reads a field of the record at `at`.
fn read_field(
    walk: &mut CutObject<'_>,
    seen: &mut SeenFields,
    likely: &mut LikelyFormat,
    at: usize,
) -> Result<NextField, JsonError> {
    let Some(name) = walk.key()? else { return Ok(NextField::End) };
    let (first, start) = (walk.first(), walk.cursor.at);
    if likely.is_passed(start) {
        return Ok(NextField::Shown(likely.or(StructureAnswer::Nothing)));
    }
    if seen.add(&name, first) {
        if let Some(answer) = of_fields(seen, likely, at) {
            return Ok(NextField::Shown(answer));
        }
        if likely.format.is_none() && opencode_export::is_unknown(seen) {
            return Ok(NextField::Shown(StructureAnswer::UnknownOpenCode));
        }
    }
    let is_outer = Format::looks_inside(&name) || UnreadFormat::looks_inside(&name);
    if is_outer || signs::looks_inside(&name) {
        let inside = of_inside(&name, walk.bytes, start, (seen, likely, at));
        if let Some(answer) = inside {
            return Ok(NextField::Shown(answer));
        }
    }
    let is_kept = SeenFields::keeps(&name);
    let text = walk.value(|node| {
        let text = if is_kept { node.str() } else { None };
        text.map(|text| Box::<str>::from(&*text))
    })?;
    if is_kept {
        seen.keep(&name, text.as_deref());
        if let Some(answer) = of_fields(seen, likely, at) {
            return Ok(NextField::Shown(answer));
        }
    }
    Ok(NextField::More)
}

/// What these fields of the record at `at` show.
fn of_fields(seen: &SeenFields, likely: &mut LikelyFormat, at: usize) -> Option<StructureAnswer> {
    if let Some(unread) = UnreadFormat::of_fields(seen) {
        return Some(StructureAnswer::Unread(unread.name));
    }
    if likely.format.is_some() {
        return None;
    }
    let format = Format::detect(seen)?;
    if UnreadFormat::resembles(format.as_str()) || format.records() > 0 {
        let limit = at.saturating_add(UNCERTAIN);
        *likely = LikelyFormat { format: Some(format), limit, records: format.records() };
        return None;
    }
    Some(StructureAnswer::Is(format))
}

/// The format that the fields of the object at `at` show, or those of the first element of the
/// array there. The record has begun with the fields `seen`.
fn of_inside(
    name: &str,
    bytes: &[u8],
    at: usize,
    (seen, likely, record): (&mut SeenFields, &mut LikelyFormat, usize),
) -> Option<StructureAnswer> {
    let is_list = bytes.get(at)? == &b'[';
    let at = if is_list { skip_space(bytes, at + 1) } else { at };
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let (mut walk, mut inside) = (CutObject::new(bytes, at), SeenFields::default());
    loop {
        let field = match walk.key() {
            Ok(Some(field)) => field,
            Ok(None) if inside.is_empty() || !is_list => return None,
            Ok(None) => {
                seen.add(opencode_export::after(name)?, b'{');
                let is_unknown = likely.format.is_none() && opencode_export::is_unknown(seen);
                return is_unknown.then_some(StructureAnswer::UnknownOpenCode);
            }
            Err(_) => return None,
        };
        if inside.add(&field, walk.first()) {
            let marks = [
                signs::inside(name, &field),
                opencode2_export::mark(name, &field),
                opencode2_export::element_mark(name, &inside),
            ];
            for mark in marks.into_iter().flatten() {
                seen.add(mark, walk.first());
            }
            let is_near = walk.cursor.at < record.saturating_add(UNCERTAIN);
            if let Some(mark) = UnreadFormat::inside(name, &field).filter(|_| is_near)
                && seen.add(mark, walk.first())
                && let Some(answer) = of_fields(seen, likely, record)
            {
                return Some(answer);
            }
            if likely.format.is_none()
                && let Some(format) = Format::detect_inside(name, &inside, seen)
            {
                return Some(StructureAnswer::Is(format));
            }
        }
        walk.value(|_| ()).ok()?;
    }
}
