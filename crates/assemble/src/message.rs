//! The message as `preview` shows it: a view of what the assembler holds.

use super::delta_json::{write_error, write_usage};
use super::ending::Ending;
use super::part::{Body, CallState, StreamedCall, StreamedPart};
use super::provider_state::ShownState;
use super::state::Assembler;
use apex_parts_json::text::Text;
use apex_parts_json::writer::{ObjectWriter, list, object, text};

/// A message. Its role is always `assistant`: streams carry the answers of models.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    assembler: &'a Assembler,
}

/// A part of a message.
#[derive(Clone, Copy, Debug)]
pub enum MessagePart<'a> {
    /// `{kind: "text", payload: {text, provider?}}`
    Text {
        /// The text.
        text: &'a Text,
        /// State of its provider.
        provider: ShownState<'a>,
    },
    /// `{kind: "thinking", payload: {text, provider?}}`
    Thinking {
        /// The text.
        text: &'a Text,
        /// State of its provider.
        provider: ShownState<'a>,
    },
    /// `{kind: "custom", payload: {type, provider}}`
    Custom {
        /// Its type.
        name: &'a str,
        /// Its content.
        provider: ShownState<'a>,
    },
    /// `{kind: "tool_call", payload: {toolCallId, toolName, arguments, rawArgsText?, provider?}}`
    ToolCall {
        /// The id of the call.
        id: &'a str,
        /// The name of the tool.
        name: &'a str,
        /// The arguments; while they arrive, as far as they can be parsed.
        arguments: Arguments<'a>,
        /// Their text, while it arrives or if it is not JSON.
        raw: Option<&'a Text>,
        /// State of its provider.
        provider: ShownState<'a>,
    },
}

/// The arguments of a tool call. They are kept as the text that arrived; an incomplete one is
/// completed when it is written.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    call: &'a StreamedCall,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(call: &'a StreamedCall) -> Arguments<'a> {
        Arguments { call }
    }

    /// Appends the arguments as JSON text.
    pub fn write_json(self, out: &mut String) {
        match &self.call.state {
            CallState::Open(partial) => partial.complete(&self.call.raw, out),
            CallState::Good => self.call.raw.blocks().for_each(|block| out.push_str(block)),
            // DC-7: `{}` stands for blank text and for text that does not parse.
            CallState::Blank | CallState::Bad { .. } => out.push_str("{}"),
        }
    }

    /// The arguments as JSON text.
    #[must_use]
    pub fn to_json(self) -> String {
        let mut out = String::with_capacity(self.call.raw.len() + 2);
        self.write_json(&mut out);
        out
    }
}

impl<'a> MessagePart<'a> {
    pub(crate) fn new(part: &'a StreamedPart) -> MessagePart<'a> {
        let provider = part.shown();
        match &part.body {
            Body::Text(text) => MessagePart::Text { text, provider },
            Body::Thinking(text) => MessagePart::Thinking { text, provider },
            Body::Custom(custom) => MessagePart::Custom { name: &custom.name, provider },
            Body::Call(call) => {
                let keep = matches!(call.state, CallState::Open(_) | CallState::Bad { .. });
                MessagePart::ToolCall {
                    id: &call.id,
                    name: &call.name,
                    arguments: Arguments::new(call),
                    raw: keep.then_some(&call.raw),
                    provider,
                }
            }
        }
    }

    /// The number of bytes of text in it, without keys and escapes.
    pub(crate) fn size(&self) -> usize {
        match self {
            MessagePart::Text { text, provider } | MessagePart::Thinking { text, provider } => {
                text.len() + provider.size()
            }
            MessagePart::Custom { name, provider } => name.len() + provider.size(),
            MessagePart::ToolCall { id, name, arguments, raw, provider } => {
                let raw = raw.map_or(0, Text::len);
                id.len() + name.len() + arguments.call.raw.len() + raw + provider.size()
            }
        }
    }

    /// The kind's name in the API.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            MessagePart::Text { .. } => "text",
            MessagePart::Thinking { .. } => "thinking",
            MessagePart::Custom { .. } => "custom",
            MessagePart::ToolCall { .. } => "tool_call",
        }
    }

    /// Appends the part as JSON text.
    pub fn write_json(&self, out: &mut String) {
        object(out, |part| {
            part.string("kind", self.kind());
            part.object("payload", |payload| match self {
                MessagePart::Text { text, provider } | MessagePart::Thinking { text, provider } => {
                    payload.text("text", text);
                    provider.write(payload, "provider");
                }
                MessagePart::Custom { name, provider } => {
                    payload.string("type", name);
                    payload.object("provider", |out| provider.write_fields(out));
                }
                MessagePart::ToolCall { id, name, arguments, raw, provider } => {
                    payload.string("toolCallId", id).string("toolName", name);
                    arguments.write_json(payload.key("arguments"));
                    if let Some(raw) = raw {
                        text(payload.key("rawArgsText"), raw);
                    }
                    provider.write(payload, "provider");
                }
            });
        });
    }

    /// The part as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }
}

