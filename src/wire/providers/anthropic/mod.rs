//! Anthropic's Messages API.

mod block;
mod format;
mod usage;

pub(crate) use format::Anthropic;
