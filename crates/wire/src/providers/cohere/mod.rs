//! Cohere's v2 chat.

mod format;

pub(crate) use format::Cohere;
