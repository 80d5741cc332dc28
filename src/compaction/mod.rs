//! Context compaction.

pub mod tokens;
