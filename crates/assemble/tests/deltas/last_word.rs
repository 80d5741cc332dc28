//! What a stream says late or again: each rule from W-70 to W-77 by a stream of the kind that servers send.

use crate::assemble::*;
use apex_parts_assemble::{Stream, StreamOptions, read_deltas};
use apex_parts_wire::WireFormat;
use serde_json::{Value, json};

fn options(format: &str) -> StreamOptions {
    let format = Some(WireFormat::parse(format).unwrap());
    StreamOptions { format, run_id: Some("r".to_owned()), ..collecting() }
}

fn bytes(records: &[Value]) -> Vec<u8> {
    records.iter().flat_map(|record| format!("data: {record}\n\n").into_bytes()).collect()
}

fn read(format: &str, records: &[Value]) -> Stream {
    let mut stream = Stream::new(options(format));
    stream.push_bytes(&bytes(records), 0.0).unwrap();
    stream.end(0.0);
    stream
}

/// The parts, one word each: a text, `(reasoning)`, `tool{arguments}`, `[custom]`.
fn parts(stream: &Stream) -> Vec<String> {
    let preview = preview(stream);
    let word = |part: &Value| {
        let payload = &part["payload"];
        let text = payload["text"].as_str().unwrap_or_default();
        match part["kind"].as_str().unwrap() {
            "thinking" => format!("({text})"),
            "tool_call" => {
                format!("{}{}", payload["toolName"].as_str().unwrap(), payload["arguments"])
            }
            "custom" => format!("[{}]", payload["type"].as_str().unwrap()),
            _ => text.to_owned(),
        }
    };
    preview["parts"].as_array().unwrap().iter().map(word).collect()
}

fn rules(stream: &Stream) -> Vec<String> {
    stream.problems().iter().map(|problem| problem.rule.to_string()).collect()
}

/// How many responses the records have.
fn responses(format: &str, records: &[Value]) -> usize {
    let deltas = read_deltas(&bytes(records), &options(format), 0.0, &mut || "r2".to_owned());
    let deltas = json_of(&deltas.unwrap());
    deltas.as_array().unwrap().iter().filter(|delta| delta["kind"] == "start").count()
}

fn message(id: &str, text: &str) -> Value {
    let content = [json!({"type": "output_text", "text": text})];
    json!({"type": "message", "id": id, "role": "assistant", "content": content})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "read",
        "arguments": arguments})
}

fn completed(output: &[Value]) -> Value {
    json!({"type": "response.completed",
        "response": {"id": "resp_1", "model": "m", "status": "completed", "output": output}})
}

fn text_delta(delta: &str) -> Value {
    json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0,
        "item_id": "msg_1", "delta": delta})
}

#[test]
fn a_response_that_is_resumed_has_its_beginning() {
    let stream =
        read("openai-responses", &[text_delta("ing."), completed(&[message("msg_1", "Looking.")])]);
    assert_eq!(parts(&stream), ["Looking."]);
    assert_eq!(rules(&stream), ["final"]);
}

