use super::*;
use crate::tests::reading::{assert_valid, made, messages, problems, root};
use crate::tests::{info, types};
use serde_json::{Value, json};
mod forks;

fn line(second: u32, kind: &str, payload: Value) -> String {
    json!({"timestamp": format!("2025-10-01T10:00:{second:02}.000Z"), "type": kind, "payload": payload}).to_string() + "\n"
}
fn item(second: u32, payload: Value) -> String {
    line(second, "response_item", payload)
}
fn event(second: u32, payload: Value) -> String {
    line(second, "event_msg", payload)
}
fn said(second: u32, role: &str, text: &str) -> String {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    item(
        second,
        json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]}),
    )
}
fn call(second: u32, id: &str) -> String {
    item(
        second,
        json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":\"ls\"}", "call_id": id}),
    )
}
fn output(second: u32, id: &str, output: Value) -> String {
    item(second, json!({"type": "function_call_output", "call_id": id, "output": output}))
}
fn count(second: u32, last: u32, total: u32) -> String {
    let of = |n: u32| json!({"input_tokens": n, "cached_input_tokens": 4, "cache_write_input_tokens": 1, "output_tokens": 10, "reasoning_output_tokens": 3, "total_tokens": n + 10});
    event(
        second,
        json!({"type": "token_count", "info": {"last_token_usage": of(last), "total_token_usage": of(total)}}),
    )
}
fn meta() -> String {
    line(
        0,
        "session_meta",
        json!({"id": "S", "timestamp": "2025-10-01T09:59:59Z", "cwd": "/w", "cli_version": "0.77.0", "model_provider": "azure", "source": {"subagent": {"thread_spawn": {"parent_thread_id": "P"}}}}),
    ) + &line(1, "turn_context", json!({"model": "gpt-5", "cwd": "/w/sub"}))
}
fn read_all(text: &str) -> LoadedSessions {
    let made = made(Box::new(Codex::default()), text.as_bytes());
    assert_valid(&made, Ids::OpenCode);
    made
}
fn shown(text: &str) -> Vec<Value> {
    root(&read_all(text)).as_array().unwrap().clone()
}
/// A message as its role and the types of its parts.
fn outline(messages: &[Value]) -> Vec<String> {
    let of = |message: &Value| {
        let kinds = message["parts"].as_array().unwrap().iter();
        let kinds = kinds.map(|p| p["type"].as_str().unwrap()).filter(|k| !k.starts_with("step-"));
        format!(
            "{} {}",
            message["info"]["role"].as_str().unwrap(),
            kinds.collect::<Vec<_>>().join(" ")
        )
    };
    messages.iter().map(of).collect()
}
const T: u64 = 1_759_312_800_000;

#[test]
fn header_context_and_title() {
    let text = meta()
        + &line(2, "session_meta", json!({"id": "other"}))
        + &said(3, "user", "hi")
        + &event(4, json!({"type": "thread_name_updated", "thread_name": "Named"}));
    let made = read_all(&text);
    assert_eq!(
        info(&made.sessions[0]),
        json!({"id": "S", "parentID": "P", "title": "Named", "directory": "/w", "version": "0.77.0", "time": {"created": T, "updated": T + 4000}})
    );
    let messages = root(&made);
    assert_eq!(
        messages[0]["info"],
        json!({"id": "S:0", "sessionID": "S", "role": "user", "time": {"created": T + 3000}, "agent": "codex", "model": {"providerID": "azure", "modelID": "gpt-5"}})
    );
}
#[test]
fn harness_texts_join_what_follows_and_system_texts_go_along() {
    let text = meta()
        + &said(2, "developer", "rules")
        + &said(2, "user", "# AGENTS.md instructions for /w")
        + &said(3, "system", "more")
        + &said(3, "user", "<environment_context>x</environment_context>")
        + &said(4, "user", "do it")
        + &said(5, "user", "<turn_aborted>x")
        + &said(6, "user", "see <skill>");
    let messages = shown(&text);
    assert_eq!(outline(&messages), ["user text text text", "user text text"]);
    assert_eq!(messages[0]["info"]["system"], "rules\n\nmore");
    let flags = |m: &Value| -> Vec<bool> {
        m["parts"].as_array().unwrap().iter().map(|p| p["synthetic"] == true).collect()
    };
    assert_eq!(flags(&messages[0]), [true, true, false]);
    assert_eq!(flags(&messages[1]), [true, false]);
}

