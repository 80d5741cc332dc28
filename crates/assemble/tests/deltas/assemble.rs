//! Helpers for tests of the assembler: deltas, and views of a stream's state.

use apex_parts_assemble::{OnProblem, Stream, StreamOptions, Violation, change};
use serde_json::{Value, json};

/// A delta of run `r`, with `seq` as the seconds of its timestamp.
pub(crate) fn delta(seq: i64, kind: &str, payload: Value) -> Value {
    json!({
        "runId": "r", "seq": seq, "kind": kind, "payload": payload,
        "timestamp": format!("2025-02-17T08:30:{:02}.000Z", seq.rem_euclid(60)),
    })
}

pub(crate) fn start(seq: i64) -> Value {
    delta(seq, "start", json!({"modelId": "m", "requestId": "q"}))
}
pub(crate) fn text(seq: i64, text: &str) -> Value {
    delta(seq, "text", json!({"textDelta": text}))
}
pub(crate) fn thinking(seq: i64, text: &str) -> Value {
    delta(seq, "thinking", json!({"textDelta": text}))
}
pub(crate) fn call(seq: i64, id: &str) -> Value {
    delta(seq, "tool_call_start", json!({"toolCallId": id, "toolName": "read"}))
}
pub(crate) fn args(seq: i64, id: &str, text: &str) -> Value {
    delta(seq, "tool_call_args", json!({"toolCallId": id, "argsTextDelta": text}))
}
pub(crate) fn call_end(seq: i64, id: &str) -> Value {
    delta(seq, "tool_call_end", json!({"toolCallId": id}))
}
pub(crate) fn done(seq: i64) -> Value {
    delta(seq, "done", json!({"finishReason": "stop"}))
}

pub(crate) fn push(stream: &mut Stream, delta: &Value) -> Result<(), Violation> {
    stream.push(delta.to_string().as_bytes())
}

/// A stream to which these deltas were pushed.
pub(crate) fn of(deltas: &[Value]) -> Stream {
    let mut stream = Stream::new(StreamOptions::default());
    for delta in deltas {
        push(&mut stream, delta).unwrap();
    }
    stream
}

pub(crate) fn collecting() -> StreamOptions {
    StreamOptions { on_problem: Some(OnProblem::Collect), ..StreamOptions::default() }
}

pub(crate) fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn preview(stream: &Stream) -> Value {
    json_of(&stream.preview().to_json())
}

/// Everything that a stream shows, except its changes.
pub(crate) fn seen(stream: &Stream) -> (Value, Option<Value>, &'static str, Vec<String>) {
    (
        preview(stream),
        stream.message().map(|m| json_of(&m.to_json())),
        stream.status().as_str(),
        stream.problems().iter().map(ToString::to_string).collect(),
    )
}

pub(crate) fn take(stream: &mut Stream) -> Vec<Value> {
    let changes = change::to_json(&stream.take_changes());
    json_of(&changes).as_array().unwrap().clone()
}

/// Applies changes to the parts on a screen.
pub(crate) fn apply(parts: &mut Vec<Value>, changes: &[Value]) {
    for change in changes {
        let index = change["part"].as_u64().unwrap_or(0) as usize;
        match change["op"].as_str().unwrap() {
            "add" => {
                assert_eq!(index, parts.len(), "parts come in order");
                parts.push(change["value"].clone());
            }
            "set" => parts[index] = change["value"].clone(),
            "append" => {
                let field = if change["field"] == "text" { "text" } else { "rawArgsText" };
                let slot = &mut parts[index]["payload"][field];
                let more = change["text"].as_str().unwrap();
                assert!(!more.is_empty());
                *slot = json!(format!("{}{more}", slot.as_str().unwrap()));
            }
            "remove" => {
                parts.pop();
                assert_eq!(index, parts.len(), "the last part goes");
            }
            "status" => {}
            other => panic!("{other}"),
        }
    }
}

/// Parts without the `arguments` of open calls, which change until the call ends.
pub(crate) fn settled(parts: &[Value]) -> Vec<Value> {
    let mut parts = parts.to_vec();
    for part in &mut parts {
        if part["payload"].get("rawArgsText").is_some() {
            part["payload"]["arguments"] = json!("open");
        }
    }
    parts
}
