//! Gemini's `generateContent`, streamed.

mod candidate;
mod format;
mod partial_args;
mod usage;

pub(crate) use format::Gemini;
