//! Items of OpenAI's Responses API.

use super::*;

const RESPONSES: Option<MessagesFormat> = Some(MessagesFormat::OpenAiResponses);

#[test]
fn items_between_two_inputs_are_an_answer() {
    let items = json!([
        "go",
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "why"}]},
        {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "yes"}]},
        {"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{\"a\": 1}"},
        {"type": "function_call_output", "call_id": "c", "output": "out"},
        {"role": "assistant", "content": "done"},
    ]);
    let (history, messages) = read(RESPONSES, &items.to_string());
    assert_eq!((history.count, history.problems.len()), (3, 0));
    let reasons: Vec<_> = messages.iter().map(|message| &message["info"]["finish"]).collect();
    assert_eq!(reasons, [&json!(null), &json!("tool-calls"), &json!("stop")]);
    let parts = messages[1]["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| part["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["step-start", "reasoning", "text", "tool", "step-finish"]);
    assert_eq!((&parts[4]["id"], &parts[4]["reason"]), (&json!("s\"1:1:4"), &json!("tool-calls")));
    let state = json!({"itemId": "i", "arguments": "{\"a\": 1}"});
    assert_eq!(parts[3]["metadata"], json!({ "openai": state }));
    assert_eq!(parts[3]["state"]["output"], "out");
    // An answer that is still open when the file ends.
    let open: Vec<String> = items.as_array().unwrap()[1..4].iter().map(Value::to_string).collect();
    let (_, written, _) = read_in_turn(&open);
    assert_eq!(written[0]["parts"].as_array().unwrap().len(), 5);
    assert_eq!(written[0]["info"]["finish"], "tool-calls");
}

