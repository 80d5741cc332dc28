//! copilot-cli: sessions of Copilot CLI. The format is described in [`reader`].

mod attachments;
mod reader;
mod results;
mod usage;
mod waiting;

pub use reader::CopilotCli;
