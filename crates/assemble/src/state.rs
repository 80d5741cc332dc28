//! The state of an assembler. The rules ([`contract`](super::contract)) change it; the message, the
//! changes for a screen, the log and the snapshot read it.

use super::corrections::Corrections;
use super::ending::{Ending, MessageStart};
use super::log::Log;
use super::meta::EndMeta;
use super::part::{Measured, Ms, StreamedPart};
use super::settings::{MessageStatus, OnProblem, Settings};
use apex_parts_json::saved::Numbering;
use apex_parts_model::delta::Usage;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Problem, Severity, Violation};
use std::sync::Arc;

/// Assembles one message.
#[derive(Debug, Default)]
pub struct Assembler {
    pub(crate) settings: Settings,
    pub(crate) run_id: Option<String>,
    pub(crate) last_seq: Option<i64>,
    pub(crate) start: Option<MessageStart>,
    pub(crate) parts: Vec<StreamedPart>,
    /// The index of the part of each call (DC-8). Ordered, not hashed: the sender chooses the ids
    /// and could choose such that collide.
    pub(crate) calls: SortedMap<Arc<str>, usize>,
    /// The index of the part of each block of text, by [`block_key`](super::part_state::block_key).
    pub(crate) blocks: Numbering,
    /// The `seq` at which the last step of a provider's stream began.
    pub(crate) step: Option<i64>,
    /// The indices of parts that were reported and have been taken back since, in that order.
    pub(crate) removed: Vec<usize>,
    /// The index of the call that got arguments last: the next ones are usually for it too.
    pub(crate) last_call: usize,
    pub(crate) usage: Option<Usage>,
    pub(crate) ending: Option<Ending>,
    pub(crate) ended: Ms,
    /// A second response has begun in the stream: nothing from here on belongs to this message.
    pub(crate) other: bool,
    /// The indices of the calls that `done` had to end (DC-7).
    pub(crate) unclosed: Vec<usize>,
    pub(crate) end_meta: EndMeta,
    /// The length of the last text that was asked for.
    pub(crate) measured: Measured,
    pub(crate) problems: ProblemList,
    /// The number of violations, collected or not.
    pub(crate) violations: u64,
    /// The number of bytes that count against `max_bytes`.
    pub(crate) held: usize,
    /// The indices of the parts that have changed since the last `take_changes`.
    pub(crate) changed: Vec<usize>,
    /// The status that the last `take_changes` reported.
    pub(crate) last_status: MessageStatus,
    pub(crate) log: Log,
    pub(crate) corrections: Corrections,
}

impl Assembler {
    /// Adds a problem to the list.
    pub(crate) fn note(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Returns the violation as an error or collects it, as `on_problem` says.
    pub(crate) fn fail(&mut self, violation: Violation) -> Result<(), Violation> {
        self.violations += 1;
        if self.settings.on_problem == OnProblem::Throw {
            return Err(violation);
        }
        self.note(violation.problem());
        Ok(())
    }

    /// Marks the part as changed.
    pub(crate) fn touch(&mut self, index: usize) {
        if let Some(part) = self.parts.get_mut(index)
            && !part.reported.changed
        {
            part.reported.changed = true;
            self.changed.push(index);
        }
    }

    /// Counts `bytes` more bytes as held, unless that would exceed `max_bytes`.
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

    /// The status of the message.
    #[must_use]
    pub fn status(&self) -> MessageStatus {
        match self.ending {
            Some(Ending::Done { .. }) => MessageStatus::Done,
            Some(_) => MessageStatus::Error,
            None if self.start.is_some() => MessageStatus::Streaming,
            None => MessageStatus::Empty,
        }
    }

    /// Adds a warning; `offset` is that of the first byte of the record.
    pub(crate) fn warn(&mut self, rule: &'static str, message: &str, offset: Option<u64>) {
        let violation = Violation { offset, ..Violation::new(rule, message) };
        self.note(violation.as_problem(Severity::Warning));
    }
}
