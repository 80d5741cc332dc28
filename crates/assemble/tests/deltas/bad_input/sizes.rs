//! Input that is too long, too deep or too much: limits hold, the work is linear, no stack overflows.

use super::{later, options, texts};
use crate::assemble::*;
use apex_parts_assemble::{MessageContext, Stream, StreamOptions, read_deltas};
use apex_parts_wire::{Provider, WireFormat};
use serde_json::json;
use std::fmt::Write;
use std::time::{Duration, Instant};

const MB: usize = 1 << 20;
const CHUNK: usize = 1 << 16;

fn feed(stream: &mut Stream, bytes: &[u8]) {
    for chunk in bytes.chunks(CHUNK) {
        stream.push_bytes(chunk, 0.0).unwrap();
    }
}

fn rules(stream: &Stream) -> Vec<&str> {
    stream.problems().iter().map(|problem| problem.rule.as_str()).collect()
}

/// The start of a stream of deltas; a comment for other formats.
fn head(format: WireFormat) -> String {
    match format {
        WireFormat::Delta => format!("data: {}\n\n", start(1)),
        WireFormat::Provider(_) => ": hello\n\n".to_owned(),
    }
}

#[test]
fn a_line_of_50_mb() {
    let big = "x".repeat(50 * MB);
    for format in super::formats() {
        let line = later(format).replace("LATER", &big).replace("1000000", "2");
        let bytes = head(format) + &line + &later(format);
        // Beyond the limit it is one problem, and the rest is read.
        let mut stream = Stream::new(StreamOptions { max_bytes: Some(MB), ..options(format) });
        feed(&mut stream, bytes.as_bytes());
        assert_eq!(rules(&stream), ["limit"], "{}", format.as_str());
        assert_eq!(texts(&stream), ["LATER"]);
        assert!(stream.snapshot().len() < CHUNK, "nothing of it is kept");
        // Within the limit it is text like any other. (In every format; two are enough here.)
        if matches!(format, WireFormat::Delta | WireFormat::Provider(Provider::OpenAiChat)) {
            let mut stream = Stream::new(options(format));
            feed(&mut stream, bytes.as_bytes());
            assert_eq!(rules(&stream), [""; 0]);
            let [text] = &*texts(&stream) else { panic!("one text") };
            assert_eq!(text.len(), big.len() + "LATER".len());
        }
    }
}

#[test]
fn a_text_of_many_deltas_has_the_same_limit() {
    let piece = "x".repeat(1000);
    let mut stream = Stream::new(StreamOptions { max_bytes: Some(MB), ..StreamOptions::default() });
    push(&mut stream, &start(0)).unwrap();
    let mut taken = 0;
    let violation = loop {
        match push(&mut stream, &text(taken + 1, &piece)) {
            Ok(()) => taken += 1,
            Err(violation) => break violation,
        }
    };
    assert_eq!(violation.rule, "limit");
    assert_eq!(taken, (MB as i64 - 2) / 1000);
    let was = (seen(&stream), stream.snapshot());
    assert_eq!(push(&mut stream, &text(taken + 1, &piece)).unwrap_err().rule, "limit");
    assert_eq!((seen(&stream), stream.snapshot()), was);
    // Deltas that have room still count.
    push(&mut stream, &call(taken + 1, "c")).unwrap();
    push(&mut stream, &args(taken + 2, "c", &piece)).unwrap_err();
    push(&mut stream, &args(taken + 2, "c", "{}")).unwrap();
    push(&mut stream, &done(taken + 3)).unwrap();
    assert_eq!(preview(&stream)["parts"][1]["payload"]["arguments"], json!({}));
}

