use crate::reader::LoadedSessions;
use crate::tests::reading::{assert_valid, made, messages, problems, root};
use crate::tests::{at, info, odd_values, text_of, timestamp, types};
use crate::transcript_format::TranscriptFormat;
use apex_parts_validate::Ids;
use serde_json::{Value, json};

fn read(records: &[Value]) -> LoadedSessions {
    let made = made(super::ClaudeStream::reader().unwrap(), text_of(records).as_bytes());
    assert_valid(&made, Ids::OpenCode);
    made
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "session_id": "S", "cwd": "/w", "model": "m-1", "claude_code_version": "2.1.0"})
}

fn answer(id: &str, block: &Value) -> Value {
    json!({"type": "assistant", "session_id": "S", "parent_tool_use_id": null, "message": {"id": id, "model": "m-1",
        "content": [block], "stop_reason": null,
        "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 5}}})
}

fn said(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}})
}

fn user(second: u32, content: Value) -> Value {
    json!({"type": "user", "session_id": "S", "parent_tool_use_id": null, "uuid": format!("u{second}"),
        "timestamp": timestamp(second), "message": {"role": "user", "content": content}})
}

fn result(id: &str, text: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": text.starts_with("Exit code")}])
}

fn end() -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "session_id": "S", "total_cost_usd": 0.25,
        "usage": {"input_tokens": 20, "output_tokens": 30}})
}

fn with(mut record: Value, name: &str, value: Value) -> Value {
    record[name] = value;
    record
}

