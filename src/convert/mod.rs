//! To what others read: AI SDK UI messages, messages of a run, Markdown, and HTML.

mod html;
mod markdown;
mod output;
mod run_messages;
mod text;
pub(crate) mod ui_messages;

pub use html::{markdown_to_html, message_to_html, page_foot, page_head};
pub use markdown::{markdown_head, message_to_markdown};
pub use run_messages::run_messages;
pub use ui_messages::ui_messages;
