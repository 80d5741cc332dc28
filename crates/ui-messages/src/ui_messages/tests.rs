use super::*;
use apex_parts_model::Owned;
use serde_json::{Value, json};

fn convert(input: Value) -> Value {
    let mut count = 0;
    let mut id = || {
        count += 1;
        format!("new-{count}")
    };
    ui_messages(&Owned::from(input), &mut id).unwrap().into_json()
}
fn user(parts: Value) -> Value {
    json!({"info": {"id": "u", "role": "user"}, "parts": parts})
}
fn assistant(parts: Value) -> Value {
    json!({"info": {"id": "a", "role": "assistant"}, "parts": parts})
}
fn tool(state: Value) -> Value {
    json!({"type": "tool", "tool": "bash", "callID": "c", "state": state, "metadata": {"m": {}}})
}

#[test]
fn user_messages() {
    let made = convert(json!([user(json!([
        {"type": "text", "text": "hi", "metadata": {"not": "sent"}},
        {"type": "text", "text": "secret", "ignored": true},
        {"type": "file", "mime": "image/png", "url": "data:,", "filename": "f"},
        {"type": "file", "mime": "text/plain", "url": "file:///a"},
        {"type": "file", "mime": "application/x-directory", "url": "file:///b"},
        {"type": "compaction", "auto": true},
        {"type": "subtask", "prompt": "p"},
        {"type": "agent", "name": "n"},
        {"type": "anything-else"},
    ]))]));
    assert_eq!(
        made,
        json!([{"id": "u", "role": "user", "parts": [
            {"type": "text", "text": "hi"},
            {"type": "file", "url": "data:,", "mediaType": "image/png", "filename": "f"},
            {"type": "text", "text": "What did we do so far?"},
            {"type": "text", "text": "The following tool was executed by the user"},
        ]}])
    );
}

#[test]
fn empty_messages_are_left_out() {
    assert_eq!(
        convert(json!([
            user(json!([])),
            user(json!([{"type": "text", "text": "x", "ignored": true}])),
            assistant(json!([{"type": "step-start"}])),
            {"info": {"id": "s", "role": "system"}, "parts": [{"type": "text", "text": "x"}]},
        ])),
        json!([])
    );
}

#[test]
fn assistant_messages() {
    let done = json!({"status": "completed", "input": {"a": 1}, "output": "o", "time": {"start": 1, "end": 2}});
    let failed = json!({"status": "error", "input": {}, "error": "e"});
    let made = convert(json!([assistant(json!([
        {"type": "step-start"},
        {"type": "reasoning", "text": "r", "metadata": {"p": {}}},
        {"type": "text", "text": "t", "ignored": true},
        tool(done),
        tool(failed),
        tool(json!({"status": "pending", "input": {}, "raw": ""})),
        tool(json!({"status": "running", "input": {}})),
        tool(json!({"status": "what"})),
        {"type": "step-finish"},
    ]))]));
    let head = |state: &str| json!({"type": "tool-bash", "state": state, "toolCallId": "c", "input": {}, "callProviderMetadata": {"m": {}}});
    let with = |state: &str, key: &str, value: &str, input: Value| {
        let mut part = head(state);
        part[key] = json!(value);
        part["input"] = input;
        part
    };
    assert_eq!(
        made,
        json!([{"id": "a", "role": "assistant", "parts": [
            {"type": "reasoning", "text": "r", "providerMetadata": {"p": {}}},
            {"type": "text", "text": "t"},
            with("output-available", "output", "o", json!({"a": 1})),
            with("output-error", "errorText", "e", json!({})),
            with("output-error", "errorText", "[Tool execution was interrupted]", json!({})),
            with("output-error", "errorText", "[Tool execution was interrupted]", json!({})),
        ]}])
    );
}

#[test]
fn failed_messages_with_an_answer_are_kept() {
    let with_error = |parts: Value, error: Value| {
        let mut message = assistant(parts);
        message["info"]["error"] = error;
        convert(json!([message])).as_array().unwrap().len()
    };
    let error = json!({"name": "MessageAbortedError", "data": {}});
    let reasoning = json!({"type": "reasoning", "text": "r"});
    assert_eq!(with_error(json!([{"type": "step-start"}, reasoning]), error.clone()), 0);
    assert_eq!(with_error(json!([{"type": "step-start"}, reasoning]), json!(null)), 1);
    assert_eq!(with_error(json!([reasoning, {"type": "text", "text": "t"}]), error.clone()), 1);
    assert_eq!(with_error(json!([reasoning, {"type": "step-finish"}]), error), 1);
}

