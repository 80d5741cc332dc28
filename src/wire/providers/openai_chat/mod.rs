//! OpenAI's Chat Completions, and what compatible servers make of them.

mod calls;
mod content;
mod format;
pub(crate) mod usage;

pub(crate) use format::OpenAiChat;