#[test]
fn bytes_without_a_line_feed_are_limited() {
    for first in [&b"x"[..], b"{", b"data: ", b"data: {\"a\":\"", b"\xff"] {
        let bytes = [first, &vec![b'x'; 50 * MB]].concat();
        let mut stream = Stream::new(StreamOptions { max_bytes: Some(MB), ..collecting() });
        feed(&mut stream, &bytes);
        assert!(stream.snapshot().len() < CHUNK, "nothing of it is kept");
        stream.end(0.0);
        assert_eq!(rules(&stream), ["limit", "DC-2"], "{first:?}");
        // With the default limit it is read up to its end, and is not JSON then.
        let mut stream = Stream::new(collecting());
        feed(&mut stream, &bytes);
        stream.end(0.0);
        assert_eq!(rules(&stream), ["json", "DC-2"], "{first:?}");
    }
}

/// A stream of `count` calls that are all open at once and end in reverse order.
fn calls(count: usize) -> String {
    let mut out = format!("{}\n", start(0));
    let mut seq = 0;
    let mut add = |kind: &str, payload: String| {
        seq += 1;
        let _ = writeln!(
            out,
            r#"{{"runId":"r","seq":{seq},"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T08:30:00Z"}}"#
        );
    };
    for i in 0..count {
        add("tool_call_start", format!(r#"{{"toolCallId":"c{i}","toolName":"t"}}"#));
    }
    for i in (0..count).rev() {
        add(
            "tool_call_args",
            format!(r#"{{"toolCallId":"c{i}","argsTextDelta":"{{\"a\":{i}}}"}}"#),
        );
        add("tool_call_end", format!(r#"{{"toolCallId":"c{i}"}}"#));
    }
    add("done", r#"{"finishReason":"tool-calls"}"#.to_owned());
    out
}

/// Asserts that the time is linear in the input: eight times the input takes about eight times as long. If
/// each call looked at all others, it would take 64 times as long.
fn is_linear(count: usize, what: &str, mut work: impl FnMut(usize)) {
    let mut time = |count: usize| {
        let began = Instant::now();
        work(count);
        began.elapsed()
    };
    let (before, many, after) = (time(count / 8), time(count), time(count / 8));
    // The machine may have been busy with other work.
    let few = before.max(after);
    let most = few * 24 + Duration::from_millis(500);
    assert!(many < most, "{what}: {few:?} for {}, {many:?} for {count}", count / 8);
}

#[test]
fn a_million_tool_calls() {
    // Without optimisation, a fifth of them is enough.
    let count = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    is_linear(count, "taken", |count| {
        let bytes = calls(count);
        let mut stream = Stream::new(StreamOptions::default());
        feed(&mut stream, bytes.as_bytes());
        assert_eq!(stream.message().unwrap().parts().len(), count);
        assert_eq!(stream.take_changes().len(), count + 1);
        assert!(stream.assembler().held() < bytes.len() / 8, "what is kept is less than what came");
    });
}

#[test]
fn every_output_of_many_tool_calls_is_linear() {
    let count = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    is_linear(count, "looked at", |count| {
        let bytes = calls(count);
        let mut stream = Stream::new(StreamOptions::default());
        feed(&mut stream, bytes.as_bytes());
        let json = stream.message().unwrap().to_json();
        let snapshot = stream.snapshot();
        let again = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
        assert_eq!(again.preview().to_json(), json);
        let parts = stream.to_with_parts(&MessageContext::default(), &mut || "id".to_owned());
        // No output contains the calls twice.
        for written in [json.len(), parts.len(), snapshot.len() * 4 / 5] {
            assert!(written < bytes.len());
        }
    });
}

/// A provider's records of `count` calls.
fn calls_of(format: Provider, count: usize) -> String {
    let mut out = String::new();
    for i in 0..count {
        let record = match format {
            Provider::Anthropic => format!(
                r#"{{"type":"content_block_start","index":{i},"content_block":{{"type":"tool_use","id":"c{i}","name":"t","input":{{}}}}}}"#
            ),
            Provider::OpenAiChat => format!(
                r#"{{"id":"q","model":"m","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{i},"id":"c{i}","function":{{"name":"t","arguments":"{{}}"}}}}]}}}}]}}"#
            ),
            Provider::OpenAiResponses => format!(
                r#"{{"type":"response.output_item.added","output_index":{i},"item":{{"type":"function_call","id":"f{i}","call_id":"c{i}","name":"t","arguments":""}}}}"#
            ),
            Provider::Gemini => format!(
                r#"{{"candidates":[{{"content":{{"parts":[{{"functionCall":{{"name":"t","id":"c{i}","args":{{}}}}}}]}}}}]}}"#
            ),
            Provider::AiSdk => {
                format!(r#"{{"type":"tool-input-start","toolCallId":"c{i}","toolName":"t"}}"#)
            }
            Provider::GeminiInteractions => format!(
                r#"{{"event_type":"step.start","index":{i},"step":{{"type":"function_call","id":"c{i}","name":"t","arguments":{{}}}}}}"#
            ),
            Provider::AgUi => {
                format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{i}","toolCallName":"t"}}"#)
            }
            Provider::Bedrock => format!(
                r#"{{"contentBlockStart":{{"contentBlockIndex":{i},"start":{{"toolUse":{{"toolUseId":"c{i}","name":"t"}}}}}}}}"#
            ),
            Provider::Ollama => format!(
                r#"{{"model":"m","created_at":"now","message":{{"tool_calls":[{{"id":"c{i}","function":{{"name":"t","arguments":{{}}}}}}]}},"done":false}}"#
            ),
            Provider::Cohere => format!(
                r#"{{"type":"tool-call-start","index":{i},"delta":{{"message":{{"tool_calls":{{"id":"c{i}","function":{{"name":"t","arguments":"{{}}"}}}}}}}}}}"#
            ),
            Provider::ApexBridge => format!(
                r#"{{"event_type":"tool_start","data":{{"toolCalls":[{{"id":"c{i}","function":{{"name":"t","arguments":"{{}}"}}}}]}}}}"#
            ),
        };
        let _ = write!(out, "data: {record}\n\n");
    }
    out
}

#[test]
fn many_calls_of_every_provider() {
    let count = if cfg!(debug_assertions) { 4_000 } else { 200_000 };
    for format in Provider::ALL.iter().copied() {
        is_linear(count, format.as_str(), |count| {
            let bytes = calls_of(format, count);
            let options = options(WireFormat::Provider(format));
            let mut stream = Stream::new(options.clone());
            feed(&mut stream, bytes.as_bytes());
            let again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            stream.end(0.0);
            let name = format.as_str();
            assert_eq!(
                again.preview().parts().len(),
                count,
                "`calls_of` in crates/assemble/tests/deltas/bad_input/sizes.rs: write a record of {name} with a call"
            );
            assert_eq!(stream.preview().parts().len(), count);
            assert!(read_deltas(bytes.as_bytes(), &options, 0.0, &mut || "r".into()).is_ok());
        });
    }
}

/// Runs `work` on a stack of a quarter of a megabyte, which deep recursion would overflow.
fn on_a_small_stack(work: fn()) {
    std::thread::Builder::new().stack_size(MB / 4).spawn(work).unwrap().join().unwrap();
}

const LEVELS: usize = 10_000;

fn deep() -> String {
    "[{\"a\":".repeat(LEVELS / 2) + "1" + &"}]".repeat(LEVELS / 2)
}

#[test]
fn too_deep_arguments() {
    on_a_small_stack(|| {
        let deep = deep();
        // At once or level by level: the first level beyond the limit is a violation, and so is
        // every further attempt.
        let mut stream = of(&[start(1), call(2, "c")]);
        let was = (seen(&stream), stream.snapshot());
        assert_eq!(push(&mut stream, &args(3, "c", &deep)).unwrap_err().rule, "limit");
        assert_eq!((seen(&stream), stream.snapshot()), was);
        for i in 0..LEVELS {
            let result = push(&mut stream, &args(3 + i as i64, "c", "["));
            assert_eq!(result.err().map(|violation| violation.rule), (i >= 512).then_some("limit"));
        }
        // DC-7: the arguments so far are not JSON.
        push(&mut stream, &done(100_000)).unwrap();
        let message = preview(&stream);
        let payload = &message["parts"][0]["payload"];
        assert_eq!(payload["arguments"], json!({}));
        assert_eq!(message["meta"]["parseErrors"][0]["toolCallId"], "c");
        assert_eq!(message["meta"]["unclosedToolCalls"], json!(["c"]));
        let raw = payload["rawArgsText"].as_str().unwrap();
        assert_eq!(raw, "[".repeat(512));
    });
}

#[test]
fn arguments_within_a_higher_limit() {
    on_a_small_stack(|| {
        let deep = deep();
        for size in [1, 1000, deep.len()] {
            let options = StreamOptions { max_depth: Some(LEVELS), ..StreamOptions::default() };
            let mut stream = Stream::new(options);
            push(&mut stream, &start(1)).unwrap();
            push(&mut stream, &call(2, "c")).unwrap();
            let mut seq = 2;
            let text = deep.as_bytes();
            for piece in text.chunks(size) {
                seq += 1;
                push(&mut stream, &args(seq, "c", std::str::from_utf8(piece).unwrap())).unwrap();
            }
            // Every output works, before and after the end.
            for _ in 0..2 {
                let _ = stream.to_with_parts(&MessageContext::default(), &mut || "id".to_owned());
                assert!(!stream.take_changes().is_empty());
                let again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
                assert_eq!(again.preview().to_json(), stream.preview().to_json());
                if stream.message().is_none() {
                    push(&mut stream, &done(seq + 1)).unwrap();
                }
            }
            assert!(stream.message().unwrap().to_json().contains(&deep));
        }
    });
}

#[test]
fn brackets_in_strings_do_not_count_as_depth() {
    let brackets = "[{".repeat(LEVELS);
    let text = format!("{{\"a\":\"{brackets}\"}}");
    let stream = of(&[start(1), call(2, "c"), args(3, "c", &text), call_end(4, "c")]);
    assert_eq!(preview(&stream)["parts"][0]["payload"]["arguments"], json!({"a": brackets}));
}

#[test]
fn too_deep_records_of_providers() {
    on_a_small_stack(|| {
        let deep = deep();
        for format in super::formats() {
            let mut stream = Stream::new(options(format));
            stream.push_bytes(head(format).as_bytes(), 0.0).unwrap();
            let record = later(format).replacen('{', &format!("{{\"more\":{deep},"), 1);
            stream.push_bytes(record.as_bytes(), 0.0).unwrap();
            assert_eq!(rules(&stream), ["limit"], "{}", format.as_str());
            stream.push_bytes(later(format).as_bytes(), 0.0).unwrap();
            assert_eq!(texts(&stream), ["LATER"]);
        }
    });
}

#[test]
fn too_deep_arguments_of_providers() {
    // They are text in the record: the limit of the assembler applies.
    let deep = serde_json::to_string(&deep()).unwrap();
    let call = format!(
        r#"{{"id":"q","model":"m","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"c","function":{{"name":"t","arguments":{deep}}}}}]}},"finish_reason":"tool_calls"}}]}}"#
    );
    let format = WireFormat::Provider(Provider::OpenAiChat);
    let mut stream = Stream::new(options(format));
    stream.push_bytes(format!("data: {call}\n\ndata: [DONE]\n\n").as_bytes(), 0.0).unwrap();
    assert_eq!(rules(&stream), ["limit"]);
    let part = preview(&stream)["parts"][0].clone();
    assert_eq!(part["payload"]["arguments"], json!({}), "none of them was taken");
    assert!(stream.message().is_some());
}
