//! Made-up histories for the unit tests.

use apex_parts_model::Json;
use serde_json::{Value, json};

use super::history::MessageArray;

pub(super) fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

/// A call that ended well.
pub(super) fn call(output: &str) -> Value {
    json!({"type": "tool", "tool": "bash", "callID": "c", "state": {
        "status": "completed", "input": {"n": 1}, "output": output, "title": "t", "metadata": {},
        "time": {"start": 1, "end": 2},
    }})
}

fn message(id: &str, info: Value, parts: Vec<Value>) -> Value {
    let mut all = json!({"id": id, "sessionID": "s"});
    if let (Some(to), Value::Object(from)) = (all.as_object_mut(), info) {
        to.extend(from);
    }
    let parts: Vec<Value> = parts
        .into_iter()
        .enumerate()
        .map(|(at, mut part)| {
            part["id"] = json!(format!("{id}-{at}"));
            part
        })
        .collect();
    json!({"info": all, "parts": parts})
}

pub(super) fn user(id: &str, parts: Vec<Value>) -> Value {
    message(id, json!({"role": "user", "time": {"created": 1}}), parts)
}

pub(super) fn answer(id: &str, info: Value, parts: Vec<Value>) -> Value {
    let mut all = json!({"role": "assistant", "finish": "stop", "modelID": "m",
        "time": {"created": 2, "completed": 3}});
    if let (Some(to), Value::Object(from)) = (all.as_object_mut(), info) {
        to.extend(from);
    }
    message(id, all, parts)
}

/// The message of a compaction with a tail; `""` for none.
pub(super) fn compaction(id: &str, tail: &str) -> Value {
    let mut part = json!({"type": "compaction", "auto": true});
    if !tail.is_empty() {
        part["tail_start_id"] = json!(tail);
    }
    user(id, vec![part])
}

pub(super) fn summary(id: &str, parent: &str, words: &str) -> Value {
    answer(id, json!({"summary": true, "parentID": parent}), vec![text(words)])
}

pub(super) fn history(messages: &Value) -> MessageArray<Json<'_>> {
    MessageArray::new(Some(messages))
}
