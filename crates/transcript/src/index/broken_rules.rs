//! [`BrokenRules`]: which rules the messages of a list break.

use super::file_rules::FileRules;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Path, Problem, Severity};

/// The violations of rules in a list of messages, as far as it has been judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct BrokenRules {
    /// How many messages have been judged.
    pub(crate) count: usize,
    /// How many of what was lost is among the problems.
    lost: usize,
    /// In the order of the file.
    pub(crate) problems: ProblemList,
}

impl BrokenRules {
    /// Validates the next message. `offset` is its position in the file, if it has one; `list` is the path of the list of
    /// messages.
    pub(crate) fn add(
        &mut self,
        message: Node<'_>,
        rules: FileRules,
        list: &Path<'_>,
        offset: Option<u64>,
    ) {
        let index = self.count;
        self.count += 1;
        if self.problems.is_full() {
            return; // further problems are not listed
        }
        let mut found = Vec::new();
        apex_parts_validate::message_at(&message, rules.ids, &list.index(index), &mut found);
        found.retain(|problem| rules.is_problem(problem, message));
        for mut problem in found {
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let offset = offset.map(|offset| offset as f64);
            problem.offset = offset;
            // The file says what the tool returned: nothing is filled in.
            if problem.rule == "BR-09" {
                problem.severity = Severity::Warning;
            }
            self.problems.push(problem);
        }
    }

    /// Adds what was lost before the message with this index: each with the number of messages before it.
    pub(crate) fn lose(&mut self, lost: &[(usize, Problem)], index: usize) {
        let next = lost.iter().skip(self.lost).take_while(|(before, _)| *before <= index);
        for (_, problem) in next {
            self.problems.push(problem.clone());
            self.lost += 1;
        }
    }
}
