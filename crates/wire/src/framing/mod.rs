//! From chunks to records: lines, server-sent events, and JSON values.

pub mod frame;
pub(crate) mod framing;
pub mod lines;
pub mod sse;
mod value_scan;
pub mod values;

pub use frame::Frame;
pub use framing::Framing;
