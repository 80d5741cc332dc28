//! What events and the output tell of messages.

use super::*;

fn model_event(id: Option<&str>, second: u32, usage: Value) -> Value {
    let mut message = json!({"role": "assistant"});
    if let Some(id) = id {
        message["id"] = id.into();
    }
    json!({"event": "model", "timestamp": format!("2025-01-01T00:00:{second:02}+00:00"),
        "completed": format!("2025-01-01T00:00:{:02}+00:00", second + 2),
        "output": {"choices": [{"message": message, "stop_reason": "max_tokens"}], "usage": usage}})
}

#[test]
fn events_tell_times_tokens_and_costs() {
    let found = messages(json!({
    "messages": [
        {"role": "user", "content": "go"},
        {"id": "b", "role": "assistant", "content": "1", "tool_calls": [
            {"id": "c", "function": "handoff", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
        {"id": "a", "role": "assistant", "content": "2"},
    ],
    "events": [
        model_event(Some("grader"), 50, json!({"input_tokens": 9, "output_tokens": 9, "total_tokens": 18})),
        {"event": "span_begin", "timestamp": "2025-01-01T00:00:00+00:00"},
        model_event(Some("a"), 20, json!({"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
            "input_tokens_cache_read": 6, "input_tokens_cache_write": 1, "reasoning_tokens": 3, "total_cost": 0.25})),
        model_event(Some("b"), 10, json!({"input_tokens": 10, "output_tokens": 5, "total_tokens": 21,
            "input_tokens_cache_read": 6})),
        {"event": "tool", "id": "c", "agent": "helper", "timestamp": "2025-01-01T00:00:13+00:00",
         "completed": "2025-01-01T00:00:15+00:00"},
    ]}));
    let at = |second: u64| CREATED as u64 + 1000 * second;
    assert_eq!(found[0]["info"]["time"]["created"], at(0));
    let first = &found[1]["info"];
    assert_eq!(first["time"], json!({"created": at(10), "completed": at(15)}));
    assert_eq!(
        first["tokens"],
        json!({"total": 21, "input": 10, "output": 5, "reasoning": 0, "cache": {"read": 6, "write": 0}})
    );
    assert_eq!(first["finish"], "length");
    let call = &found[1]["parts"][2]["state"];
    assert_eq!(call["time"], json!({"start": at(13), "end": at(15)}));
    assert_eq!(call["metadata"], json!({"agent": "helper"}));
    let second = &found[2]["info"];
    assert_eq!(second["time"], json!({"created": at(20), "completed": at(22)}));
    assert_eq!(
        second["tokens"],
        json!({"total": 15, "input": 3, "output": 2, "reasoning": 3, "cache": {"read": 6, "write": 1}})
    );
    assert_eq!(second["cost"], 0.25);
}

#[test]
fn events_without_ids_are_in_order() {
    let usage = |n: u32| json!({"input_tokens": n, "output_tokens": 0, "total_tokens": n});
    let found = messages(json!({
        "messages": [
            {"role": "assistant", "content": "example", "source": "input"},
            {"role": "assistant", "content": "1"},
            {"id": "x", "role": "assistant", "content": "2"},
            {"role": "assistant", "content": "3"},
        ],
        "events": [
            model_event(None, 1, usage(1)), model_event(Some("x"), 5, usage(2)),
            {"event": "model", "pending": true, "output": {"choices": [{"stop_reason": "stop"}]}},
            {"event": "model", "output": {"choices": []}, "error": "refused"},
            model_event(Some("y"), 9, usage(3))],
    }));
    let inputs: Vec<_> =
        (0..4).map(|i| found[i]["info"]["tokens"]["input"].as_u64().unwrap()).collect();
    assert_eq!(inputs, [0, 1, 2, 3]);
}

#[test]
fn the_output_tells_of_the_last_answer_what_no_event_does() {
    let found = messages(json!({
        "messages": [{"role": "assistant", "content": "1"}, {"id": "z", "role": "assistant", "content": "2"}],
        "output": {"choices": [{"message": {"id": "z"}, "stop_reason": "content_filter"}],
            "usage": {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}}}));
    assert_eq!(found[0]["info"]["tokens"]["input"], 0);
    assert_eq!(found[1]["info"]["tokens"]["input"], 3);
    assert_eq!(found[1]["info"]["finish"], "content_filter");
}
