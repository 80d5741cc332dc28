//! OpenAI's Chat Completions, and what compatible servers make of them.

mod calls;
mod chunk;
mod content;
mod format;
mod usage;

pub(crate) use format::OpenAiChat;
