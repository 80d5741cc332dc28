//! Recordings of several responses: one that was cut off is not merged with the next.

use crate::assemble::*;
use crate::streams::streams_in;
use apex_parts_assemble::{OnProblem, Stream, StreamOptions, read_deltas};
use apex_parts_model::Severity;
use apex_parts_wire::{Provider, WireFormat};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

fn options(format: &str) -> StreamOptions {
    let format = WireFormat::parse(format);
    StreamOptions { format, run_id: Some("r".into()), ..collecting() }
}

fn stream(format: &str, records: &[&str]) -> Stream {
    let mut stream = Stream::new(options(format));
    for record in records {
        stream.push_bytes(format!("data: {record}\n\n").as_bytes(), 0.0).unwrap();
    }
    stream
}

fn rules(stream: &Stream) -> Vec<&str> {
    stream.problems().iter().map(|problem| problem.rule.as_str()).collect()
}

fn text_of(preview: &Value) -> String {
    let parts = preview["parts"].as_array().unwrap().iter();
    parts.filter_map(|part| part["payload"]["text"].as_str()).collect()
}

/// The streams in `tests/fixtures/streams/cut`: format, bytes, and the expected responses.
fn recordings() -> Vec<(String, Vec<u8>, Value)> {
    let folder = apex_parts_fixtures::path("streams/cut");
    let read = |(path, format, text): (PathBuf, Provider, String)| {
        let expected = fs::read_to_string(path.with_extension("expected.json"));
        let expected = expected.unwrap_or_else(|_| {
            let name = path.display();
            panic!("{name} has no expected message yet: `cargo test -p apex-parts-assemble readers_return` writes it")
        });
        let expected = json_of(&expected);
        assert!(
            expected["responses"].as_array().is_some_and(|responses| responses.len() > 1),
            "{} is read as one response: write `id_of`, or begin another in `apply`, in the reader of {}",
            path.display(),
            format.as_str()
        );
        (format.as_str().to_owned(), text.into_bytes(), expected)
    };
    let found: Vec<_> = streams_in(&folder).into_iter().map(read).collect();
    // One of each format, but for Ollama, whose responses begin with any record.
    for format in Provider::ALL.iter().filter(|format| **format != Provider::Ollama) {
        let name = format.as_str();
        assert!(
            found.iter().any(|(found, ..)| found == name),
            "there is no tests/fixtures/streams/cut/text.{name}.sse: write two responses, of which the second begins \
             before the first has ended"
        );
    }
    found
}

#[test]
fn each_response_has_a_run_of_its_own() {
    for (format, bytes, expected) in recordings() {
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            format!("run {next}")
        };
        let deltas = read_deltas(&bytes, &options(&format), 0.0, &mut fresh).unwrap();
        let mut runs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for delta in json_of(&deltas).as_array().unwrap() {
            let run = runs.entry(delta["runId"].as_str().unwrap().to_owned()).or_default();
            run.push(delta.clone());
        }
        let responses = expected["responses"].as_array().unwrap();
        assert_eq!(runs.len(), responses.len(), "{format}");
        for (run, response) in runs.values().zip(responses) {
            assert_eq!(run[0]["kind"], "start", "{format}");
            assert_eq!(run[0]["payload"]["requestId"], response["request"], "{format}");
            // Each is a valid stream, except that those that were cut off have no end.
            let mut stream = of(run);
            stream.end(0.0);
            let cut = response["finish"].is_null();
            assert_eq!(rules(&stream), if cut { vec!["DC-2"] } else { vec![] }, "{format}");
        }
    }
}

#[test]
fn a_stream_has_only_the_first_response() {
    for (format, bytes, expected) in recordings() {
        let first = &expected["responses"][0];
        let text: String =
            first["parts"].as_array().unwrap().iter().map(|p| p[1].as_str().unwrap()).collect();
        // Neither the size of chunks nor the position of a snapshot matters.
        for cut in (0..bytes.len()).step_by(7) {
            let mut stream = Stream::new(options(&format));
            stream.push_bytes(&bytes[..cut], 0.0).unwrap();
            let mut stream = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            stream.push_bytes(&bytes[cut..], 0.0).unwrap();
            stream.end(0.0);
            let preview = preview(&stream);
            assert_eq!(text_of(&preview), text, "{format}");
            assert_eq!(preview["meta"]["requestId"], first["request"], "{format}");
            let rules = rules(&stream);
            assert_eq!((rules[0], *rules.last().unwrap()), ("DC-1", "DC-2"), "{format}");
            assert!(rules[1..].iter().all(|rule| *rule == "DC-2"), "{format}: {rules:?}");
            assert!(stream.message().is_none(), "{format}");
            // No other field of the later responses is in it either.
            let provider = preview["meta"]["provider"].as_object().cloned().unwrap_or_default();
            assert_eq!(Value::Object(provider), first["provider"], "{format}");
        }
    }
}

