//! `toWithParts`: the same content in the message model.

use crate::assemble::*;
use apex_parts_assemble::{MessageContext, Stream, StreamOptions, read_deltas};
use apex_parts_model::{Problem, ValidationResult, WithParts};
use apex_parts_validate::Ids;
use apex_parts_wire::{Provider, WireFormat};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

const SESSION: &str = "0195124e-7a1b-7c3d-9e5f-8a7b6c5d4e3f";
const MESSAGE: &str = "0195124e-7a1b-7c3d-9e5f-8a7b6c5d4e40";

fn context() -> MessageContext<'static> {
    MessageContext {
        session_id: SESSION,
        message_id: Some(MESSAGE),
        parent_id: "parent",
        agent: "build",
        provider_id: "p",
        model_id: None,
        cwd: "/w",
        root: "/",
        now_ms: 5.0,
        keeps_empty_output: false,
    }
}

/// The message, which must be valid.
fn with_parts(stream: &mut Stream) -> Value {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut fresh =
        || format!("0195124e-7a1b-7c3d-9e5f-{:012}", NEXT.fetch_add(1, Ordering::Relaxed));
    let text = stream.to_with_parts(&context(), &mut fresh);
    let message = json_of(&text);
    let mut problems: Vec<Problem> = Vec::new();
    apex_parts_validate::message(&Some(&message), Ids::Apex, &mut problems);
    let result = ValidationResult::from(problems);
    assert!(result.valid, "{:?}\n{text}", result.problems);
    let typed: WithParts = serde_json::from_value(message.clone()).unwrap();
    assert_eq!(serde_json::to_value(typed).unwrap(), message);
    // Ids that are created one after another sort in the order of the parts.
    let ids = message["parts"].as_array().unwrap().iter().map(|part| part["id"].as_str().unwrap());
    assert!(ids.is_sorted(), "{text}");
    message
}

/// The parts without their ids.
fn bare(message: &Value) -> Vec<Value> {
    let mut parts = message["parts"].as_array().unwrap().clone();
    for part in &mut parts {
        let part = part.as_object_mut().unwrap();
        assert_eq!(part.remove("sessionID").unwrap(), SESSION);
        assert_eq!(part.remove("messageID").unwrap(), MESSAGE);
        assert!(part.remove("id").is_some());
    }
    parts
}

const T0: i64 = 1_739_781_000_000;

#[test]
fn from_the_beginning_to_the_end() {
    let mut stream = Stream::new(StreamOptions::default());
    assert_eq!(with_parts(&mut stream)["parts"], json!([]));
    let deltas = [
        start(1),
        thinking(2, "hm"),
        text(3, "Hello"),
        call(4, "a"),
        args(5, "a", "{\"path\":\"/x"),
    ];
    deltas.iter().for_each(|d| push(&mut stream, d).unwrap());
    let message = with_parts(&mut stream);
    assert_eq!(message["info"]["time"], json!({"created": T0 + 1000}));
    assert_eq!(
        bare(&message),
        [
            json!({"type": "step-start"}),
            json!({"type": "reasoning", "text": "hm", "time": {"start": T0 + 2000, "end": T0 + 3000}}),
            json!({"type": "text", "text": "Hello", "time": {"start": T0 + 3000, "end": T0 + 4000}}),
            json!({"type": "tool", "callID": "a", "tool": "read", "state":
                {"status": "pending", "input": {"path": "/x"}, "raw": "{\"path\":\"/x"}}),
        ]
    );
    let usage = json!({"inputTokens": 100, "outputTokens": 50, "totalTokens": 150, "cost": 0.5,
        "cacheReadTokens": 30, "cacheWriteTokens": 20, "reasoningTokens": 10});
    for delta in [args(6, "a", "\"}"), call_end(7, "a"), delta(8, "usage", usage), done(9)] {
        push(&mut stream, &delta).unwrap();
    }
    let again = with_parts(&mut stream);
    let tokens = json!({"total": 150, "input": 50, "output": 40, "reasoning": 10, "cache": {"read": 30, "write": 20}});
    assert_eq!(
        again["info"],
        json!({"id": MESSAGE, "sessionID": SESSION, "role": "assistant", "parentID": "parent",
            "time": {"created": T0 + 1000, "completed": T0 + 9000}, "modelID": "m", "providerID": "p",
            "agent": "build", "path": {"cwd": "/w", "root": "/"}, "cost": 0.5, "tokens": tokens,
            "finish": "stop"})
    );
    assert_eq!(
        bare(&again)[3..],
        [
            json!({"type": "tool", "callID": "a", "tool": "read", "state":
                {"status": "running", "input": {"path": "/x"}, "time": {"start": T0 + 7000}}}),
            json!({"type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": tokens}),
        ]
    );
    // A part keeps its id while the message grows.
    for (old, new) in
        message["parts"].as_array().unwrap().iter().zip(again["parts"].as_array().unwrap())
    {
        assert_eq!(old["id"], new["id"]);
    }
}

