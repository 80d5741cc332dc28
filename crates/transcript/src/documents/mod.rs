//! Finds the JSON documents of a file in one pass, and saves what it can of damaged or cut ones.

pub(crate) mod repair;
pub(crate) mod splitter;
mod truncated;
