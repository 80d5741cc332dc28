//! How an assembler is set up, and where its message stands.

/// What a violation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnProblem {
    /// It is an error.
    #[default]
    Throw,
    /// It goes to [`Assembler::problems`](super::Assembler::problems), and the delta is skipped.
    Collect,
}

/// What a delta does whose `seq` is not above the last one taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnDuplicate {
    /// It breaks DC-3.
    #[default]
    Error,
    /// It is dropped, whatever it holds: for transports that deliver at least once.
    Ignore,
}

/// Bounds and manners.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The run, where it is not to be taken from the first delta.
    pub run_id: Option<String>,
    /// What a violation does.
    pub on_problem: OnProblem,
    /// What a duplicate does.
    pub on_duplicate: OnDuplicate,
    /// The most bytes that a message holds, and that one record has.
    pub max_bytes: usize,
    /// How deep arguments and records may be nested.
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

/// Where a message stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageStatus {
    /// Nothing has come.
    #[default]
    Empty,
    /// It grows.
    Streaming,
    /// It is whole.
    Done,
    /// It failed, or its stream broke off.
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
