//! Conversations of ShareGPT.

use super::*;

const SHAREGPT: Option<MessagesFormat> = Some(MessagesFormat::ShareGpt);

/// A conversation of these speakers and values.
fn conversation(said: &[(&str, Value)]) -> String {
    let messages = said.iter().map(|(from, value)| json!({"from": from, "value": value}));
    Value::from(messages.collect::<Vec<_>>()).to_string()
}

#[test]
fn results_are_those_of_the_oldest_calls() {
    let call = |name: &str| json!({"name": name, "arguments": {"a": 1}});
    let json = conversation(&[
        ("function_call", call("f").to_string().into()),
        ("tool_call", call("g")),
        ("observation", json!("of f")),
        ("tool", json!({"of": "g"})),
        ("tool", json!("of none")),
        ("tool_call", call("f")),
        ("tool", json!("too late")),
    ]);
    let (history, messages) = read(SHAREGPT, &json);
    let states: Vec<_> = messages.iter().map(|message| &message["parts"][1]["state"]).collect();
    assert_eq!(states[0]["input"], json!({"a": 1}));
    assert_eq!(
        (&states[0]["output"], &states[1]["output"]),
        (&json!("of f"), &json!(r#"{"of":"g"}"#))
    );
    // A result without a call has taken the place of that of the next one.
    assert_eq!(states[2]["status"], "running");
    let paths: Vec<_> = history.problems.iter().map(|p| (&*p.rule, &*p.path)).collect();
    assert_eq!(paths, [("RP-2", "/4/value"), ("RP-2", "/6/value")]);
}

#[test]
fn calls_that_are_none_are_texts() {
    for (value, text, problem) in [
        (json!("{"), "{", "expected the JSON of a call, {name, arguments}: it is a text"),
        (
            json!("{\"name\":\"\"}"),
            "{\"name\":\"\"}",
            "expected the JSON of a call, {name, arguments}: it is a text",
        ),
        (json!([1]), "[1]", "expected a string, got an array: its JSON is the text"),
        (json!(null), "", "expected a string, got null: its JSON is the text"),
    ] {
        let (history, messages) = read(SHAREGPT, &conversation(&[("function_call", value)]));
        assert_eq!(texts(&messages), [text]);
        assert_eq!(history.problems[0].message, problem);
    }
    // Arguments may be JSON in a string, and have another name.
    let call = json!({"name": "f", "parameters": "{\"a\":[1]}", "id": "i"}).to_string();
    let (history, messages) = read(SHAREGPT, &conversation(&[("tool_call", call.into())]));
    assert_eq!(history.problems.len(), 0);
    let part = &messages[0]["parts"][1];
    assert_eq!((&part["callID"], &part["state"]["input"]), (&json!("i"), &json!({"a": [1]})));
}

#[test]
fn instructions_and_tools_are_those_of_the_record() {
    let tool = json!({"name": "f", "parameters": {"type": "object"}});
    let list = json!([tool, {"type": "function", "function": tool}]);
    let said = json!([{"from": "system", "value": "b"}, {"from": "human", "value": "x"}]);
    for tools in [list.clone(), list.to_string().into()] {
        let body = json!({"conversations": said, "system": "a", "tools": tools});
        let (history, _) = read(None, &body.to_string());
        assert_eq!((history.format, history.problems.len()), (MessagesFormat::ShareGpt, 0));
        let info: Value = serde_json::from_slice(&history.info.unwrap()).unwrap();
        assert_eq!(info["system"], "a\n\nb");
        let own = json!({"name": "f", "inputSchema": {"type": "object"}});
        assert_eq!(info["tools"], json!([own, own]));
    }
    let (history, _) = read(None, &json!({"conversations": said, "tools": "["}).to_string());
    assert_eq!(history.problems[0].message, "these tools are not JSON; they are left out");
    let (history, messages) = read(SHAREGPT, &conversation(&[("nobody\n", json!("x"))]));
    assert_eq!(messages.len(), 0);
    let message = &history.problems[0].message;
    assert!(message.ends_with("function_response, not \"nobody\\n\"; the message is left out"));
}
