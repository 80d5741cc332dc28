#![doc = include_str!("../README.md")]

mod ui_messages;

pub use ui_messages::{AiSdk, ui_messages, ui_messages_for};