#[test]
fn what_only_the_list_has_stands_where_the_list_has_it() {
    let item = message("msg_1", "Done.");
    let events = [
        json!({"type": "response.created", "response": {"id": "resp_1", "model": "m"}}),
        json!({"type": "response.output_item.added", "output_index": 1, "item": item}),
        json!({"type": "response.output_text.delta", "output_index": 1, "content_index": 0,
            "item_id": "msg_1", "delta": "Done."}),
        completed(&[call("c1", r#"{"path":"a"}"#), item.clone(), call("c2", r#"{"path":"b"}"#)]),
    ];
    let stream = read("openai-responses", &events);
    assert_eq!(parts(&stream), [r#"read{"path":"a"}"#, "Done.", r#"read{"path":"b"}"#]);
    assert_eq!(rules(&stream), [""; 0]);
}

#[test]
fn pieces_wait_for_their_item() {
    let piece = json!({"type": "response.function_call_arguments.delta", "output_index": 0,
        "item_id": "fc_c1", "delta": "{\"path\":"});
    let rest = json!({"type": "response.function_call_arguments.delta", "output_index": 0,
        "item_id": "fc_c1", "delta": "\"a\"}"});
    let item = call("c1", "");
    let added = json!({"type": "response.output_item.added", "output_index": 0, "item": item});
    let stream = read("openai-responses", &[piece, added, rest, completed(&[])]);
    assert_eq!(parts(&stream), [r#"read{"path":"a"}"#]);
    assert_eq!(rules(&stream), [""; 0]);
}

#[test]
fn an_empty_whole_erases_nothing() {
    let empty =
        [json!([]), json!(null), json!([{"type": "message", "id": "msg_1", "content": []}])];
    for output in empty {
        let mut end = completed(&[]);
        end["response"]["output"] = output;
        let stream = read("openai-responses", &[text_delta("Hello"), end]);
        assert_eq!(parts(&stream), ["Hello"]);
        assert_eq!(rules(&stream), [""; 0]);
    }
}

#[test]
fn a_call_has_the_input_that_its_tool_got() {
    let stream = read(
        "ai-sdk",
        &[
            json!({"type": "start", "messageId": "m"}),
            json!({"type": "tool-input-start", "toolCallId": "c", "toolName": "raed"}),
            json!({"type": "tool-input-delta", "toolCallId": "c", "inputTextDelta": "{\"n\":\"1\"}"}),
            json!({"type": "tool-input-available", "toolCallId": "c", "toolName": "read",
                "input": {"n": 1, "all": false}}),
            json!({"type": "finish"}),
        ],
    );
    assert_eq!(parts(&stream), [r#"read{"all":false,"n":1}"#]);
    assert_eq!(rules(&stream), [""; 0]);
    let written = json!([{"toolCallId": "c", "inputText": "{\"n\":\"1\"}", "inputName": "raed"}]);
    assert_eq!(preview(&stream)["meta"]["provider"]["toolCalls"], written);
}

#[test]
fn what_comes_before_the_start_belongs_to_the_message() {
    let written = json!({"type": "data-weather", "data": {"city": "Rome"}});
    let text = [
        json!({"type": "text-start", "id": "t"}),
        json!({"type": "text-delta", "id": "t", "delta": "Sunny."}),
        json!({"type": "text-end", "id": "t"}),
    ];
    let start = json!({"type": "start", "messageId": "m"});
    let finish = json!({"type": "finish"});
    let [a, b, c] = text;
    let events = [written, start, a, b, c, finish];
    let stream = read("ai-sdk", &events);
    assert_eq!(parts(&stream), ["[ai-sdk-data-weather]", "Sunny."]);
    assert_eq!(rules(&stream), [""; 0]);
    assert_eq!(responses("ai-sdk", &events), 1);
    let snapshot = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"});
    let begun = json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"});
    let run = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "run"});
    let over = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "run"});
    assert_eq!(responses("ag-ui", &[begun, snapshot, run, over]), 1);
}

fn chunk(id: &str, delta: &Value, finish_reason: &Value) -> Value {
    json!({"id": id, "object": "chat.completion.chunk", "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})
}

#[test]
fn usage_behind_a_finish_reason_counts_whatever_its_id() {
    let said = |id: &str, text: &str| chunk(id, &json!({"content": text}), &Value::Null);
    let mut usage = chunk("c3", &json!({}), &Value::Null);
    usage["usage"] = json!({"prompt_tokens": 7, "completion_tokens": 2});
    let end = |id: &str| chunk(id, &json!({}), &json!("stop"));
    // LiteLLM gives each chunk another id.
    let events = [said("c0", "Hel"), said("c1", "lo"), end("c2"), usage.clone()];
    let stream = read("openai-chat", &events);
    assert_eq!(parts(&stream), ["Hello"]);
    assert_eq!(preview(&stream)["meta"]["usage"]["inputTokens"], 7);
    assert_eq!(responses("openai-chat", &events), 1);
    // Where the chunks of a response share an id, one with a role and text begins the next.
    let next = chunk("d", &json!({"role": "assistant", "content": "Next"}), &Value::Null);
    let two = [said("c", "Hel"), said("c", "lo"), end("c"), next];
    assert_eq!(responses("openai-chat", &two), 2);
}

#[test]
fn the_last_statement_of_usage_counts() {
    let stream = read(
        "anthropic",
        &[
            json!({"type": "message_start", "message": {"id": "m", "model": "x", "role": "assistant",
                "content": [], "usage": {"input_tokens": 8834, "output_tokens": 1}}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"input_tokens": 18, "cache_read_input_tokens": 8831, "output_tokens": 4}}),
            json!({"type": "message_stop"}),
        ],
    );
    assert_eq!(preview(&stream)["meta"]["usage"]["inputTokens"], 8849);
    assert_eq!(preview(&stream)["meta"]["usage"]["outputTokens"], 4);
}

#[test]
fn data_of_one_id_is_one_part_and_metadata_is_merged() {
    let stream = read(
        "ai-sdk",
        &[
            json!({"type": "start", "messageId": "m", "messageMetadata": {"a": {"x": 1, "y": 1}, "b": [1]}}),
            json!({"type": "data-job", "id": "1", "data": "begun"}),
            json!({"type": "data-job", "id": "2", "data": "other"}),
            json!({"type": "data-job", "id": "1", "data": "done"}),
            json!({"type": "message-metadata",
                "messageMetadata": {"a": {"y": 2}, "b": [2], "constructor": 7}}),
            json!({"type": "finish"}),
        ],
    );
    assert_eq!(parts(&stream), ["[ai-sdk-data-job]", "[ai-sdk-data-job]"]);
    let meta = &preview(&stream)["meta"]["provider"];
    assert_eq!(meta["data-job"], json!(["done", "other"]));
    assert_eq!(meta["messageMetadata"], json!({"a": {"x": 1, "y": 2}, "b": [2]}));
}

#[test]
fn reasoning_has_many_names() {
    for name in ["reasoning_content", "reasoning", "reasoning_text", "thinking"] {
        let thought = chunk("c", &json!({name: "Hm."}), &Value::Null);
        let end = chunk("c", &json!({"content": "Yes."}), &json!("stop"));
        assert_eq!(parts(&read("openai-chat", &[thought, end])), ["(Hm.)", "Yes."], "{name}");
    }
}

#[test]
fn a_session_of_realtime_is_refused_and_never_done() {
    let stream = read(
        "openai-responses",
        &[
            json!({"type": "session.created", "event_id": "e", "session": {}}),
            json!({"type": "response.created", "event_id": "e",
                "response": {"object": "realtime.response", "id": "r"}}),
            json!({"type": "response.done", "event_id": "e",
                "response": {"object": "realtime.response", "id": "r", "status": "completed"}}),
        ],
    );
    assert_eq!(stream.status().as_str(), "error");
}

#[test]
fn lines_of_claude_code_are_messages() {
    let line = |id: &str, block: Value| {
        json!({"type": "assistant", "session_id": "s", "message": {"id": id, "role": "assistant",
            "model": "x", "content": [block], "usage": {"input_tokens": 5, "output_tokens": 1}}})
    };
    let call = json!({"type": "tool_use", "id": "t", "name": "read", "input": {"path": "a"}});
    let result = json!({"type": "tool_result", "tool_use_id": "t", "content": "ok"});
    let events = [
        json!({"type": "system", "subtype": "init", "session_id": "s"}),
        line("m1", json!({"type": "text", "text": "I look."})),
        line("m1", call),
        json!({"type": "user", "session_id": "s", "message": {"role": "user", "content": [result]}}),
        line("m2", json!({"type": "text", "text": "Done."})),
        json!({"type": "result", "session_id": "s", "subtype": "success", "is_error": false}),
    ];
    assert_eq!(responses("anthropic", &events), 2);
    let stream = read("anthropic", &events[..4]);
    assert_eq!(parts(&stream), ["I look.", r#"read{"path":"a"}"#]);
    // Without a `result` the last message has no end.
    assert_eq!(stream.status().as_str(), "error");
    let deltas = read_deltas(&bytes(&events), &options("anthropic"), 0.0, &mut || "r2".to_owned());
    let deltas = json_of(&deltas.unwrap());
    let ends: Vec<&Value> =
        deltas.as_array().unwrap().iter().filter(|d| d["kind"] == "done").collect();
    let reasons: Vec<&Value> = ends.iter().map(|end| &end["payload"]["finishReason"]).collect();
    assert_eq!(reasons, ["tool-calls", "stop"]);
}

#[test]
fn an_end_for_calls_without_a_call_is_a_warning() {
    let end = |delta: &Value| [chunk("c", delta, &json!("tool_calls"))];
    assert_eq!(rules(&read("openai-chat", &end(&json!({"role": "assistant"})))), ["empty"]);
    assert_eq!(rules(&read("openai-chat", &end(&json!({"content": "Hm."})))), [""; 0]);
}

#[test]
fn a_block_is_one_part_whatever_comes_between() {
    let text = |at: u64, text: &str| json!({"contentBlockDelta": {"contentBlockIndex": at, "delta": {"text": text}}});
    let stream = read(
        "bedrock",
        &[
            json!({"messageStart": {"role": "assistant"}}),
            text(0, "Hel"),
            text(1, "Two"),
            text(0, "lo"),
            json!({"messageStop": {"stopReason": "end_turn"}}),
        ],
    );
    assert_eq!(parts(&stream), ["Hello", "Two"]);
}
