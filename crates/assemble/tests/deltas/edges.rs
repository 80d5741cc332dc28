//! Edge cases that were found by fuzzing. Each was a bug once.

use crate::assemble::*;
use apex_parts_assemble::{MessageContext, Stream, StreamOptions};
use apex_parts_wire::WireFormat;
use serde_json::{Value, json};

fn options(format: &str) -> StreamOptions {
    StreamOptions { format: WireFormat::parse(format), run_id: Some("r".into()), ..collecting() }
}
fn feed(stream: &mut Stream, records: &[&str]) {
    for record in records {
        stream.push_bytes(format!("data: {record}\n\n").as_bytes(), 0.0).unwrap();
    }
}
fn stream(format: &str, records: &[&str]) -> Stream {
    let mut stream = Stream::new(options(format));
    feed(&mut stream, records);
    stream
}
fn again(stream: &Stream) -> Stream {
    Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap()
}
fn deep(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}
fn gemini(part: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}}}}]}}"#)
}

#[test]
fn sums_beyond_the_range_of_numbers_stay_json() {
    for (format, record) in [
        (
            "anthropic",
            r#"{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1e308,"cache_read_input_tokens":1e308}}}"#,
        ),
        (
            "openai-chat",
            r#"{"id":"a","choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":1e308,"completion_tokens":1e308}}"#,
        ),
        (
            "openai-responses",
            r#"{"type":"response.completed","response":{"usage":{"input_tokens":1e308,"output_tokens":1e308}}}"#,
        ),
        (
            "gemini",
            r#"{"candidates":[{}],"usageMetadata":{"promptTokenCount":1e308,"candidatesTokenCount":1e308}}"#,
        ),
        (
            "ai-sdk",
            r#"{"type":"finish","messageMetadata":{"usage":{"inputTokens":1e308,"outputTokens":1e308}}}"#,
        ),
        (
            "apex-bridge",
            r#"{"event_type":"step-finish","data":{"tokens":{"input":1e308,"output":1e308}}}"#,
        ),
    ] {
        let stream = stream(format, &[record]);
        let json = serde_json::from_str::<Value>(&stream.preview().to_json());
        let back = Stream::restore(&stream.snapshot(), StreamOptions::default());
        assert!(json.is_ok() && back.is_ok(), "{format}");
    }
}

#[test]
fn tokens_of_to_with_parts_stay_json() {
    let usage = json!({"inputTokens": 1e308, "outputTokens": 1e308, "totalTokens": 1});
    let mut stream = of(&[start(1), delta(2, "usage", usage)]);
    json_of(&stream.to_with_parts(&MessageContext::default(), &mut || "id".into()));
}

#[test]
fn snapshots_of_readers_can_be_restored() {
    let waiting = format!(r#"{{"x":{}}}"#, deep(200));
    let block = format!(
        r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"compaction","content":{}}}}}"#,
        deep(200)
    );
    let path = ".a".repeat(127);
    let call = gemini(&format!(
        r#"{{"functionCall":{{"name":"f","partialArgs":[{{"jsonPath":"${path}","stringValue":"x"}}],"willContinue":true}}}}"#
    ));
    for (format, record) in [("openai-chat", waiting), ("anthropic", block), ("gemini", call)] {
        let result =
            Stream::restore(&stream(format, &[&record]).snapshot(), StreamOptions::default());
        assert!(result.is_ok(), "{format}: {result:?}");
    }
}

