#![doc = include_str!("../README.md")]

// `tests/reading.rs` is also compiled into the tests of `apex-parts-transcript`, and names this crate as they do.
#[cfg(test)]
extern crate self as apex_parts_agents;

mod arguments;
mod assistant_info;
mod claude_code;
mod claude_stream;
mod codex;
mod copilot_cli;
mod document_layout;
mod env;
pub mod fields;
mod gemini_cli;
mod inspect;
mod loaded_messages;
pub mod log;
mod object_reader;
mod pi;
mod prepared_search;
mod reader;
mod record;
mod record_count;
mod run_file;
mod session_kind;
mod swe_agent;
mod token_counts;
mod transcript_format;
mod whole_json;

pub use apex_parts_wire::SeenFields;
pub use assistant_info::AssistantInfo;
pub use claude_code::ClaudeCode;
pub use claude_stream::ClaudeStream;
pub use codex::{Codex, begins_with_context, request_in};
pub use copilot_cli::CopilotCli;
pub use document_layout::DocumentLayout;
pub use env::Env;
pub use gemini_cli::GeminiCli;
pub use inspect::Inspect;
pub use loaded_messages::{LaterMessages, LoadedMessages};
pub use object_reader::{ObjectReader, read_object};
pub use pi::Pi;
pub use reader::{FormatReader, LoadedSession, LoadedSessions};
pub use record::Record;
pub use record_count::RecordCount;
pub use run_file::{RunFile, RunFileRole, described};
pub use session_kind::SessionKind;
pub use swe_agent::SweAgent;
pub use token_counts::{TokenCounts, count};
pub use transcript_format::{
    CHANGES_UNKNOWN, EDITED_FILES, ExitStatus, MODEL_USAGE, OPENCODE, SUBMISSION, TranscriptFormat,
};
pub use whole_json::WholeJson;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
