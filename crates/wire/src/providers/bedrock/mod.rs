//! Amazon Bedrock's Converse API.

mod block;
mod format;

pub(crate) use format::Bedrock;
