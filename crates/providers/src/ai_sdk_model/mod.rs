//! The AI SDK's model messages.

pub(crate) mod messages;
