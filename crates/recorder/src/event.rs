//! Events of a run, in the shape in which apex-bridge streams them.

use apex_parts_model::{Build, Key};

/// The kind of an event, with the data that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Reasoning begins (BR-01): `{id}`.
    ReasoningStart,
    /// A piece of reasoning (BR-02): `{id, text}`.
    ReasoningDelta,
    /// Reasoning ends (BR-03): `{id}`.
    ReasoningEnd,
    /// A step begins (BR-06): its part.
    StepStart,
    /// A step ends (BR-07): its part.
    StepFinish,
    /// A piece of the answer's text: `{id, text}`.
    Content,
    /// A tool call begins: `{callID, tool, input}`.
    ToolStart,
    /// A tool call ends: `{callID, tool, success}` with `output` or `error`.
    ToolEnd,
}

impl EventKind {
    /// The kind's name in the API.
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

/// An event of a run.
#[derive(Clone, Debug)]
pub struct Event<P> {
    /// Its kind.
    pub kind: EventKind,
    /// Its data, as [`EventKind`] describes it.
    pub data: P,
    /// The time in milliseconds since the Unix epoch.
    pub timestamp: f64,
    /// The number of steps that have begun, and so the number of the step that the event belongs to,
    /// counted from 1 (BR-08); 0 before the first step.
    pub iteration: u32,
}

impl<P> Event<P> {
    /// The event as a `StreamEvent`: `{type, data, timestamp, iteration, stepNumber}`. `data` is the
    /// view of [`Event::data`].
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
