//! A list of problems of bounded length, for untrusted input.

use super::order;
use crate::bounds::too_many;
use crate::{Path, Problem, Severity};
use std::ops::Deref;

/// The number of problems that a list keeps: nobody reads more, and hostile input has one per byte.
pub(crate) const MAX_PROBLEMS: usize = 10_000;

/// At most `MAX_PROBLEMS` problems. If there are more, a last one of the rule `limit` says so; it
/// is an error if an error was left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProblemList {
    problems: Vec<Problem>,
}

impl ProblemList {
    /// Adds a problem by which content was lost, at this byte of the file.
    pub fn error(&mut self, rule: &str, message: impl Into<String>, offset: u64) {
        self.push(problem(Severity::Error, rule, message, offset));
    }

    /// Adds a problem by which nothing was lost, at this byte of the file.
    pub fn warning(&mut self, rule: &str, message: impl Into<String>, offset: u64) {
        self.push(problem(Severity::Warning, rule, message, offset));
    }

    /// Adds a problem; when the list is full, the one that says so.
    pub fn push(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            return self.problems.push(problem);
        }
        let Problem { severity, offset, .. } = problem;
        match self.problems.get_mut(MAX_PROBLEMS) {
            None => {
                let message = too_many(MAX_PROBLEMS);
                let last = Problem::new(severity, "limit", &Path::ROOT, message);
                self.problems.push(Problem { offset, ..last });
            }
            Some(last) if severity == Severity::Error => last.severity = severity,
            Some(_) => {}
        }
    }

    /// Were problems left out? Then there is no need to look for more.
    pub fn is_full(&self) -> bool {
        self.problems.len() > MAX_PROBLEMS
    }

    /// The problems in the order of the file; the one that says that some were left out is the last.
    pub fn into_sorted(mut self) -> Vec<Problem> {
        let left_out = self.problems.split_off(self.problems.len().min(MAX_PROBLEMS));
        order::sort_by(&mut self.problems, |a, b| {
            let at = |p: &Problem| p.offset.unwrap_or(f64::INFINITY);
            at(a).total_cmp(&at(b))
        });
        self.problems.extend(left_out);
        self.problems
    }
}

impl Deref for ProblemList {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.problems
    }
}

impl IntoIterator for ProblemList {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.problems.into_iter()
    }
}

impl FromIterator<Problem> for ProblemList {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> ProblemList {
        let mut list = ProblemList::default();
        problems.into_iter().for_each(|problem| list.push(problem));
        list
    }
}

/// A problem at this byte of the file.
pub fn problem(severity: Severity, rule: &str, message: impl Into<String>, offset: u64) -> Problem {
    let mut problem = Problem::new(severity, rule, &Path::ROOT, message);
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let offset = offset as f64;
    problem.offset = Some(offset);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_list_says_once_that_there_are_more() {
        let mut list = ProblemList::default();
        for offset in 0..MAX_PROBLEMS as u64 {
            list.warning("DC-15", "odd", offset);
        }
        assert!(!list.is_full());
        list.warning("DC-15", "odd", 7);
        list.warning("DC-15", "odd", 3);
        assert!(list.is_full());
        let last = list.last().unwrap();
        assert_eq!((list.len(), last.rule.as_str(), last.offset), (10_001, "limit", Some(7.0)));
        assert_eq!(last.message, "more than 10000 problems; the others are not listed");
        assert_eq!(last.severity, Severity::Warning);
        list.error("DC-3", "wrong", 1);
        assert_eq!((list.len(), list.last().unwrap().severity), (10_001, Severity::Error));
        // Saved and loaded, it is the same list.
        let again: ProblemList = list.iter().cloned().collect();
        assert_eq!(again, list);
    }

    #[test]
    fn problems_are_in_the_order_of_the_file() {
        let mut list = ProblemList::default();
        list.error("json", "b", 9);
        list.push(Problem::new(Severity::Error, "BR-01", &Path::ROOT, "nowhere"));
        list.error("json", "a", 2);
        let offsets: Vec<_> = list.into_sorted().iter().map(|p| p.offset).collect();
        assert_eq!(offsets, [Some(2.0), Some(9.0), None]);
    }
}
