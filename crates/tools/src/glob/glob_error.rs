//! What is wrong with a pattern, and where.

use std::fmt;

/// A pattern that is no glob. Its text is meant for the model that wrote the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobError {
    /// Where the fault begins: a byte offset into the pattern that was given.
    pub at: usize,
    /// What is wrong there.
    pub message: &'static str,
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.at)
    }
}

impl std::error::Error for GlobError {}