#[test]
fn attachments_come_before_and_compacted_outputs_are_cleared() {
    let file = json!({"type": "file", "mime": "image/png", "url": "data:,x", "filename": "f"});
    let state = |time: Value| json!({"status": "completed", "input": {}, "output": "o", "time": time, "attachments": [file, file]});
    let made = convert(json!([assistant(json!([tool(state(json!({"start": 1, "end": 2})))]))]));
    let ui_file =
        json!({"type": "file", "url": "data:,x", "mediaType": "image/png", "filename": "f"});
    assert_eq!(
        made[0],
        json!({"id": "new-1", "role": "user", "parts": [
        {"type": "text", "text": "Tool bash returned an attachment:"}, ui_file, ui_file]})
    );
    assert_eq!(made[1]["parts"][0]["output"], "o");
    let made = convert(json!([assistant(json!([tool(state(json!({"compacted": 5})))]))]));
    assert_eq!(made.as_array().unwrap().len(), 1);
    assert_eq!(made[0]["parts"][0]["output"], Word::ClearedOutput.as_str());
    for not_compacted in [json!({}), json!({"compacted": null}), json!({"compacted": "no"})] {
        let made = convert(json!([assistant(json!([tool(state(not_compacted))]))]));
        assert_eq!(made[1]["parts"][0]["output"], "o");
    }
}

#[test]
fn errors_have_the_path_of_the_wrong_value() {
    let mut id = || String::new();
    for (bad, path) in [
        (json!(null), ""),
        (json!(5), ""),
        (json!({}), "/info"),
        (json!({"info": {}, "parts": 1}), "/parts"),
        (json!([1]), "/0"),
        (json!([{}]), "/0/info"),
        (json!([{"info": {}}]), "/0/parts"),
        (json!([{"info": {"role": "user"}, "parts": [5]}]), "/0/parts/0"),
    ] {
        let error = ui_messages(&Owned::from(bad), &mut id).unwrap_err();
        let apex_parts_model::ErrorKind::Validation(problems) = error.kind() else { panic!() };
        assert_eq!((problems[0].rule.as_str(), problems[0].path.as_str()), ("schema", path));
    }
}

#[test]
fn one_message_is_converted_like_an_array_with_it() {
    let one =
        json!({"info": {"id": "m", "role": "user"}, "parts": [{"type": "text", "text": "hi"}]});
    let mut id = || String::new();
    let alone = ui_messages(&Owned::from(one.clone()), &mut id).unwrap().into_json();
    assert_eq!(alone, convert(json!([one])));
    assert_eq!(alone[0]["parts"][0]["text"], "hi");
}

fn for_seven(input: Value) -> Value {
    ui_messages_for(SdkVersion::V7, &Owned::from(input), &mut || "new".into()).unwrap().into_json()
}

#[test]
fn state_of_providers_goes_out() {
    let state = json!({"anthropic": {"signature": "S"}});
    let own = json!({"anthropic": {"signature": "S"}, "providerExecuted": true,
        "approval": {"id": "a", "approved": true}, "ai-sdk": {"providerExecuted": true, "resultProviderMetadata": {"x": {}}}});
    let made = convert(json!([
        user(json!([
            {"type": "text", "text": "hi", "metadata": state},
            {"type": "text", "text": "ho", "metadata": {"anthropic": {}, "compaction_continue": true}},
            {"type": "file", "mime": "image/png", "url": "data:,", "metadata": state},
            {"type": "file", "mime": "text/plain", "url": "data:,", "metadata": {"ai-sdk": {}}},
        ])),
        assistant(json!([
            {"type": "reasoning", "text": "r", "metadata": state},
            {"type": "text", "text": "t", "metadata": {"anthropic": {}, "citations": [1]}},
            {"type": "text", "text": "u", "metadata": {"citations": [1]}},
            {"type": "file", "mime": "image/png", "url": "data:,", "metadata": state},
            {"type": "tool", "tool": "t", "callID": "c", "metadata": own,
             "state": {"status": "completed", "input": {}, "output": "o"}},
            {"type": "tool", "tool": "t", "callID": "d", "metadata": {"providerExecuted": true},
             "state": {"status": "error", "input": {}, "error": "e"}},
        ])),
    ]));
    assert_eq!(
        made,
        json!([
            {"id": "u", "role": "user", "parts": [
                {"type": "text", "text": "hi", "providerMetadata": state},
                {"type": "text", "text": "ho"},
                {"type": "file", "url": "data:,", "mediaType": "image/png", "providerMetadata": state},
                {"type": "file", "url": "data:,", "mediaType": "text/plain"},
            ]},
            {"id": "a", "role": "assistant", "parts": [
                {"type": "reasoning", "text": "r", "providerMetadata": state},
                {"type": "text", "text": "t", "providerMetadata": {"anthropic": {}}},
                {"type": "text", "text": "u"},
                {"type": "file", "url": "data:,", "mediaType": "image/png", "providerMetadata": state},
                {"state": "output-available", "type": "tool-t", "toolCallId": "c", "input": {},
                 "output": "o", "callProviderMetadata": state, "providerExecuted": true,
                 "approval": {"id": "a", "approved": true}, "resultProviderMetadata": {"x": {}}},
                {"state": "output-error", "type": "tool-t", "toolCallId": "d", "input": {},
                 "errorText": "e"},
            ]},
        ])
    );
}

