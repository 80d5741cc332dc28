//! Contents of Gemini.

use super::*;

const GEMINI: Option<MessagesFormat> = Some(MessagesFormat::Gemini);

/// The parts of one content of the model.
fn parts_of(parts: &Value) -> (Vec<Value>, Vec<String>) {
    let json = json!([{"role": "model", "parts": parts}]).to_string();
    let (history, messages) = read(GEMINI, &json);
    let parts = messages[0]["parts"].as_array().unwrap();
    let problems = history.problems.iter().map(|p| format!("{}: {}", p.path, p.message)).collect();
    (parts[1..parts.len() - 1].to_vec(), problems)
}

#[test]
fn a_part_has_one_of_the_fields_that_say_what_it_is() {
    for (part, kind, metadata, left_out) in [
        (json!({"text": "a"}), "text", json!(null), vec![]),
        (
            json!({"text": "a", "thought": true, "thought_signature": "s", "x": 1}),
            "reasoning",
            json!({"google": {"thoughtSignature": "s", "thought": true, "part": {"x": 1}}}),
            vec![],
        ),
        // A call comes before a text, and a text before a file.
        (json!({"text": "a", "function_call": {"name": "f"}}), "tool", json!(null), vec!["text"]),
        (
            json!({"inline_data": {}, "fileData": {}, "text": "a"}),
            "text",
            json!(null),
            vec!["fileData", "inline_data"],
        ),
        // `null` is a text, too: nothing is left.
        (
            json!({"text": null, "fileData": {"fileUri": "u"}}),
            "google-part",
            json!({"google": {"part": {"text": null, "fileData": {"fileUri": "u"}}}}),
            vec!["fileData"],
        ),
        // So is a call: there is none.
        (
            json!({"function_call": null, "text": "a"}),
            "google-part",
            json!({"google": {"part": {"function_call": null, "text": "a"}}}),
            vec!["text"],
        ),
        (json!({"odd": 1}), "google-odd", json!({"google": {"part": {"odd": 1}}}), vec![]),
    ] {
        let (parts, problems) = parts_of(&json!([part]));
        assert_eq!((parts.len(), &parts[0]["type"]), (1, &json!(kind)), "{part}");
        assert_eq!(parts[0].get("metadata").unwrap_or(&Value::Null), &metadata, "{part}");
        let expected: Vec<String> = left_out
            .iter()
            .map(|name| format!("/0/parts/0/{name}: the model has no place for it: it is left out"))
            .collect();
        assert_eq!(problems, expected, "{part}");
    }
}

#[test]
fn responses_say_their_output_in_several_forms() {
    for (response, state) in [
        (json!({"output": "o"}), json!({"output": "o", "metadata": {}})),
        (json!({"error": " "}), json!({"error": "error"})),
        (
            json!({"error": {"a": 1}}),
            json!({"error": r#"{"a":1}"#, "metadata": {"output": {"a": 1}}}),
        ),
        (
            json!({"name": "f", "result": [1]}),
            json!({"output": "[1]", "metadata": {"output": [1]}}),
        ),
        (json!({"content": null}), json!({"output": "null", "metadata": {"output": null}})),
        (json!({"a": 1, "output": "o"}), json!({"output": r#"{"a":1,"output":"o"}"#})),
        (json!("plain"), json!({"output": "plain", "metadata": {}})),
        (json!(null), json!({"output": "", "metadata": {}})),
    ] {
        let part = json!({"functionResponse": {"id": "c", "response": response}});
        let call = json!({"functionCall": {"id": "c", "name": "f"}, "thoughtSignature": "s"});
        let json = json!([{"role": "model", "parts": [call]}, {"role": "user", "parts": [part]}]);
        let (history, messages) = read(GEMINI, &json.to_string());
        assert_eq!((history.count, history.problems.len()), (1, 0));
        let tool = &messages[0]["parts"][1];
        for (name, value) in state.as_object().unwrap() {
            assert_eq!(&tool["state"][name], value, "{response}");
        }
        let is_plain = response == json!({"output": "o"}) || response == json!({"error": " "});
        let mut google = json!({"id": "c", "thoughtSignature": "s"});
        if !is_plain {
            google["result"] = part;
        }
        assert_eq!(tool["metadata"], json!({ "google": google }), "{response}");
    }
}

#[test]
fn results_of_the_provider_find_their_calls() {
    let code = |id: &str| json!({"executableCode": {"id": id, "code": "1"}});
    let result =
        |id: &str, outcome: &str| json!({"codeExecutionResult": {"id": id, "outcome": outcome}});
    let parts = json!([
        code("a"),
        code("b"),
        {"toolCall": {"toolType": "SEARCH", "args": {"q": 1}}},
        result("c", "OUTCOME_FAILED"),
        result("a", "OUTCOME_OK"),
        result("", "OUTCOME_OK"),
        {"toolResponse": {"response": {"r": 1}}},
    ]);
    let (parts, problems) = parts_of(&parts);
    assert_eq!(problems, Vec::<String>::new());
    let told: Vec<_> = parts.iter().map(|part| (&part["tool"], &part["state"]["status"])).collect();
    let [code, search, done] = ["executableCode", "SEARCH", "completed"].map(Value::from);
    let error = Value::from("error");
    // The third result finds no call.
    let none = (&Value::Null, &Value::Null);
    assert_eq!(told, [(&code, &done), (&code, &error), (&search, &done), none]);
    assert_eq!(parts[2]["state"]["output"], r#"{"r":1}"#);
    let metadata = parts[1]["metadata"].as_object().unwrap();
    assert_eq!(metadata["providerExecuted"], true);
    assert_eq!(metadata["google"]["result"], result("c", "OUTCOME_FAILED"));
}

#[test]
fn what_stands_alone_is_a_content() {
    for (contents, texts) in [
        (json!("a"), vec!["a"]),
        (json!({"parts": ["a", {"text": "b"}]}), vec!["a", "b"]),
        (json!(["a", {"parts": [{"text": "b"}]}]), vec!["a", "b"]),
    ] {
        let body = json!({
            "contents": contents, "systemInstruction": {"parts": [{"text": "s"}, "t"]},
            "config": {"tools": {"functionDeclarations": [{"name": "f", "parameters": {}}]}},
        });
        let (history, messages) = read(None, &body.to_string());
        assert_eq!(history.format, MessagesFormat::Gemini);
        assert_eq!(super::texts(&messages), texts);
        let info: Value = serde_json::from_slice(&history.info.unwrap()).unwrap();
        assert_eq!(info["system"], "s\n\nt");
        assert_eq!(info["tools"], json!([{"name": "f", "inputSchema": {}}]));
    }
    let (history, _) = read(GEMINI, r#"{"contents":5}"#);
    assert_eq!(history.problems[0].message, "expected an array, got a number; it is left out");
}
