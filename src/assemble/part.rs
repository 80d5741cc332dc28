//! The parts of a message while it grows.

use super::partial::Partial;
use super::text::Text;
use crate::model::delta::Payload;
use std::sync::Arc;

/// A time in milliseconds since the Unix epoch, where one is known.
pub(super) type Ms = Option<i64>;

/// A part, and how much of it the screen knows.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) body: Body,
    /// When its first delta came.
    pub(super) started: Ms,
    /// When it was closed: by the start of the next part, the call's end, or the end of all.
    pub(super) ended: Ms,
    pub(super) shown: Shown,
    /// The first half of a surrogate pair that whoever takes deltas has already: it waits for the
    /// other half as the text does.
    pub(super) half: Option<u16>,
}

#[derive(Debug)]
pub(super) enum Body {
    Text(Text),
    Thinking(Text),
    Call(Call),
}

/// A tool call.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: Arc<str>,
    pub(super) name: Box<str>,
    /// The arguments as they arrived.
    pub(super) raw: Text,
    pub(super) state: CallState,
}

/// Where the arguments of a call stand.
#[derive(Debug)]
pub(super) enum CallState {
    /// They arrive.
    Open(Box<Partial>),
    /// They are JSON.
    Good,
    /// They were blank: `{}`.
    Blank,
    /// They are not JSON: why, and the offset in UTF-16 code units (DC-7).
    Bad { message: &'static str, offset: usize },
}

/// How much of a part `take_changes` has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Shown {
    /// It was added.
    pub(super) added: bool,
    /// It has changed since, and stands in the list of those that have.
    pub(super) dirty: bool,
    /// The call has ended since.
    pub(super) set: bool,
    /// The bytes of its text that were brought.
    pub(super) bytes: usize,
}

impl Part {
    pub(super) fn new(body: Body, started: Ms) -> Part {
        Part { body, started, ended: None, shown: Shown::default(), half: None }
    }

    /// The text that grows.
    pub(super) fn text(&self) -> &Text {
        match &self.body {
            Body::Text(text) | Body::Thinking(text) => text,
            Body::Call(call) => &call.raw,
        }
    }

    pub(super) fn call(&self) -> Option<&Call> {
        match &self.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }

    pub(super) fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }
}

impl Call {
    /// The payload of the delta that starts it.
    pub(super) fn start_payload(&self) -> Payload<'_> {
        Payload::ToolCallStart { id: (&*self.id).into(), name: (&*self.name).into() }
    }

    /// The payload of the delta that ends it.
    pub(super) fn end_payload(&self) -> Payload<'_> {
        Payload::ToolCallEnd { id: (&*self.id).into() }
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, CallState::Open(_))
    }

    /// Feeds what came since this byte to the reader of the arguments.
    pub(super) fn feed_since(&mut self, from: usize) {
        if let CallState::Open(partial) = &mut self.state {
            self.raw.each_since(from, |block| partial.feed(block));
        }
    }

    /// Half a character that waits has waited in vain.
    pub(super) fn close_text(&mut self) {
        let from = self.raw.len();
        if self.raw.close() {
            self.feed_since(from);
        }
    }

    /// DC-7: the arguments are whole.
    pub(super) fn end(&mut self) {
        self.close_text();
        let CallState::Open(partial) = &self.state else { return };
        self.state = if partial.is_blank() {
            CallState::Blank
        } else {
            match partial.finish() {
                Ok(()) => CallState::Good,
                Err(flaw) => {
                    CallState::Bad { message: flaw.what, offset: units(&self.raw, flaw.at) }
                }
            }
        };
    }
}

/// The UTF-16 code units of the text before this byte.
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
