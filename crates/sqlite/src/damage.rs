//! [`PageDamage`]: what is wrong with a page, and where.

use crate::pages::Pages;
use apex_parts_model::problem_list::ProblemList;

/// What is wrong with a page.
pub(crate) struct PageDamage {
    pub(crate) what: String,
    /// The page, and a byte of it.
    pub(crate) page: u32,
    pub(crate) at: usize,
}

impl PageDamage {
    pub(crate) fn new(what: impl Into<String>, page: u32, at: usize) -> PageDamage {
        PageDamage { what: what.into(), page, at }
    }

    /// What is wrong, with the number of the page.
    pub(crate) fn sentence(&self) -> String {
        format!("page {}: {}", self.page, self.what)
    }

    /// Reports that something is lost by it; once, however often the page is read.
    pub(crate) fn report(&self, pages: &Pages, problems: &mut ProblemList) {
        if problems.is_full() || pages.failure.is_some() {
            return;
        }
        let (message, offset) = (self.sentence(), pages.offset(self.page) + self.at as u64);
        let is_known = problems.iter().any(|problem| {
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let is_there = problem.offset == Some(offset as f64);
            is_there && problem.message == message
        });
        if !is_known {
            problems.error("db-page", message, offset);
        }
    }
}
