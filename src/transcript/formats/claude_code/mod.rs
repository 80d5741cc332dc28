//! claude-code: a session of Claude Code.

mod blocks;
mod reader;
mod sessions;

pub(crate) use reader::ClaudeCode;
