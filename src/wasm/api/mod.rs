//! The API for JavaScript, one file for each section.

#[cfg(feature = "parts")]
pub mod assembler;
#[cfg(feature = "parts")]
pub mod assembler_fast_path;
#[cfg(feature = "parts")]
mod assembler_options;
#[cfg(feature = "builtins")]
pub mod builtins;
#[cfg(feature = "transcript")]
pub mod calls;
#[cfg(feature = "compaction")]
pub mod compaction;
#[cfg(feature = "compaction")]
mod compaction_of_transcript;
#[cfg(feature = "convert")]
pub mod convert;
#[cfg(feature = "parts")]
pub mod loops;
#[cfg(feature = "parts")]
pub mod loops_of_messages;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "mcp")]
pub mod mcp_content;
#[cfg(feature = "parts")]
pub mod model_messages;
#[cfg(all(feature = "convert", feature = "transcript"))]
pub mod opencode;
#[cfg(feature = "parts")]
pub mod parts;
#[cfg(feature = "parts")]
pub mod recorder;
#[cfg(feature = "redact")]
pub mod redact;
#[cfg(all(feature = "convert", feature = "mcp"))]
pub mod requests;
#[cfg(feature = "transcript")]
pub mod run_files;
#[cfg(feature = "transcript")]
pub mod said_text;
#[cfg(feature = "transcript")]
pub mod search;
#[cfg(feature = "skills")]
pub mod skills;
#[cfg(feature = "transcript")]
pub mod sqlite;
#[cfg(feature = "transcript")]
pub mod summary;
#[cfg(feature = "parts")]
pub mod tool_state_transition;
#[cfg(feature = "parts")]
pub mod tool_states;
#[cfg(any(feature = "tools", feature = "builtins"))]
pub mod tool_texts;
#[cfg(feature = "tools")]
pub mod tools;
#[cfg(feature = "transcript")]
pub mod transcript;
#[cfg(feature = "transcript")]
pub mod transcript_file;
#[cfg(feature = "transcript")]
mod transcript_loops;
#[cfg(feature = "parts")]
pub mod validator;
#[cfg(feature = "compaction")]
mod walked_messages;
