//! Providers' state on parts is the same however the stream is cut into chunks, if it is cut off, and after a snapshot.

use crate::streams::{Collected, Response};
use apex_parts_assemble::{OnProblem, Stream, StreamOptions};
use apex_parts_wire::{Framing, Provider, WireFormat};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const LIMIT: usize = 1 << 20;

/// Reads a stream in chunks of this size; `restored` says that the reader is restored after each.
fn read(format: Provider, stream: &str, size: usize, restored: bool) -> Collected {
    let (mut all, mut reader, mut framing) =
        (Collected::default(), format.reader(), Framing::default());
    for chunk in stream.as_bytes().chunks(size) {
        let mut at = 0;
        while at < chunk.len() || framing.waits() {
            if let Some(line) = framing.line(chunk, at, LIMIT)
                && reader.line(line.event, line.text, 64, &mut |output| all.take(output))
            {
                let used = line.used;
                framing.skip_line(used, &mut at);
                continue;
            }
            let Some(frame) = framing.next(chunk, &mut at, LIMIT) else { break };
            let take = &mut |output: apex_parts_model::delta::ReaderOutput<'_>| all.take(output);
            reader.record_within(frame.event, frame.data, 64, take).unwrap();
        }
        framing.settle();
        if restored {
            let state = reader.snapshot().to_string();
            reader = format.reader();
            reader.restore(serde_json::from_str(&state).unwrap()).unwrap();
        }
    }
    reader.end(&mut |output| all.take(output));
    all
}

/// What a response has of text, calls and parts of their own type, with their state.
fn state(response: &Response) -> Value {
    let texts = response.parts.iter().zip(&response.blocks);
    let texts: Vec<Value> =
        texts.map(|((kind, text), (_, state))| json!([kind, text, state])).collect();
    let calls = response.calls.iter().map(|call| json!([call.id, call.args, call.state]));
    json!([texts, calls.collect::<Vec<_>>(), response.custom])
}

/// A stream of these records.
fn stream(records: &[Value]) -> String {
    records.iter().map(|record| format!("data: {record}\n\n")).collect()
}

/// Checks that a stream has this state, however it is read.
fn check(format: Provider, records: &[Value], want: &Value) {
    let text = stream(records);
    for (size, restored) in [(1, false), (7, false), (7, true), (text.len(), false)] {
        let all = read(format, &text, size, restored);
        assert_eq!(state(all.only()), *want, "{} by {size}", format.as_str());
    }
    let whole = read(format, &text, text.len(), false);
    for cut in 0..text.len() {
        let all = read(format, &text[..cut], 64, false);
        let Some(response) = all.responses.first() else { continue };
        // What has begun is of the whole: a part is not split, and no text gets lost.
        let texts = whole.only().parts.iter();
        let is_prefix = texts.zip(&response.parts).all(|(whole, part)| {
            whole.0 == part.0 && (whole.1.starts_with(&part.1) || part.1.is_empty())
        });
        assert!(is_prefix, "{} cut at {cut}: {response:#?}", format.as_str());
    }
}

fn block(at: u64, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": at, "content_block": block })
}

fn delta(at: u64, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": at, "delta": delta })
}

fn stop(at: u64) -> Value {
    json!({ "type": "content_block_stop", "index": at })
}

