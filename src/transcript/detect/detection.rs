//! What a file is and where it begins, by its first bytes.

use crate::json::scan::skip_space;
use crate::model::Error;
use crate::transcript::detect::structure;
use crate::transcript::documents::splitter::DocumentLayout;
use crate::transcript::formats::registry::Format;
use crate::wire::foreign::Foreign;

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectionResult {
    /// The file is this.
    Is(Detection),
    /// More bytes are needed.
    More,
}

/// How to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detection {
    pub(crate) format: Format,
    /// How the documents stand in it; `None` where it is a stream of frames.
    pub(crate) shape: Option<DocumentLayout>,
    /// Where it begins.
    pub(crate) start: usize,
    /// Text that is none of it begins here.
    pub(crate) first: usize,
}

/// So many of the first bytes are looked at first.
const FIRST_LOOK: usize = 256;
/// What is nothing that is known is waited for up to here.
const LONGEST_HEAD: usize = 4 << 20;

/// Tells by as many of the first bytes as are needed, or not yet. It goes on behind the `looked` bytes
/// that did not suffice: always the same lengths are looked at, so that it does not matter in which
/// pieces the file comes.
///
/// # Errors
/// As for [`told`].
pub(crate) fn detect_surely(
    head: &[u8],
    given: Option<Format>,
    looked: &mut usize,
    over: bool,
) -> Result<Option<Detection>, Error> {
    loop {
        let length = (*looked * 2).max(FIRST_LOOK);
        let told = match head.get(..length) {
            Some(head) => detect(head, given, false)?,
            None if over => detect(head, given, true)?,
            None => return Ok(None),
        };
        match told {
            DetectionResult::Is(begin) => return Ok(Some(begin)),
            DetectionResult::More if length > head.len() => return Ok(None),
            DetectionResult::More => *looked = length,
        }
    }
}

/// What a file would be that ends here, where that shows.
pub(crate) fn detect_likely(head: &[u8], given: Option<Format>) -> Option<Detection> {
    let shows = given.is_some()
        || matches!(structure::detect(head, true), structure::StructureAnswer::Is(_));
    match detect(head, given, true) {
        Ok(DetectionResult::Is(begin)) if shows => Some(begin),
        _ => None,
    }
}

/// Tells by the first bytes; `over` says that there are no others: it is `More` then where the file
/// is cut off before it shows what it is.
///
/// # Errors
/// `TranscriptError` where it is no transcript.
pub(crate) fn detect(
    head: &[u8],
    given: Option<Format>,
    over: bool,
) -> Result<DetectionResult, Error> {
    refuse_other_encodings(head)?;
    let mark = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let first = skip_space(head, mark);
    let Some(byte) = head.get(first) else {
        return if over {
            Err(Error::transcript("the file is empty", 0))
        } else {
            Ok(DetectionResult::More)
        };
    };
    if *byte == b'<' {
        return Err(Error::transcript("this is HTML or XML, not a transcript", first));
    }
    let format = match given {
        Some(format) => Some(format),
        None => match structure::detect(head, over) {
            structure::StructureAnswer::Is(format) => Some(format),
            structure::StructureAnswer::More if !over => return Ok(DetectionResult::More),
            structure::StructureAnswer::More | structure::StructureAnswer::Nothing => None,
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
            let message = "this is no transcript: there is no JSON in it";
            return Err(Error::transcript(message, first));
        }
    };
    if is_sse && format.is_none() {
        if structure::is_cut(head.get(start..).unwrap_or_default()) {
            return Ok(DetectionResult::More);
        }
        let message = "this is a stream of events, but the first of them is cut off, or of no format \
                       that is known";
        return Err(Error::transcript(message, start));
    }
    // What is nothing that is known is read as messages: then it is said what is wrong with it. But
    // an export may be damaged in its first bytes.
    let is_export = || memchr::memmem::find(head, b"\"messages\"").is_some();
    let format = match format {
        Some(format) => format,
        None if head.get(start) != Some(&b'{') => Format::WithParts,
        None if is_export() => Format::OpenCodeExport,
        None if !over && head.len() < LONGEST_HEAD => return Ok(DetectionResult::More),
        None => Format::WithParts,
    };
    let is_list = !is_sse && head.get(start) == Some(&b'[');
    let shape = match format {
        Format::OpenCodeExport if is_list => {
            let message = "an export is an object `{info, messages}`, and this is an array";
            return Err(Error::transcript(message, first));
        }
        _ if is_list => Some(DocumentLayout::List),
        format => format.layout(),
    };
    Ok(DetectionResult::Is(Detection { format, shape, start, first }))
}

fn refuse_other_encodings(bytes: &[u8]) -> Result<(), Error> {
    match Foreign::of(bytes) {
        // Where it begins is said too.
        None | Some(Foreign::Markup) => Ok(()),
        Some(foreign) => Err(Error::transcript(foreign.message("file"), 0)),
    }
}
