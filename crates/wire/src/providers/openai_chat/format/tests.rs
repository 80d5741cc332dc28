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

/// The output for deltas with these entries of `tool_calls`, one chunk each.
fn calls(entries: &[&str]) -> String {
    let chunk = |entry: &&str| {
        format!(r#"{{"id":"a","choices":[{{"index":0,"delta":{{"tool_calls":[{entry}]}}}}]}}"#)
    };
    let chunks: Vec<_> = entries.iter().map(chunk).collect();
    outputs(&chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_id_may_come_one_piece_after_the_name() {
    let name = r#"{"index":0,"function":{"name":"f","arguments":""}}"#;
    let id = r#"{"index":0,"id":"own","function":{"arguments":"{}"}}"#;
    let all = calls(&[name, id]);
    assert!(all.contains(r#"ToolCallStart { id: "own", name: "f""#), "{all}");
    let args = r#"{"index":0,"function":{"arguments":"{\"a\":"}}"#;
    let all = calls(&[name, args, id]);
    assert!(all.contains(r#"ToolCallStart { id: "call_a_0", name: "f""#), "{all}");
    assert_eq!(all.matches("ToolCallStart").count(), 1, "{all}");
}

#[test]
fn a_call_without_a_name_is_a_problem() {
    let all = calls(&[r#"{"index":0,"id":"x","function":{"arguments":"{}"}}"#]);
    assert!(all.contains("Wrong") && !all.contains("ToolCallStart"), "{all}");
    let all = calls(&["null", "7", r#"{"function":{"arguments":"{}"}}"#, r#"{"index":3}"#]);
    assert_eq!(all.matches("Wrong").count(), 3, "{all}");
}

#[test]
fn a_name_beside_whole_arguments_begins_another_call() {
    let entry =
        |args: &str| format!(r#"{{"index":0,"function":{{"name":"f","arguments":"{args}"}}}}"#);
    let (whole, half, rest) =
        (entry(r#"{\"a\":\"}{\"}"#), entry(r#"{\"a\":\"}"#), entry(r#"{\"}"#));
    assert_eq!(calls(&[&whole, &whole]).matches("ToolCallStart").count(), 2);
    assert_eq!(calls(&[&half, &rest]).matches("ToolCallStart").count(), 1);
}

#[test]
fn a_placeholder_gives_way_to_arguments() {
    let piece = |args: &str| {
        format!(r#"{{"index":0,"id":"x","function":{{"name":"f","arguments":"{args}"}}}}"#)
    };
    let all = calls(&[&piece("{}"), &piece(r#"{\"a\":1}"#)]);
    assert_eq!(all.matches("ToolCallArgs").count(), 1, "{all}");
    let all = calls(&[&piece("{}"), &piece(" ")]);
    assert!(all.contains(r#"text: "{} ""#), "{all}");
}