#[test]
fn arguments_that_are_not_objects_are_kept() {
    let mut stream = of(&[
        start(1),
        call(2, "free"),
        args(3, "free", " \"text\""),
        call_end(4, "free"),
        call(5, "list"),
        args(6, "list", "[1"),
        call(7, "bad"),
        args(8, "bad", "{oops"),
        call_end(9, "bad"),
        call(10, "none"),
    ]);
    let parts = bare(&with_parts(&mut stream));
    assert_eq!(parts[1]["state"]["input"], json!({"input": "text"}));
    assert_eq!(parts[2]["state"]["input"], json!({"input": [1]}));
    assert_eq!(parts[3]["state"]["input"], json!({}));
    assert_eq!(parts[3]["metadata"]["rawArgsText"], "{oops");
    assert_eq!(parts[4]["state"], json!({"status": "pending", "input": {}, "raw": ""}));
}

#[test]
fn an_error_delta_becomes_the_error_of_the_message() {
    let error = json!({"errorCode": "overloaded", "message": "later", "retryable": true});
    let mut stream = of(&[start(1), text(2, "x"), delta(3, "error", error)]);
    let message = with_parts(&mut stream);
    assert_eq!(
        message["info"]["error"],
        json!({"message": "later", "isRetryable": true, "metadata": {"errorCode": "overloaded"}})
    );
    assert_eq!(message["info"].get("finish"), None);
    let mut stream = of(&[start(1), delta(2, "error", json!({"errorCode": "e"}))]);
    assert_eq!(with_parts(&mut stream)["info"]["error"]["message"], "e");
    let mut stream = of(&[start(1), text(2, "x")]);
    stream.end(0.0);
    assert_eq!(with_parts(&mut stream)["info"]["time"], json!({"created": T0 + 1000}));
}

#[test]
fn times_that_cannot_be_read_are_replaced() {
    let mut deltas = [start(1), thinking(2, "x"), call(3, "c"), call_end(4, "c"), done(5)];
    deltas.iter_mut().for_each(|d| d["timestamp"] = json!("yesterday"));
    let message = with_parts(&mut of(&deltas));
    assert_eq!(message["info"]["time"], json!({"created": 5, "completed": 5}));
    assert_eq!(bare(&message)[1]["time"]["start"], 5);
    assert_eq!(bare(&message)[2]["state"]["time"]["start"], 5);
}

