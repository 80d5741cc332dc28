//! Gemini's `generateContent`, streamed.

mod format;
mod partial_args;

pub(crate) use format::Gemini;
