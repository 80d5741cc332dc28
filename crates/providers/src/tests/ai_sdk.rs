//! The AI SDK's messages: what the readers in TypeScript make of the same.

use super::*;

const UI: Option<MessagesFormat> = Some(MessagesFormat::AiSdk);
const MODEL: Option<MessagesFormat> = Some(MessagesFormat::AiSdkModel);

/// The problems, as `rule path: message`.
fn told(history: &ReadHistory) -> Vec<String> {
    let line =
        |one: &apex_parts_model::Problem| format!("{} {}: {}", one.rule, one.path, one.message);
    history.problems.iter().map(line).collect()
}

/// The fields of a part that are not its ids.
fn parts_of(message: &Value) -> Vec<Value> {
    let mut parts = message["parts"].as_array().unwrap().clone();
    for part in &mut parts {
        let fields = part.as_object_mut().unwrap();
        for name in ["id", "sessionID", "messageID"] {
            fields.remove(name);
        }
    }
    parts
}

/// The messages as they are written.
fn written(format: MessagesFormat, json: &str) -> String {
    let mut tape = Tape::default();
    tape.read_foreign(json).unwrap();
    let bytes = write_history(format, tape.root_of(json), None, &OPTIONS);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn steps_of_ui_messages_are_messages() {
    let list = json!([
        {"id": "s", "role": "system", "parts": [{"type": "text", "text": "a"}, "b"], "metadata": 1},
        {"id": "a", "role": "assistant", "metadata": {"n": 1}, "parts": [
            {"type": "step-start"},
            {"type": "tool-f", "toolCallId": "c", "state": "output-available", "input": {}, "output": [1], "title": "T"},
            {"type": "step-start"},
            {"type": "step-start"},
            {"type": "tool-", "toolCallId": "c", "state": "input-streaming", "input": [2], "title": "T"},
        ]},
        {"id": "a", "role": "assistant", "content": "old"},
        {"id": "s\"1:4", "role": "user", "content": ""},
        {"role": "user", "parts": [{"type": "tool-f", "state": "x".repeat(61)}]},
        {"role": "tool", "parts": []},
    ]);
    let (history, messages) = read(UI, &list.to_string());
    let ids: Vec<_> = messages.iter().map(|one| one["info"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "s\"1:1", "s\"1:2", "a_2", "s\"1:4", "s\"1:5"]);
    assert_eq!(messages[0]["info"]["parentID"], "");
    let info: Value = serde_json::from_slice(history.info.as_ref().unwrap()).unwrap();
    assert_eq!(info["system"], "a\nb");
    let first = parts_of(&messages[0]);
    let time = json!({"start": 7, "end": 7});
    assert_eq!(
        first[1]["state"],
        json!({"status": "completed", "input": {}, "output": "[1]", "title": "T", "metadata": {"output": [1]}, "time": time})
    );
    let last = parts_of(&messages[2]);
    assert_eq!((&last[1]["callID"], &last[1]["tool"]), (&json!("c_2"), &json!("unknown")));
    assert_eq!(last[1]["state"], json!({"status": "pending", "input": {}, "raw": "[2]"}));
    assert_eq!(last[2]["metadata"], json!({"ai-sdk": {"message": {"n": 1}}}));
    assert_eq!(messages[2]["parts"][1]["id"], "s\"1:2:1");
    assert_eq!(parts_of(&messages[4]), [json!({"type": "text", "text": ""})]);
    assert_eq!(
        told(&history),
        [
            "schema /0/metadata: the model has no place for it: it is left out",
            "RP-3 /1/parts/4/toolCallId: another call before it has this id: it becomes \"c_2\"",
            &format!(
                "schema /4/parts/0/state: \"{}\" is not a state of a call: it is running",
                "x".repeat(60)
            ),
            "schema /4/parts/0: a call of the user has no place; it is left out",
            "schema /5/role: a role must be system, user or assistant, not \"tool\"; the message is left out",
        ]
    );
}

#[test]
fn calls_of_ui_messages_say_what_came_of_them() {
    let call = |more: Value| {
        let mut call = json!({"type": "dynamic-tool", "toolName": "f", "toolCallId": "c", "title": "T", "input": null, "rawInput": "r"});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let list = json!([{"role": "assistant", "parts": [call]}]);
        parts_of(&read(UI, &list.to_string()).1[0]).remove(1)
    };
    let time = json!({"start": 7, "end": 7});
    let refused = |error: &str| json!({"status": "error", "input": {"value": "r"}, "error": error, "time": time});
    for (more, state) in [
        (json!({"state": "output-error", "errorText": ""}), refused("error")),
        (json!({"state": "output-denied", "approval": {"reason": " \u{feff}"}}), refused("denied")),
        (
            json!({"state": "approval-responded", "approval": {"approved": false, "reason": "no"}}),
            refused("no"),
        ),
        (
            json!({"state": "output-available", "preliminary": true, "output": "x"}),
            json!({"status": "running", "input": {"value": "r"}, "title": "T", "time": {"start": 7}}),
        ),
        (
            json!({"state": "output-available", "output": "x"}),
            json!({"status": "completed", "input": {"value": "r"}, "output": "x", "title": "T", "metadata": {}, "time": time}),
        ),
    ] {
        let part = call(more.clone());
        assert_eq!(part["state"], state, "{more}");
        assert_eq!(part["metadata"]["ai-sdk"], json!({"dynamic": true}));
    }
    let json = r#"[{"role":"assistant","parts":[{"type":"dynamic-tool","toolCallId":"c","state":"input-available",
        "providerExecuted":true,"dynamic":1,"callProviderMetadata":{"approval":1,"7":2},"approval":{"id":"p"}}]}]"#;
    let metadata = r#""metadata":{"7":2,"approval":{"id":"p"},"providerExecuted":true,"ai-sdk":{"dynamic":true,"providerExecuted":true}}"#;
    let written = written(MessagesFormat::AiSdk, json);
    assert!(written.contains(metadata), "{written}");
}

