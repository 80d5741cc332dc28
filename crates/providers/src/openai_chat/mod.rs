//! OpenAI's Chat Completions API, and the many servers that have it.

pub(crate) mod messages;
