//! To what others read: AI SDK UI messages, messages of a run, Markdown, and HTML.

mod ansi;
mod html;
mod markdown;
mod messages;
mod out;
mod page;
mod show;
mod ui_messages;

pub use html::markdown_to_html;
pub use markdown::{markdown_head, message_to_markdown};
pub use messages::messages;
pub use page::{message_to_html, page_foot, page_head};
pub use ui_messages::ui_messages;
