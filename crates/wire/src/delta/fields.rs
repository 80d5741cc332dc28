//! The fields of a delta and of its payload, in any order and any spelling.

use apex_parts_json::float;
use apex_parts_json::scan;
use apex_parts_json::scan::{Span, TokenKind};
use apex_parts_json::writer;
use apex_parts_model::delta::{
    BlockDelta, BlockKind, DeltaContent, Payload, Piece, StreamError, Usage,
};
use apex_parts_model::shorten;
use apex_parts_model::view::number_text;
use std::borrow::Cow;

/// The largest whole number up to which a JavaScript number is exact.
pub(crate) const MAX_SAFE: i64 = (1 << 53) - 1;

/// Where a record breaks the schema (a JSON Pointer), and how.
pub(crate) type FieldError = (String, String);

/// A field, present or not.
#[derive(Clone, Copy)]
pub(crate) struct RecordField<'a> {
    pub(crate) json: &'a str,
    pub(crate) within: &'static str,
    pub(crate) name: &'static str,
    pub(crate) span: Option<Span>,
}

impl<'a> RecordField<'a> {
    fn wrong<T>(self, needed: &str) -> Result<T, FieldError> {
        let RecordField { within, name, .. } = self;
        let prefix = if within.is_empty() { "" } else { "payload." };
        let message = match self.span {
            None => format!("`{prefix}{name}` is missing; it must be {needed}"),
            Some(span) => {
                // The type may be right and the number wrong.
                let got = match span.kind {
                    TokenKind::Number => shorten(span.text(self.json)),
                    kind => kind.describe().to_owned(),
                };
                format!("`{prefix}{name}` must be {needed}, not {got}")
            }
        };
        Err((format!("{within}/{name}"), message))
    }

    pub(crate) fn string(self) -> Result<Cow<'a, str>, FieldError> {
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
        match number.and_then(|span| float::parse(span.text(self.json))) {
            Some(number) if number.is_finite() => Ok(number),
            _ => self.wrong("a number"),
        }
    }

    /// A whole number that JavaScript holds exactly, in any spelling (`1e3` is one): beyond 2^53
    /// two consecutive numbers are the same there.
    pub(crate) fn integer(self) -> Result<i64, FieldError> {
        match self.any_integer() {
            Some(number) if number.abs() <= MAX_SAFE => Ok(number),
            _ => self.wrong("a whole number up to 2^53 - 1"),
        }
    }

    /// A whole number, exact in JavaScript or not.
    pub(crate) fn any_integer(self) -> Option<i64> {
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

    /// The JSON text of a string or a number, in its one spelling.
    fn block(self) -> Result<Cow<'a, str>, FieldError> {
        let mut json = String::new();
        match self.span.map(|span| span.kind) {
            Some(TokenKind::String(_)) => writer::string(&mut json, &self.string()?),
            Some(TokenKind::Number) => json = number_text(self.number()?),
            _ => return self.wrong("a string or a number"),
        }
        Ok(json.into())
    }
}

/// The most fields that a payload has.
const MOST: usize = 8;

/// What is read of a payload: its fields in the order of their names. The first error counts.
struct PayloadFields<'a> {
    json: &'a str,
    names: &'static [&'static str],
    spans: [Option<Span>; MOST],
    error: Option<FieldError>,
}

impl<'a> PayloadFields<'a> {
    fn of(
        json: &'a str,
        payload: Span,
        names: &'static [&'static str],
        depth: usize,
    ) -> PayloadFields<'a> {
        let mut spans = [None; MOST];
        // The grammar was checked when the record was scanned.
        if scan::fields_into(json, payload.start, names, depth, &mut spans).is_err() {
            spans = [None; MOST];
        }
        PayloadFields { json, names, spans, error: None }
    }

    fn at(&self, index: usize) -> RecordField<'a> {
        let name = self.names.get(index).copied().unwrap_or_default();
        let span = self.spans.get(index).copied().flatten();
        RecordField { json: self.json, within: "/payload", name, span }
    }

    /// What `read` makes of a field; anything after an error.
    #[inline(never)]
    fn read<T: Default>(&mut self, index: usize, read: ReadField<'a, T>) -> T {
        read(self.at(index)).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            T::default()
        })
    }

    /// The same of a field that may be missing. `null` does not count as missing: the contract does not allow it.
    #[inline(never)]
    fn optional<T: Default>(&mut self, index: usize, read: ReadField<'a, T>) -> Option<T> {
        self.at(index).span.map(|_| self.read(index, read))
    }
}

/// Reads a field.
type ReadField<'a, T> = fn(RecordField<'a>) -> Result<T, FieldError>;

/// The kinds of deltas.
#[derive(Clone, Copy)]
enum PayloadKind {
    Start,
    Text,
    Thinking,
    CallStart,
    CallArgs,
    CallEnd,
    Custom,
    Reset,
    Usage,
    Done,
    Error,
}

