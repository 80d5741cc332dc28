//! Where the JSON documents of a file stand, found in one pass, and what is made of those that are
//! cut or damaged.

pub(crate) mod repair;
pub(crate) mod splitter;
mod truncated;
