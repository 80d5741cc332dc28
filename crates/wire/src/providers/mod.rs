//! The readers of providers' streams: one module for each provider, and one line for each in
//! [`registry`].

pub(crate) mod ag_ui;
pub(crate) mod ai_sdk;
pub(crate) mod anthropic;
pub(crate) mod apex_bridge;
pub(crate) mod bedrock;
mod call_list;
mod checks;
pub(crate) mod cohere;
pub(crate) mod failure;
mod finish;
pub(crate) mod gemini;
pub(crate) mod gemini_interactions;
#[cfg(test)]
mod made_up;
pub(crate) mod ollama;
pub(crate) mod openai_chat;
pub(crate) mod openai_responses;
pub(crate) mod output;
mod part_state;
mod phase;
mod reasoning;
pub(crate) mod registry;
pub(crate) mod response_id;
mod text_blocks;
mod usage;

pub use finish::finish_word;
pub use registry::{Provider, sniff};
