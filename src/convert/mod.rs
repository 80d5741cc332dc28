//! Conversions of messages: to AI SDK UI messages, messages of a run, OpenCode's sessions, Markdown
//! and HTML.

#[cfg(feature = "convert")]
mod html;
#[cfg(feature = "convert")]
mod markdown;
#[cfg(all(feature = "convert", feature = "transcript"))]
pub mod opencode;
#[cfg(feature = "convert")]
mod output;
#[cfg(feature = "convert")]
mod run_messages;
#[cfg(feature = "convert")]
mod text;
pub(crate) mod ui_messages;

#[cfg(feature = "convert")]
pub use html::{markdown_to_html, message_to_html, page_foot, page_head};
#[cfg(feature = "convert")]
pub use markdown::{markdown_head, message_to_markdown};
#[cfg(feature = "convert")]
pub use run_messages::run_messages;
pub use ui_messages::ui_messages;
