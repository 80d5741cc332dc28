//! From chunks to records: lines, server-sent events, and JSON values.

#[cfg(any(feature = "providers", test))]
mod event_records;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
pub mod event_stream;
pub mod frame;
pub(crate) mod framing;
pub mod line_ahead;
pub mod lines;
#[cfg(not(any(feature = "providers", test)))]
mod no_event_records;
pub mod sse;
mod value_scan;
pub mod values;

pub use frame::{Frame, FrameFault};
pub use framing::{Framing, after_http_heads};
pub use line_ahead::LineAhead;
