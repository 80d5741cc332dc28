//! The fast path for the deltas that are most frequent: text, reasoning and arguments in the one
//! shape that `JSON.stringify` writes. Keys are compared as bytes, strings are borrowed, nothing is
//! allocated.
//!
//! It must equal [`DeltaReader::read`](super::DeltaReader::read) without it, proven by the test
//! `the_fast_path_agrees_with_the_general_reader` beside [`reader`](super::reader) and by the fuzz body
//! `delta`, which spells each record anew.

use apex_parts_json::scan;
use apex_parts_model::delta::{Delta, DeltaContent, Payload, Piece};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Copy)]
enum FastKind {
    Text,
    Thinking,
    Args,
}

/// A record of the common shape.
pub(crate) struct FastDelta<'a> {
    /// How it begins, if the last record began otherwise.
    pub(crate) prefix: Option<&'a str>,
    pub(crate) seq: i64,
    kind: FastKind,
    call: &'a str,
    /// What is between the quotes.
    text: &'a str,
    escaped: bool,
    pub(crate) timestamp: &'a str,
}

const RUN: &[u8; 10] = br#"{"runId":""#;
const SEQ: &[u8; 8] = br#"","seq":"#;

/// The offset after this word, if it is at `at`.
#[inline(always)]
fn word<const N: usize>(bytes: &[u8], at: usize, word: &[u8; N]) -> Option<usize> {
    let found: &[u8; N] = bytes.get(at..)?.first_chunk()?;
    scan::same(found, word).then_some(at + N)
}

/// Reads `{"runId":"…","seq":1,"kind":"text","payload":{"textDelta":"…"},"timestamp":"…"}` and the
/// same for reasoning and arguments; `None` for anything else. `prefix` is how the last record
/// began. All but the strings is compared byte by byte, so only the strings are checked for UTF-8.
pub(crate) fn fast_path<'a>(bytes: &'a [u8], prefix: &str) -> Option<FastDelta<'a>> {
    let known = bytes.get(..prefix.len()).is_some_and(|begin| scan::same(begin, prefix.as_bytes()));
    let (mut at, prefix) = if known && !prefix.is_empty() {
        (prefix.len(), None)
    } else {
        let start = word(bytes, 0, RUN)?;
        let end = scan::plain(bytes, start);
        let until = word(bytes, end, SEQ)?;
        (until, Some(text(bytes, 0..until)?))
    };
    let seq = whole(bytes, &mut at)?;
    at = word(bytes, at, br#","kind":"t"#)?;
    let mut call = "";
    let kind = match bytes.get(at)? {
        b'e' => {
            at = word(bytes, at, br#"ext","payload":{"textDelta":""#)?;
            FastKind::Text
        }
        b'h' => {
            at = word(bytes, at, br#"hinking","payload":{"textDelta":""#)?;
            FastKind::Thinking
        }
        _ => {
            at = word(bytes, at, br#"ool_call_args","payload":{"toolCallId":""#)?;
            call = simple(bytes, &mut at)?;
            at = word(bytes, at, br#","argsTextDelta":""#)?;
            FastKind::Args
        }
    };
    let start = at;
    let (end, escaped) = scan::string(bytes, at).ok()?;
    at = word(bytes, end + 1, br#"},"timestamp":""#)?;
    let timestamp = simple(bytes, &mut at)?;
    let end_of_record = word(bytes, at, b"}")?;
    (end_of_record == bytes.len()).then_some(())?;
    Some(FastDelta { prefix, seq, kind, call, text: text(bytes, start..end)?, escaped, timestamp })
}

/// The run of records that begin with `prefix`.
#[inline(always)]
pub(crate) fn run_of(prefix: &str) -> Option<&str> {
    prefix.get(RUN.len()..prefix.len().checked_sub(SEQ.len())?)
}

#[inline(always)]
fn text(bytes: &[u8], range: Range<usize>) -> Option<&str> {
    std::str::from_utf8(bytes.get(range)?).ok()
}

/// A string without escapes, whose text begins at `at`, which is moved after the closing quote.
#[inline(always)]
fn simple<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a str> {
    let start = *at;
    let end = scan::plain(bytes, start);
    (bytes.get(end) == Some(&b'"')).then_some(())?;
    *at = end + 1;
    text(bytes, start..end)
}

/// A number of up to 15 digits, without leading zeros.
fn whole(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let start = *at;
    let mut number = 0;
    while let Some(digit @ b'0'..=b'9') = bytes.get(*at) {
        number = number * 10 + i64::from(digit - b'0');
        *at += 1;
        if *at - start > 15 {
            return None;
        }
    }
    let good = *at > start && (bytes.get(start) != Some(&b'0') || *at == start + 1);
    good.then_some(number)
}

impl<'a> FastDelta<'a> {
    pub(crate) fn payload(self, scratch: &'a mut String) -> Payload<'a> {
        let piece = if self.escaped {
            scratch.clear();
            let (low, high) = scan::unescape(self.text, scratch);
            Piece { low, text: Cow::Borrowed(scratch), high }
        } else {
            self.text.into()
        };
        match self.kind {
            FastKind::Text => Payload::Text(piece),
            FastKind::Thinking => Payload::Thinking(piece),
            FastKind::Args => Payload::ToolCallArgs { id: Cow::Borrowed(self.call), text: piece },
        }
    }

    /// The delta; `prefix` is how the record begins.
    pub(crate) fn delta(self, prefix: &'a str, scratch: &'a mut String) -> Delta<'a> {
        Delta {
            run_id: Cow::Borrowed(run_of(prefix).unwrap_or_default()),
            seq: self.seq,
            timestamp: Cow::Borrowed(self.timestamp),
            what: DeltaContent::Known(self.payload(scratch)),
            meta: None,
        }
    }
}
