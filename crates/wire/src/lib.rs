#![doc = include_str!("../README.md")]

#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod any_format;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod content;
pub mod delta;
mod detect;
mod errors;
pub mod foreign;
pub mod framing;
mod json_scan;
mod provider_format;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod provider_reader;
#[cfg_attr(not(feature = "providers"), allow(dead_code, unused_imports))]
mod providers;
pub mod reader;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod record_reader;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod seen_fields;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod spelling;
mod think_tags;
#[cfg(not(any(feature = "providers", test)))]
mod unread;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod unread_format;
mod wire_format;
mod wrapped;

pub use apex_parts_model::Violation;
pub use detect::detect;
pub use errors::not_json;
pub use framing::{Frame, FrameFault, Framing, LineAhead, after_http_heads};
pub use providers::{Provider, finish_word, sniff};
pub use reader::{Reader, Sink};
pub use seen_fields::SeenFields;
pub use think_tags::ThinkTags;
pub use unread_format::{UnreadFormat, unread_line, unread_name};
pub use wire_format::WireFormat;

/// Are the formats of providers read (the feature `providers`)? Without it their readers have no output.
pub const READS_PROVIDERS: bool = cfg!(any(feature = "providers", test));
