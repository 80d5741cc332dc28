//! The formats of transcripts: one module per format, and [`registry`] with one line per format.

pub(crate) mod agents;
pub(crate) mod builder;
pub(crate) mod claude_code;
pub(crate) mod conversation;
pub(crate) mod fields;
#[cfg(test)]
mod made_up;
mod messages;
mod opencode_events;
mod opencode_export;
mod opencode_run;
mod pending_call;
mod placed_part;
pub(crate) mod reader;
mod recording;
pub(crate) mod registry;
pub(crate) mod seen_fields;
mod transcript_format;
mod with_parts;
