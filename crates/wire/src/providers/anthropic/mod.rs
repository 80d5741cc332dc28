//! Anthropic's Messages API.

mod block;
mod fast_path;
mod format;
mod usage;

pub(crate) use format::Anthropic;