#[test]
fn results_of_the_provider_are_parts_of_the_answer() {
    let items = json!([
        {"type": "x_call", "id": "a"},
        {"type": "shell_call", "call_id": "s", "environment": {"type": "container_auto"}, "action": {"b": 1}},
        {"type": "shell_call_output", "call_id": "s", "output": [{"stdout": "x"}], "status": "failed"},
        {"type": "function_call", "call_id": "f", "name": "f", "arguments": ""},
        {"type": "tool_search_output", "call_id": "f", "execution": "server", "tools": []},
        {"type": "x_call", "call_id": "n", "status": "in_progress"},
    ]);
    let (history, messages) = read(RESPONSES, &items.to_string());
    assert_eq!((history.count, history.problems.len()), (1, 0));
    let parts = &messages[0]["parts"];
    assert_eq!(parts[1]["state"]["output"], "completed");
    assert_eq!(parts[2]["state"]["error"], r#"[{"stdout":"x"}]"#);
    assert_eq!(parts[2]["state"]["input"], json!({"action": {"b": 1}}));
    let state = json!({"item": items[1], "result": items[2], "resultIndex": 2});
    assert_eq!(parts[2]["metadata"], json!({"openai": state, "providerExecuted": true}));
    let state = json!({"result": items[4], "resultIndex": 4});
    assert_eq!(parts[3]["metadata"], json!({ "openai": state }));
    assert_eq!(parts[4]["state"]["status"], "running");
}

#[test]
fn outputs_of_the_program_have_texts_files_and_codes() {
    let image = json!({"type": "input_image", "image_url": "https://x/a.PNG?b", "detail": "low"});
    for (output, state) in [
        (json!({"output": ["x", image]}), json!({"output": "x", "metadata": {}})),
        (
            json!({"type": "shell_call_output", "output": [
                {"stdout": "o", "stderr": "e", "outcome": {"exit_code": 2.0}},
                {"stdout": "", "outcome": {"exit_code": 0}},
            ]}),
            json!({"output": "o\ne", "metadata": {"exit": 2}}),
        ),
        (json!({"output": {"a": 1}, "status": "failed"}), json!({"error": r#"{"a":1}"#})),
        (
            json!({"output": {"type": "computer_screenshot", "image_url": "u"}}),
            json!({"output": ""}),
        ),
        (json!({}), json!({"output": ""})),
    ] {
        let mut item = json!({"type": "function_call_output", "call_id": "c"});
        item.as_object_mut().unwrap().extend(output.as_object().unwrap().clone());
        let call = json!({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"});
        let (_, messages) = read(RESPONSES, &json!([call, item]).to_string());
        let found = &messages[0]["parts"][1]["state"];
        for (name, value) in state.as_object().unwrap() {
            let expected = if *value == json!({"exit": 2}) { &json!({"exit": 2}) } else { value };
            assert_eq!(&found[name], expected, "{output}");
        }
        if output["output"][1] == image {
            let file = &found["attachments"][0];
            assert_eq!((&file["mime"], &file["id"]), (&json!("image/png"), &json!("s\"1:0:1:0")));
            assert_eq!(file["metadata"], json!({"openai": {"detail": "low"}}));
        }
    }
}

#[test]
fn approvals_are_told_to_their_calls() {
    for (approve, reason, text) in [
        (json!(true), json!("because"), "because"),
        (json!(true), json!(" \u{feff}"), "approved"),
        (json!(1), json!(null), "denied"),
    ] {
        let items = json!([
            {"type": "mcp_approval_request", "id": "a", "name": "n", "arguments": "{\"b\": 2}"},
            {"type": "mcp_approval_response", "approval_request_id": "a", "approve": approve, "reason": reason},
        ]);
        let (history, messages) = read(RESPONSES, &items.to_string());
        assert_eq!((history.count, history.problems.len()), (1, 0));
        let part = &messages[0]["parts"][1];
        let is_approved = approve == json!(true);
        let said = if is_approved { "output" } else { "error" };
        assert_eq!(
            (&part["state"][said], &part["state"]["input"]),
            (&json!(text), &json!({"b": 2}))
        );
        let mut approval = json!({"id": "a", "approved": is_approved});
        if !reason.is_null() {
            approval["reason"] = reason;
        }
        let expected = json!({"openai": {"itemId": "a", "item": items[0]}, "approval": approval});
        assert_eq!(part["metadata"], expected);
    }
}

#[test]
fn an_answer_in_another_place_begins_a_message() {
    let answer = RecordedAnswer {
        format: "openai-responses",
        messages: r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}"#.into(),
        path: "response",
        finish: Some("length"),
        cost: Some(1.0),
        ..RecordedAnswer::default()
    };
    let asked = r#"{"input":[{"role":"assistant","content":"before"}]}"#;
    let (_, messages) = read_with(None, asked, Some(&answer));
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0]["info"]["finish"], "stop");
    assert_eq!(
        (&messages[1]["info"]["finish"], &messages[1]["info"]["cost"]),
        (&json!("length"), &json!(1))
    );
    assert_eq!(messages[1]["parts"][2]["reason"], "length");
}

#[test]
fn fields_without_a_place_are_kept_on_the_first_part() {
    let items = json!([
        {"role": "assistant", "content": [{"type": "odd", "item": 1}], "x": 1},
        {"type": "reasoning", "content": [], "summary": ["s", 4]},
        {"role": null},
        {"type": ""},
        7,
    ]);
    let (history, messages) = read(RESPONSES, &items.to_string());
    let parts = &messages[0]["parts"];
    let block = json!({"type": "odd", "item": 1});
    assert_eq!(parts[1]["metadata"], json!({"openai": {"item": block}}));
    assert_eq!(parts[2]["metadata"], json!({"openai": {"item": {"content": []}}}));
    let paths: Vec<_> = history.problems.iter().map(|problem| &*problem.path).collect();
    assert_eq!(paths, ["/1/summary/1", "/2/role", "/3", "/4"]);
}

#[test]
fn a_half_of_a_surrogate_pair_stays_in_a_type() {
    let json = r#"[{"role":"user","content":[{"type":"input_image","image_url":"data:\uD83CX\u0041;,"}]}]"#;
    let mut tape = Tape::default();
    tape.read_foreign(json).unwrap();
    let written =
        write_history(MessagesFormat::OpenAiResponses, tape.root_of(json), None, &OPTIONS);
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains(r#""mime":"\ud83cxa","url":"data:\ud83cXA;,""#), "{written}");
}
