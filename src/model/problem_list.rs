//! What is wrong with a file, while it is put together: bounded, whatever the file is.

use crate::model::{Path, Problem, Severity};

/// So many problems are kept; nobody reads more, and a hostile file has one a byte.
pub(crate) const MOST: usize = 10_000;

/// The problems of a file, with their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProblemList {
    kept: Vec<Problem>,
    /// How many more there were, and where the first of them is.
    more: u64,
    more_at: u64,
}

impl ProblemList {
    /// Something that cost content.
    pub(crate) fn error(&mut self, rule: &str, message: impl Into<String>, offset: u64) {
        self.add(Severity::Error, rule, message, offset);
    }

    /// Something odd.
    pub(crate) fn warning(&mut self, rule: &str, message: impl Into<String>, offset: u64) {
        self.add(Severity::Warning, rule, message, offset);
    }

    fn add(&mut self, severity: Severity, rule: &str, message: impl Into<String>, offset: u64) {
        if self.kept.len() < MOST {
            self.kept.push(problem(severity, rule, message, offset));
            return;
        }
        if self.more == 0 {
            self.more_at = offset;
        }
        self.more += 1;
    }

    /// A problem that is whole already.
    pub(crate) fn keep(&mut self, problem: Problem) {
        if self.kept.len() < MOST {
            self.kept.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// Those so far.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.clone().into_problems()
    }

    /// All of them, in the order of the file.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.kept;
        problems.sort_by(|a, b| {
            let at = |p: &Problem| p.offset.unwrap_or(f64::INFINITY);
            at(a).total_cmp(&at(b))
        });
        if self.more > 0 {
            let message = format!("{} more problems, not listed", self.more);
            problems.push(problem(Severity::Error, "limit", message, self.more_at));
        }
        problems
    }
}

/// A problem at this byte of the file.
pub(crate) fn problem(
    severity: Severity,
    rule: &str,
    message: impl Into<String>,
    offset: u64,
) -> Problem {
    let mut problem = Problem::new(severity, rule, &Path::ROOT, message);
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let offset = offset as f64;
    problem.offset = Some(offset);
    problem
}
