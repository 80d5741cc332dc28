//! Laws of reading: what is counted is what is written, whatever the input.
#![allow(clippy::unwrap_used)]

use super::*;
use apex_parts_json::tape::{MAX_DEPTH, Tape};
use proptest::prelude::*;
use serde_json::{Value, json};

mod ai_sdk;
mod gemini;
mod openai_responses;
mod sharegpt;

const OPTIONS: ReadOptions<'static> = ReadOptions { session_id: "s\"1", now_ms: 7.0 };
const FORMATS: [MessagesFormat; 7] = MessagesFormat::ALL;

/// What is found in a history, and its messages.
fn read(format: Option<MessagesFormat>, json: &str) -> (ReadHistory, Vec<Value>) {
    read_with(format, json, None)
}

fn read_with(
    format: Option<MessagesFormat>,
    json: &str,
    answer: Option<&RecordedAnswer>,
) -> (ReadHistory, Vec<Value>) {
    let mut tape = Tape::default();
    tape.read_foreign(json).unwrap();
    let root = tape.root_of(json);
    let history = read_history(format, root, answer, &OPTIONS);
    let written = write_history(history.format, root, answer, &OPTIONS);
    let messages: Vec<Value> = serde_json::from_slice(&written).unwrap();
    assert_eq!(messages.len(), history.count, "{json}");
    for problem in &history.problems {
        assert!(!problem.message.is_empty() && !problem.rule.is_empty());
    }
    if let Some(info) = &history.info {
        assert!(serde_json::from_slice::<Value>(info).unwrap().is_object());
    }
    (history, messages)
}

/// The same, message by message.
fn read_in_turn(messages: &[String]) -> (MessagesFormat, Vec<Value>, usize) {
    let mut reading = MessagesReading::new(None, OPTIONS.session_id);
    let mut tapes: Vec<Tape> = Vec::new();
    for json in messages {
        let mut tape = Tape::default();
        tape.read_foreign(json).unwrap();
        if reading.is_other_format(tape.root_of(json)) {
            for (tape, json) in tapes.iter().zip(messages) {
                reading.read(tape.root_of(json));
            }
        }
        reading.read(tape.root_of(json));
        tapes.push(tape);
    }
    let history = reading.history();
    let mut writing = MessagesWriting::new(history.format, &OPTIONS);
    for (tape, json) in tapes.iter().zip(messages) {
        writing.write(tape.root_of(json));
    }
    let written: Vec<Value> = serde_json::from_slice(&writing.into_json()).unwrap();
    assert_eq!(written.len(), history.count);
    (history.format, written, history.problems.len())
}

fn texts(messages: &[Value]) -> Vec<&str> {
    let parts = messages.iter().flat_map(|message| message["parts"].as_array().unwrap());
    parts.filter_map(|part| part["text"].as_str()).collect()
}

#[test]
fn results_are_joined_with_their_calls() {
    for (json, output) in [
        (
            json!([
                {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "out"}]},
            ]),
            "out",
        ),
        (
            json!([
                {"role": "assistant", "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
                ]},
                {"role": "tool", "tool_call_id": "a", "content": ["one", {"type": "text", "text": "two"}]},
            ]),
            "one\ntwo",
        ),
    ] {
        let (history, messages) = read(None, &json.to_string());
        assert_eq!((history.count, history.problems.len()), (1, 0), "{json}");
        let call = &messages[0]["parts"][1];
        assert_eq!((&call["callID"], &call["tool"]), (&json!("a"), &json!("f")));
        let state = &call["state"];
        assert_eq!(state["input"], json!({"x": 1}));
        assert_eq!(state["output"], output);
        assert_eq!(messages[0]["info"]["finish"], "tool-calls");
        assert_eq!(call["id"], "s\"1:0:1");
    }
}

