//! `MessageDelta` records. Those that come by the thousand have one shape, as `JSON.stringify`
//! writes it, and are read by a reader that is fitted to it: keys are compared as bytes, strings
//! are borrowed, nothing is allocated. Every other record (white space, another order, fields
//! that are not known or come twice) goes through the general reader.

use super::WireFormat;
use super::foreign::no_json;
use super::reader::{self, Provider, other_format};
use crate::json::JsonError;
use crate::json::scan;
use crate::json::scan::{Span, TokenKind};
use crate::model::delta::{Delta, DeltaContent, Payload, Piece, Usage};
use crate::model::{Violation, shorten};
use std::borrow::Cow;
use std::ops::Range;

/// The largest whole number that a JavaScript number holds for certain.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// Reads deltas; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct DeltaReader {
    scratch: String,
    /// How the last record began, up to its number: the next one begins so too.
    prefix: String,
    /// What begins so is of the run at hand.
    own: bool,
    /// The last record, where it could not be read as it was.
    mended: String,
    /// It had bytes that are no UTF-8.
    replaced: bool,
}

/// A record of the common shape, of the run at hand.
#[derive(Debug)]
pub struct Own<'a> {
    /// Its number.
    pub seq: i64,
    /// What it says.
    pub payload: Payload<'a>,
    /// Its time.
    pub timestamp: &'a str,
}

impl DeltaReader {
    /// Reads a record of the common shape that is of the run at hand; `None` for anything else.
    pub fn own<'a>(&'a mut self, record: &'a [u8]) -> Option<Own<'a>> {
        let quick = if self.own { quick(record, &self.prefix)? } else { return None };
        if quick.prefix.is_some() {
            return None;
        }
        let (seq, timestamp) = (quick.seq, quick.timestamp);
        Some(Own { seq, payload: quick.payload(&mut self.scratch), timestamp })
    }

    /// The run at hand: records that begin as the last one did are its own, if that was.
    pub fn run_is(&mut self, run_id: Option<&str>) {
        self.own = run_id.is_some() && run_of(&self.prefix) == run_id;
    }

    /// Did the last record that was read have bytes that are no UTF-8? It was read with U+FFFD in
    /// their place.
    #[must_use]
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// Reads the record. Objects and arrays nest at most `depth` deep.
    ///
    /// # Errors
    /// A [`Violation`] where it is no delta.
    pub fn read<'a>(&'a mut self, record: &'a [u8], depth: usize) -> Result<Delta<'a>, Violation> {
        self.replaced = false;
        if let Some(quick) = quick(record, &self.prefix) {
            if let Some(prefix) = quick.prefix {
                prefix.clone_into(&mut self.prefix);
                self.own = false;
            }
            return Ok(quick.delta(&self.prefix, &mut self.scratch));
        }
        let mut text = String::from_utf8_lossy(record);
        self.replaced = matches!(text, Cow::Owned(_));
        let failed = |error: JsonError| match error.is_limit() {
            true => {
                Violation::new("limit", format!("the record is nested deeper than {depth} levels"))
            }
            false => Violation::new("json", no_json(error, record)),
        };
        let start = scan::skip_space(text.as_bytes(), 0);
        if text.as_bytes().get(start) != Some(&b'{') {
            let span = scan::value(text.as_bytes(), start, depth).map_err(failed)?;
            scan::end_of(text.as_bytes(), span.end).map_err(failed)?;
            let message = format!("a delta is an object, not {}", span.kind.describe());
            return Err(Violation::new("schema", message));
        }
        let names = ["runId", "seq", "kind", "payload", "timestamp"];
        let mut scanned = scan::fields(&text, start, names, depth);
        if let Err(error) = scanned
            && let Some(shorter) = without_raw(&text, start, error)
        {
            scanned = scan::fields(&shorter, start, names, depth);
            text = Cow::Owned(shorter);
        }
        let (found, end) = scanned.map_err(failed)?;
        scan::end_of(text.as_bytes(), end).map_err(failed)?;
        let json: &'a str = match text {
            Cow::Borrowed(json) => json,
            Cow::Owned(mended) => {
                self.mended = mended;
                &self.mended
            }
        };
        let [run_id, seq, kind, payload, timestamp] = found;
        let run_id = RecordField { json, within: "", name: "runId", span: run_id };
        let seq = RecordField { json, within: "", name: "seq", span: seq };
        let kind = RecordField { json, within: "", name: "kind", span: kind };
        let timestamp = RecordField { json, within: "", name: "timestamp", span: timestamp };
        let read = || {
            let (run_id, seq) = (run_id.string()?, seq.integer()?);
            let (kind, timestamp) = (kind.string()?, timestamp.string()?);
            let (what, meta) = what(json, kind, payload, depth)?;
            Ok(Delta { run_id, seq, what, meta, timestamp })
        };
        read().map_err(|(path, message): FieldError| {
            let (seq, run_id) = (seq.any_integer(), run_id.string().ok().map(Cow::into_owned));
            // A record of a provider has neither.
            let other = match (&seq, &run_id) {
                (None, None) => reader::sniff(record),
                _ => None,
            };
            let (path, message) = match other.map(Provider::as_str) {
                Some(other) => {
                    let own = WireFormat::Delta.as_str();
                    (String::new(), other_format(other, own))
                }
                None => (path, message),
            };
            Violation { path, seq, run_id, ..Violation::new("schema", message) }
        })
    }
}

