//! From bytes to what they say: framing ([`Framing`]: SSE, NDJSON), and one reader a format of a
//! provider. Every stream arrives as [`MessageDelta`](crate::model::delta)s.

mod ai_sdk;
mod anthropic;
mod anthropic_block;
mod anthropic_usage;
mod apex_bridge;
pub(crate) mod block;
mod bridge_calls;
mod chat_calls;
mod chat_content;
mod chat_usage;
pub mod delta;
pub(crate) mod foreign;
pub mod framing;
mod gemini;
pub(crate) mod lines;
pub mod ndjson;
mod openai_chat;
mod openai_responses;
mod opening;
mod partial_args;
pub mod reader;
pub(crate) mod record;
mod response_id;
mod response_item;
pub mod scan;
mod shape;
pub mod sse;
mod tell;
mod usage;
pub(crate) mod utf8;

pub use framing::{Frame, Framing};
pub use reader::{Fault, Format, Reader};
pub use tell::tell;

/// What the bytes of a stream are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WireFormat {
    /// `MessageDelta`s, as SSE or NDJSON.
    #[default]
    Delta,
    /// A provider's own.
    Provider(Format),
}

impl WireFormat {
    /// The format's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WireFormat::Delta => "delta",
            WireFormat::Provider(format) => format.as_str(),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<WireFormat> {
        match name {
            "delta" => Some(WireFormat::Delta),
            name => Format::parse(name).map(WireFormat::Provider),
        }
    }
}
