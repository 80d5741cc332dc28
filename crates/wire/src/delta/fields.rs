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

    /// A field that may be missing. `null` does not count as missing: the contract does not allow
    /// it.
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
    // The grammar was checked when the record was scanned.
    let found = scan::fields(json, payload.start, names, depth).map_or([None; N], |found| found.0);
    let mut spans = found.into_iter();
    names.map(|name| RecordField { json, within: "/payload", name, span: spans.next().flatten() })
}

pub(crate) fn content<'a>(
    json: &'a str,
    kind: Cow<'a, str>,
    payload: Option<Span>,
    depth: usize,
) -> Result<(DeltaContent<'a>, Option<Cow<'a, str>>), FieldError> {
    const KINDS: [&str; 11] = [
        "start",
        "text",
        "thinking",
        "tool_call_start",
        "tool_call_args",
        "tool_call_end",
        "custom",
        "reset",
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
            let [text, block, provider] =
                fields(json, payload, ["textDelta", "block", "provider"], depth);
            let text = text.piece()?;
            let block = block.optional(RecordField::block)?;
            let provider = provider.optional(RecordField::object)?;
            let is_text = kind == "text";
            if block.is_some() || provider.is_some() {
                let kind = if is_text { BlockKind::Text } else { BlockKind::Thinking };
                Payload::Block(Box::new(BlockDelta { kind, text, block, provider }))
            } else if is_text {
                Payload::Text(text)
            } else {
                Payload::Thinking(text)
            }
        }
        "tool_call_start" => {
            let [id, name, provider] =
                fields(json, payload, ["toolCallId", "toolName", "provider"], depth);
            let provider = provider.optional(RecordField::object)?;
            Payload::ToolCallStart { id: id.string()?, name: name.string()?, provider }
        }
        "tool_call_args" => {
            let [id, text] = fields(json, payload, ["toolCallId", "argsTextDelta"], depth);
            Payload::ToolCallArgs { id: id.string()?, text: text.piece()? }
        }
        "tool_call_end" => {
            let [id, provider] = fields(json, payload, ["toolCallId", "provider"], depth);
            let provider = provider.optional(RecordField::object)?;
            Payload::ToolCallEnd { id: id.string()?, provider }
        }
        "custom" => {
            let [name, block, provider] =
                fields(json, payload, ["type", "block", "provider"], depth);
            let block = block.optional(RecordField::block)?;
            Payload::Custom { name: name.string()?, block, provider: provider.object()? }
        }
        "reset" => {
            let [since] = fields(json, payload, ["since"], depth);
            Payload::Reset { since: since.integer()? }
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
            let names = [
                "errorCode",
                "message",
                "retryable",
                "param",
                "requestId",
                "retryAfterMs",
                "details",
                "meta",
            ];
            let [code, message, retryable, param, request, after, details, meta] =
                fields(json, payload, names, depth);
            carried = meta.optional(RecordField::object)?;
            Payload::Error(Box::new(StreamError {
                code: code.string()?,
                message: message.optional(RecordField::string)?,
                retryable: retryable.optional(RecordField::bool)?,
                param: param.optional(RecordField::string)?,
                request_id: request.optional(RecordField::string)?,
                retry_after_ms: after.optional(RecordField::number)?,
                details: details.span.map(|span| Cow::Borrowed(span.text(json))),
            }))
        }
    };
    Ok((DeltaContent::Known(known), carried))
}