fn anthropic() -> Vec<Value> {
    vec![
        json!({ "type": "message_start", "message": { "id": "m", "model": "c", "usage": {} } }),
        block(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "Look " })),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "first." })),
        delta(0, &json!({ "type": "signature_delta", "signature": "sig" })),
        delta(0, &json!({ "type": "signature_delta", "signature": "ned" })),
        stop(0),
        block(1, &json!({ "type": "redacted_thinking", "data": "dark" })),
        stop(1),
        block(2, &json!({ "type": "text", "text": "" })),
        delta(2, &json!({ "type": "text_delta", "text": "One. " })),
        stop(2),
        block(3, &json!({ "type": "text", "text": "", "citations": [] })),
        delta(3, &json!({ "type": "text_delta", "text": "Two." })),
        delta(3, &json!({ "type": "citations_delta", "citation": { "page": 1 } })),
        stop(3),
        block(
            4,
            &json!({ "type": "mcp_tool_use", "id": "t", "name": "go", "input": {}, "server_name": "s" }),
        ),
        delta(4, &json!({ "type": "input_json_delta", "partial_json": "{\"a\":1}" })),
        stop(4),
        block(5, &json!({ "type": "mcp_tool_result", "tool_use_id": "t", "content": [] })),
        stop(5),
        block(6, &json!({ "type": "hand_over", "to": "another" })),
        stop(6),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }),
        json!({ "type": "message_stop" }),
    ]
}

#[test]
fn anthropic_blocks_are_parts_with_their_state() {
    let want = json!([
        [
            ["thinking", "Look first.", { "anthropic": { "signature": "signed" } }],
            ["thinking", "", { "anthropic": { "redactedData": "dark" } }],
            ["text", "One. ", {}],
            ["text", "Two.", { "anthropic": { "citations": [{ "page": 1 }] } }],
        ],
        [["t", "{\"a\":1}", {
            "anthropic": {
                "type": "mcp_tool_use", "index": 4, "block": { "server_name": "s" },
                "result": { "type": "mcp_tool_result", "content": [] }, "resultIndex": 5,
            },
            "providerExecuted": true,
        }]],
        [["anthropic-hand_over", {
            "anthropic": { "block": { "type": "hand_over", "to": "another" } },
        }]],
    ]);
    check(Provider::Anthropic, &anthropic(), &want);
    // Cut off after the first piece of the signature, and after the citation.
    let cut = |count| {
        let all = read(Provider::Anthropic, &stream(&anthropic()[..count]), 64, false);
        let (_, state) = all.responses[0].blocks.last().unwrap().clone();
        Value::Object(state)
    };
    assert_eq!(cut(5), json!({ "anthropic": { "signature": "sig" } }));
    assert_eq!(cut(15), json!({ "anthropic": { "citations": [{ "page": 1 }] } }));
}

#[test]
fn gemini_parts_have_their_signatures() {
    let record = |part: Value| json!({ "responseId": "r", "candidates": [{ "content": { "parts": [part] } }] });
    let records = [
        record(json!({ "text": "Let me ", "thought": true })),
        record(json!({ "text": "think.", "thought": true })),
        record(json!({ "text": "It is " })),
        record(json!({ "text": "4." })),
        record(json!({ "text": "", "thoughtSignature": "one" })),
        record(json!({ "text": "And 5." })),
        record(
            json!({ "functionCall": { "id": "f", "name": "go", "args": {} }, "thoughtSignature": "two" }),
        ),
        record(json!({ "executableCode": { "id": "x", "code": "1" } })),
        record(json!({ "codeExecutionResult": { "id": "x", "outcome": "OUTCOME_OK" } })),
        record(json!({ "inlineData": { "data": "aQ==" } })),
        json!({ "responseId": "r", "candidates": [{ "finishReason": "STOP" }] }),
    ];
    let want = json!([
        [
            ["thinking", "Let me think.", { "google": { "thought": true } }],
            ["text", "It is 4.", {}],
            ["text", "", { "google": { "thoughtSignature": "one" } }],
            ["text", "And 5.", {}],
        ],
        [
            ["f", "{}", { "google": { "id": "f", "thoughtSignature": "two" } }],
            ["x", "{\"code\":\"1\",\"id\":\"x\"}", {
                "google": {
                    "part": { "executableCode": { "id": "x", "code": "1" } },
                    "result": { "codeExecutionResult": { "id": "x", "outcome": "OUTCOME_OK" } },
                },
                "providerExecuted": true,
            }],
        ],
        [["google-inlineData", { "google": { "part": { "inlineData": { "data": "aQ==" } } } }]],
    ]);
    check(Provider::Gemini, &records, &want);
}

