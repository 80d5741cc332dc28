//! Detects the format of a file from the structure of its beginning.
//!
//! The beginning may be cut anywhere, and the answer is given as soon as it is clear: the names of
//! fields often suffice before their values are complete. If the answer is `More`, ask again with
//! twice as many bytes; all questions together then cost no more than a few readings of what was
//! needed.

use crate::detect::answer::{LikelyFormat, StructureAnswer};
use crate::detect::judgement::{Judgement, judge};
use crate::detect::record_head::{RecordHead, look};
use crate::formats::registry::Format;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::Tape;
use apex_parts_wire::{Frame, Framing, unread_line, unread_name};

/// The number of records without a sign of their format (pings, bare errors) after which detection
/// gives up.
const RECORDS: usize = 64;
/// The longest first line that is waited for.
const LONGEST_LINE: usize = 64 << 10;

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
    if let Some(answer) = of_first_line(head, over) {
        return answer;
    }
    match content_start(head, over) {
        ContentStart::Json(at) => of_json(head, at, over),
        ContentStart::Sse(at) => of_sse(head.get(at..).unwrap_or_default(), over),
        ContentStart::More => StructureAnswer::More,
        ContentStart::Nothing => StructureAnswer::Nothing,
    }
}

/// What the first line shows that is no JSON; `None` if it shows nothing.
fn of_first_line(head: &[u8], over: bool) -> Option<StructureAnswer> {
    let line = head.trim_ascii_start();
    // `0:"text"`, `aui-state:[`
    let names = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
    let length = names.count();
    if !matches!(length, 1 | 9) || line.get(length) != Some(&b':') {
        return None;
    }
    let end = memchr::memchr(b'\n', line);
    let line = line.get(..end.unwrap_or(line.len()))?;
    match unread_line(std::str::from_utf8(line).ok()?) {
        Some(name) => Some(StructureAnswer::Unread(name)),
        None if end.is_none() && !over && line.len() < LONGEST_LINE => Some(StructureAnswer::More),
        None => None,
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
        let mut likely = LikelyFormat::default();
        match of_frame(&frame, &mut likely) {
            RecordHead::Shown(answer) => return answer,
            _ if likely.format.is_some() => return likely.or(StructureAnswer::Nothing),
            _ => {}
        }
        seen += 1;
        if seen == RECORDS {
            return StructureAnswer::Nothing;
        }
    }
    let none = if over { StructureAnswer::Nothing } else { StructureAnswer::More };
    // In server-sent events the rest is one last record.
    let Some(frame) = framing.finish(usize::MAX) else { return none };
    let mut likely = LikelyFormat::default();
    match of_frame(&frame, &mut likely) {
        RecordHead::Shown(answer) => answer,
        _ if over => likely.or(none),
        _ => none,
    }
}

/// The format of the data of an event.
fn of_frame(frame: &Frame<'_>, likely: &mut LikelyFormat) -> RecordHead {
    let at = skip_space(frame.data, 0);
    if frame.data.get(at) != Some(&b'{') && !frame.data.is_empty() {
        let name = unread_name(frame.event, &String::from_utf8_lossy(frame.data));
        return match name {
            Some(name) => RecordHead::Shown(StructureAnswer::Unread(name)),
            None => RecordHead::Bad(at),
        };
    }
    look(frame.data, at, frame.event, likely)
}

/// The format of records one after another, or of the elements of an array.
fn of_json(head: &[u8], at: usize, over: bool) -> StructureAnswer {
    let mut likely = LikelyFormat::default();
    let answer = of_records(head, at, over, &mut likely);
    match answer {
        StructureAnswer::Nothing | StructureAnswer::Mixed(..) => likely.or(answer),
        StructureAnswer::More if likely.is_passed(head.len()) => likely.or(answer),
        _ => answer,
    }
}

/// [`of_json`], but for what is only likely.
fn of_records(head: &[u8], at: usize, over: bool, likely: &mut LikelyFormat) -> StructureAnswer {
    let (begin, mut at) = (at, at);
    // The format of messages that the records have shown not to be theirs.
    let mut mixed = StructureAnswer::Nothing;
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
        match look(head, at, "", likely) {
            RecordHead::Shown(StructureAnswer::Is(format)) if format.is_messages() => {
                match judge(head, begin, over) {
                    Judgement::Messages => return StructureAnswer::Is(format),
                    Judgement::More => return StructureAnswer::More,
                    Judgement::Other(records) => {
                        mixed = StructureAnswer::Mixed(format, records.foreign, records.total());
                    }
                }
                // Another format may follow.
                match Tape::default().read(head, at) {
                    Ok(end) => at = next_record(head, end, listed),
                    Err(_) => return mixed,
                }
            }
            RecordHead::Shown(answer) => return answer,
            RecordHead::Cut(_) if !over => return StructureAnswer::More,
            RecordHead::Cut(_) if likely.format.is_some() => return StructureAnswer::Nothing,
            RecordHead::Cut(seen) => {
                let likely = Format::of_cut(&seen, listed);
                let likely = likely.filter(|format| {
                    !format.is_messages() || judge(head, begin, over) == Judgement::Messages
                });
                return likely.map_or(mixed, StructureAnswer::Is);
            }
            RecordHead::Unclear(end) => {
                at = next_record(head, end, listed);
            }
            RecordHead::Bad(end) => {
                let rest = head.get(end..).unwrap_or_default();
                at = end + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
        }
        if listed && head.get(at) == Some(&b']') {
            return mixed;
        }
        if head.get(at) != Some(&b'{') {
            match search(head, at, over) {
                ContentStart::Json(found) => at = found,
                ContentStart::Sse(found) => {
                    return of_sse(head.get(found..).unwrap_or_default(), over);
                }
                ContentStart::More => return StructureAnswer::More,
                ContentStart::Nothing => return mixed,
            }
        }
    }
    mixed
}

/// Where the record after the one that ends at `end` begins.
fn next_record(head: &[u8], end: usize, listed: bool) -> usize {
    let at = skip_space(head, end);
    if listed && head.get(at) == Some(&b',') { skip_space(head, at + 1) } else { at }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