#[test]
fn outputs_complete_their_tools() {
    let bytes = br#"data: {"type":"start","messageId":"q"}

data: {"type":"start-step"}

data: {"type":"tool-input-available","toolCallId":"a","toolName":"read","input":{"p":1}}

data: {"type":"tool-input-available","toolCallId":"b","toolName":"read","input":{}}

data: {"type":"tool-input-available","toolCallId":"c","toolName":"read","input":{}}

data: {"type":"tool-output-available","toolCallId":"a","output":{"ok":true}}

data: {"type":"tool-output-available","toolCallId":"b","output":""}

data: {"type":"tool-output-error","toolCallId":"c","errorText":"no"}

data: {"type":"finish"}

"#;
    let format = apex_parts_wire::WireFormat::parse("ai-sdk");
    let options = StreamOptions { format, run_id: Some("r".into()), ..StreamOptions::default() };
    let mut stream = Stream::new(options.clone());
    stream.push_bytes(bytes, 7.0).unwrap();
    let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    for stream in [&mut stream, &mut again] {
        let parts = bare(&with_parts(stream));
        let time = json!({"start": 7, "end": 7});
        let tools: Vec<&Value> =
            parts.iter().filter(|p| p["type"] == "tool").map(|p| &p["state"]).collect();
        assert_eq!(
            tools,
            [
                &json!({"status": "completed", "input": {"p": 1}, "output": "{\"ok\":true}", "title": "", "metadata": {}, "time": time}),
                &json!({"status": "completed", "input": {}, "output": "(no output)", "title": "", "metadata": {}, "time": time}),
                &json!({"status": "error", "input": {}, "error": "no", "time": time}),
            ]
        );
        // A transcript keeps what the file has.
        let kept = MessageContext { keeps_empty_output: true, ..context() };
        let mut fresh = || "0195124e-7a1b-7c3d-9e5f-000000000000".to_owned();
        let kept = stream.to_with_parts(&kept, &mut fresh);
        assert!(kept.contains(r#""output":"","title""#), "{kept}");
    }
}

/// The state of the message on its last part, read from a provider's stream and again from its deltas and from a
/// snapshot.
fn state_of_message(format: Provider, records: &[Value]) -> Value {
    let bytes: String = records.iter().map(|record| format!("data: {record}\n\n")).collect();
    let options = |format| StreamOptions {
        format: Some(format),
        run_id: Some("r".into()),
        ..StreamOptions::default()
    };
    let provider = options(WireFormat::Provider(format));
    let mut stream = Stream::new(provider.clone());
    stream.push_bytes(bytes.as_bytes(), 0.0).unwrap();
    stream.end(0.0);
    let restored = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    let deltas = read_deltas(bytes.as_bytes(), &provider, 0.0, &mut String::new).unwrap();
    let mut of_deltas = Stream::new(options(WireFormat::Delta));
    for delta in serde_json::from_str::<Vec<Value>>(&deltas).unwrap() {
        of_deltas.push_bytes(format!("{delta}\n").as_bytes(), 0.0).unwrap();
    }
    let mut logged = Stream::new(options(WireFormat::Delta));
    logged.push_bytes(&stream.take_deltas().into_bytes(), 0.0).unwrap();
    let state_of = |stream: &mut Stream| {
        assert!(!stream.preview().to_json().contains("stateKey"));
        let parts = bare(&with_parts(stream));
        let last = parts.last().unwrap();
        assert_eq!(last["type"], "step-finish");
        last["metadata"].clone()
    };
    let state = state_of(&mut stream);
    for (way, mut again) in [("snapshot", restored), ("deltas", of_deltas), ("log", logged)] {
        assert_eq!(state_of(&mut again), state, "{way}");
    }
    state
}

#[test]
fn what_a_provider_says_of_the_message_stands_where_it_ends() {
    let chunk = |more: Value| {
        let mut chunk = json!({"id": "c", "object": "chat.completion.chunk", "model": "m", "choices":
            [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}]});
        chunk.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        chunk
    };
    let usage = json!({"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}});
    assert_eq!(state_of_message(Provider::OpenAiChat, &[chunk(usage)]), Value::Null);
    let fingerprint = json!({"system_fingerprint": "fp"});
    assert_eq!(
        state_of_message(Provider::OpenAiChat, &[chunk(fingerprint.clone())]),
        json!({"openaiCompatible": {"message": fingerprint}})
    );
    let anthropic = [
        json!({"type": "message_start", "message": {"id": "m", "model": "c", "content": [],
            "container": {"id": "cn"}}}),
        json!({"type": "content_block_start", "index": 0, "content_block":
            {"type": "redacted_thinking", "data": "x"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": {"type": "refusal"}}}),
        json!({"type": "message_stop"}),
    ];
    assert_eq!(
        state_of_message(Provider::Anthropic, &anthropic),
        json!({"anthropic": {"message": {"container": {"id": "cn"}, "stop_details": {"type": "refusal"}}}})
    );
}

#[test]
fn a_file_in_a_stream_is_a_file_part() {
    let record = |record: Value| format!("data: {record}\n\n");
    let file = |more: Value| {
        let mut file =
            json!({"type": "file", "url": "data:image/png;base64,aGk=", "mediaType": "image/png"});
        file.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        record(file)
    };
    let bytes = [
        record(json!({"type": "start", "messageId": "m"})),
        record(json!({"type": "start-step"})),
        file(json!({})),
        file(
            json!({"filename": "a.png", "providerMetadata": {"google": {"thoughtSignature": "s"}}}),
        ),
        record(json!({"type": "reasoning-file", "url": "u", "mediaType": "image/png"})),
        record(json!({"type": "finish", "finishReason": "stop"})),
    ];
    let format = Some(WireFormat::Provider(Provider::AiSdk));
    let mut stream = Stream::new(StreamOptions { format, ..StreamOptions::default() });
    stream.push_bytes(bytes.concat().as_bytes(), 0.0).unwrap();
    let parts = bare(&with_parts(&mut stream));
    let (mime, url) = ("image/png", "data:image/png;base64,aGk=");
    let named = json!({"type": "file", "mime": mime, "url": url, "filename": "a.png",
        "metadata": {"google": {"thoughtSignature": "s"}}});
    assert_eq!(parts[1..3], [json!({"type": "file", "mime": mime, "url": url}), named]);
    assert_eq!(parts[3]["type"], "ai-sdk-reasoning-file");
}