impl<'a> Message<'a> {
    pub(crate) fn new(assembler: &'a Assembler) -> Message<'a> {
        Message { assembler }
    }

    /// The run's id; empty before it is known.
    #[must_use]
    pub fn run_id(&self) -> &'a str {
        self.assembler.run_id.as_deref().unwrap_or_default()
    }

    /// The timestamp of its `start`; empty before that.
    #[must_use]
    pub fn timestamp(&self) -> &'a str {
        self.assembler.start.as_ref().map_or("", |start| &start.timestamp)
    }

    /// The parts, in the order of their first deltas.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = MessagePart<'a>> {
        self.assembler.parts.iter().map(MessagePart::new)
    }

    /// Appends the message as JSON text.
    pub fn write_json(&self, out: &mut String) {
        object(out, |message| {
            message.string("runId", self.run_id()).string("role", "assistant");
            message.list("parts", self.parts(), |out, part| part.write_json(out));
            message.string("timestamp", self.timestamp());
            self.write_meta(message.key("meta"));
        });
    }

    /// The message as JSON text: `{runId, role, parts, timestamp, meta}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A sixteenth and 512 bytes more, for escapes and keys. Open calls are written twice.
        let size = self.assembler.held.max(self.parts().map(|part| part.size()).sum());
        let mut out = String::with_capacity(size + size / 16 + 512);
        self.write_json(&mut out);
        out
    }

    /// Appends `meta` as JSON text.
    pub fn write_meta(&self, out: &mut String) {
        let assembler = self.assembler;
        object(out, |meta| {
            if assembler.start.is_some() {
                meta.string("modelId", assembler.model_id());
                meta.string("requestId", assembler.request_id());
            }
            if let Some(usage) = &assembler.usage {
                meta.object("usage", |out| write_usage(usage, out));
            }
            match &assembler.ending {
                Some(Ending::Done { finish_reason }) => {
                    meta.string("finishReason", finish_reason);
                }
                Some(Ending::Error(error)) => {
                    meta.object("error", |out| write_error(error, out));
                }
                Some(Ending::Cut) | None => {}
            }
            self.write_calls(meta);
            assembler.end_meta.write(meta);
        });
    }

    /// DC-7: arguments that are not JSON, and calls that `done` had to end. In the order of the
    /// parts, so that it does not depend on which call ended first.
    fn write_calls(&self, meta: &mut ObjectWriter<'_>) {
        let calls = || self.assembler.parts.iter().filter_map(StreamedPart::call);
        let bad = |call: &StreamedCall| matches!(call.state, CallState::Bad { .. });
        if calls().any(bad) {
            meta.list("parseErrors", calls().filter(|c| bad(c)), |out, call| {
                if let CallState::Bad { message, offset } = call.state {
                    object(out, |out| {
                        out.string("toolCallId", &call.id).string("message", message);
                        out.integer("offset", i64::try_from(offset).unwrap_or(i64::MAX));
                    });
                }
            });
        }
        let unclosed = &self.assembler.unclosed;
        if !unclosed.is_empty() {
            let parts = &self.assembler.parts;
            let ids = unclosed.iter().filter_map(|i| parts.get(*i)?.call());
            meta.list("unclosedToolCalls", ids, |out, call| {
                apex_parts_json::writer::string(out, &call.id)
            });
        }
    }

    /// Appends the parts as JSON text.
    pub fn write_parts(&self, out: &mut String) {
        list(out, self.parts(), |out, part| part.write_json(out));
    }
}
