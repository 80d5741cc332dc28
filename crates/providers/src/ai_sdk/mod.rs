//! The AI SDK's UI messages.

pub(crate) mod file;
pub(crate) mod messages;