/// DC-13: `providerRaw` changes nothing, however deep it is nested. The record without it, where
/// that is what is wrong with it.
fn without_raw(json: &str, start: usize, error: JsonError) -> Option<String> {
    let ([raw], _) = scan::fields(json, start, ["providerRaw"], usize::MAX).ok()?;
    let raw = raw.filter(|raw| error.is_limit() && (raw.start..raw.end).contains(&error.offset))?;
    Some(format!("{}null{}", json.get(..raw.start)?, json.get(raw.end..)?))
}

// ── The general reader ──────────────────────────────────────────────────────────────────────────

/// Where a record breaks the schema (a JSON Pointer), and how.
type FieldError = (String, String);

/// A field, there or not.
#[derive(Clone, Copy)]
struct RecordField<'a> {
    json: &'a str,
    within: &'static str,
    name: &'static str,
    span: Option<Span>,
}

impl<'a> RecordField<'a> {
    fn wrong<T>(self, needed: &str) -> Result<T, FieldError> {
        let RecordField { within, name, .. } = self;
        let shown = if within.is_empty() { "" } else { "payload." };
        let message = match self.span {
            None => format!("`{shown}{name}` is missing; it is {needed}"),
            Some(span) => {
                // A number can be the wrong number.
                let got = match span.kind {
                    TokenKind::Number => shorten(span.text(self.json)),
                    kind => kind.describe().to_owned(),
                };
                format!("`{shown}{name}` is {needed}, not {got}")
            }
        };
        Err((format!("{within}/{name}"), message))
    }

    fn string(self) -> Result<Cow<'a, str>, FieldError> {
        match self.span.and_then(|span| span.string(self.json)) {
            Some(text) => Ok(text),
            None => self.wrong("a string"),
        }
    }

    fn piece(self) -> Result<Piece<'a>, FieldError> {
        match self.span.and_then(|span| span.piece(self.json)) {
            Some(piece) => Ok(piece),
            None => self.wrong("a string"),
        }
    }

    fn number(self) -> Result<f64, FieldError> {
        let number = self.span.filter(|span| span.kind == TokenKind::Number);
        match number.and_then(|span| span.text(self.json).parse::<f64>().ok()) {
            Some(number) if number.is_finite() => Ok(number),
            _ => self.wrong("a number"),
        }
    }

    /// A whole number that JavaScript holds exactly, however it is written (`1e3` is one): beyond
    /// 2^53 two numbers that follow each other are the same there.
    fn integer(self) -> Result<i64, FieldError> {
        match self.any_integer() {
            Some(number) if number.abs() <= MAX_SAFE => Ok(number),
            _ => self.wrong("a whole number up to 2^53 - 1"),
        }
    }

    /// A whole number, good or not.
    fn any_integer(self) -> Option<i64> {
        let number = self.number().ok().filter(|n| n.fract() == 0.0 && n.abs() < 1e18)?;
        #[allow(clippy::cast_possible_truncation)]
        Some(number as i64)
    }

    fn bool(self) -> Result<bool, FieldError> {
        match self.span.filter(|span| span.kind == TokenKind::Bool) {
            Some(span) => Ok(span.text(self.json) == "true"),
            None => self.wrong("a boolean"),
        }
    }

    /// The JSON text of an object.
    fn object(self) -> Result<Cow<'a, str>, FieldError> {
        match self.span.filter(|span| span.kind == TokenKind::Object) {
            Some(span) => Ok(Cow::Borrowed(span.text(self.json))),
            None => self.wrong("an object"),
        }
    }

    /// A field that may be left out. `null` is not left out: the contract does not have it.
    fn optional<T>(
        self,
        read: impl Fn(Self) -> Result<T, FieldError>,
    ) -> Result<Option<T>, FieldError> {
        if self.span.is_none() { Ok(None) } else { read(self).map(Some) }
    }
}

