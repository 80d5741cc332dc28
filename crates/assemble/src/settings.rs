//! The settings of an assembler, and the status of its message.

/// What happens with a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnProblem {
    /// It is returned as an error.
    #[default]
    Throw,
    /// It goes to [`Assembler::problems`](super::Assembler::problems), and the delta is skipped.
    Collect,
}

/// What happens with a duplicate: a delta whose `seq` is not above the last one taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnDuplicate {
    /// It is a violation of DC-3.
    #[default]
    Error,
    /// It is dropped unread: for transports that deliver at least once.
    Ignore,
}

/// The settings of an assembler.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The run's id; if `None`, that of the first delta.
    pub run_id: Option<String>,
    /// What happens with a violation.
    pub on_problem: OnProblem,
    /// What happens with a duplicate.
    pub on_duplicate: OnDuplicate,
    /// The maximum number of bytes that a message holds, and of one record; 256 MiB by default.
    pub max_bytes: usize,
    /// The maximum depth to which arguments and records are nested; 512 by default.
    pub max_depth: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            run_id: None,
            on_problem: OnProblem::Throw,
            on_duplicate: OnDuplicate::Error,
            max_bytes: 256 << 20,
            max_depth: 512,
        }
    }
}

/// The status of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageStatus {
    /// No `start` has come.
    #[default]
    Empty,
    /// It began and has not ended.
    Streaming,
    /// It ended with `done`: it is complete.
    Done,
    /// It ended with `error`, or the transport ended before it did.
    Error,
}

impl MessageStatus {
    /// The status's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            MessageStatus::Empty => "empty",
            MessageStatus::Streaming => "streaming",
            MessageStatus::Done => "done",
            MessageStatus::Error => "error",
        }
    }
}
