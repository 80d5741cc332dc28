use super::*;
use crate::providers::Provider;
use apex_parts_model::delta::ReaderOutput;

fn error(records: &[&str]) -> Violation {
    let mut reader = Provider::Anthropic.reader();
    let (last, before) = records.split_last().unwrap();
    for record in before {
        reader.record("", record.as_bytes(), &mut |_| {}).unwrap();
    }
    reader
        .record("", last.as_bytes(), &mut |_| panic!("a record that breaks a rule emits nothing"))
        .unwrap_err()
}

#[test]
fn input_needs_a_call() {
    let start = r#"{"type":"message_start","message":{"id":"m"}}"#;
    let text = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text"}}"#;
    let input = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}"#;
    assert_eq!(error(&[start, input]).rule, "DC-6");
    assert_eq!(error(&[start, text, input]).rule, "DC-6");
}

#[test]
fn a_violation_names_the_field() {
    let cases = [
        (r#"{"type":7}"#, "`type` must be a string, but it is a number"),
        (r#"{"a":1}"#, "`type` must be a string, but it is missing"),
        (r#"{"type":"message_start"}"#, "`message` must be an object, but it is missing"),
        (
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}"#,
            "`delta.text` must be a string, but it is null",
        ),
        (
            r#"{"type":"content_block_start","index":-1,"content_block":{"type":"text"}}"#,
            "`index` must be a whole number from 0, but it is a number",
        ),
        (
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a"}}"#,
            "`content_block.name` must be a string, but it is missing",
        ),
    ];
    for (record, message) in cases {
        let error = error(&[record]);
        assert_eq!((error.rule, &*error.message), ("schema", message));
    }
}

#[test]
fn the_type_may_come_as_the_event_name_only() {
    let mut reader = Provider::Anthropic.reader();
    let mut output = Vec::new();
    let mut take = |one: ReaderOutput<'_>| output.push(format!("{one:?}"));
    reader.record("message_start", br#"{"message":{"id":"m","model":"c"}}"#, &mut take).unwrap();
    reader.record("message_stop", b"{}", &mut take).unwrap();
    assert!(output[0].contains("Start") && output[2].contains("Done"), "{output:?}");
    assert!(output[1].contains("empty") && output[1].contains("message_stop"), "{output:?}");
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let mut reader = Provider::Anthropic.reader();
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    reader.record("", delta.as_bytes(), &mut |_| {}).unwrap();
    reader.end(&mut |output| {
        assert!(matches!(output, ReaderOutput::Warning { rule: "empty", .. }), "{output:?}");
    });
}

#[test]
fn stop_reasons_are_mapped() {
    let words = [
        ("end_turn", "stop"),
        ("pause_turn", "stop"),
        ("max_tokens", "length"),
        ("tool_use", "tool-calls"),
        ("refusal", "content-filter"),
        ("compaction", "other"),
    ];
    for (raw, word) in words {
        assert_eq!(finish_word(Some(raw), false), word);
    }
    assert_eq!(finish_word(None, false), "other");
}
