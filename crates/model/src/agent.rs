//! [`Agent`]: a program that writes sessions.

/// A program that writes transcripts or sends streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// As messages name it: `claude-code`.
    pub id: &'static str,
    /// As people name it: `Claude Code`.
    pub title: &'static str,
}
