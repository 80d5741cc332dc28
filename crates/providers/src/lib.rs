#![doc = include_str!("../README.md")]

mod ai_sdk;
mod ai_sdk_model;
mod answer;
mod anthropic;
mod approvals;
mod body;
mod builder;
mod detect;
mod gemini;
mod history_ids;
mod messages_format;
mod messages_reader;
mod open_answer;
mod open_calls;
mod openai_chat;
mod openai_responses;
mod options;
mod parts;
mod read;
mod registry;
mod shared;
mod sharegpt;
mod values;
mod written;

pub use answer::RecordedAnswer;
pub use messages_format::MessagesFormat;
pub use options::ReadOptions;
pub use read::{MessagesReading, MessagesWriting, ReadHistory, read_history, write_history};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
