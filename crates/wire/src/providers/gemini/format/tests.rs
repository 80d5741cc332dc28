use super::*;
use crate::providers::Provider;

fn outputs(records: &[Value]) -> String {
    let mut reader = Provider::Gemini.reader();
    let mut found = Vec::new();
    let mut take = |one: ReaderOutput<'_>| found.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.to_string().as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    found.join("\n")
}

#[test]
fn a_blocked_prompt_ends_with_content_filter() {
    let all =
        outputs(&[json!({ "promptFeedback": { "blockReason": "SAFETY" }, "modelVersion": "g" })]);
    assert!(all.contains("promptFeedback"));
    assert!(all.ends_with(r#"Delta(Done { finish_reason: "content-filter" })"#), "{all}");
}

#[test]
fn every_chunk_may_have_a_finish_reason() {
    let chunk = |text: &str| json!({ "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }] });
    let all = outputs(&[chunk("a"), chunk("b")]);
    assert_eq!(all.matches("Done").count(), 1);
    assert_eq!(all.matches("Start").count(), 1);
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let all = outputs(&[json!({ "candidates": [{ "content": { "parts": [{ "text": "a" }] } }] })]);
    assert!(!all.contains("Done"));
}

#[test]
fn a_wrapped_response_is_unwrapped() {
    let all = outputs(&[json!({ "response": {
        "candidates": [{ "content": { "parts": [{ "text": "in" }] } }], "modelVersion": "g2",
    } })]);
    assert!(all.contains("g2") && all.contains("in"), "{all}");
}
