//! pi: sessions of pi and OpenClaw. The format is described in [`reader`].

mod entry;
mod entry_tree;
mod kept_lines;
mod messages;
mod reader;
mod sessions;

pub use reader::Pi;
