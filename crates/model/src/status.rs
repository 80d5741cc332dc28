//! The status of a tool call, which statuses can follow it (BR-05), and the result of a transition.

use super::names::{Key, Word};
use super::view::View;

/// The four statuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Requested; its arguments may still be arriving.
    Pending,
    /// Running.
    Running,
    /// Ended without an error.
    Completed,
    /// Failed, timed out or aborted.
    Error,
}

impl Status {
    /// The status as written in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.word().as_str()
    }

    /// The status as a word of the model.
    #[must_use]
    pub const fn word(self) -> Word {
        match self {
            Status::Pending => Word::Pending,
            Status::Running => Word::Running,
            Status::Completed => Word::Completed,
            Status::Error => Word::Error,
        }
    }

    /// The status that this text names.
    #[must_use]
    pub fn parse(text: &str) -> Option<Status> {
        Word::parse(text).and_then(Status::from_word)
    }

    /// The status that this word names.
    #[must_use]
    pub const fn from_word(word: Word) -> Option<Status> {
        match word {
            Word::Pending => Some(Status::Pending),
            Word::Running => Some(Status::Running),
            Word::Completed => Some(Status::Completed),
            Word::Error => Some(Status::Error),
            _ => None,
        }
    }

    /// The status of a tool state.
    pub fn read<V: View>(state: &V) -> Option<Status> {
        state.get_word(Key::Status).and_then(Status::from_word)
    }

    /// The statuses reachable in one step, this one included.
    ///
    /// ```
    /// use apex_parts_model::Status;
    /// assert_eq!(Status::Pending.reachable(), [Status::Pending, Status::Running]);
    /// assert_eq!(Status::Error.reachable(), [Status::Error]);
    /// ```
    #[must_use]
    pub const fn reachable(self) -> &'static [Status] {
        match self {
            Status::Pending => &[Status::Pending, Status::Running],
            Status::Running => &[Status::Running, Status::Completed, Status::Error],
            Status::Completed => &[Status::Completed],
            Status::Error => &[Status::Error],
        }
    }
}

/// The result of a transition.
#[derive(Clone, Debug, PartialEq)]
pub enum Transition<V> {
    /// The state has that status already and is returned unchanged (BR-05, idempotence).
    Same,
    /// A new state.
    New(V),
}

impl<V> Transition<V> {
    /// The new state, or the given one if nothing changed.
    pub fn or(self, same: V) -> V {
        match self {
            Transition::Same => same,
            Transition::New(state) => state,
        }
    }
}