#[test]
fn a_thrown_violation_changes_nothing() {
    let mut stream =
        Stream::new(StreamOptions { on_problem: Some(OnProblem::Throw), ..options("anthropic") });
    let start = |id: &str| format!(r#"{{"type":"message_start","message":{{"id":"{id}"}}}}"#);
    let text = |text: &str| {
        format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#
        )
    };
    let mut push = |record: &str| {
        let result = stream.push_bytes(format!("data: {record}\n\n").as_bytes(), 0.0);
        (result.map_err(|violation| violation.rule), stream.preview().to_json(), stream.status())
    };
    assert_eq!(push(&start("a")).0, Ok(()));
    let before = push(&text("one"));
    assert_eq!(before.0, Ok(()));
    for (record, rule) in [(start("b"), "DC-1"), (text("two"), "DC-2")] {
        let now = push(&record);
        assert_eq!((now.0, &now.1, now.2), (Err(rule), &before.1, before.2));
    }
}

#[test]
fn a_repeated_start_continues_the_message() {
    for (format, records) in [
        (
            "anthropic",
            [
                r#"{"type":"message_start","message":{"id":"a"}}"#,
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"one"}}"#,
                r#"{"type":"message_start","message":{"id":"a"}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"two"}}"#,
            ],
        ),
        (
            "openai-chat",
            [
                r#"{"id":"a","choices":[{"index":0,"delta":{"role":"assistant","content":"one"}}]}"#,
                r#"{"id":"b","choices":[{"index":0,"delta":{"content":"t"}}]}"#,
                r#"{"id":"","choices":[{"index":0,"delta":{"role":"assistant","content":"w"}}]}"#,
                r#"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"o"}}]}"#,
            ],
        ),
        (
            "openai-responses",
            [
                r#"{"type":"response.created","response":{"id":"a"}}"#,
                r#"{"type":"response.output_text.delta","output_index":0,"delta":"one"}"#,
                r#"{"type":"response.created","response":{"id":"a"}}"#,
                r#"{"type":"response.output_text.delta","output_index":0,"delta":"two"}"#,
            ],
        ),
        (
            "gemini",
            [
                r#"{"responseId":"a","candidates":[{"content":{"parts":[{"text":"one"}]}}]}"#,
                r#"{"responseId":"b","candidates":[{"content":{"parts":[{"text":"t"}]}}]}"#,
                r#"{"responseId":"c","candidates":[{"content":{"parts":[{"text":"w"}]}}]}"#,
                r#"{"responseId":"d","candidates":[{"content":{"parts":[{"text":"o"}]}}]}"#,
            ],
        ),
        (
            "ai-sdk",
            [
                r#"{"type":"start","messageId":"a"}"#,
                r#"{"type":"text-delta","id":"1","delta":"one"}"#,
                r#"{"type":"start"}"#,
                r#"{"type":"text-delta","id":"1","delta":"two"}"#,
            ],
        ),
        (
            "apex-bridge",
            [
                r#"{"requestId":"a"}"#,
                r#"{"content":"one","step_number":0,"iteration":1}"#,
                r#"{"requestId":"a"}"#,
                r#"{"content":"two","step_number":0,"iteration":0}"#,
            ],
        ),
    ] {
        let mut stream = stream(format, &records);
        stream.end(0.0);
        assert_eq!(rules(&stream), ["DC-2"], "{format}");
        assert_eq!(text_of(&preview(&stream)), "onetwo", "{format}");
    }
}

#[test]
fn a_violation_has_the_id_of_its_run() {
    let mut stream = of(&[start(1)]);
    for (record, rule) in [("{oops", "json"), ("[[]]", "schema")] {
        let violation = stream.push_bytes(format!("{record}\n").as_bytes(), 0.0).unwrap_err();
        assert_eq!((violation.rule, violation.run_id.as_deref()), (rule, Some("r")));
    }
    let violation = stream.refuse("schema", String::new(), "unreadable".to_owned()).unwrap_err();
    assert_eq!(violation.run_id.as_deref(), Some("r"));
}

#[test]
fn outputs_stay_as_they_were_written() {
    let records = [
        r#"{"type":"start","messageId":"m"}"#,
        r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":{}}"#,
        r#"{"type":"tool-output-available","toolCallId":"c","output":{ "z": 1.50, "a": [ 1e400, "\u00e9 \" \\", "x y" ], "m": { } }}"#,
        r#"{"type":"finish"}"#,
    ];
    let mut stream = stream("ai-sdk", &records);
    let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    let content = r#"{"z":1.50,"a":[1e400,"é \" \\","x y"],"m":{}}"#;
    for stream in [&mut stream, &mut again] {
        let json = stream.preview().to_json();
        assert!(json.contains(&format!(r#""isError":false,"content":{content}}}"#)), "{json}");
        let context = Default::default();
        let message = stream.to_with_parts(&context, &mut || "id".to_owned());
        let output = serde_json::to_string(content).unwrap();
        assert!(message.contains(&format!(r#""output":{output}"#)), "{message}");
    }
}

#[test]
fn invalid_argument_paths_are_reported() {
    let call = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.l[999999999]","numberValue":2},{"jsonPath":"a","numberValue":3},{"jsonPath":"$.b","numberValue":4}]}}]}}]}"#;
    let stream = stream("gemini", &[call]);
    assert_eq!(rules(&stream), ["limit", "schema"]);
    assert!(stream.problems().iter().all(|problem| problem.severity == Severity::Warning));
    assert_eq!(
        preview(&stream)["parts"][0]["payload"]["arguments"],
        serde_json::json!({"a": 1, "b": 4})
    );
}
