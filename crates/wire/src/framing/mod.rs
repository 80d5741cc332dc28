//! From chunks to records: lines, server-sent events, NDJSON, and the first lines of a stream.

pub mod frame;
pub(crate) mod framing;
pub mod lines;
pub mod ndjson;
mod opening;
pub mod sse;

pub use frame::Frame;
pub use framing::Framing;
