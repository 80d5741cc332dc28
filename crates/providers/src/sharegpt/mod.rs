//! Conversations of ShareGPT, in which data sets for fine-tuning are written.

pub(crate) mod messages;
