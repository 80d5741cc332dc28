//! [`PiEntry`]: a line of a session, and [`PiHeader`], its first one.

use super::kept_lines::KeptLine;

/// The first line of a session.
#[derive(Debug, Default)]
pub(crate) struct PiHeader {
    pub(crate) id: String,
    pub(crate) cwd: String,
    pub(crate) at: f64,
    /// Version 1 names the first model here.
    pub(crate) provider: String,
    pub(crate) model: String,
}

/// A line after the header.
#[derive(Debug, Default)]
pub(crate) struct PiEntry {
    /// Where the line stands among those that are kept; empty if there is nothing to show of it.
    pub(crate) line: KeptLine,
    pub(crate) offset: u64,
    /// When it was written.
    pub(crate) at: f64,
    /// When its message began.
    pub(crate) began: f64,
}
