//! gemini-cli: sessions of Gemini CLI. The format is described in [`reader`].

mod content;
mod reader;
mod records;

pub use reader::GeminiCli;
