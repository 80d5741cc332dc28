use super::*;
use crate::providers::Provider;
use crate::providers::part_state::parts_of;

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

/// The parts of a stream with one record for each list of parts.
fn parts(records: &[&str]) -> Vec<String> {
    let record =
        |parts: &&str| format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}}}}]}}"#);
    let records: Vec<String> = records.iter().map(record).collect();
    parts_of(Provider::Gemini, &records.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn text_with_a_signature_is_a_part_of_its_own() {
    let found = parts(&[
        r#"{"text":"a","thought":true}"#,
        r#"{"text":"b","thought":true}"#,
        r#"{"text":"c","thought":true,"thoughtSignature":"1"}"#,
        r#"{"text":"d","thought":true}"#,
        r#"{"text":"e"},{"text":"f"},{"text":"","thoughtSignature":"2"}"#,
        r#"{"text":"g"}"#,
        r#"{"text":"h","more":{"n":1}}"#,
    ]);
    assert_eq!(
        found,
        [
            r#"thinking[] a {"google":{"thought":true}}"#,
            "thinking b",
            r#"thinking[1] c {"google":{"thoughtSignature":"1","thought":true}}"#,
            r#"thinking[2] d {"google":{"thought":true}}"#,
            "text e",
            "text f",
            r#"text[3]  {"google":{"thoughtSignature":"2"}}"#,
            "text[4] g",
            r#"text[] h {"google":{"part":{"more":{"n":1}}}}"#,
        ]
    );
}

#[test]
fn calls_have_what_goes_back_with_them() {
    let found = parts(&[
        r#"{"functionCall":{"name":"a","args":{},"mode":1},"thoughtSignature":"1","more":2}"#,
        r#"{"functionCall":{"id":"own","name":"b","args":{}}}"#,
        // Arguments that are streamed, and a signature that comes with the last of them.
        r#"{"functionCall":{"name":"c","willContinue":true}}"#,
        r#"{"functionCall":{},"thoughtSignature":"3"}"#,
    ]);
    assert_eq!(
        found,
        [
            r#"call call_0 a {"google":{"thoughtSignature":"1","part":{"more":2,"functionCall":{"mode":1}}}}"#,
            "args call_0 {}",
            "end call_0",
            r#"call own b {"google":{"id":"own"}}"#,
            "args own {}",
            "end own",
            "call call_1 c",
            r#"end call_1 {"google":{"thoughtSignature":"3"}}"#,
        ]
    );
}

#[test]
fn parts_of_the_server_are_kept_whole() {
    let found = parts(&[
        r#"{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}"#,
        r#"{"executableCode":{"code":"1"},"thoughtSignature":"1"}"#,
        r#"{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}"#,
        r#"{"inlineData":{"mimeType":"image/png","data":"aQ=="},"thoughtSignature":"2"}"#,
        r#"{"thoughtSignature":"3"},{"thought":true},{}"#,
    ]);
    assert_eq!(
        found,
        [
            // Its call stands in an earlier message.
            r#"custom google-codeExecutionResult {"google":{"part":{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}}}"#,
            r#"result  {"outcome":"OUTCOME_OK"} {"google":{"result":{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}}}"#,
            r#"call call_0 executableCode {"google":{"part":{"executableCode":{"code":"1"},"thoughtSignature":"1"}},"providerExecuted":true}"#,
            r#"args call_0 {"code":"1"}"#,
            "end call_0",
            r#"result call_0 {"outcome":"OUTCOME_OK","output":"1"} {"google":{"result":{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}}}"#,
            r#"custom google-inlineData {"google":{"part":{"inlineData":{"mimeType":"image/png","data":"aQ=="},"thoughtSignature":"2"}}}"#,
            r#"custom google-thoughtSignature {"google":{"part":{"thoughtSignature":"3"}}}"#,
        ]
    );
}
