//! What a run did, computed from its messages: what was asked, how it ended, what failed and whether it was
//! mended, files, commits, time.

mod busy_time;
mod call_subject;
mod commits;
mod ending;
mod error_line;
mod file_changes;
mod summarizer;
mod transcript_summary;

pub use summarizer::Summarizer;
pub use transcript_summary::{
    CallFailure, CommitMade, Ending, FileChange, PartRef, SummaryText, TimeSplit, TranscriptSummary,
};
