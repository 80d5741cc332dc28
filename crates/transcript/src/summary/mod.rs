//! What a run did, computed from its messages: what was asked, how it ended, what failed and whether it was
//! mended, files, commits, time.

mod asked_text;
mod breakdown;
mod busy_time;
mod call_subject;
mod columns;
mod commits;
mod ending;
mod error_line;
mod failure_groups;
mod file_changes;
mod message_at;
mod model_work;
pub mod recorded_diff;
mod said_text;
mod seen;
mod stated_changes;
mod summarizer;
mod transcript_summary;

pub use apex_parts_diff::PATCH_BEGIN;
pub use breakdown::{BreakdownRow, Division};
pub use call_subject::CallSubject;
pub(crate) use error_line::describe;
pub use file_changes::patched_files;
pub use recorded_diff::{DiffPlace, IN_INPUT, IN_METADATA, recorded_diff};
pub use said_text::said_text;
pub use summarizer::Summarizer;
pub use transcript_summary::{
    CallFailure, ChangeTotals, CommitMade, FailureGroup, FileChange, ModelError, PartRef,
    RunEnding, SummaryText, TimeSplit, TranscriptSummary,
};
