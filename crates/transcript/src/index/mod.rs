//! The index of a transcript: what is known of each message and part without reading their values again.

pub(crate) mod broken_rules;
pub(crate) mod contexts;
pub(crate) mod entry;
pub(crate) mod facts;
pub(crate) mod file_rules;
pub mod interner;
pub mod message_index;
pub(crate) mod stats;
pub(crate) mod step_tokens;
pub(crate) mod sums;

pub use entry::{CUSTOM, MessageFact, NO_EXIT, PART_TYPES, PartFact};
pub use facts::Facts;
pub use stats::TranscriptStats;
