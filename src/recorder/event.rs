//! What happened, as apex-bridge streams it.

use crate::model::{Build, Key};

/// The kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A thought begins (BR-01).
    ReasoningStart,
    /// More of it (BR-02).
    ReasoningDelta,
    /// It is over (BR-03).
    ReasoningEnd,
    /// A step begins (BR-06).
    StepStart,
    /// It is over (BR-07).
    StepFinish,
    /// More of the answer.
    Content,
    /// A tool is called.
    ToolStart,
    /// It has run.
    ToolEnd,
}

impl EventKind {
    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::ReasoningStart => "reasoning-start",
            EventKind::ReasoningDelta => "reasoning-delta",
            EventKind::ReasoningEnd => "reasoning-end",
            EventKind::StepStart => "step-start",
            EventKind::StepFinish => "step-finish",
            EventKind::Content => "content",
            EventKind::ToolStart => "tool_start",
            EventKind::ToolEnd => "tool_end",
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event<P> {
    /// What.
    pub kind: EventKind,
    /// About it: a text, a part's fields, a call.
    pub data: P,
    /// When, in milliseconds since the Unix epoch.
    pub timestamp: f64,
    /// The round of the engine: how many steps have begun. It is the number of the step that the event
    /// belongs to as well, from 1 (BR-08); 0 before the first.
    pub iteration: u32,
}

impl<P> Event<P> {
    /// As a `StreamEvent`; `data` is the data once more.
    pub fn build<V: Build>(&self, data: &V) -> V {
        let mut event = V::object();
        event.put(Key::Type, &V::string(self.kind.as_str()));
        event.put(Key::Data, data);
        event.put_number(Key::Timestamp, self.timestamp);
        event.put_number(Key::Iteration, f64::from(self.iteration));
        event.put_number(Key::StepNumber, f64::from(self.iteration));
        event
    }
}