#[test]
fn openai_chat_parts_have_what_the_server_takes_back() {
    let chunk = |delta: Value| json!({ "id": "c", "model": "m", "choices": [{ "index": 0, "delta": delta }] });
    let detail = |text: &str| json!({ "type": "reasoning.text", "index": 0, "text": text });
    let records = [
        chunk(
            json!({ "role": "assistant", "reasoning": "Hm, ", "reasoning_details": [detail("Hm, ")] }),
        ),
        chunk(json!({ "reasoning": "yes.", "reasoning_details": [detail("yes.")] })),
        chunk(json!({ "content": "Reading", "mark": ["a"] })),
        chunk(json!({ "content": " it." })),
        chunk(
            json!({ "tool_calls": [{ "index": 0, "id": "t", "extra": { "sign": "s" }, "function": { "name": "f", "arguments": "" } }] }),
        ),
        chunk(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "{\"a\"" } }] })),
        chunk(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": ": 1}" } }] })),
        chunk(
            json!({ "mark": ["b"], "reasoning_details": [{ "type": "reasoning.encrypted", "index": 1, "data": "d" }] }),
        ),
        json!({ "id": "c", "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }),
    ];
    let want = json!([
        [
            ["thinking", "Hm, yes.", {
                "openaiCompatible": { "field": "reasoning", "message": { "mark": ["a", "b"] } },
                "openrouter": { "reasoning_details": [
                    { "type": "reasoning.text", "index": 0, "text": "Hm, yes." },
                    { "type": "reasoning.encrypted", "index": 1, "data": "d" },
                ] },
            }],
            ["text", "Reading it.", {}],
        ],
        [["t", "{\"a\": 1}", { "openaiCompatible": { "extra": { "sign": "s" } } }]],
        [],
    ]);
    check(Provider::OpenAiChat, &records, &want);
}

fn event(kind: &str, fields: Value) -> Value {
    let mut event = json!({ "type": format!("response.{kind}") });
    event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    event
}

#[test]
fn openai_responses_parts_have_the_state_of_their_items() {
    let summary = |at: u64, text: &str| {
        let fields = json!({ "output_index": 0, "summary_index": at, "delta": text });
        event("reasoning_summary_text.delta", fields)
    };
    let text = |part: u64, text: &str| {
        let fields = json!({ "output_index": 1, "content_index": part, "delta": text });
        event("output_text.delta", fields)
    };
    let item =
        |kind: &str, at: u64, item: Value| event(kind, json!({ "output_index": at, "item": item }));
    let call = json!({
        "type": "custom_tool_call", "id": "k", "call_id": "c", "name": "f", "input": "say \"a\"",
    });
    let search = json!({
        "type": "web_search_call", "id": "w", "status": "completed", "action": { "query": "q" },
    });
    let listing = json!({ "type": "mcp_list_tools", "id": "l", "tools": [] });
    let records = [
        event("created", json!({ "response": { "id": "r", "model": "m" } })),
        item("output_item.added", 0, json!({ "type": "reasoning", "id": "i", "summary": [] })),
        summary(0, "One "),
        summary(0, "way."),
        summary(1, "Another."),
        item(
            "output_item.done",
            0,
            json!({ "type": "reasoning", "id": "i", "encrypted_content": "e" }),
        ),
        item("output_item.added", 1, json!({ "type": "message", "id": "j", "phase": "p" })),
        text(0, "First, "),
        text(0, "this."),
        text(1, "Then that."),
        item(
            "output_item.done",
            1,
            json!({ "type": "message", "id": "j", "phase": "p", "content": [
            { "type": "output_text", "text": "First, this.", "annotations": [{ "n": 1 }] },
            { "type": "output_text", "text": "Then that." },
        ] }),
        ),
        item("output_item.done", 2, call),
        item("output_item.done", 3, search.clone()),
        item("output_item.done", 4, listing.clone()),
        event("completed", json!({ "response": { "id": "r", "status": "completed" } })),
    ];
    let reasoning = json!({ "openai": { "itemId": "i", "reasoningEncryptedContent": "e" } });
    let want = json!([
        [
            ["thinking", "One way.", reasoning],
            ["thinking", "Another.", reasoning],
            ["text", "First, this.", { "openai": { "itemId": "j", "phase": "p", "annotations": [{ "n": 1 }] } }],
            ["text", "Then that.", { "openai": { "itemId": "j", "phase": "p" } }],
        ],
        [
            ["c", "\"say \\\"a\\\"\"", { "openai": { "itemId": "k", "custom": "say \"a\"" } }],
            ["w", "{\"query\":\"q\"}", { "openai": { "itemId": "w", "item": search }, "providerExecuted": true }],
        ],
        [["openai-mcp_list_tools", { "openai": { "item": listing } }]],
    ]);
    check(Provider::OpenAiResponses, &records, &want);
}

