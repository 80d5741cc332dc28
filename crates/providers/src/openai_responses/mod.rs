//! OpenAI's Responses API.

pub(crate) mod messages;
mod outcomes;
