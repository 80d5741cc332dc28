//! The formats of transcripts, a module a format.

mod builder;
mod claude_code;
mod conversation;
mod fields;
pub(crate) mod format;
mod messages;
mod opencode_events;
mod opencode_run;
pub(crate) mod reader;
mod recording;