#[test]
fn what_a_record_says_of_its_answer_is_that_of_its_last_message() {
    let answer = RecordedAnswer {
        format: "auto",
        messages: r#"{"role":"assistant","content":"said"}"#.to_owned(),
        path: "response",
        model: Some("m".to_owned()),
        tokens: Some(r#"{"input":1,"output":2,"reasoning":0,"cache":{"read":0,"write":0}}"#.into()),
        cost: Some(0.5),
        start: Some(10.0),
        end: Some(12.0),
        finish: Some("length"),
        error: None,
    };
    let asked = r#"[{"role":"user","content":"asked"}]"#;
    let (_, messages) = read_with(None, asked, Some(&answer));
    assert_eq!(texts(&messages), ["asked", "said"]);
    let info = &messages[1]["info"];
    assert_eq!((&info["cost"], &info["modelID"]), (&json!(0.5), &json!("m")));
    assert_eq!((&info["finish"], &info["parentID"]), (&json!("length"), &json!("s\"1:0")));
    assert_eq!(info["time"], json!({"created": 10, "completed": 12}));
    assert_eq!(messages[0]["info"]["time"], json!({"created": 10}));
    let step = &messages[1]["parts"][2];
    assert_eq!((&step["reason"], &step["tokens"]), (&json!("length"), &info["tokens"]));
    let failed = RecordedAnswer {
        messages: String::new(),
        error: Some("bad \"one\"".to_owned()),
        finish: None,
        ..answer
    };
    let (_, messages) = read_with(None, asked, Some(&failed));
    assert_eq!(messages[1]["info"]["error"]["data"]["message"], "bad \"one\"");
    assert_eq!(messages[1]["parts"], json!([]));
}

#[test]
fn deep_and_wide_input_is_read() {
    let depth = MAX_DEPTH - 10;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let names: Vec<String> = (0..20_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let wide = names.join(",");
    let calls = |id: &str| {
        let call = format!(r#"{{"id":"{id}","function":{{"name":"f","arguments":"{{}}"}}}}"#);
        vec![call; 20_000].join(",")
    };
    let of_gemini =
        r#"{"functionCall":{"name":"f"}},{"executableCode":1},{"codeExecutionResult":{}}"#;
    let of_gemini = vec![of_gemini; 5_000].join(",");
    let item = r#"{"type":"x_call","id":"a"},{"type":"x_output","call_id":"a"}"#;
    let items = vec![item; 5_000].join(",");
    let call = r#"{"from":"tool_call","value":{"name":"f"}},{"from":"tool","value":"x"}"#;
    let said = vec![call; 5_000].join(",");
    let of_roles = &[
        MessagesFormat::Anthropic,
        MessagesFormat::OpenAiChat,
        MessagesFormat::OpenAiResponses,
        MessagesFormat::Gemini,
    ][..];
    for (json, formats) in [
        (format!(r#"[{{"role":"user","content":"x","deep":{deep}}}]"#), of_roles),
        (
            format!(
                r#"[{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"u",{wide}}},{wide}}}]}}]"#
            ),
            of_roles,
        ),
        (format!(r#"[{{"role":"user","content":[{{"type":"odd",{wide}}}],{wide}}}]"#), of_roles),
        (format!(r#"[{{"role":"assistant","tool_calls":[{}]}}]"#, calls("a")), of_roles),
        (format!(r#"[{{"role":"assistant","tool_calls":[{}]}}]"#, calls("")), of_roles),
        (
            format!(
                r#"[{{"role":"model","parts":[{of_gemini},{{"text":"x",{wide},"x":{deep}}}]}}]"#
            ),
            &[MessagesFormat::Gemini][..],
        ),
        (
            format!(
                r#"[{{"role":"assistant","content":[{{"type":"text","text":"",{wide}}}],{wide}}},{items}]"#
            ),
            &[MessagesFormat::OpenAiResponses],
        ),
        (format!("[{said}]"), &[MessagesFormat::ShareGpt]),
    ] {
        for format in formats {
            // The values are too deep for serde.
            let mut tape = Tape::default();
            tape.read_foreign(&json).unwrap();
            let root = tape.root_of(&json);
            let history = read_history(Some(*format), root, None, &OPTIONS);
            assert_eq!(history.count, if json.contains("from") { 5_000 } else { 1 });
            assert!(history.problems.len() <= 10_001);
            let written = write_history(*format, root, None, &OPTIONS);
            let mut again = Tape::default();
            assert_eq!(again.read(&written, 0).unwrap(), written.len());
        }
    }
}

/// A value that messages have, or something else.
fn any_value() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("user"),
        Just("assistant"),
        Just("tool"),
        Just("system"),
        Just("text"),
        Just("tool_use"),
        Just("tool_result"),
        Just("thinking"),
        Just("image_url"),
        Just("function"),
        Just("custom"),
        Just("a"),
        Just(""),
        Just("{\"x\":1}"),
        Just("server_tool_use"),
        Just("x_tool_result"),
        Just("step-start"),
        Just("tool-call"),
        Just("tool-result"),
        Just("tool-approval-request"),
        Just("tool-approval-response"),
        Just("output-available"),
        Just("output-denied"),
        Just("file"),
        Just("content"),
        Just("model"),
        Just("human"),
        Just("tool_call"),
        Just("observation"),
        Just("x_call"),
        Just("x_output"),
        Just("reasoning"),
        Just("input_image"),
        Just("mcp_approval_request"),
        Just("mcp_approval_response"),
    ];
    let leaf = prop_oneof![
        4 => word.prop_map(Value::from),
        1 => any::<i8>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => "[a\"\\\\\n\u{1}é🎉]{0,4}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("role"),
        Just("content"),
        Just("type"),
        Just("text"),
        Just("id"),
        Just("name"),
        Just("input"),
        Just("tool_use_id"),
        Just("tool_calls"),
        Just("tool_call_id"),
        Just("function"),
        Just("arguments"),
        Just("thinking"),
        Just("source"),
        Just("image_url"),
        Just("url"),
        Just("messages"),
        Just("system"),
        Just("tools"),
        Just("refusal"),
        Just("reasoning_content"),
        Just("is_error"),
        Just("parts"),
        Just("toolCallId"),
        Just("approvalId"),
        Just("approved"),
        Just("state"),
        Just("output"),
        Just("value"),
        Just("data"),
        Just("providerOptions"),
        Just("metadata"),
        Just("functionCall"),
        Just("function_response"),
        Just("executableCode"),
        Just("codeExecutionResult"),
        Just("inlineData"),
        Just("data"),
        Just("from"),
        Just("value"),
        Just("call_id"),
        Just("approval_request_id"),
        Just("execution"),
        Just("output"),
        Just("summary"),
        Just("0"),
        Just("é\""),
    ];
    leaf.prop_recursive(5, 48, 5, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            2 => prop::collection::vec((name.clone(), inner), 0..6).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

fn any_message() -> impl Strategy<Value = Value> {
    let role = prop_oneof![Just("user"), Just("assistant"), Just("tool"), Just("system")];
    (role, any_value(), any_value()).prop_map(|(role, content, mut message)| {
        if let Some(fields) = message.as_object_mut() {
            fields.insert("role".to_owned(), role.into());
            fields.entry("content").or_insert(content);
        }
        message
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn what_is_counted_is_written(messages in prop::collection::vec(any_message(), 0..6), at in any::<usize>()) {
        for format in FORMATS {
            let json = Value::from(messages.clone()).to_string();
            let whole = read(Some(format), &json);
            // Spaces, and a name that comes twice, change nothing.
            let pretty = serde_json::to_string_pretty(&messages).unwrap();
            prop_assert_eq!(&read(Some(format), &pretty).1, &whole.1);
            let twice = json.replace("{\"", "{\"role\":7,\"");
            read(Some(format), &twice);
            // A body with the same, and with any other value in the place of its list.
            let body = format!(r#"{{"messages":{json},"system":{json},"tools":{json}}}"#);
            let (_, within) = read(Some(format), &body);
            prop_assert_eq!(within.len(), whole.1.len());
            let one = messages.get(at % messages.len().max(1)).cloned().unwrap_or_default();
            read(Some(format), &one.to_string());
            let answer = RecordedAnswer { format: "auto", messages: one.to_string(), path: "answer", ..Default::default() };
            let mut tape = Tape::default();
            tape.read_foreign(&json).unwrap();
            let _ = read_history(None, tape.root_of(&json), Some(&answer), &OPTIONS);
        }
    }

    #[test]
    fn messages_that_come_in_turn_are_those_of_their_array(messages in prop::collection::vec(any_message(), 0..6)) {
        let objects: Vec<String> = messages.iter().filter(|m| m.is_object()).map(Value::to_string).collect();
        let json = format!("[{}]", objects.join(","));
        let mut tape = Tape::default();
        tape.read_foreign(&json).unwrap();
        let root = tape.root_of(&json);
        let history = read_history(None, root, None, &OPTIONS);
        let written = write_history(history.format, root, None, &OPTIONS);
        let whole = (history.format, serde_json::from_slice(&written).unwrap(), history.problems.len());
        prop_assert_eq!(read_in_turn(&objects), whole);
    }
}
