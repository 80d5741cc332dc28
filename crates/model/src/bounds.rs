//! Limits against values that are built to cost time or memory.

use super::problem::{Path, Problem, Report, Severity};
use crate::view::{MAX_ELEMENTS, View};

/// Passes on at most [`MAX_PROBLEMS`] problems: a hostile array has one per element, which would
/// exhaust the memory.
pub struct BoundedReport<'r, R> {
    to: &'r mut R,
    taken: usize,
}

/// The most problems of one value.
pub const MAX_PROBLEMS: usize = 1_000_000;

/// The message of the problem that ends a list of `most` problems.
pub(crate) fn too_many(most: usize) -> String {
    format!("more than {most} problems; the others are not listed")
}

impl<'r, R: Report> BoundedReport<'r, R> {
    /// Passes problems on to another report.
    pub fn new(to: &'r mut R) -> Self {
        BoundedReport { to, taken: 0 }
    }
}

impl<R: Report> Report for BoundedReport<'_, R> {
    fn report(&mut self, problem: Problem) {
        self.taken += 1;
        if self.taken <= MAX_PROBLEMS {
            self.to.report(problem);
        } else if self.taken == MAX_PROBLEMS + 1 {
            let message = too_many(MAX_PROBLEMS);
            self.to.report(Problem::new(Severity::Error, "limit", &Path::ROOT, message));
        }
    }
}

/// Shows every element of an array with its path. An array that claims more than [`MAX_ELEMENTS`]
/// is a problem and is not read.
pub fn each<V: View, R: Report>(
    list: &V,
    path: &Path<'_>,
    report: &mut R,
    mut look: impl FnMut(&V, &Path<'_>, &mut R),
) {
    let length = list.len();
    if length > MAX_ELEMENTS {
        let message = format!("{length} elements; at most {MAX_ELEMENTS} are read");
        report.error("limit", path, message);
        return;
    }
    list.each(MAX_ELEMENTS, &mut |index, element| look(element, &path.index(index), report));
}
