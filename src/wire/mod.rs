//! From bytes to what they say: framing ([`Framing`]: SSE, NDJSON), and one reader for each format of
//! a provider. Every stream arrives as [`MessageDelta`](crate::model::delta)s.

pub mod delta;
mod detect;
mod errors;
pub(crate) mod foreign;
pub mod framing;
mod provider_format;
mod provider_reader;
mod providers;
pub mod reader;
mod wire_format;

pub use crate::model::Violation;
pub use detect::detect;
pub(crate) use errors::not_json;
pub use framing::{Frame, Framing};
pub use providers::{Provider, sniff};
pub use reader::Reader;
pub use wire_format::WireFormat;
