//! claude-code: sessions of Claude Code. The format is described in [`reader`].

mod assembly;
mod blocks;
mod line;
mod line_marks;
mod lines_by_name;
mod loading;
mod notices;
mod paths;
mod reader;
mod run_file;
mod sessions;
mod sub_agents;
mod tags;
mod totals;
mod unions;

pub(crate) use blocks::{LineExtras, answer_pieces, tokens};
pub(crate) use line::{CallPiece, LinePiece, ResultPiece, UserLine, UserSaid};
pub use reader::ClaudeCode;
pub(crate) use tags::INTERRUPTIONS;
