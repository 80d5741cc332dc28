//! To what others read: AI SDK UI messages, and HTML.

mod html;
mod ui_messages;

pub use html::markdown_to_html;
pub use ui_messages::ui_messages;
