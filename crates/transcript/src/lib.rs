#![doc = include_str!("../README.md")]

mod assembled_list;
mod carried_part;
mod compaction;
mod copy;
mod detect;
mod documents;
mod formats;
pub mod index;
mod joined;
mod load_state;
mod loader;
mod loop_search;
mod message_list;
mod opening;
mod provisional;
mod run_files;
mod scope;
pub mod search;
mod session;
mod session_set;
mod sessions;
mod source;
pub mod summary;
mod transcript;

pub use apex_parts_agents::{Env, SessionKind};
pub use detect::detection::looks_like;
pub use formats::registry::Format;
pub use index::{Facts, TranscriptStats};
pub use loop_search::LoopSearch;
pub use run_files::{SessionFiles, run_files};
pub use search::{Found, FoundPlace, SearchScope, Tell, TellFound};
pub use session::Session;
pub use sessions::{SessionMessages, SessionPlace};
pub use source::Read;
pub use summary::{
    BreakdownRow, CallSubject, DiffPlace, Division, IN_INPUT, IN_METADATA, PATCH_BEGIN, Summarizer,
    TranscriptSummary, patched_files, recorded_diff, said_text,
};
pub use transcript::{Transcript, TranscriptOptions};
