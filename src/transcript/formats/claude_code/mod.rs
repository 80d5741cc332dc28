//! claude-code: sessions of Claude Code. The format is described in [`reader`].

mod blocks;
mod reader;
mod sessions;

pub(crate) use reader::ClaudeCode;
