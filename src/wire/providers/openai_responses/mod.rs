//! OpenAI's Responses.

mod format;
mod item;

pub(crate) use format::OpenAiResponses;