/// The name of each kind, and the fields of its payload.
const KINDS: [(&str, PayloadKind, &[&str]); 11] = [
    ("start", PayloadKind::Start, &["modelId", "requestId"]),
    ("text", PayloadKind::Text, TEXT_FIELDS),
    ("thinking", PayloadKind::Thinking, TEXT_FIELDS),
    ("tool_call_start", PayloadKind::CallStart, &["toolCallId", "toolName", "provider"]),
    ("tool_call_args", PayloadKind::CallArgs, &["toolCallId", "argsTextDelta"]),
    ("tool_call_end", PayloadKind::CallEnd, &["toolCallId", "provider"]),
    ("custom", PayloadKind::Custom, &["type", "block", "provider"]),
    ("reset", PayloadKind::Reset, &["since"]),
    ("usage", PayloadKind::Usage, USAGE_FIELDS),
    ("done", PayloadKind::Done, &["finishReason", "meta"]),
    ("error", PayloadKind::Error, ERROR_FIELDS),
];
const TEXT_FIELDS: &[&str] = &["textDelta", "block", "provider"];
const USAGE_FIELDS: &[&str] = &[
    "inputTokens",
    "outputTokens",
    "totalTokens",
    "cost",
    "cacheReadTokens",
    "cacheWriteTokens",
    "reasoningTokens",
];
const ERROR_FIELDS: &[&str] =
    &["errorCode", "message", "retryable", "param", "requestId", "retryAfterMs", "details", "meta"];

pub(crate) fn content<'a>(
    json: &'a str,
    kind: Cow<'a, str>,
    payload: Option<Span>,
    depth: usize,
) -> Result<(DeltaContent<'a>, Option<Cow<'a, str>>), FieldError> {
    let Some((_, kind, names)) = KINDS.iter().find(|(name, ..)| *name == kind) else {
        return Ok((DeltaContent::Unknown(kind), None));
    };
    let Some(payload) = payload.filter(|span| span.kind == TokenKind::Object) else {
        return RecordField { json, within: "", name: "payload", span: payload }.wrong("an object");
    };
    let (string, number, object) = (RecordField::string, RecordField::number, RecordField::object);
    let mut of = PayloadFields::of(json, payload, names, depth);
    let mut carried = None;
    let known = match kind {
        PayloadKind::Start => {
            Payload::Start { model_id: of.read(0, string), request_id: of.read(1, string) }
        }
        PayloadKind::Text | PayloadKind::Thinking => {
            let text = of.read(0, RecordField::piece);
            let block = of.optional(1, RecordField::block);
            let provider = of.optional(2, object);
            let is_text = matches!(kind, PayloadKind::Text);
            if block.is_some() || provider.is_some() {
                let kind = if is_text { BlockKind::Text } else { BlockKind::Thinking };
                Payload::Block(Box::new(BlockDelta { kind, text, block, provider }))
            } else if is_text {
                Payload::Text(text)
            } else {
                Payload::Thinking(text)
            }
        }
        PayloadKind::CallStart => {
            let provider = of.optional(2, object);
            Payload::ToolCallStart { id: of.read(0, string), name: of.read(1, string), provider }
        }
        PayloadKind::CallArgs => {
            Payload::ToolCallArgs { id: of.read(0, string), text: of.read(1, RecordField::piece) }
        }
        PayloadKind::CallEnd => {
            let provider = of.optional(1, object);
            Payload::ToolCallEnd { id: of.read(0, string), provider }
        }
        PayloadKind::Custom => {
            let block = of.optional(1, RecordField::block);
            Payload::Custom { name: of.read(0, string), block, provider: of.read(2, object) }
        }
        PayloadKind::Reset => Payload::Reset { since: of.read(0, RecordField::integer) },
        PayloadKind::Usage => Payload::Usage(Usage {
            input: of.read(0, number),
            output: of.read(1, number),
            total: of.read(2, number),
            cost: of.optional(3, number),
            cache_read: of.optional(4, number),
            cache_write: of.optional(5, number),
            reasoning: of.optional(6, number),
        }),
        PayloadKind::Done => {
            carried = of.optional(1, object);
            Payload::Done { finish_reason: of.read(0, string) }
        }
        PayloadKind::Error => {
            carried = of.optional(7, object);
            Payload::Error(Box::new(StreamError {
                code: of.read(0, string),
                message: of.optional(1, string),
                retryable: of.optional(2, RecordField::bool),
                param: of.optional(3, string),
                request_id: of.optional(4, string),
                retry_after_ms: of.optional(5, number),
                details: of.at(6).span.map(|span| Cow::Borrowed(span.text(json))),
            }))
        }
    };
    match of.error {
        Some(error) => Err(error),
        None => Ok((DeltaContent::Known(known), carried)),
    }
}
