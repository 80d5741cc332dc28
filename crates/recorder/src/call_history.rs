//! The last tool calls of a run, for its step context.

use super::retained::Retained;
use apex_parts_model::{Build, Key};
use std::collections::VecDeque;

/// The last tool calls, oldest first.
#[derive(Clone, Debug)]
pub(super) struct CallHistory<P>(VecDeque<CallRecord<P>>);

#[derive(Clone, Debug)]
struct CallRecord<P> {
    tool: String,
    input: P,
    time: f64,
}

impl<P> Default for CallHistory<P> {
    fn default() -> CallHistory<P> {
        CallHistory(VecDeque::new())
    }
}

impl<P: Retained> CallHistory<P> {
    /// Adds a call and keeps the last `limit` of them.
    pub(super) fn push(&mut self, tool: &str, input: &P::View, time: f64, limit: usize) {
        self.0.push_back(CallRecord { tool: tool.to_owned(), input: P::keep(input), time });
        while self.0.len() > limit {
            self.0.pop_front();
        }
    }

    /// The calls as a list of `{toolName, parameters, timestamp}`.
    pub(super) fn build(&self) -> P::View {
        let mut list = P::View::list();
        for record in &self.0 {
            let mut call = P::View::object();
            call.put(Key::ToolName, &P::View::string(&record.tool));
            call.put(Key::Parameters, &record.input.view());
            call.put_number(Key::Timestamp, record.time);
            list.push(&call);
        }
        list
    }
}