#[test]
fn parallel_calls_are_one_step() {
    let text = meta()
        + &said(2, "user", "go")
        + &item(
            3,
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "content": [{"type": "reasoning_text", "text": "b"}], "encrypted_content": "E"}),
        )
        + &item(
            3,
            json!({"type": "reasoning", "summary": [], "content": null, "encrypted_content": null}),
        )
        + &said(4, "assistant", "I look.")
        + &call(5, "c1")
        + &call(5, "c2")
        + &output(6, "c1", json!("Exit code: 3\nWall time: 1\nOutput:\nExit code: 9"))
        + &output(
            7,
            "c2",
            json!("{\"output\":\"a\\nb\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.5}}"),
        )
        + &said(8, "assistant", "Done.");
    let messages = shown(&text);
    assert_eq!(
        outline(&messages),
        ["user text", "assistant reasoning text tool tool", "assistant text"]
    );
    let parts = &messages[1]["parts"];
    assert_eq!(parts[1]["text"], "a\n\nb");
    assert_eq!(parts[1]["metadata"], json!({"encrypted_content": "E"}));
    let tool = |i: usize| parts[i]["state"].clone();
    assert_eq!(parts[3]["callID"], "c1");
    assert_eq!(
        tool(3),
        json!({"status": "completed", "input": {"command": "ls"}, "output": "Exit code: 3\nWall time: 1\nOutput:\nExit code: 9", "title": "", "metadata": {"exit": 3}, "time": {"start": T + 5000, "end": T + 6000}})
    );
    assert_eq!(tool(4)["output"], "a\nb");
    assert_eq!(tool(4)["metadata"], json!({"exit": 1, "exit_code": 1, "duration_seconds": 0.5}));
    assert_eq!(messages[1]["info"]["time"]["completed"], T + 7000);
    assert_eq!(messages[1]["info"]["path"]["cwd"], "/w/sub");
    assert_eq!(
        (&messages[1]["info"]["finish"], &messages[2]["info"]["finish"]),
        (&json!("tool-calls"), &json!("stop"))
    );
}

