//! `MessageDelta` records: a general reader, and a fast path in front of it.

mod fast_path;
mod fields;
mod reader;

pub use reader::{DeltaReader, FastRecord};
