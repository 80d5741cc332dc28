//! Anthropic's Messages API.

mod block;
mod envelope;
mod fast_path;
mod format;
mod usage;

pub(crate) use format::Anthropic;
