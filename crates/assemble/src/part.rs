//! The parts of a message while it grows.

use super::place::{StreamPlace, utf16_length};
use super::provider_state::{KeptArguments, ProviderState, ShownState};
use apex_parts_json::partial::Partial;
use apex_parts_json::stringified::is_stringified;
use apex_parts_json::text::Text;
use apex_parts_model::delta::{BlockDelta, BlockKind, Payload, Piece};
use std::sync::Arc;

/// A time in milliseconds since the Unix epoch, if one is known.
pub(crate) type Ms = Option<i64>;

/// A part, and what of it has been reported.
#[derive(Debug)]
pub(crate) struct StreamedPart {
    pub(crate) body: Body,
    /// The time of its first delta.
    pub(crate) started: Ms,
    /// The time at which it was closed: by the start of the next part, the end of the call, or that
    /// of the stream.
    pub(crate) ended: Ms,
    pub(crate) reported: ReportedState,
    /// The high surrogate at the end of the last piece that `take_deltas` wrote, if the next piece
    /// may begin with the low one.
    pub(crate) half: Option<u16>,
    /// The `seq` of its first delta.
    pub(crate) seq: i64,
    /// What few parts have.
    pub(crate) extra: Option<Box<PartExtra>>,
}

/// What few parts have.
#[derive(Debug, Default)]
pub(crate) struct PartExtra {
    /// The block that the text or the custom part belongs to: a JSON string or number, as text.
    pub(crate) block: Option<Box<str>>,
    pub(crate) state: ProviderState,
    /// The turn of the log in which a custom part was logged last.
    pub(crate) logged: u64,
}

#[derive(Debug)]
pub(crate) enum Body {
    Text(Text),
    Thinking(Text),
    Call(StreamedCall),
    Custom(StreamedCustom),
}

/// A part that no other kind describes; its content is its state.
#[derive(Debug)]
pub(crate) struct StreamedCustom {
    pub(crate) name: Box<str>,
    /// It has none.
    text: Text,
}

impl StreamedCustom {
    pub(crate) fn new(name: &str) -> StreamedCustom {
        StreamedCustom { name: name.into(), text: Text::default() }
    }
}

/// The length of a part's text, as far as it was counted: it is asked for while the text grows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// The index of the part.
    part: usize,
    /// The number of bytes that were counted.
    bytes: usize,
    /// Their number of UTF-16 code units.
    units: usize,
}

impl Measured {
    /// The place after everything that has come; `None` before the first part.
    pub(crate) fn place(&mut self, parts: &[StreamedPart]) -> Option<StreamPlace> {
        let part = parts.len().checked_sub(1)?;
        let (Body::Text(text) | Body::Thinking(text)) = &parts.get(part)?.body else {
            return Some(StreamPlace { part, offset: None });
        };
        if self.part != part {
            *self = Measured { part, ..Measured::default() };
        }
        text.each_since(self.bytes, |block| self.units += utf16_length(block));
        self.bytes = text.len();
        let offset = self.units + usize::from(text.high().is_some());
        Some(StreamPlace { part, offset: Some(offset) })
    }
}

/// A tool call.
#[derive(Debug)]
pub(crate) struct StreamedCall {
    pub(crate) id: Arc<str>,
    pub(crate) name: Box<str>,
    /// The arguments as they arrived.
    pub(crate) raw: Text,
    pub(crate) state: CallState,
}

/// The state of a call's arguments.
#[derive(Debug)]
pub(crate) enum CallState {
    /// They are arriving.
    Open(Box<Partial>),
    /// They are JSON.
    Good,
    /// They were blank, which counts as `{}` (DC-7).
    Blank,
    /// They are not JSON: the reason, and the offset in UTF-16 code units (DC-7).
    Bad { message: &'static str, offset: usize },
}

/// What of a part `take_changes` has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct ReportedState {
    /// That it was added.
    pub(crate) added: bool,
    /// It has changed since, so it is in `Assembler::changed`.
    pub(crate) changed: bool,
    /// Its call has ended since.
    pub(crate) set: bool,
    /// The number of bytes of its text.
    pub(crate) bytes: usize,
}

impl StreamedPart {
    pub(crate) fn new(body: Body, seq: i64, started: Ms) -> StreamedPart {
        let reported = ReportedState::default();
        StreamedPart { body, started, ended: None, reported, half: None, seq, extra: None }
    }

    /// The state of its provider, if it has any.
    pub(crate) fn state(&self) -> Option<&ProviderState> {
        self.extra.as_ref().map(|extra| &extra.state)
    }

    /// The block that the text or the custom part belongs to: a JSON string or number, as text.
    pub(crate) fn block(&self) -> Option<&str> {
        self.extra.as_ref()?.block.as_deref()
    }

