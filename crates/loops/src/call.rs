//! The input of the detector: calls, their results, and the events between them.

use crate::kinds::rereads::ReadRange;

/// A call that is about to run.
#[derive(Clone, Debug, Default)]
pub struct Call<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    /// Its arguments as JSON text; empty if it has none.
    pub parameters: &'a str,
    /// Its id. A second call with the same id is a replay of the first and is not counted.
    pub id: Option<&'a str>,
    /// The number of the model's turn that it belongs to; parallel calls share one. Without a number the
    /// call is in no round.
    pub round: Option<f64>,
    /// When it starts, in milliseconds since the Unix epoch.
    pub time_ms: f64,
    /// The range that it reads, if it is a read.
    pub range: Option<ReadRange>,
}

/// A call that has run, or was refused.
#[derive(Clone, Debug, Default)]
pub struct CallResult<'a> {
    /// Its id.
    pub id: Option<&'a str>,
    /// How many calls were checked before it, if it has no id. Without either it is the last call.
    pub call: Option<u64>,
    /// Its output: text, or a value as JSON text.
    pub result: Option<&'a str>,
    /// Text that is compared instead of the result.
    pub key: Option<&'a str>,
    /// True if the call failed.
    pub is_error: bool,
    /// True if the call was refused and did not run: it has no result.
    pub blocked: bool,
}

/// An event between calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// The user sent a message.
    User,
    /// Something other than the user started the agent.
    Trigger,
    /// The agent was asked to continue.
    Nudge,
    /// The calls since the last result are about to be made again: they are no longer counted.
    Retry,
    /// The context was compacted.
    Compaction,
    /// An assistant message has ended.
    Assistant,
}

impl RunEvent {
    /// The event with this name in the API: `user`, `trigger`, `nudge`, `retry`, `compaction` or
    /// `assistant`.
    #[must_use]
    pub fn parse(name: &str) -> Option<RunEvent> {
        Some(match name {
            "user" => RunEvent::User,
            "trigger" => RunEvent::Trigger,
            "nudge" => RunEvent::Nudge,
            "retry" => RunEvent::Retry,
            "compaction" => RunEvent::Compaction,
            "assistant" => RunEvent::Assistant,
            _ => return None,
        })
    }
}

/// What a streamed text is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// An answer.
    #[default]
    Text,
    /// Reasoning.
    Reasoning,
}
