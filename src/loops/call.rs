//! What the detector takes: calls, their results, and the events between them.

use crate::loops::kinds::rereads::ReadRange;

/// A call that is about to run.
#[derive(Clone, Debug, Default)]
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its arguments as JSON text; empty if it has none.
    pub parameters: &'a str,
    /// A fingerprint of its arguments, for a host whose arguments are too large to write as text: equal
    /// arguments have equal fingerprints, and `parameters` is then the first 6,000 bytes of the text.
    pub print: Option<u64>,
    /// Its id. A second call with the same id is a repetition of the first, and does not count.
    pub id: Option<&'a str>,
    /// The turn of the model that it belongs to: parallel calls share one.
    pub round: Option<f64>,
    /// When it starts, in milliseconds since the Unix epoch.
    pub time_ms: f64,
    /// What a read covers.
    pub range: Option<ReadRange>,
}

/// A call that has run.
#[derive(Clone, Debug, Default)]
pub struct CallResult<'a> {
    /// Its id.
    pub id: Option<&'a str>,
    /// Its number, from 0, if it has no id. Without either it is the last call.
    pub call: Option<u64>,
    /// Its output: a text, or JSON text.
    pub result: Option<&'a str>,
    /// What is compared in place of the result.
    pub key: Option<&'a str>,
    /// It failed.
    pub is_error: bool,
}

/// What happens between calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// The user sent a message.
    User,
    /// Something other than the user started the agent.
    Trigger,
    /// The agent was told to go on.
    Nudge,
    /// The calls since the last result are about to be repeated.
    Retry,
    /// The context was compacted.
    Compaction,
    /// An assistant message has ended.
    Assistant,
}

impl RunEvent {
    /// The event of this name.
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

/// What a streamed text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// An answer.
    #[default]
    Text,
    /// Reasoning.
    Reasoning,
}