    /// The payload of a delta with text of it, which names its block; `None` if it is not text.
    pub(crate) fn said<'a>(
        &'a self,
        text: Piece<'a>,
        provider: Option<&'a str>,
    ) -> Option<Payload<'a>> {
        let kind = match self.body {
            Body::Text(_) => BlockKind::Text,
            Body::Thinking(_) => BlockKind::Thinking,
            _ => return None,
        };
        let block = self.block();
        if block.is_some() || provider.is_some() {
            let (block, provider) = (block.map(Into::into), provider.map(Into::into));
            return Some(Payload::Block(Box::new(BlockDelta { kind, text, block, provider })));
        }
        Some(if kind == BlockKind::Text { Payload::Text(text) } else { Payload::Thinking(text) })
    }

    /// The payload of the delta of a custom part; `None` if it is not one.
    pub(crate) fn custom_payload(&self) -> Option<Payload<'_>> {
        let Body::Custom(custom) = &self.body else { return None };
        let provider = self.state().map(ProviderState::to_json).unwrap_or_else(|| "{}".to_owned());
        let block = self.block().map(Into::into);
        Some(Payload::Custom { name: (&*custom.name).into(), block, provider: provider.into() })
    }

    /// Does the next part close it? Text without a block goes on only as long as it is last.
    pub(crate) fn closes(&self) -> bool {
        matches!(self.body, Body::Text(_) | Body::Thinking(_)) && self.block().is_none()
    }

    /// What is shown of its state.
    pub(crate) fn shown(&self) -> ShownState<'_> {
        let state = self.state();
        ShownState { state, kept: state.and_then(|state| self.kept_arguments(state)) }
    }

    /// The text of arguments that `JSON.stringify` would write in another way.
    fn kept_arguments(&self, state: &ProviderState) -> KeptArguments<'_> {
        let key = state.arguments_key()?;
        let call = self.call().filter(|call| matches!(call.state, CallState::Good))?;
        let mut blocks = call.raw.blocks();
        let (first, second) = (blocks.next()?, blocks.next());
        let joined;
        let text = match second {
            None => first,
            Some(_) => {
                joined = call.raw.to_string();
                joined.as_str()
            }
        };
        let is_object = text.trim_ascii_start().starts_with('{');
        (is_object && !is_stringified(text)).then_some((key, &call.raw))
    }

    /// The text that grows.
    pub(crate) fn text(&self) -> &Text {
        match &self.body {
            Body::Text(text) | Body::Thinking(text) => text,
            Body::Call(call) => &call.raw,
            Body::Custom(custom) => &custom.text,
        }
    }

    /// The number of bytes that it counts for.
    pub(crate) fn size(&self) -> usize {
        let names = match &self.body {
            Body::Text(_) | Body::Thinking(_) => 0,
            Body::Call(call) => call.id.len() + call.name.len(),
            Body::Custom(custom) => custom.name.len(),
        };
        names + self.text().len() + self.state().map_or(0, ProviderState::size)
    }

    pub(crate) fn call(&self) -> Option<&StreamedCall> {
        match &self.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }

    pub(crate) fn call_mut(&mut self) -> Option<&mut StreamedCall> {
        match &mut self.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }
}

impl StreamedCall {
    /// The payload of the delta that starts it.
    pub(crate) fn start_payload<'a>(&'a self, provider: Option<&'a str>) -> Payload<'a> {
        let provider = provider.map(Into::into);
        Payload::ToolCallStart { id: (&*self.id).into(), name: (&*self.name).into(), provider }
    }

    /// The payload of the delta that ends it.
    pub(crate) fn end_payload<'a>(&'a self, provider: Option<&'a str>) -> Payload<'a> {
        Payload::ToolCallEnd { id: (&*self.id).into(), provider: provider.map(Into::into) }
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, CallState::Open(_))
    }

    /// Parses the arguments from this byte on.
    pub(crate) fn feed_since(&mut self, from: usize) {
        if let CallState::Open(partial) = &mut self.state {
            self.raw.each_since(from, |block| partial.feed(block));
        }
    }

    /// Closes the text: half of a surrogate pair at its end becomes U+FFFD.
    pub(crate) fn close_text(&mut self) {
        let from = self.raw.len();
        if self.raw.close() {
            self.feed_since(from);
        }
    }

    /// DC-7: the arguments are complete.
    pub(crate) fn end(&mut self) {
        self.close_text();
        let CallState::Open(partial) = &self.state else { return };
        self.state = if partial.is_blank() {
            CallState::Blank
        } else {
            match partial.finish() {
                Ok(()) => CallState::Good,
                Err(error) => CallState::Bad {
                    message: error.message,
                    offset: units(&self.raw, error.offset),
                },
            }
        };
    }
}

/// The number of UTF-16 code units of the text before this byte.
fn units(text: &Text, until: usize) -> usize {
    let mut left = until;
    let mut units = 0;
    for block in text.blocks() {
        let part = block.get(..left.min(block.len())).unwrap_or(block);
        units += part.chars().map(char::len_utf16).sum::<usize>();
        left = left.saturating_sub(block.len());
        if left == 0 {
            break;
        }
    }
    units
}
