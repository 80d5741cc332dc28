//! The formats of transcripts: one module per format, and [`registry`] with one line per format.

#[cfg(test)]
mod made_up;
pub(crate) mod message_arrays;
mod messages;
pub(crate) mod opencode2_export;
mod opencode_events;
pub(crate) mod opencode_export;
mod opencode_run;
mod recording;
pub(crate) mod registry;
mod with_parts;

/// What the tests of all readers share, in `crates/agents` too.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
#[path = "../../../agents/src/tests/reading.rs"]
pub(crate) mod reading;
