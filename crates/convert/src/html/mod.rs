//! HTML that is safe to show, even if the messages are hostile.

pub(crate) mod markdown;
mod page;

pub use markdown::markdown_to_html;
pub use page::{message_to_html, page_foot, page_head};
