//! The format `claude-stream`: what `claude -p --output-format stream-json` prints, and programs that print the same.

mod partial;
mod reader;
mod usage;

pub use reader::ClaudeStream;
