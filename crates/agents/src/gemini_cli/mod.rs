//! gemini-cli: sessions of Gemini CLI. The format is described in [`reader`].

mod content;
mod reader;
mod record_fields;
mod records;
mod run_file;

pub use reader::GeminiCli;
