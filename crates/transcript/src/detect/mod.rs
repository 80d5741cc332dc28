//! Detects the format of a file, and where its content begins.

mod answer;
pub(crate) mod detection;
pub(crate) mod guess;
pub(crate) mod recognised;
mod record_head;
pub(crate) mod structure;
