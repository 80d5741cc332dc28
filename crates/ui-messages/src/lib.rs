#![doc = include_str!("../README.md")]

mod ui_messages;

pub use ui_messages::{SdkVersion, ui_messages, ui_messages_for};
