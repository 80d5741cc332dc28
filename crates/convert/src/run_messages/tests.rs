//! Messages with parts as messages of a run.

use super::*;
use apex_parts_assemble::check_run;
use apex_parts_model::{Owned, Problem};
use serde_json::{Value, json};

fn converted(input: Value) -> Value {
    let made = run_messages(&Owned::from(input)).unwrap().into_json();
    let mut problems: Vec<Problem> = Vec::new();
    check_run(&Some(&made), &mut problems);
    assert_eq!(problems, [], "{made:#}");
    made
}

fn tokens() -> Value {
    json!({"input": 1, "output": 2, "reasoning": 3, "cache": {"read": 4, "write": 5}})
}

fn assistant(parts: Value) -> Value {
    json!({"info": {"id": "m", "sessionID": "s", "role": "assistant", "time": {"created": 0},
        "modelID": "model", "finish": "stop", "cost": 0.5, "tokens": tokens()}, "parts": parts})
}

#[test]
fn each_step_and_each_result_is_a_message() {
    let made = converted(json!([assistant(json!([
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        {"type": "tool", "tool": "read", "callID": "a",
            "state": {"status": "completed", "input": {"p": 1}, "output": "o", "time": {"start": 1, "end": 2}}},
        {"type": "tool", "tool": "read", "callID": "b",
            "state": {"status": "error", "input": {}, "error": "no", "time": {"start": 1, "end": 3}}},
        {"type": "step-finish", "reason": "tool-calls", "cost": 0.25, "tokens": tokens()},
        {"type": "step-start"},
        {"type": "text", "text": "done"},
        {"type": "step-finish", "reason": "stop", "cost": 0.25, "tokens": tokens()},
    ]))]));
    let usage = json!({"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "cost": 0.25});
    let at = |ms: u32| format!("1970-01-01T00:00:00.00{ms}Z");
    assert_eq!(
        made,
        json!([
            {"runId": "s", "role": "assistant", "timestamp": at(0), "parts": [
                {"kind": "thinking", "payload": {"text": "hm"}},
                {"kind": "tool_call", "payload": {"toolCallId": "a", "toolName": "read", "arguments": {"p": 1}}},
                {"kind": "tool_call", "payload": {"toolCallId": "b", "toolName": "read", "arguments": {}}},
            ], "meta": {"modelId": "model", "finishReason": "tool-calls", "usage": usage}},
            {"runId": "s", "role": "tool", "timestamp": at(2), "parts": [
                {"kind": "tool_result", "payload": {"toolCallId": "a", "isError": false, "content": "o"}}]},
            {"runId": "s", "role": "tool", "timestamp": at(3), "parts": [
                {"kind": "tool_result", "payload": {"toolCallId": "b", "isError": true, "content": "no"}}]},
            {"runId": "s", "role": "assistant", "timestamp": at(0), "parts": [
                {"kind": "text", "payload": {"text": "done"}},
            ], "meta": {"modelId": "model", "finishReason": "stop", "usage": usage}},
        ])
    );
}

#[test]
fn calls_that_never_ended_and_outputs_that_are_gone() {
    let call =
        |id: &str, state: Value| json!({"type": "tool", "tool": "t", "callID": id, "state": state});
    let made = converted(json!([assistant(json!([
        call("a", json!({"status": "running", "input": {}, "time": {"start": 1}})),
        call("b", json!({"status": "pending", "input": {}, "raw": "{\"a"})),
        call(
            "c",
            json!({"status": "completed", "input": {}, "output": "o", "time": {"start": 1, "end": 2, "compacted": 9}})
        ),
        call(
            "d",
            json!({"status": "completed", "input": {}, "output": "o", "time": {"start": 1, "end": 2},
            "attachments": [{"type": "file", "mime": "image/png", "url": "data:x"}]})
        ),
    ]))]));
    assert_eq!(made[0]["parts"][1]["payload"]["rawArgsText"], "{\"a");
    assert_eq!(made[0]["meta"]["usage"]["totalTokens"], 15);
    let content: Vec<&Value> = (1..5).map(|i| &made[i]["parts"][0]["payload"]["content"]).collect();
    assert_eq!(content[0], "[Tool execution was interrupted]");
    assert_eq!(content[1], "[Tool execution was interrupted]");
    assert_eq!(content[2], "[Old tool result content cleared]");
    assert_eq!(
        *content[3],
        json!([{"kind": "text", "payload": {"text": "o"}},
            {"kind": "image", "payload": {"mimeType": "image/png", "url": "data:x"}}])
    );
}

#[test]
fn parts_of_a_user() {
    let made = converted(json!([{
        "info": {"id": "m", "sessionID": "s", "role": "user", "system": "be kind", "time": {"created": 1}},
        "parts": [
            {"type": "text", "text": "a"},
            {"type": "text", "text": "b", "ignored": true},
            {"type": "file", "mime": "image/png", "url": "https://x/p.png"},
            {"type": "file", "mime": "text/plain", "filename": "a.txt", "url": "data:,x"},
            {"type": "file", "mime": "text/plain", "url": "data:,x", "source": {"type": "file", "path": "/a"}},
            {"type": "agent", "name": "plan"},
            {"type": "compaction", "auto": true},
        ],
    }, {"info": {"role": "user"}, "parts": []}]));
    assert_eq!(made.as_array().unwrap().len(), 2);
    assert_eq!(made[0]["role"], "system");
    assert_eq!(
        made[1]["parts"],
        json!([
            {"kind": "text", "payload": {"text": "a"}},
            {"kind": "image", "payload": {"mimeType": "image/png", "url": "https://x/p.png"}},
            {"kind": "file_ref", "payload": {"mimeType": "text/plain", "path": "a.txt"}},
            {"kind": "file_ref", "payload": {"mimeType": "text/plain", "path": "/a"}},
            {"kind": "text", "payload": {"text": "What did we do so far?"}},
        ])
    );
}

#[test]
fn both_forms_of_errors_are_converted() {
    for (error, code) in [
        (json!({"name": "APIError", "data": {"message": "no"}}), "APIError"),
        (json!({"message": "no", "isRetryable": true}), "error"),
    ] {
        let mut message = assistant(json!([{"type": "text", "text": "a"}]));
        message["info"]["error"] = error;
        let made = converted(json!([message]));
        assert_eq!(made[0]["meta"]["error"], json!({"errorCode": code, "message": "no"}));
    }
}

#[test]
fn other_values_than_messages_are_refused() {
    for value in [json!(5), json!([5]), json!([{"info": {}}]), json!([{"info": {}, "parts": [1]}])]
    {
        assert_eq!(run_messages(&Owned::from(value)).unwrap_err().name(), "PartValidationError");
    }
}
