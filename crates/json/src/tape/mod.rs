//! A reader of JSON that builds no values: a **tape** of spans, 16 bytes each, over the bytes of
//! one document. It checks the whole grammar (RFC 8259), nests as deep as [`MAX_DEPTH`] without
//! recursion, can stop where the bytes end and resume when there are more, and gives rules access
//! to the values through [`View`](apex_parts_model::View).

mod compact;
mod node;
mod pick;
mod reader;
mod stringify;

pub use super::string::unescape_bytes as unescape;
pub use node::{Node, SeenIds};
pub use reader::{MAX_DEPTH, MAX_VALUES, Tape};
pub use stringify::by_index;
