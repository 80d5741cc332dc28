//! Google's Gemini API.

mod fields;
pub(crate) mod messages;
mod provider_calls;
