use crate::providers::Provider;

fn outputs(records: &[(&str, &str)]) -> String {
    let mut reader = Provider::ApexBridge.reader();
    let mut found = Vec::new();
    for (event, data) in records {
        let mut take =
            |one: apex_parts_model::delta::ReaderOutput<'_>| found.push(format!("{one:?}"));
        reader.record(event, data.as_bytes(), &mut take).unwrap();
    }
    found.join("\n")
}

#[test]
fn the_http_api_wraps_text_in_chat_completions() {
    let all = outputs(&[
        ("", r#"{"requestId":"q"}"#),
        (
            "",
            r#"{"id":"x","choices":[{"index":0,"delta":{"reasoning_content":"A","content":null}}]}"#,
        ),
        (
            "",
            r#"{"id":"x","choices":[{"index":0,"delta":{"content":"B"},"finish_reason":"length"}]}"#,
        ),
        ("", "[DONE]"),
        ("conversation_id", r#"{"conversationId":"c"}"#),
    ]);
    assert!(all.contains("Thinking") && all.contains("Text"));
    assert!(all.ends_with(r#"Delta(Done { finish_reason: "length" })"#), "{all}");
}

#[test]
fn a_stream_of_another_format_is_named() {
    let chunk = r#"{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"B"}}]}"#;
    let all = outputs(&[("", chunk), ("", chunk), ("", "[DONE]")]);
    assert!(all.contains(r#"all look like \"openai-chat\""#), "{all}");
}

#[test]
fn older_events_are_named_by_the_frame() {
    let all = outputs(&[
        ("thought_start", r#"{"iteration":0}"#),
        ("action_start", r#"{"iteration":0,"tool":"read","params":{"p":1}}"#),
        ("observation", r#"{"iteration":0,"tool":"read","result":"text"}"#),
    ]);
    assert!(all.contains(r#"name: "read""#) && all.contains("ToolResult"), "{all}");
    assert!(all.contains(r#"{\"p\":1}"#), "{all}");
}

#[test]
fn an_error_ends_the_response_once() {
    let all = outputs(&[
        ("", r#"{"event_type":"error","data":"it broke","iteration":1}"#),
        ("", r#"{"event_type":"done","data":null,"iteration":1}"#),
        ("", "[DONE]"),
    ]);
    assert!(all.contains("it broke") && !all.contains("Done"), "{all}");
}