fn fields<'a, const N: usize>(
    json: &'a str,
    payload: Span,
    names: [&'static str; N],
    depth: usize,
) -> [RecordField<'a>; N] {
    // The grammar was checked when the record was stepped through.
    let found = scan::fields(json, payload.start, names, depth).map_or([None; N], |found| found.0);
    let mut spans = found.into_iter();
    names.map(|name| RecordField { json, within: "/payload", name, span: spans.next().flatten() })
}

fn what<'a>(
    json: &'a str,
    kind: Cow<'a, str>,
    payload: Option<Span>,
    depth: usize,
) -> Result<(DeltaContent<'a>, Option<Cow<'a, str>>), FieldError> {
    const KINDS: [&str; 9] = [
        "start",
        "text",
        "thinking",
        "tool_call_start",
        "tool_call_args",
        "tool_call_end",
        "usage",
        "done",
        "error",
    ];
    if !KINDS.contains(&kind.as_ref()) {
        return Ok((DeltaContent::Unknown(kind), None));
    }
    let Some(payload) = payload.filter(|span| span.kind == TokenKind::Object) else {
        return RecordField { json, within: "", name: "payload", span: payload }.wrong("an object");
    };
    let mut carried = None;
    let known = match kind.as_ref() {
        "start" => {
            let [model, request] = fields(json, payload, ["modelId", "requestId"], depth);
            Payload::Start { model_id: model.string()?, request_id: request.string()? }
        }
        "text" | "thinking" => {
            let [text] = fields(json, payload, ["textDelta"], depth);
            let text = text.piece()?;
            if kind == "text" { Payload::Text(text) } else { Payload::Thinking(text) }
        }
        "tool_call_start" => {
            let [id, name] = fields(json, payload, ["toolCallId", "toolName"], depth);
            Payload::ToolCallStart { id: id.string()?, name: name.string()? }
        }
        "tool_call_args" => {
            let [id, text] = fields(json, payload, ["toolCallId", "argsTextDelta"], depth);
            Payload::ToolCallArgs { id: id.string()?, text: text.piece()? }
        }
        "tool_call_end" => {
            let [id] = fields(json, payload, ["toolCallId"], depth);
            Payload::ToolCallEnd { id: id.string()? }
        }
        "usage" => {
            let names = [
                "inputTokens",
                "outputTokens",
                "totalTokens",
                "cost",
                "cacheReadTokens",
                "cacheWriteTokens",
                "reasoningTokens",
            ];
            let [input, output, total, cost, read, write, reasoning] =
                fields(json, payload, names, depth);
            Payload::Usage(Usage {
                input: input.number()?,
                output: output.number()?,
                total: total.number()?,
                cost: cost.optional(RecordField::number)?,
                cache_read: read.optional(RecordField::number)?,
                cache_write: write.optional(RecordField::number)?,
                reasoning: reasoning.optional(RecordField::number)?,
            })
        }
        "done" => {
            let [reason, meta] = fields(json, payload, ["finishReason", "meta"], depth);
            carried = meta.optional(RecordField::object)?;
            Payload::Done { finish_reason: reason.string()? }
        }
        _ => {
            let names = ["errorCode", "message", "retryable", "meta"];
            let [code, message, retryable, meta] = fields(json, payload, names, depth);
            carried = meta.optional(RecordField::object)?;
            Payload::Error {
                code: code.string()?,
                message: message.optional(RecordField::string)?,
                retryable: retryable.optional(RecordField::bool)?,
            }
        }
    };
    Ok((DeltaContent::Known(known), carried))
}

