//! [`WaitingInSession`]: what came before the message that it belongs to.

use crate::log::SharedText;
use crate::token_counts::TokenCounts;
use apex_parts_model::text_map::TextMap;
use std::collections::VecDeque;

/// What waits in a session, and what waited there.
#[derive(Debug, Default)]
pub(super) struct WaitingInSession {
    /// The reasoning before its message; raw.
    pub(super) reasoning: String,
    /// What the next answer used.
    pub(super) tokens: Option<TokenCounts>,
    pub(super) calls: WaitingCalls,
    /// Calls that became messages of their own: their requests come too late.
    pub(super) own: TextMap,
    /// Was something called since the last abort?
    pub(super) is_busy: bool,
}

/// An execution that started.
#[derive(Debug)]
pub(super) struct WaitingCall {
    pub(super) call_id: String,
    pub(super) tool: String,
    /// The JSON of an object.
    pub(super) input: SharedText,
    pub(super) start: f64,
}

/// The executions of a session that wait, in the order in which they started.
#[derive(Debug, Default)]
pub(super) struct WaitingCalls {
    /// Those that were taken are `None`.
    calls: VecDeque<Option<WaitingCall>>,
    /// How many were taken from the front.
    taken: usize,
    places: TextMap,
}

impl WaitingCalls {
    /// Adds an execution; a second start of one is left out.
    pub(super) fn add(&mut self, call: WaitingCall) {
        let place = self.taken + self.calls.len();
        if !self.places.contains(&call.call_id) {
            self.places.insert(&call.call_id, place);
            self.calls.push_back(Some(call));
        }
    }

    /// Takes the execution of this call.
    pub(super) fn take(&mut self, call_id: &str) -> Option<WaitingCall> {
        let place = self.places.remove(call_id)?;
        self.calls.get_mut(place - self.taken)?.take()
    }

    /// Takes the first execution.
    pub(super) fn next(&mut self) -> Option<WaitingCall> {
        while let Some(call) = self.calls.pop_front() {
            self.taken += 1;
            if let Some(call) = call {
                self.places.remove(&call.call_id);
                return Some(call);
            }
        }
        None
    }
}
