//! OpenAI's Responses.

mod event;
mod format;
mod item;
mod response;
mod texts;
mod tool_result;
mod tools;
mod usage;

pub(crate) use format::OpenAiResponses;
