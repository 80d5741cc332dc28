//! The formats of transcripts: one module per format, and [`registry`] with one line per format.

pub(crate) mod agents;
mod assistant_info;
pub(crate) mod claude_code;
pub(crate) mod document_layout;
pub(crate) mod fields;
pub(crate) mod log;
#[cfg(test)]
mod made_up;
pub(crate) mod message_arrays;
pub(crate) mod message_host;
mod messages;
mod opencode_events;
mod opencode_export;
mod opencode_run;
pub(crate) mod reader;
mod recording;
pub(crate) mod registry;
pub(crate) mod seen_fields;
pub(crate) mod session_kind;
pub(crate) mod token_counts;
mod transcript_format;
mod with_parts;
