//! What each provider sends, a module a provider.

pub(crate) mod ai_sdk;
pub(crate) mod anthropic;
pub(crate) mod apex_bridge;
pub(crate) mod gemini;
pub(crate) mod openai_chat;
pub(crate) mod openai_responses;
pub(crate) mod response_id;
mod usage;
