//! The streams of the AI SDK.

mod format;
mod record;
mod usage;

pub(crate) use format::AiSdk;