/// The state, error and approval of the only call, which the messages in `after` follow.
fn asked(status: &str, approval: &Value, after: &[Value]) -> Value {
    let mut call = tool(json!({"status": status, "input": {}, "output": "o", "error": "e"}));
    call["metadata"] = json!({ "approval": approval });
    let mut history = vec![assistant(json!([call]))];
    history.extend(after.iter().cloned());
    let made = convert(Value::from(history));
    let call = &made[0]["parts"][0];
    json!([call["state"], call["errorText"], call["approval"]])
}

#[test]
fn an_approval_decides_the_state_of_its_call() {
    let none = Value::Null;
    let interrupted = json!("[Tool execution was interrupted]");
    let [given, refused, pending] = [
        json!({"id": "ap", "approved": true}),
        json!({"id": "ap", "approved": false, "reason": "no"}),
        json!({"id": "ap"}),
    ];
    let follows = [user(json!([{"type": "text", "text": "n"}]))];
    let unsent = [assistant(json!([])), user(json!([])), json!({"info": {}, "parts": []})];
    for status in ["pending", "running"] {
        for after in [&[][..], &unsent[..]] {
            let responded = json!(["approval-responded", none, given]);
            assert_eq!(asked(status, &given, after), responded);
            let requested = json!(["approval-requested", none, pending]);
            assert_eq!(asked(status, &pending, after), requested);
        }
        assert_eq!(asked(status, &given, &follows), json!(["output-error", interrupted, given]));
        assert_eq!(asked(status, &pending, &follows), json!(["output-error", interrupted, none]));
        // Without the id by which the SDK knows it.
        let [given, refused] = [json!({"approved": true}), json!({"id": 5, "approved": false})];
        assert_eq!(asked(status, &given, &[]), json!(["output-error", interrupted, none]));
        assert_eq!(asked(status, &refused, &[]), json!(["output-error", "denied", none]));
        let why = json!({"approved": false, "reason": "never"});
        assert_eq!(asked(status, &why, &[]), json!(["output-error", "never", none]));
    }
    for status in ["pending", "running", "error"] {
        for after in [&[][..], &follows[..]] {
            assert_eq!(asked(status, &refused, after), json!(["output-denied", none, refused]));
        }
    }
    let ended = |approval| (asked("completed", approval, &[]), asked("error", approval, &[]));
    let with = |approval: &Value| {
        (json!(["output-available", none, approval]), json!(["output-error", "e", approval]))
    };
    assert_eq!(ended(&given), with(&given));
    assert_eq!(ended(&pending), with(&none));
    assert_eq!(ended(&json!({"approved": false})), with(&none));
}

#[test]
fn a_value_goes_out_where_the_output_is_its_json() {
    let called = |output: &str, metadata: Value| {
        let state =
            json!({"status": "completed", "input": {}, "output": output, "metadata": metadata});
        convert(json!([assistant(json!([tool(state)]))]))[0]["parts"][0]["output"].clone()
    };
    assert_eq!(called("{\"a\":[1]}", json!({"output": {"a": [1]}})), json!({"a": [1]}));
    assert_eq!(called("5", json!({"output": 5})), json!(5));
    assert_eq!(called("shortened", json!({"output": {"a": [1]}})), json!("shortened"));
    assert_eq!(called("text", json!({"output": "text"})), json!("text"));
    assert_eq!(called("null", json!({"output": null})), json!(null));
    assert_eq!(called("null", json!({})), json!("null"));
}

#[test]
fn custom_parts_go_to_version_7_alone() {
    let part =
        |kind: &str, own: &Value| json!({"type": kind, "metadata": {"ai-sdk": {"part": own}}});
    let custom = json!({"type": "custom", "kind": "openai.compaction"});
    let file = json!({"type": "reasoning-file", "mediaType": "image/png", "url": "data:,"});
    let source = json!({"type": "source-url", "sourceId": "s", "url": "https://example.org"});
    let history = json!([assistant(json!([
        {"type": "text", "text": "t", "metadata": {"citations": [1]}},
        part("ai-sdk-custom", &custom),
        part("ai-sdk-reasoning-file", &file),
        part("ai-sdk-source-url", &source),
        part("other-custom", &custom),
        {"type": "ai-sdk-custom"},
    ]))]);
    let text = json!({"type": "text", "text": "t"});
    assert_eq!(convert(history.clone())[0]["parts"], json!([text]));
    let text = json!({"type": "text", "text": "t", "citations": [1]});
    assert_eq!(for_seven(history)[0]["parts"], json!([text, custom, file]));
}
