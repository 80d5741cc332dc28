//! From bytes to deltas: framing ([`Framing`]: SSE, NDJSON), and one reader for each format of a
//! provider. Every stream becomes [`MessageDelta`](crate::model::delta)s.

pub mod delta;
mod detect;
mod errors;
pub(crate) mod foreign;
pub mod framing;
mod provider_format;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod provider_reader;
#[cfg_attr(not(feature = "providers"), allow(dead_code, unused_imports))]
mod providers;
pub mod reader;
#[cfg(not(any(feature = "providers", test)))]
mod unread;
mod wire_format;

pub use crate::model::Violation;
pub use detect::detect;
pub(crate) use errors::not_json;
pub use framing::{Frame, Framing};
pub use providers::{Provider, sniff};
pub use reader::Reader;
pub use wire_format::WireFormat;
