//! What the tests of the agents' readers share.

// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::formats::reader::LoadedSession;
use crate::{Env, Transcript, TranscriptOptions};
use apex_parts_model::Error;
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

/// Opens a file; all ids of these formats come from it.
pub(crate) fn open(bytes: &[u8]) -> Result<Transcript, Error> {
    let mut env = Env { now_ms: 0.0, new_id: &mut || panic!("no id is made up") };
    Transcript::open(bytes, TranscriptOptions::default(), &mut env)
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
