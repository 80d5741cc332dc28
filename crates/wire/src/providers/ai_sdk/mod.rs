//! The streams of the AI SDK.

mod format;
mod usage;

pub(crate) use format::AiSdk;
