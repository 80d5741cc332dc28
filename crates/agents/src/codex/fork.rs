//! [`CodexFork`]: where the copy of its parent ends with which a fork's file begins.

/// How much later than the fork lines of the copy can be, in milliseconds.
const WITHIN: f64 = 1000.0;

/// A fork, while its copy is read.
#[derive(Debug)]
pub(super) struct CodexFork {
    /// What is later than this is no copy.
    pub(super) limit: f64,
    /// How many messages there were when the turn began that is read.
    pub(super) turn: usize,
    /// Turns begin with an event in this file; otherwise with their context.
    has_events: bool,
}

impl CodexFork {
    /// A fork that was made at this time.
    pub(super) fn begun(at: f64) -> CodexFork {
        CodexFork { limit: at + WITHIN, turn: 0, has_events: false }
    }

    /// Does a turn begin with this line?
    pub(super) fn begins_turn(&mut self, is_event: bool, is_context: bool) -> bool {
        self.has_events |= is_event;
        is_event || (is_context && !self.has_events)
    }
}
