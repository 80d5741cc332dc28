//! OpenAI's Chat Completions, and the variants of compatible servers.

mod calls;
mod chunk;
mod content;
mod format;
mod parts;
mod usage;

pub(crate) use format::OpenAiChat;
