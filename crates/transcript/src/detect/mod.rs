//! Detects the format of a file, and where its content begins.

mod answer;
pub(crate) mod detection;
pub(crate) mod guess;
mod judgement;
pub(crate) mod recognised;
mod record_head;
pub(crate) mod structure;