// ── The fitted reader ───────────────────────────────────────────────────────────────────────────

#[derive(Clone, Copy)]
enum QuickKind {
    Text,
    Thinking,
    Args,
}

/// A record of the common shape.
struct Quick<'a> {
    /// How it begins, where that is not how the record before began.
    prefix: Option<&'a str>,
    seq: i64,
    kind: QuickKind,
    call: &'a str,
    /// What stands between the quotes.
    text: &'a str,
    escaped: bool,
    timestamp: &'a str,
}

const RUN: &[u8; 10] = br#"{"runId":""#;
const SEQ: &[u8; 8] = br#"","seq":"#;

/// The offset behind this word, if it stands at `at`.
#[inline]
fn word<const N: usize>(bytes: &[u8], at: usize, word: &[u8; N]) -> Option<usize> {
    let found: &[u8; N] = bytes.get(at..)?.first_chunk()?;
    scan::same(found, word).then_some(at + N)
}

/// `{"runId":"…","seq":1,"kind":"text","payload":{"textDelta":"…"},"timestamp":"…"}` and its like
/// for thinking and arguments; `None` for anything else. `prefix` is how the record before began.
/// What is no string of these is compared byte by byte: UTF-8 is checked in the strings alone.
fn quick<'a>(bytes: &'a [u8], prefix: &str) -> Option<Quick<'a>> {
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
            QuickKind::Text
        }
        b'h' => {
            at = word(bytes, at, br#"hinking","payload":{"textDelta":""#)?;
            QuickKind::Thinking
        }
        _ => {
            at = word(bytes, at, br#"ool_call_args","payload":{"toolCallId":""#)?;
            call = simple(bytes, &mut at)?;
            at = word(bytes, at, br#","argsTextDelta":""#)?;
            QuickKind::Args
        }
    };
    let start = at;
    let (end, escaped) = scan::string(bytes, at).ok()?;
    at = word(bytes, end + 1, br#"},"timestamp":""#)?;
    let timestamp = simple(bytes, &mut at)?;
    let end_of_record = word(bytes, at, b"}")?;
    (end_of_record == bytes.len()).then_some(())?;
    Some(Quick { prefix, seq, kind, call, text: text(bytes, start..end)?, escaped, timestamp })
}

/// The run of records that begin so.
fn run_of(prefix: &str) -> Option<&str> {
    prefix.get(RUN.len()..prefix.len().checked_sub(SEQ.len())?)
}

fn text(bytes: &[u8], range: Range<usize>) -> Option<&str> {
    std::str::from_utf8(bytes.get(range)?).ok()
}

/// A string without escapes, whose text begins at `at`, which is moved behind the closing quote.
fn simple<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a str> {
    let start = *at;
    let end = scan::plain(bytes, start);
    (bytes.get(end) == Some(&b'"')).then_some(())?;
    *at = end + 1;
    text(bytes, start..end)
}

/// Up to 15 digits, the first no zero unless it is the only one.
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

impl<'a> Quick<'a> {
    fn payload(self, scratch: &'a mut String) -> Payload<'a> {
        let piece = if self.escaped {
            scratch.clear();
            let (low, high) = scan::unescape(self.text, scratch);
            Piece { low, text: Cow::Borrowed(scratch), high }
        } else {
            self.text.into()
        };
        match self.kind {
            QuickKind::Text => Payload::Text(piece),
            QuickKind::Thinking => Payload::Thinking(piece),
            QuickKind::Args => Payload::ToolCallArgs { id: Cow::Borrowed(self.call), text: piece },
        }
    }

    /// The delta; `prefix` is how the record begins.
    fn delta(self, prefix: &'a str, scratch: &'a mut String) -> Delta<'a> {
        Delta {
            run_id: Cow::Borrowed(run_of(prefix).unwrap_or_default()),
            seq: self.seq,
            timestamp: Cow::Borrowed(self.timestamp),
            what: DeltaContent::Known(self.payload(scratch)),
            meta: None,
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