#[test]
fn state_that_comes_in_pieces_is_limited_and_read_in_linear_time() {
    const MAX: usize = 1 << 18;
    let signature =
        || delta(0, &json!({ "type": "signature_delta", "signature": "0123456789abcdef" }));
    let detail = json!({ "id": "c", "choices": [{ "index": 0, "delta": {
        "reasoning_details": [{ "type": "reasoning.encrypted", "index": 0, "data": "0123456789abcdef" }],
    } }] });
    let note = event(
        "output_text.annotation.added",
        json!({ "output_index": 0, "content_index": 0, "annotation": { "n": "0123456789abcdef" } }),
    );
    let message = json!({ "output_index": 0, "item": { "type": "message", "id": "i" } });
    let cases = [
        (Provider::Anthropic, stream(&anthropic()[..2]), stream(&[signature()])),
        (Provider::OpenAiChat, String::new(), stream(&[detail])),
        (
            Provider::OpenAiResponses,
            stream(&[event("output_item.added", message)]),
            stream(&[note]),
        ),
    ];
    for (format, head, piece) in cases {
        let started = Instant::now();
        let mut stream = Stream::new(StreamOptions {
            format: Some(WireFormat::Provider(format)),
            on_problem: Some(OnProblem::Collect),
            max_bytes: Some(MAX),
            ..StreamOptions::default()
        });
        stream.push_bytes(head.as_bytes(), 0.0).unwrap();
        for _ in 0..40 {
            stream.push_bytes(piece.repeat(1000).as_bytes(), 0.0).unwrap();
            assert!(stream.assembler().held() <= MAX, "{}", format.as_str());
        }
        let is_limited = stream.problems().iter().any(|problem| problem.rule == "limit");
        assert!(is_limited, "{}", format.as_str());
        assert!(started.elapsed() < Duration::from_secs(20), "{}", format.as_str());
    }
}

#[test]
fn the_signature_of_a_whole_answer_is_at_the_end_of_its_text() {
    let answer = json!({"type": "message", "id": "m", "role": "assistant", "model": "c", "stop_reason": "end_turn",
        "content": [{"type": "thinking", "thinking": "Plan A.", "signature": "SG"}, {"type": "text", "text": "Hello"}]});
    let format = Some(WireFormat::Provider(Provider::Anthropic));
    let mut whole = Stream::new(StreamOptions { format, ..StreamOptions::default() });
    whole.push_bytes(answer.to_string().as_bytes(), 0.0).unwrap();
    whole.end(0.0);
    let message: Value = serde_json::from_str(&whole.preview().to_json()).unwrap();
    let place = json!([{"index": 0, "signature": "SG", "part": 0, "offset": 7}]);
    assert_eq!(message["meta"]["provider"]["signatures"], place);
    let state = json!({"text": "Plan A.", "provider": {"anthropic": {"signature": "SG"}}});
    assert_eq!(message["parts"][0]["payload"], state);
}