#[test]
fn a_call_whose_arguments_exceed_the_limit_stays_open() {
    let mut stream = Stream::new(StreamOptions { max_bytes: Some(300), ..options("gemini") });
    let text = gemini(&format!(r#"{{"text":"{}"}}"#, "x".repeat(200)));
    let call = gemini(&format!(
        r#"{{"functionCall":{{"name":"rm","args":{{"path":"{}"}}}}}}"#,
        "y".repeat(120)
    ));
    feed(&mut stream, &[&text, &call]);
    assert_eq!(stream.problems()[0].rule, "limit");
    // It must not look like a finished call without arguments.
    assert_eq!(preview(&stream)["parts"][1]["payload"]["rawArgsText"], "");
}

#[test]
fn records_after_a_thrown_violation_can_be_read() {
    let mut bytes = format!("?\n{}\n", start(1));
    (2..1000).for_each(|seq| bytes += &format!("{}\n", text(seq, "x")));
    bytes += &format!("{}\n", done(1000));
    let mut stream =
        Stream::new(StreamOptions { max_bytes: Some(1 << 16), ..StreamOptions::default() });
    assert_eq!(stream.push_bytes(bytes.as_bytes(), 0.0).unwrap_err().rule, "json");
    stream.push_bytes(b"", 0.0).unwrap();
    assert!(stream.message().is_some());
}

#[test]
fn argument_paths_with_large_indexes_take_bounded_memory() {
    let mut stream = stream(
        "gemini",
        &[&gemini(
            r#"{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.z","stringValue":"x"}],"willContinue":true}}"#,
        )],
    );
    let mut came = 0;
    for i in 0..20 {
        let path = format!("$.a{i}{}", "[1000]".repeat(120));
        let record = gemini(&format!(
            r#"{{"functionCall":{{"partialArgs":[{{"jsonPath":"{path}","stringValue":"x"}}],"willContinue":true}}}}"#
        ));
        feed(&mut stream, &[&record]);
        came += record.len();
    }
    let held = stream.snapshot().len();
    assert!(held < came * 10, "{came} bytes came, the snapshot has {held}");
}

#[test]
fn the_memory_of_readers_is_bounded() {
    let big = "x".repeat(10_000);
    for (format, first, again) in [
        ("anthropic", r#"{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":""}}"#.to_owned(),
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"compaction_delta","content":"{big}"}}}}"#)),
        ("openai-chat", "{}".to_owned(), format!(r#"{{"x":"{big}"}}"#)),
        ("openai-chat", "{}".to_owned(), format!(r#"{{"id":"a","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"c","function":{{"arguments":"{big}"}}}}]}}}}]}}"#)),
        ("gemini", gemini(r#"{"functionCall":{"name":"f","willContinue":true}}"#),
            gemini(&format!(r#"{{"functionCall":{{"partialArgs":[{{"jsonPath":"$.a","stringValue":"{big}","willContinue":true}}],"willContinue":true}}}}"#))),
    ] {
        let mut stream = Stream::new(StreamOptions { max_bytes: Some(1 << 16), ..options(format) });
        feed(&mut stream, &[&first]);
        (0..200).for_each(|_| feed(&mut stream, &[&again]));
        let held = stream.snapshot().len();
        assert!(held < 1 << 18, "{format}: {held} bytes");
    }
}

#[test]
fn an_event_without_data_of_its_own_counts() {
    let mut stream = stream("apex-bridge", &[r#"{"content":"x","step_number":0,"iteration":0}"#]);
    stream.push_bytes(b"event: done\ndata: {}\n\n", 0.0).unwrap();
    assert!(stream.message().is_some());
}

#[test]
fn an_index_with_a_leading_zero_is_not_json() {
    let stream = stream(
        "anthropic",
        &[
            r#"{"type":"message_start","message":{"id":"m"}}"#,
            r#"{"type":"content_block_delta","index":007,"delta":{"type":"text_delta","text":"x"}}"#,
        ],
    );
    assert_eq!(stream.problems().first().map(|p| p.rule.as_str()), Some("json"));
}

#[test]
fn max_depth_applies_to_records_too() {
    let mut stream = Stream::new(StreamOptions { max_depth: Some(10), ..options("openai-chat") });
    feed(
        &mut stream,
        &[&format!(r#"{{"choices":[{{"index":0,"delta":{{}}}}],"x":{}}}"#, deep(100))],
    );
    assert_eq!(stream.problems().first().map(|p| p.rule.as_str()), Some("limit"));
}

#[test]
fn fast_paths_keep_unusual_fields() {
    let thought = stream(
        "openai-responses",
        &[
            r#"{"type":"response.created","response":{"id":"r"}}"#,
            r#"{"type":"response.reasoning_text.delta","output_index":0,"delta":"x","logprobs":[1]}"#,
        ],
    );
    let input = stream(
        "ai-sdk",
        &[
            r#"{"type":"start","messageId":"r"}"#,
            r#"{"type":"tool-input-start","toolCallId":"c","toolName":"t"}"#,
            r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"1","providerMetadata":{"a":1}}"#,
        ],
    );
    let chunk = r#"{"choices":[{"index":0,"delta":{"content":"x"}}]}"#;
    let mut error = stream("openai-chat", &[chunk]);
    error.push_bytes(format!("event: error\ndata: {chunk}\n\n").as_bytes(), 0.0).unwrap();
    let empty = |records: &[&str]| {
        preview(&stream("apex-bridge", records))["meta"]["provider"]["events"].clone()
    };
    let first = r#"{"content":"x","step_number":0,"iteration":0}"#;
    let odd = r#"{"content":null,"step_number":0,"iteration":0}"#;
    let got = (
        preview(&thought)["meta"]["provider"]["logprobs"].clone(),
        preview(&input)["meta"]["provider"]["providerMetadata"].clone(),
        error.status().as_str(),
        empty(&[first, odd]),
    );
    let want =
        (json!([[1]]), json!([{"a": 1, "toolCallId": "c", "part": 0}]), "error", empty(&[odd]));
    assert_eq!(got, want);
}

#[test]
fn replaced_values_do_not_count_for_the_limit() {
    let mut stream = Stream::new(StreamOptions { max_bytes: Some(10_000), ..options("ai-sdk") });
    let record = format!(
        r#"{{"type":"message-metadata","messageMetadata":{{"a":"{}"}}}}"#,
        "x".repeat(1000)
    );
    (0..20).for_each(|_| feed(&mut stream, &[&record]));
    assert!(
        stream.problems().is_empty(),
        "the message has {} bytes: {}",
        stream.preview().to_json().len(),
        stream.problems()[0]
    );
}

#[test]
fn a_damaged_snapshot_is_refused_or_works() {
    let mut stream = Stream::new(StreamOptions::default());
    let _ = stream.push_bytes(b"{\"a\":1}\n{", 0.0);
    let snapshot = String::from_utf8(stream.snapshot()).unwrap();
    let damaged = snapshot.replace("\"consumed\":8", "\"consumed\":18446744073709551615");
    if let Ok(mut stream) = Stream::restore(damaged.as_bytes(), StreamOptions::default()) {
        let _ = stream.push_bytes(b"{}\n{}\n", 0.0);
    }
}

#[test]
fn times_survive_a_snapshot() {
    let mut deltas = [start(1), text(2, "x")];
    deltas.iter_mut().for_each(|d| d["timestamp"] = json!("9999-12-31T23:59:59-12:00"));
    let mut one = of(&deltas);
    let mut two = again(&one);
    let parts = |s: &mut Stream| s.to_with_parts(&MessageContext::default(), &mut || "id".into());
    assert_eq!(parts(&mut one), parts(&mut two));
}