#[test]
fn a_run_is_read() {
    let made = read(&[
        init(),
        answer("m1", &json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"})),
        answer("m1", &said("I look.")),
        answer("m1", &call("c1")),
        with(user(5, result("c1", "Exit code 3\na")), "tool_use_result", json!({"code": 3})),
        answer("m2", &said("Done.")),
        end(),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    assert!(!made.is_cut);
    let session = &made.sessions[0];
    assert_eq!(session.cost, Some(0.25));
    assert_eq!(session.tokens.map(|tokens| (tokens.input, tokens.output)), Some((20.0, 30.0)));
    let about = info(session);
    assert_eq!((&about["id"], &about["directory"]), (&json!("S"), &json!("/w")));
    assert_eq!(about["version"], "2.1.0");
    let all = messages(session);
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(types(&all[0]), ["step-start", "reasoning", "text", "tool", "step-finish"]);
    assert_eq!(all[0]["info"]["id"], "m1");
    assert_eq!(all[0]["info"]["agent"], "claude-code");
    // The times of what came before the first that is known.
    assert_eq!(all[0]["info"]["time"]["created"], at(5));
    // The usage of a message counts once.
    assert_eq!(all[0]["info"]["tokens"]["input"], 10.0);
    let state = &all[0]["parts"][3]["state"];
    assert_eq!((&state["status"], &state["metadata"]["exit"]), (&json!("error"), &json!(3)));
    assert_eq!(state["metadata"]["toolUseResult"], json!({"code": 3}));
    assert_eq!(all[1]["info"]["finish"], "stop");
}

#[test]
fn a_sub_agent_is_a_session_that_its_call_names() {
    let task = json!({"type": "tool_use", "id": "t1", "name": "Task",
        "input": {"description": "Count", "prompt": "Count them.", "subagent_type": "general"}});
    let inside = |record| with(record, "parent_tool_use_id", json!("t1"));
    let made = read(&[
        init(),
        answer("m1", &task),
        inside(user(1, json!("Count them."))),
        inside(answer("m2", &call("c1"))),
        inside(user(2, result("c1", "5"))),
        user(3, result("t1", "Five.")),
        end(),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    let child = made.sessions.iter().find(|session| session.id == "S/t1").unwrap();
    assert_eq!((child.parent_id.as_deref(), child.title.as_deref()), (Some("S"), Some("Count")));
    let inner = messages(child);
    assert_eq!(inner[0]["info"]["role"], "user");
    assert_eq!(inner[1]["parts"][1]["state"]["output"], "5");
    assert_eq!(inner[1]["info"]["agent"], "general");
    let state = &root(&made)[0]["parts"][1]["state"];
    assert_eq!(
        (&state["metadata"]["sessionId"], &state["output"]),
        (&json!("S/t1"), &json!("Five."))
    );
}

#[test]
fn tokens_are_those_of_all_models() {
    let model = |count: u32| json!({"inputTokens": count, "outputTokens": 2, "cacheReadInputTokens": 3, "cacheCreationInputTokens": 4});
    let end = with(end(), "modelUsage", json!({"a": model(10), "b": model(20)}));
    // The last result counts.
    let made =
        read(&[init(), answer("m1", &said("a")), with(end.clone(), "modelUsage", json!({})), end]);
    let tokens = made.sessions[0].tokens.unwrap();
    assert_eq!([tokens.input, tokens.output, tokens.read, tokens.write], [30.0, 4.0, 6.0, 8.0]);
}

#[test]
fn blocks_of_qwen_code_are_one_step() {
    let init = json!({"type": "system", "subtype": "init", "session_id": "S", "cwd": "/w", "model": "q", "qwen_code_version": "0.15"});
    let usage = json!({"input_tokens": 100, "output_tokens": 7, "cache_read_input_tokens": 60, "total_tokens": 107});
    let mut last = answer("b3", &call("c1"));
    last["message"]["usage"] = usage;
    let zero = |mut record: Value| {
        record["message"]["usage"] = json!({"input_tokens": 0, "output_tokens": 0});
        record
    };
    let made = read(&[
        init,
        zero(answer("b1", &json!({"type": "thinking", "thinking": "Hm.", "signature": ""}))),
        zero(answer("b2", &said("I look."))),
        last,
        user(1, result("c1", "a")),
        zero(answer("b4", &said("Done."))),
        end(),
    ]);
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(types(&all[0]), ["step-start", "reasoning", "text", "tool", "step-finish"]);
    assert_eq!(all[0]["info"]["agent"], "qwen-code");
    assert_eq!(all[0]["info"]["providerID"], "qwen");
    assert_eq!(all[0]["info"]["tokens"]["input"], 40.0);
    assert_eq!(all[0]["info"]["tokens"]["cache"]["read"], 60.0);
}

fn event(event: &Value) -> Value {
    json!({"type": "stream_event", "session_id": "S", "parent_tool_use_id": null, "event": event})
}

fn events(id: &str) -> Vec<Value> {
    [
        json!({"type": "message_start", "message": {"id": id, "model": "m-2", "usage": {"input_tokens": 9, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I \"lo"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok\"."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "c1", "name": "Bash", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"command\":"}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "\"ls\"}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 12}}),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(event)
    .collect()
}

#[test]
fn events_are_all_there_is_only_where_the_records_never_come() {
    let mut records = vec![init()];
    records.extend(events("m1"));
    let cut = read(&records);
    assert!(cut.is_cut);
    let all = root(&cut);
    assert_eq!(types(&all[0]), ["step-start", "text", "tool", "step-finish"]);
    assert_eq!(all[0]["parts"][1]["text"], "I \"look\".");
    assert_eq!(all[0]["parts"][2]["state"]["input"], json!({"command": "ls"}));
    assert_eq!(all[0]["info"]["tokens"]["output"], 12.0);
    assert_eq!(all[0]["info"]["modelID"], "m-2");
    // A record of the message among its events, as they come.
    records.insert(6, answer("m1", &said("I \"look\".")));
    records.insert(10, answer("m1", &call("c1")));
    records.extend([user(1, result("c1", "a")), answer("m2", &said("Done.")), end()]);
    let all = root(&read(&records));
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(types(&all[0]), ["step-start", "text", "tool", "step-finish"]);
}

#[test]
fn errors_denials_and_marks() {
    let made = read(&[
        init(),
        with(user(1, json!("Look at it.")), "isReplay", json!(true)),
        with(user(2, json!("A skill says:")), "isSynthetic", json!(true)),
        json!({"type": "system", "subtype": "compact_boundary", "session_id": "S", "uuid": "b",
            "compact_metadata": {"trigger": "manual", "pre_tokens": 900}}),
        answer("m1", &said("API Error")),
        json!({"type": "system", "subtype": "api_retry", "session_id": "S", "error": "overloaded"}),
        json!({"type": "system", "subtype": "hook_started", "session_id": "S"}),
        json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "session_id": "S",
            "errors": ["one", "two"], "permission_denials": [{"tool_name": "Write"}]}),
    ]);
    let all = root(&made);
    assert_eq!(all[0]["parts"][0]["text"], "Look at it.");
    assert_eq!(all[1]["parts"][0]["synthetic"], true);
    assert_eq!(
        (&all[2]["parts"][0]["type"], &all[2]["parts"][0]["auto"]),
        (&json!("compaction"), &json!(false))
    );
    let answer = &all[3];
    assert_eq!(answer["info"]["error"]["data"]["message"], "one\ntwo");
    let notices: Vec<_> = answer["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| part["type"] == "notice")
        .collect();
    let texts: Vec<_> = notices.iter().map(|notice| notice["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["overloaded", "denied: Write"]);
}

#[test]
fn a_person_interrupts() {
    let made = read(&[
        init(),
        answer("m1", &call("c1")),
        user(1, json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}])),
        end(),
    ]);
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 1);
    assert_eq!(all[0]["info"]["error"]["name"], "MessageAbortedError");
    assert_eq!(all[0]["parts"][1]["state"]["metadata"]["aborted"], true);
}

#[test]
fn each_session_id_is_a_session() {
    let other = |record| with(record, "session_id", json!("T"));
    let made = read(&[
        init(),
        answer("m1", &said("a")),
        end(),
        other(init()),
        other(answer("m1", &said("b"))),
        other(end()),
    ]);
    let ids: Vec<_> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["S", "T"]);
}

#[test]
fn odd_values_change_no_other_record() {
    let records = [
        init(),
        answer("m1", &call("c1")),
        user(1, result("c1", "a")),
        events("m9")[0].clone(),
        end(),
    ];
    for (index, record) in records.iter().enumerate() {
        for name in record.as_object().unwrap().keys().filter(|name| *name != "session_id") {
            for odd in odd_values() {
                let mut all = records.clone();
                all[index][name] = odd;
                // It is valid, and whole.
                assert!(!read(&all).sessions.is_empty(), "{name}");
            }
        }
    }
}