#[test]
fn calls_of_every_type() {
    let text = meta()
        + &item(
            2,
            json!({"type": "function_call", "name": "f", "namespace": "mcp__x", "arguments": "[1]", "call_id": "a"}),
        )
        + &item(
            2,
            json!({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin", "call_id": "b"}),
        )
        + &item(
            2,
            json!({"type": "local_shell_call", "id": "l", "call_id": "c", "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        )
        + &item(
            2,
            json!({"type": "tool_search_call", "call_id": "d", "arguments": {"query": "q"}}),
        )
        + &item(
            2,
            json!({"type": "web_search_call", "id": "ws", "status": "failed", "action": {"type": "search", "query": "q"}}),
        )
        + &item(
            2,
            json!({"type": "image_generation_call", "id": "ig", "status": "completed", "revised_prompt": "a cat", "result": "QUJD"}),
        )
        + &item(
            3,
            json!({"type": "tool_search_output", "call_id": "d", "status": "completed", "tools": [{"name": "t"}]}),
        )
        + &event(3, json!({"type": "exec_command_end", "call_id": "c", "exit_code": 2}))
        + &output(
            3,
            "c",
            json!([{"type": "input_text", "text": "x"}, {"type": "input_image", "image_url": "data:image/png;base64,QQ=="}, {"type": "input_text", "text": "y"}, {"type": "new", "z": 1}]),
        )
        + &output(3, "a", json!({"content": "no", "success": false}))
        + &event(4, json!({"type": "exec_command_end", "call_id": "a", "exit_code": 5}))
        + &output(5, "gone", json!("lost"))
        + &output(6, "a", json!("again"));
    let made = read_all(&text);
    let messages = root(&made);
    let parts = &messages[0]["parts"];
    let tools: Vec<_> = parts.as_array().unwrap().iter().filter(|p| p["type"] == "tool").collect();
    let brief: Vec<_> = tools
        .iter()
        .map(|p| json!([p["tool"], p["callID"], p["state"]["status"], p["state"]["input"]]))
        .collect();
    assert_eq!(
        Value::from(brief),
        json!([
            ["f", "a", "error", {"input": "[1]"}],
            ["apply_patch", "b", "running", {"input": "*** Begin"}],
            ["local_shell", "c", "completed", {"command": ["ls"]}],
            ["tool_search", "d", "completed", {"query": "q"}],
            ["web_search", "ws", "error", {"type": "search", "query": "q"}],
            ["image_generation", "ig", "completed", {"prompt": "a cat"}],
            ["unknown", "gone", "completed", {}],
        ])
    );
    let state = |i: usize| &tools[i]["state"];
    assert_eq!(state(0)["error"], "no");
    assert_eq!(state(0)["metadata"], json!({"namespace": "mcp__x", "exit": 5}));
    assert_eq!((&state(2)["output"], &state(2)["metadata"]), (&json!("x\ny"), &json!({"exit": 2})));
    assert_eq!(state(2)["attachments"][0]["mime"], "image/png");
    assert_eq!(state(3)["output"], "[{\"name\":\"t\"}]");
    assert_eq!(state(4)["error"], "failed");
    assert_eq!(state(5)["attachments"][0]["url"], "data:image/png;base64,QUJD");
    let custom = parts.as_array().unwrap().iter().find(|p| p["type"] == "codex-new").unwrap();
    assert_eq!(custom["item"], json!({"type": "new", "z": 1}));
    assert_eq!(problems(&made).len(), 2);
    assert!(made.problems.iter().all(|p| p.severity == apex_parts_model::Severity::Warning));
}

#[test]
fn a_second_result_is_dropped_with_all_that_is_in_it() {
    let odd = |n: u32| json!([{"type": "input_text", "text": "x"}, {"type": "new", "n": n}]);
    let text = meta() + &call(2, "a") + &output(3, "a", odd(1)) + &output(4, "a", odd(2));
    let made = read_all(&(text + &output(5, "b", odd(3))));
    let messages = root(&made);
    let kinds = ["step-start", "tool", "codex-new", "tool", "codex-new", "step-finish"];
    assert_eq!(types(&messages[0]), kinds);
    assert_eq!(messages[0]["parts"][4]["item"]["n"], 3);
    assert_eq!(problems(&made).len(), 2);
    let alone = read_all(&(meta() + &event(1, json!({"type": "error", "message": "quota"}))));
    let said: Vec<_> = alone.problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(said, ["error in a session without a message: quota"]);
}

#[test]
fn tokens_come_before_or_after_their_answer() {
    let tokens = |text: &str| -> Vec<Value> {
        let all = shown(text);
        all.iter()
            .filter(|m| m["info"]["role"] == "assistant")
            .map(|m| m["info"]["tokens"]["total"].clone())
            .collect()
    };
    let none = event(3, json!({"type": "token_count", "info": null, "rate_limits": {}}));
    let after = meta()
        + &said(2, "user", "go")
        + &none
        + &call(3, "a")
        + &count(4, 100, 100)
        + &output(5, "a", json!("x"))
        + &count(5, 100, 100)
        + &said(6, "assistant", "y")
        + &count(7, 200, 300);
    assert_eq!(tokens(&after), [110, 210]);
    let step = &shown(&after)[1];
    assert_eq!(
        step["info"]["tokens"],
        json!({"total": 110, "input": 95, "output": 7, "reasoning": 3, "cache": {"read": 4, "write": 1}})
    );
    let before = meta()
        + &said(2, "user", "go")
        + &count(3, 100, 100)
        + &call(3, "a")
        + &output(5, "a", json!("x"))
        + &count(5, 200, 300)
        + &said(6, "assistant", "y")
        + &count(7, 50, 350);
    assert_eq!(tokens(&before), [110, 270], "the last one is added to the last answer");
}

#[test]
fn aborts_errors_and_compactions() {
    let text = meta()
        + &event(1, json!({"type": "stream_error", "message": "retry"}))
        + &said(2, "user", "go")
        + &call(3, "a")
        + &event(4, json!({"type": "turn_aborted", "reason": "interrupted"}))
        + &said(5, "user", "<turn_aborted>")
        + &event(6, json!({"type": "turn_aborted", "reason": "replaced"}))
        + &said(7, "assistant", "x")
        + &event(8, json!({"type": "error", "message": "quota"}))
        + &line(
            9,
            "compacted",
            json!({"message": "sum", "replacement_history": [{"type": "message"}]}),
        )
        + &said(10, "user", "on");
    let messages = shown(&text);
    assert_eq!(
        outline(&messages),
        [
            "user notice text",
            "assistant tool",
            "user text",
            "assistant ",
            "assistant text notice",
            "user compaction text",
            "user text"
        ]
    );
    let state = &messages[1]["parts"][1]["state"];
    assert_eq!(
        (&state["status"], &state["error"], &state["metadata"]),
        (&json!("error"), &json!("interrupted"), &json!({"aborted": true}))
    );
    let error = |i: usize| messages[i]["info"]["error"].clone();
    assert_eq!(
        error(1),
        json!({"name": "MessageAbortedError", "data": {"message": "interrupted"}})
    );
    assert_eq!(error(3), json!({"name": "MessageAbortedError", "data": {"message": "replaced"}}));
    assert_eq!(error(4), json!({"name": "UnknownError", "data": {"message": "quota"}}));
    assert_eq!(messages[0]["parts"][0]["level"], "error");
    let parts = &messages[5]["parts"];
    assert_eq!(
        (&parts[0]["auto"], &parts[1]["text"], &parts[1]["synthetic"]),
        (&json!(true), &json!("sum"), &json!(true))
    );
}

#[test]
fn turns_that_are_rolled_back_are_branches() {
    let roll = |n: u32| event(9, json!({"type": "thread_rolled_back", "num_turns": n}));
    let turn = |text: &str| said(2, "user", text) + &said(3, "assistant", "answer");
    let text = meta()
        + &turn("one")
        + &turn("two")
        + &said(3, "user", "<skill>")
        + &call(4, "a")
        + &turn("three")
        + &roll(2)
        + &turn("four")
        + &roll(1)
        + &roll(0)
        + &event(9, json!({"type": "turn_aborted", "reason": "x"}))
        + &turn("five");
    let made = read_all(&text);
    let outlines: Vec<_> = made
        .sessions
        .iter()
        .map(|s| (s.id.as_str(), s.parent_id.as_deref(), messages(s).as_array().unwrap().len()))
        .collect();
    assert_eq!(
        outlines,
        [("S", Some("P"), 4), ("S/branch-1", Some("S"), 6), ("S/branch-2", Some("S"), 2)]
    );
    let branch = messages(&made.sessions[1]);
    assert_eq!(
        (&branch[0]["parts"][0]["text"], &branch[0]["info"]["id"]),
        (&json!("two"), &json!("S/branch-1:0"))
    );
    assert_eq!(branch[3]["parts"][1]["state"]["status"], "running");
    // More turns than there are: all of them.
    let all = read_all(&(meta() + &said(1, "user", "<skill>") + &turn("one") + &roll(7)));
    assert_eq!((root(&all), all.sessions.len()), (json!([]), 2));
}

#[test]
fn bare_items_of_old_files() {
    let text = concat!(
        "{\"id\":\"old\",\"timestamp\":\"2025-08-01T00:00:00Z\",\"instructions\":null,\"git\":{}}\n",
        "{\"record_type\":\"state\"}\n",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"},{\"type\":\"input_image\",\"image_url\":\"https://x/y\"}],\"id\":null}\n",
        "{\"record_type\":\"state\"}\n",
        "{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{}\",\"call_id\":\"c\"}\n",
        "{broken}\n",
        "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"Process exited with code -1\\nOutput:\\n\"}\n",
        "{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"bye\"}]}\n",
    );
    let made = read_all(text);
    let messages = root(&made);
    assert_eq!(
        outline(messages.as_array().unwrap()),
        ["user text file", "assistant tool", "assistant text"]
    );
    assert_eq!(messages[0]["parts"][1]["mime"], "image/*");
    assert_eq!(
        (&messages[0]["info"]["id"], &messages[2]["info"]["id"]),
        (&json!("old:0"), &json!("msg_1"))
    );
    assert_eq!(messages[1]["parts"][1]["state"]["metadata"]["exit"], -1);
    assert_eq!(messages[1]["info"]["providerID"], "openai");
    assert_eq!(problems(&made).len(), 1);
}

#[test]
fn a_refusal_that_ends_a_turn_is_an_answer_with_the_error() {
    let end = |error: &Value| event(5, json!({"type": "task_complete", "error": error}));
    let refused = |text: &str| {
        let messages = shown(text);
        let last = messages.last().unwrap();
        (outline(&messages), last["info"]["error"].clone())
    };
    let error = json!({"name": "UnknownError", "data": {"message": "try later"}});
    let go = meta() + &said(2, "user", "go");
    let failed = go.clone() + &end(&json!({"message": "try later"}));
    assert_eq!(refused(&failed), (vec!["user text".into(), "assistant ".into()], error.clone()));
    // It is said once, also where an event before has said the same.
    let twice = go.clone()
        + &event(4, json!({"type": "error", "message": "try later"}))
        + &end(&json!({"message": "try later"}));
    assert_eq!(refused(&twice), (vec!["user text notice".into(), "assistant ".into()], error));
    for none in [json!(null), json!({}), json!({"message": 7}), json!("no")] {
        assert_eq!(outline(&shown(&(go.clone() + &end(&none)))), ["user text"], "{none}");
    }
}

#[test]
fn a_call_of_no_tool_has_failed() {
    let state = |text: &str| {
        let file = meta() + &said(2, "user", "go") + &call(3, "c") + &output(4, "c", json!(text));
        shown(&file)[1]["parts"][1]["state"].clone()
    };
    let unsupported = state("unsupported call: teleport");
    assert_eq!(
        (&unsupported["status"], &unsupported["error"]),
        (&json!("error"), &json!("unsupported call: teleport"))
    );
    for text in ["log: unsupported call: x", "unsupported call: a\nand more", "unsupported call: "]
    {
        assert_eq!(state(text)["status"], "completed", "{text}");
    }
}
