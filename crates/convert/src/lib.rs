#![doc = include_str!("../README.md")]

mod html;
mod markdown;
pub mod opencode;
pub mod opencode2;
mod output;
mod run_messages;
mod text;

pub use html::{markdown_to_html, message_to_html, page_foot, page_head};
pub use markdown::{markdown_head, message_to_markdown};
pub use run_messages::run_messages;
