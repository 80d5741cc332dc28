//! [`ZipProblems`]: what is wrong with an archive.

use apex_parts_model::problem_list::ProblemList;

/// What is wrong with an archive.
#[derive(Debug, Default)]
pub struct ZipProblems {
    /// What more bytes would not change.
    pub sure: ProblemList,
    /// What is wrong only if the file ends here.
    pub at_end: ProblemList,
}
