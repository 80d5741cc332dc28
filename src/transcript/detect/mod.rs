//! Detects the format of a file, and where its content begins.

pub(crate) mod detection;
pub(crate) mod guess;
pub(crate) mod structure;
