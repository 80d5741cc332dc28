//! Ollama's own API.

mod format;

pub(crate) use format::Ollama;
