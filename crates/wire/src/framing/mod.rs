//! From chunks to records: lines, server-sent events, and JSON values.

pub mod crc32;
mod event_records;
pub mod event_stream;
pub mod frame;
pub(crate) mod framing;
pub mod lines;
pub mod sse;
mod value_scan;
pub mod values;

pub use frame::{Frame, FrameFault};
pub use framing::Framing;
