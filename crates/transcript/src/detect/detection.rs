//! Detects the format of a file and where its content begins, from its first bytes.

use crate::detect::answer::StructureAnswer;
use crate::detect::recognised;
use crate::detect::structure;
use crate::formats::registry::Format;
use crate::formats::{opencode_export, opencode2_export};
use apex_parts_agents::DocumentLayout;
use apex_parts_json::scan::skip_space;
use apex_parts_model::Error;
use apex_parts_wire::after_http_heads;
use apex_parts_wire::foreign::Foreign;

/// The result of looking at the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectionResult {
    /// The format, and how to read the file.
    Is(Detection),
    /// A form that is recognised but not read, in content that begins at this offset.
    Unread(&'static str, usize),
    /// An export of OpenCode whose messages are of no form that is known, which begins at this offset.
    UnknownOpenCode(usize),
    /// More bytes are needed.
    More,
}

/// How to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detection {
    pub(crate) format: Format,
    /// How its documents are laid out; `None` if it is a stream of frames.
    pub(crate) shape: Option<DocumentLayout>,
    /// The offset where the content begins.
    pub(crate) start: usize,
    /// The offset of text before the content that does not belong to it.
    pub(crate) first: usize,
}

/// The number of bytes that are looked at first.
pub(crate) const FIRST_LOOK: usize = 256;
/// The number of bytes after which an unknown format is given up.
const LONGEST_HEAD: usize = 4 << 20;

/// Detects by as many of the first bytes as are needed, or asks for more. It continues after the
/// `looked` bytes that did not suffice: the same lengths are always looked at, so that the pieces
/// in which the file arrives do not matter.
///
/// # Errors
/// As for [`detect`].
pub(crate) fn detect_surely(
    head: &[u8],
    given: Option<Format>,
    looked: &mut usize,
    over: bool,
) -> Result<DetectionResult, Error> {
    loop {
        let length = (*looked * 2).max(FIRST_LOOK);
        let detected = match head.get(..length) {
            Some(head) => detect(head, given, false)?,
            None if over => detect(head, given, true)?,
            None => return Ok(DetectionResult::More),
        };
        if detected != DetectionResult::More || length > head.len() {
            return Ok(detected);
        }
        *looked = length;
    }
}

/// What bytes are that are recognised, but no stream of [`apex_parts_wire::WireFormat`]: the title of a transcript format
/// that is read, or the name of a form that is not.
///
/// ```
/// use apex_parts_transcript::looks_like;
/// assert_eq!(looks_like(b"{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n"), Some("Codex exec --json"));
/// assert_eq!(looks_like(b"{\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n"), None);
/// ```
#[must_use]
pub fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    if apex_parts_wire::detect(bytes).is_some() {
        return None;
    }
    match detect(bytes, None, true) {
        Ok(DetectionResult::Unread(name, _)) => Some(name),
        Ok(DetectionResult::UnknownOpenCode(_)) => Some(opencode_export::UNKNOWN),
        _ => match detect_likely(bytes, None)?.format {
            Format::Stream(_) => None,
            format => Some(format.title()),
        },
    }
}

/// The format of a file that ends here, if that shows.
pub(crate) fn detect_likely(head: &[u8], given: Option<Format>) -> Option<Detection> {
    let body = head.get(after_http_heads(head).unwrap_or_default()..).unwrap_or_default();
    let shows = given.is_some() || matches!(structure::detect(body, true), StructureAnswer::Is(_));
    match detect(head, given, true) {
        Ok(DetectionResult::Is(begin)) if shows => Some(begin),
        _ => None,
    }
}

/// Detects by the first bytes. `over` says that the file ends with them: the result is `More` then
/// if it is cut off before it shows its format.
///
/// # Errors
/// `TranscriptError` if it is not a transcript.
pub(crate) fn detect(
    head: &[u8],
    given: Option<Format>,
    over: bool,
) -> Result<DetectionResult, Error> {
    let skipped = match after_http_heads(head) {
        Some(skipped) => skipped,
        None if over => 0,
        None => return Ok(DetectionResult::More),
    };
    let body = head.get(skipped..).unwrap_or_default();
    Ok(match detect_body(body, given, over)? {
        DetectionResult::Is(found) => DetectionResult::Is(Detection {
            start: skipped + found.start,
            first: skipped + found.first,
            ..found
        }),
        DetectionResult::Unread(name, at) => DetectionResult::Unread(name, skipped + at),
        DetectionResult::UnknownOpenCode(at) => DetectionResult::UnknownOpenCode(skipped + at),
        DetectionResult::More => DetectionResult::More,
    })
}

