//! What the tests of the agents' readers share.

// Tests may fail loudly.
#![allow(clippy::unwrap_used)]

mod objects;
pub(crate) mod reading;

use crate::reader::LoadedSession;
use serde_json::{Value, json};

/// A file of one record a line.
pub(crate) fn text_of(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The time of a record of this second, in milliseconds, and as files write it.
pub(crate) fn at(second: u64) -> u64 {
    1_767_225_600_000 + second * 1000
}
pub(crate) fn timestamp(second: u32) -> String {
    format!("2026-01-01T00:00:{second:02}.000Z")
}

/// The object of a session.
pub(crate) fn info(session: &LoadedSession) -> Value {
    serde_json::from_slice(session.info.as_ref().unwrap()).unwrap()
}

/// The types of a message's parts.
pub(crate) fn types(message: &Value) -> Vec<&str> {
    message["parts"].as_array().unwrap().iter().map(|p| p["type"].as_str().unwrap()).collect()
}

/// Values of every kind, to stand where another is expected.
pub(crate) fn odd_values() -> [Value; 7] {
    [
        json!(null),
        json!(7),
        json!("x"),
        json!([]),
        json!({}),
        json!([[{"a": 1}]]),
        json!({"a": [1]}),
    ]
}
