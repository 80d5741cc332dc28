//! What a run did, computed from its messages: what was asked, how it ended, what failed and whether it was
//! mended, files, commits, time.

mod breakdown;
mod busy_time;
mod call_subject;
mod columns;
mod commits;
mod ending;
mod error_line;
mod file_changes;
mod summarizer;
mod transcript_summary;

pub use breakdown::{BreakdownRow, Division};
pub use summarizer::Summarizer;
pub use transcript_summary::{
    CallFailure, CommitMade, FileChange, PartRef, RunEnding, SummaryText, TimeSplit,
    TranscriptSummary,
};