/// The same without the heads of HTTP responses.
fn detect_body(head: &[u8], given: Option<Format>, over: bool) -> Result<DetectionResult, Error> {
    let of_archives = given.or_else(Format::of_archives).filter(|format| format.is_archive());
    if let (Some(Foreign::Zip), Some(format)) = (Foreign::detect(head), of_archives) {
        let whole = Detection { format, shape: None, start: 0, first: 0 };
        return Ok(DetectionResult::Is(whole));
    }
    if given.is_none() && !over && recognised::needs_more(head) {
        return Ok(DetectionResult::More);
    }
    if given.is_none()
        && let Some(unread) = recognised::of_bytes(head)
    {
        return Ok(DetectionResult::Unread(unread, 0));
    }
    if given.is_none() && !over && recognised::needs_more_lines(head) {
        return Ok(DetectionResult::More);
    }
    refuse_other_encodings(head)?;
    let mark = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let first = skip_space(head, mark);
    let Some(byte) = head.get(first) else {
        return if over {
            Err(Error::transcript("format", "the file is empty", 0))
        } else {
            Ok(DetectionResult::More)
        };
    };
    if *byte == b'<' {
        return Err(Error::transcript("format", "this is HTML or XML, not a transcript", first));
    }
    let format = match given {
        Some(format) => Some(format),
        None => match structure::detect(head, over) {
            StructureAnswer::Is(format) => Some(format),
            StructureAnswer::Unread(unread) => return Ok(DetectionResult::Unread(unread, first)),
            StructureAnswer::Mixed(format, foreign, all) => {
                let title = format.title();
                let message = format!(
                    "some of it looks like {title}, but {foreign} of its first {all} records are of no \
                     format that is known: it is not read"
                );
                return Err(Error::transcript("format", message, first));
            }
            StructureAnswer::UnknownOpenCode => {
                let at = match structure::content_start(head, over) {
                    structure::ContentStart::Json(at) => at,
                    _ => first,
                };
                return Ok(DetectionResult::UnknownOpenCode(at));
            }
            StructureAnswer::More if !over => return Ok(DetectionResult::More),
            StructureAnswer::More | StructureAnswer::Nothing => None,
        },
    };
    let (start, is_sse) = match structure::content_start(head, over) {
        structure::ContentStart::Json(at) => (at, false),
        structure::ContentStart::Sse(at) => (at, true),
        structure::ContentStart::More if !over => return Ok(DetectionResult::More),
        structure::ContentStart::More | structure::ContentStart::Nothing
            if matches!(byte, b'{' | b'[') =>
        {
            (first, false)
        }
        _ if given.is_none() && structure::is_field(head.get(first..).unwrap_or_default()) => {
            return Ok(DetectionResult::More);
        }
        structure::ContentStart::More | structure::ContentStart::Nothing => {
            let message = "this is not a transcript: it contains no JSON";
            return Err(Error::transcript("format", message, first));
        }
    };
    if is_sse && format.is_none() {
        if structure::is_cut(head.get(start..).unwrap_or_default()) {
            return Ok(DetectionResult::More);
        }
        let message = "this is a stream of events, but the first of them is cut off, or of no format \
                       that is known";
        return Err(Error::transcript("format", message, start));
    }
    // An unknown format is read as messages, so that the problems say what is wrong with it. But an
    // export may be damaged in its first bytes.
    let is_export = || memchr::memmem::find(head, b"\"messages\"").is_some();
    let format = match format {
        Some(format) => format,
        None if head.get(start) != Some(&b'{') => Format::WithParts,
        None if is_export() && opencode2_export::is_like(head) => Format::OpenCode2Export,
        None if is_export() => Format::OpenCodeExport,
        None if !over && head.len() < LONGEST_HEAD => return Ok(DetectionResult::More),
        None => Format::WithParts,
    };
    let is_list = !is_sse && head.get(start) == Some(&b'[');
    let shape = match format {
        Format::OpenCodeExport | Format::OpenCode2Export if is_list => {
            let message = "an export is an object `{info, messages}`, and this is an array";
            return Err(Error::transcript("format", message, first));
        }
        _ if is_list => Some(DocumentLayout::List),
        format => format.layout(),
    };
    Ok(DetectionResult::Is(Detection { format, shape, start, first }))
}

fn refuse_other_encodings(bytes: &[u8]) -> Result<(), Error> {
    match Foreign::detect(bytes) {
        // This also gives where it begins.
        None | Some(Foreign::Markup) => Ok(()),
        Some(foreign) => Err(Error::transcript("format", foreign.message("file"), 0)),
    }
}
