//! What is known of each message and part of a transcript without making values of them.

pub(crate) mod facts;
pub mod interner;
pub mod message_index;
pub(crate) mod stats;

pub use facts::Facts;
pub use message_index::{CUSTOM, MessageFact, PART_TYPES, PartFact};
pub use stats::TranscriptStats;
