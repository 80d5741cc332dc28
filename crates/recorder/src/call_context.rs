//! What the caller passes with each call: time and ids, and a list for what the recorder has corrected.

use std::fmt;

/// The time of a call, a source of ids for the parts that it creates, and the corrections it needed.
pub struct CallContext<'a> {
    /// Milliseconds since the Unix epoch.
    pub now: f64,
    pub(super) new_id: Box<dyn FnMut() -> String + 'a>,
    /// Errors of the caller that were corrected, as name and message: `ReasoningStateError` or
    /// `StepStateError`.
    pub corrections: Vec<(&'static str, String)>,
}

impl<'a> CallContext<'a> {
    /// The context of a call at `now`, in milliseconds since the Unix epoch; `new_id` returns a new
    /// id each time.
    pub fn new(now: f64, new_id: impl FnMut() -> String + 'a) -> CallContext<'a> {
        CallContext { now, new_id: Box::new(new_id), corrections: Vec::new() }
    }

    pub(super) fn report(&mut self, name: &'static str, message: impl Into<String>) {
        self.corrections.push((name, message.into()));
    }
}

impl fmt::Debug for CallContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallContext { now, corrections, .. } = self;
        f.debug_struct("CallContext")
            .field("now", now)
            .field("corrections", corrections)
            .finish_non_exhaustive()
    }
}
