use crate::providers::Provider;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> String {
    let mut reader = Provider::OpenAiChat.reader();
    let mut found = Vec::new();
    let mut take = |one: ReaderOutput<'_>| found.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    found.join("\n")
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let all = outputs(&[r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]}"#]);
    assert!(!all.contains("Done"), "{all}");
}

#[test]
fn a_finish_reason_ends_the_response_without_done() {
    let all = outputs(&[
        r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"length"}]}"#,
        r#"{"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
    ]);
    assert!(all.ends_with(r#"Delta(Done { finish_reason: "length" })"#), "{all}");
}

#[test]
fn chunks_with_changing_ids_are_one_response() {
    let all = outputs(&[
        r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]}"#,
        r#"{"id":"b","choices":[{"index":0,"delta":{"content":"y"}}]}"#,
        r#"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"id":"d","choices":[],"usage":{"prompt_tokens":1}}"#,
        "[DONE]",
    ]);
    assert_eq!((all.matches("Start").count(), all.matches("Done").count()), (1, 1));
}

#[test]
fn an_error_as_the_first_record_has_a_start() {
    let all = outputs(&[r#"{"error":"overloaded"}"#, "[DONE]"]);
    assert!(all.starts_with("Delta(Start") && all.contains("overloaded"), "{all}");
    assert!(!all.contains("Done"));
}

#[test]
fn parallel_calls_with_the_same_index_are_separated() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"id":"a","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"{id}","function":{{"name":"{name}","arguments":"{{}}"}}}}]}}}}]}}"#
        )
    };
    let all = outputs(&[&call("1", "f"), &call("2", "g"), &call("2", "")]);
    assert_eq!(all.matches("ToolCallStart").count(), 2, "{all}");
    assert_eq!(all.matches("ToolCallEnd").count(), 2, "both, when the transport ends");
}