#[test]
fn metadata_of_a_user_is_kept_on_the_first_part() {
    for (own, kept) in [
        (r#"{"ai-sdk":{"message":0,"x":1}}"#, r#"{"message":[1],"x":1}"#),
        (r#"{"ai-sdk":[true]}"#, r#"{"0":true,"message":[1]}"#),
        (r#"{"ai-sdk":"aé🎉"}"#, r#"{"0":"a","1":"é","2":"\ud83c","3":"\udf89","message":[1]}"#),
        (r#"{"ai-sdk":7}"#, r#"{"message":[1]}"#),
        ("[2]", r#"{"message":[1]}"#),
    ] {
        let json = format!(
            r#"[{{"role":"user","metadata":[1],"parts":[{{"type":"text","text":"t","providerMetadata":{own}}}]}}]"#
        );
        let written = written(MessagesFormat::AiSdk, &json);
        assert!(
            written.contains(&format!("\"metadata\":{{\"ai-sdk\":{kept}}}}}")),
            "{own}: {written}"
        );
    }
    let (history, _) = read(UI, r#"[{"role":"user","metadata":0,"parts":[]}]"#);
    assert_eq!(
        told(&history),
        ["schema /0/metadata: the model has no place for it: it is left out"]
    );
}

#[test]
fn approvals_of_model_messages_are_state_of_their_calls() {
    let call = |id: &str, options: Value| json!({"type": "tool-call", "toolCallId": id, "input": {}, "providerOptions": options});
    let ask = |id: &str, call: &str| json!({"type": "tool-approval-request", "approvalId": id, "toolCallId": call, "reason": "ask", "cachePoint": 1});
    let answer = |id: &str, approved: bool| json!({"type": "tool-approval-response", "approvalId": id, "approved": approved, "reason": id});
    let list = json!([
        {"role": "assistant", "content": [
            call("a", json!({})), ask("pa", "a"),
            call("b", json!({"k": 1})),
            call("c", json!({})),
            call("d", json!({"approval": {"approved": false}})),
            call("e", json!({"k": 1})),
        ]},
        {"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "e", "result": "r", "providerOptions": {"p": 1}},
        ]},
        {"role": "tool", "content": [
            ask("pb", "b"), ask("pc", "c"), ask("pe", "e"), ask("px", "x"),
            answer("pa", false), answer("pb", true), answer("pc", false), answer("pe", false), answer("py", true),
        ]},
    ]);
    let (history, messages) = read(MODEL, &list.to_string());
    let calls = parts_of(&messages[0]);
    let approval = |id: &str, approved: bool| json!({"id": id, "cachePoint": 1, "requestReason": "ask", "approved": approved, "reason": id});
    let outcomes: Vec<_> = calls[1..6].iter().map(|call| call["state"]["error"].clone()).collect();
    assert_eq!(outcomes, [json!("pa"), Value::Null, Value::Null, json!("denied"), Value::Null]);
    let metadata: Vec<_> = calls[1..6].iter().map(|call| call["metadata"].clone()).collect();
    assert_eq!(
        metadata,
        [
            json!({"approval": approval("pa", false)}),
            json!({"k": 1, "approval": approval("pb", true)}),
            // What had no metadata when it was read gets none any more; neither does what has those of a result.
            Value::Null,
            json!({"approval": {"approved": false}}),
            json!({"k": 1, "ai-sdk": {"resultProviderMetadata": {"p": 1}}}),
        ]
    );
    assert_eq!(calls[5]["state"]["output"], "r");
    let path = |at: usize, field: &str| format!("/2/content/{at}/{field}");
    assert_eq!(
        told(&history),
        [
            format!(
                "RP-2 {}: an approval of a call that does not come before it: it is left out",
                path(3, "toolCallId")
            ),
            format!(
                "RP-2 {}: an answer to a request that does not come before it: it is left out",
                path(8, "approvalId")
            ),
        ]
    );
    // A result that a recorded answer has comes after the end of the request.
    let answer = RecordedAnswer {
        format: "ai-sdk-model",
        messages:
            r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","result":"late"}]}"#
                .to_owned(),
        path: "response",
        ..Default::default()
    };
    let (_, messages) = read_with(MODEL, &list.to_string(), Some(&answer));
    assert_eq!(parts_of(&messages[0])[1]["state"]["output"], "late");
}

#[test]
fn outputs_of_model_messages_are_read_by_their_type() {
    let read_one = |result: Value| {
        let list = json!([
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "input": {}, "providerOptions": {"ai-sdk": "s"}}]},
            {"role": "tool", "content": [result]},
        ]);
        let (history, messages) = read(MODEL, &list.to_string());
        (told(&history), parts_of(&messages[0]).remove(1))
    };
    for (more, said, metadata) in [
        (r#""result":"s""#, json!("s"), json!({})),
        (r#""result":"s","output":null"#, json!("\"s\""), json!({})),
        (r#""result":{"a":1}"#, json!("{\"a\":1}"), json!({"output": {"a": 1}})),
        (r#""output":{"type":"json"}"#, json!(""), json!({})),
        (r#""output":{"type":"text","value":[1]}"#, json!("[1]"), json!({})),
        (
            r#""output":{"type":"odd"}"#,
            json!("{\"type\":\"odd\"}"),
            json!({"output": {"type": "odd"}}),
        ),
        (
            r#""output":{"type":"content","value":[{"type":"text","text":"a"},7]}"#,
            json!("a\n7"),
            json!({}),
        ),
    ] {
        let json = format!(
            r#"{{"type":"tool-result","toolCallId":"c","providerOptions":{{"p":1}},{more}}}"#
        );
        let (_, call) = read_one(serde_json::from_str(&json).unwrap());
        let state = &call["state"];
        assert_eq!((&state["output"], &state["metadata"]), (&said, &metadata), "{more}");
        assert_eq!(call["metadata"]["ai-sdk"], json!({"resultProviderMetadata": {"p": 1}}));
        let failed =
            json.replace("\"type\":\"tool-result\"", "\"type\":\"tool-result\",\"isError\":true");
        let (_, call) = read_one(serde_json::from_str(&failed).unwrap());
        // A list is never an error.
        let is_error = !more.contains("content");
        assert_eq!(call["state"]["status"] == "error", is_error, "{more}");
    }
    let error = json!({"type": "tool-result", "toolCallId": "c", "output": {"type": "error-json"}, "more": 1});
    let (problems, call) = read_one(error);
    assert_eq!(
        (&call["state"]["error"], &call["state"]["metadata"]),
        (&json!("error"), &json!({}))
    );
    assert_eq!(
        problems,
        ["schema /1/content/0/more: the model has no place for it: it is left out"]
    );
    assert_eq!(call["metadata"], json!({"ai-sdk": "s"}));
}

#[test]
fn files_are_read_in_every_form() {
    let png = "data:image/png;base64,";
    for (part, mime, url) in [
        (json!({"image": "QQ"}), "image/*", "data:image/*;base64,QQ".to_owned()),
        (json!({"image": "https://a/b.PNG?c"}), "image/png", "https://a/b.PNG?c".to_owned()),
        (json!({"image": "x.y-z+1:b", "mimeType": "m"}), "m", "x.y-z+1:b".to_owned()),
        (json!({"image": "1a:b", "mediaType": "m"}), "m", "data:m;base64,1a:b".to_owned()),
        (
            json!({"image": {"type": "url", "url": "DATA:Text/PLAIN,x"}}),
            "text/plain",
            "DATA:Text/PLAIN,x".to_owned(),
        ),
        (
            json!({"image": {"type": "data", "data": "QQ"}, "mediaType": "image/png"}),
            "image/png",
            format!("{png}QQ"),
        ),
        (
            json!({"image": {"type": "text", "text": "né"}, "mediaType": "image/png"}),
            "image/png",
            format!("{png}bsOp"),
        ),
        (
            json!({"image": {"type": "Buffer", "data": [1, 255, 256, -1, 1.9, -1.9, 1e21]}, "mediaType": "image/png"}),
            "image/png",
            format!("{png}Af8A/wH/AA=="),
        ),
        (
            json!({"image": {"type": "data", "data": {"type": "Buffer", "data": ["12", " 0x1f ", "+5", "1e2", true, [3], [[4]], [true]]}}, "mediaType": "image/png"}),
            "image/png",
            format!("{png}DB8FZAEDBAA="),
        ),
        (
            json!({"image": {"type": "Buffer", "data": [null, {}, "x", "--5", "+-5", [], [1, 2], "0o17", "0b2"]}, "mediaType": "image/png"}),
            "image/png",
            format!("{png}AAAAAAAAAA8A"),
        ),
    ] {
        let mut part = part;
        part["type"] = "image".into();
        part["filename"] = "".into();
        let list = json!([{"role": "user", "content": [part]}]).to_string();
        let file = parts_of(&read(MODEL, &list).1[0]).remove(0);
        assert_eq!((&file["mime"], &file["url"]), (&json!(mime), &json!(url)), "{list}");
        assert_eq!(file["type"], "file");
        let said = &file["metadata"]["ai-sdk"]["mediaType"];
        assert_eq!(said.is_string(), mime == "text/plain", "{list}");
    }
}

#[test]
fn references_are_kept_and_what_throws_is_left_out() {
    let list = json!([{"role": "user", "content": [
        {"type": "file", "data": {"openai": "f"}, "filename": 7, "providerOptions": {"o": 1}},
        {"type": "image", "image": {"type": "reference", "reference": {"a": 1}}},
        {"type": "file", "data": {"openai": 1}},
        {"type": "file", "data": {"type": "Buffer", "data": [[{"toString": 1}]]}},
        {"type": "reasoning-file", "data": "QQ", "mediaType": "m"},
        {"type": "tool-call", "toolCallId": "c"},
    ]}]);
    let (history, messages) = read(MODEL, &list.to_string());
    assert_eq!(parts_of(&messages[0]).len(), 4);
    let written = written(MessagesFormat::AiSdkModel, &list.to_string());
    for kept in [
        r#"{"type":"file","mediaType":"application/octet-stream","filename":7,"url":"","providerReference":{"openai":"f"},"providerMetadata":{"o":1}}"#,
        r#"{"type":"file","mediaType":"image/*","url":"","providerReference":{"a":1}}"#,
        r#"{"data":{"openai":1},"type":"file"}"#,
        r#"{"type":"reasoning-file","mediaType":"m","url":"data:m;base64,QQ"}"#,
    ] {
        let metadata = format!("\"metadata\":{{\"ai-sdk\":{{\"part\":{kept}}}}}");
        assert!(written.contains(&metadata), "{kept}: {written}");
    }
    assert_eq!(
        told(&history),
        [
            "schema /0/content/3: it throws when it is read; it is left out",
            "schema /0/content: a call of the user has no place; it is left out",
        ]
    );
}

#[test]
fn addresses_are_cut_where_utf16_cuts_them() {
    let of = |url: &str| {
        let list = json!([{"role": "user", "parts": [{"type": "file", "url": url}]}]).to_string();
        let written = written(MessagesFormat::AiSdk, &list);
        let (_, rest) = written.split_once("\"mime\":\"").unwrap();
        rest.split_once("\",\"url\"").unwrap().0.to_owned()
    };
    let long = "w".repeat(4092);
    assert_eq!(of(&format!("{long}.png")), "image/png");
    assert_eq!(of(&format!("w{long}.png")), "image/*");
    assert_eq!(of(&format!("{}.png🎉", "w".repeat(4091))), "image/*");
    let long = "q".repeat(194);
    assert_eq!(of(&format!("data:{long}🎉")), format!("{long}\\ud83c"));
    assert_eq!(of("data:AΣ\nΣ;x"), "aς\\nσ");
}
