//! What is known of a message while it is assembled. The rules ([`contract`](super::contract)) change
//! it; the message, the changes for a screen, the log and the snapshot read it.

use super::ending::{Ending, MessageStart};
use super::log::Log;
use super::meta::EndMeta;
use super::part::{Ms, StreamedPart};
use super::settings::{MessageStatus, OnProblem, Settings};
use crate::model::delta::Usage;
use crate::model::problem_list::ProblemList;
use crate::model::{Problem, Severity, Violation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Assembles one message.
#[derive(Debug, Default)]
pub struct Assembler {
    pub(crate) settings: Settings,
    pub(crate) run_id: Option<String>,
    pub(crate) last_seq: Option<i64>,
    pub(crate) start: Option<MessageStart>,
    pub(crate) parts: Vec<StreamedPart>,
    /// The part of each call (DC-8). Ordered, not hashed: ids are the sender's to choose.
    pub(crate) calls: BTreeMap<Arc<str>, usize>,
    /// The call of the last arguments: more of them come as a rule.
    pub(crate) last_call: usize,
    pub(crate) usage: Option<Usage>,
    pub(crate) ending: Option<Ending>,
    pub(crate) ended: Ms,
    /// Another response has begun in the recording: what comes is none of this message's.
    pub(crate) other: bool,
    pub(crate) unclosed: Vec<usize>,
    pub(crate) end_meta: EndMeta,
    pub(crate) problems: ProblemList,
    /// How many violations there were, kept as problems or not.
    pub(crate) violations: u64,
    pub(crate) held: usize,
    /// Parts that have changed since the last `take_changes`.
    pub(crate) changed: Vec<usize>,
    pub(crate) last_status: MessageStatus,
    pub(crate) log: Log,
}

impl Assembler {
    /// Notes a problem that stops nothing.
    pub(crate) fn note(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Throws or collects.
    pub(crate) fn fail(&mut self, violation: Violation) -> Result<(), Violation> {
        self.violations += 1;
        if self.settings.on_problem == OnProblem::Throw {
            return Err(violation);
        }
        self.note(violation.problem());
        Ok(())
    }

    /// The part has changed.
    pub(crate) fn touch(&mut self, index: usize) {
        if let Some(part) = self.parts.get_mut(index)
            && !part.reported.changed
        {
            part.reported.changed = true;
            self.changed.push(index);
        }
    }

    /// Makes room for so many bytes more.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Violation> {
        let max = self.settings.max_bytes;
        match self.held.checked_add(bytes).filter(|held| *held <= max) {
            Some(held) => {
                self.held = held;
                Ok(())
            }
            None => Err(Violation::new(
                "limit",
                format!("the message would hold more than {max} bytes (`maxBytes`)"),
            )),
        }
    }

    /// Where the message stands.
    #[must_use]
    pub fn status(&self) -> MessageStatus {
        match self.ending {
            Some(Ending::Done { .. }) => MessageStatus::Done,
            Some(_) => MessageStatus::Error,
            None if self.start.is_some() => MessageStatus::Streaming,
            None => MessageStatus::Empty,
        }
    }

    /// Notes what was said of something that is wrong but stops nothing.
    pub(crate) fn warn(&mut self, rule: &'static str, message: &str, offset: Option<u64>) {
        let violation = Violation { offset, ..Violation::new(rule, message) };
        self.note(violation.as_problem(Severity::Warning));
    }
}
