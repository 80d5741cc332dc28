//! Gemini's `generateContent`, streamed.

mod candidate;
mod format;
mod partial_args;
mod snake_case;
mod usage;

pub(crate) use format::Gemini;
