//! What each provider sends, a module a provider, and [`registry`], a line a provider.

pub(crate) mod ai_sdk;
pub(crate) mod anthropic;
pub(crate) mod apex_bridge;
mod checks;
pub(crate) mod gemini;
#[cfg(test)]
mod made_up;
pub(crate) mod openai_chat;
pub(crate) mod openai_responses;
pub(crate) mod output;
mod phase;
pub(crate) mod registry;
pub(crate) mod response_id;
mod retryable;
mod usage;

pub use registry::{Provider, sniff};
