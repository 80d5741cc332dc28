//! Google's Gemini Interactions API.

mod format;
mod step;
mod usage;

pub(crate) use format::GeminiInteractions;
