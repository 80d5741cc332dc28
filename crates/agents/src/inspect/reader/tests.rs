//! Logs of both kinds: what each sentence of the format says, damage, and what is no log.

use super::*;
use crate::tests::reading as shared;
use crate::tests::{info, types};
use apex_parts_model::Severity;
use serde_json::{Value, json};

mod events;
mod files;

fn with_env<T>(act: impl FnOnce(&mut Env<'_>) -> T) -> T {
    let mut new_id = || "0199e0a0-0000-7000-8000-000000000000".to_owned();
    act(&mut Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id })
}

fn read(bytes: &[u8]) -> LoadedSessions {
    let mut reader = InspectReader::reader().unwrap();
    with_env(|env| {
        reader.record(Record { json: bytes, event: "", offset: 0 }, env);
        reader.finish(bytes.len() as u64, env)
    })
}

fn header() -> Value {
    json!({"version": 2, "status": "success", "eval": {"run_id": "R", "task": "T",
        "created": "2025-01-01T00:00:00+00:00", "model": "openai/gpt-4o"}})
}

/// A log with this sample: `{id: 1, epoch: 2}` and these fields.
fn log(sample: Value) -> Vec<u8> {
    let mut log = header();
    log["samples"] = json!([with_ids(sample)]);
    log.to_string().into_bytes()
}

fn with_ids(mut sample: Value) -> Value {
    sample["id"] = sample.get("id").cloned().unwrap_or(json!(1));
    sample["epoch"] = json!(2);
    sample
}

/// The messages of a log with this sample; there are no problems.
fn messages(sample: Value) -> Value {
    let made = read(&log(sample));
    assert_eq!(shared::problems(&made), Vec::<String>::new());
    shared::assert_valid(&made, Ids::OpenCode);
    shared::root(&made)
}

const CREATED: f64 = 1_735_689_600_000.0;

#[test]
fn a_sample_is_a_session() {
    let mut whole = header();
    whole["stats"] = json!({"completed_at": "2025-01-01T00:01:00+00:00"});
    whole["samples"] = json!([
        {"id": 7, "epoch": 1, "messages": [{"role": "user", "content": "a"}],
         "started_at": "2025-01-01T00:00:10+00:00", "completed_at": "2025-01-01T00:00:30+00:00",
         "model_usage": {"openai/a": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
            "input_tokens_cache_read": 4, "reasoning_tokens": 2, "total_cost": 0.5},
            "x/b": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 12, "input_tokens_cache_write": 10}}},
        {"id": "x/y", "epoch": 3, "uuid": "U", "messages": []},
        {"id": 7, "epoch": 1},
        {"id": "x/y", "epoch": 3, "uuid": "U"},
        "no sample",
    ]);
    let made = read(whole.to_string().as_bytes());
    let ids: Vec<_> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["R/7_1", "U", "R/7_1-2", "U-2"]);
    let titles: Vec<_> = made.sessions.iter().map(|s| s.title.as_deref().unwrap()).collect();
    assert_eq!(titles[..2], ["T 7 (epoch 1)", "T x/y (epoch 3)"]);
    assert_eq!(
        info(&made.sessions[0]),
        json!({"id": "R/7_1", "title": "T 7 (epoch 1)", "directory": "",
            "time": {"created": CREATED as u64 + 10_000, "updated": CREATED as u64 + 30_000}, "cost": 0.5,
            "tokens": {"total": 27, "input": 7, "output": 4, "reasoning": 2,
                "cache": {"read": 4, "write": 10}}})
    );
    assert_eq!(
        info(&made.sessions[1])["time"],
        json!({"created": CREATED as u64, "updated": CREATED as u64 + 60_000})
    );
    assert_eq!(info(&made.sessions[1]).get("tokens"), None);
}

#[test]
fn messages_have_their_roles() {
    let found = messages(json!({"messages": [
        {"role": "system", "content": "be \"good\""},
        {"role": "system", "content": [{"type": "text", "text": "and short"}]},
        {"id": "m1", "role": "user", "content": "go"},
        {"id": "m2", "role": "assistant", "content": "", "model": "gpt-4o-mini", "tool_calls": [
            {"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}},
            {"id": "c2", "function": "wait", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c1", "function": "bash", "content": "a\nb"},
        {"id": "m1", "role": "user", "content": "again"},
        {"role": "assistant", "content": "done"},
    ]}));
    assert_eq!(found.as_array().unwrap().len(), 4);
    let user = &found[0]["info"];
    assert_eq!(user["system"], "be \"good\"\n\nand short");
    assert_eq!(user["model"], json!({"providerID": "openai", "modelID": "gpt-4o"}));
    assert_eq!((&user["agent"], &user["id"]), (&json!("inspect"), &json!("m1")));
    assert_eq!(found[0]["parts"][0]["text"], "go");
    let answer = &found[1];
    assert_eq!(types(answer), ["step-start", "tool", "tool", "step-finish"]);
    assert_eq!(
        (&answer["info"]["parentID"], &answer["info"]["finish"]),
        (&json!("m1"), &json!("tool-calls"))
    );
    assert_eq!(
        (&answer["info"]["providerID"], &answer["info"]["modelID"]),
        (&json!("openai"), &json!("gpt-4o-mini"))
    );
    let calls = &answer["parts"];
    assert_eq!((&calls[1]["callID"], &calls[1]["tool"]), (&json!("c1"), &json!("bash")));
    assert_eq!(calls[1]["state"]["input"], json!({"cmd": "ls"}));
    assert_eq!(calls[1]["state"]["output"], "a\nb");
    assert_eq!(calls[2]["state"]["status"], "running");
    // An id that was used already is not used again.
    assert_eq!(found[2]["info"]["id"], "R/1_2:2");
    // The model is the last one named.
    assert_eq!(found[3]["info"]["modelID"], "gpt-4o-mini");
    assert_eq!(found[3]["info"]["finish"], "stop");
}

#[test]
fn a_model_has_a_provider_and_a_name() {
    for (eval, own, provider, name) in [
        ("ollama/gemma3", None, "ollama", "gemma3"),
        ("ollama/gemma3", Some("gemma3:4b"), "ollama", "gemma3:4b"),
        ("ollama/gemma3", Some("openai/o3"), "openai", "o3"),
        ("together/meta/llama", Some("meta/llama"), "together", "meta/llama"),
        ("mock", None, "", "mock"),
    ] {
        let mut message = json!({"role": "assistant", "content": "x"});
        if let Some(own) = own {
            message["model"] = own.into();
        }
        let mut whole = header();
        whole["eval"]["model"] = eval.into();
        whole["samples"] = json!([{"messages": [message]}]);
        let found = shared::root(&read(whole.to_string().as_bytes()));
        let info = &found[0]["info"];
        assert_eq!((&info["providerID"], &info["modelID"]), (&json!(provider), &json!(name)));
    }
}

#[test]
fn content_has_items() {
    let found = messages(json!({
    "attachments": {"abc": "data:image/png;base64,AAAA", "def": "long \"text\""},
    "messages": [
        {"role": "user", "content": [
            {"type": "text", "text": "attachment://def"},
            {"type": "image", "image": "attachment://abc"},
            {"type": "image", "image": "https://x/y.png"},
            {"type": "audio", "audio": "https://x/y", "format": "mp3"},
            {"type": "video", "video": "data:video/mp4;base64,AA"},
            {"type": "document", "document": "https://x/y.pdf", "filename": "y.pdf", "mime_type": "application/pdf"},
            {"type": "data", "data": {"a": "attachment://def", "attachment://def": 1}},
            {"type": "text", "text": "attachment://none"},
            {"type": "text", "text": ""},
        ]},
        {"role": "assistant", "content": [
            {"type": "reasoning", "reasoning": "hm", "signature": "S"},
            {"type": "reasoning", "reasoning": "gAAA", "redacted": true, "summary": "thought of it"},
            {"type": "reasoning", "reasoning": "gAAA", "redacted": true},
            {"type": "text", "text": "yes"},
        ], "tool_calls": [{"id": "c", "function": "f", "arguments": {"q": "attachment://def"}}]},
        {"role": "tool", "tool_call_id": "c", "content": [
            {"type": "text", "text": "one"}, {"type": "image", "image": "attachment://abc"},
            {"type": "text", "text": "tc://def"}]},
    ]}));
    let parts = &found[0]["parts"];
    let files: Vec<_> = (1..6).map(|i| parts[i]["mime"].as_str().unwrap()).collect();
    assert_eq!(files, ["image/png", "image/*", "audio/*", "video/mp4", "application/pdf"]);
    assert_eq!(parts[0]["text"], "long \"text\"");
    assert_eq!(parts[1]["url"], "data:image/png;base64,AAAA");
    assert_eq!(parts[5]["filename"], "y.pdf");
    assert_eq!(parts[6]["type"], "inspect-data");
    assert_eq!(
        parts[6]["item"],
        json!({"type": "data", "data": {"a": "long \"text\"", "attachment://def": 1}})
    );
    assert_eq!(parts[7]["text"], "attachment://none");
    assert_eq!(parts.as_array().unwrap().len(), 8);
    let answer = &found[1]["parts"];
    assert_eq!(
        (&answer[1]["text"], &answer[1]["metadata"]),
        (&json!("hm"), &json!({"signature": "S"}))
    );
    assert_eq!((&answer[2]["text"], &answer[3]["text"]), (&json!("thought of it"), &json!("")));
    assert_eq!(answer[5]["state"]["input"], json!({"q": "long \"text\""}));
    assert_eq!(answer[5]["state"]["output"], "one\nlong \"text\"");
    assert_eq!(answer[5]["state"]["attachments"][0]["url"], "data:image/png;base64,AAAA");
}

#[test]
fn repeated_attachments_are_bounded() {
    let sample = json!({"attachments": {"a": "0123456789"}, "messages": [
        {"role": "user", "content": "attachment://a"}, {"role": "user", "content": "attachment://a"},
        {"role": "user", "content": "attachment://a"}]});
    let mut reader = InspectReader::new(ZipBounds::default());
    reader.left = 15;
    let bytes = log(sample);
    reader.document(Record { json: &bytes, event: "", offset: 0 });
    let made = reader.into_loaded();
    let found = shared::root(&made);
    let texts: Vec<_> = (0..3).map(|i| found[i]["parts"][0]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["0123456789", "0123456789", "attachment://a"]);
    assert_eq!(made.problems[0].rule, "limit");
}

#[test]
fn errors_of_tools_are_the_agents_word() {
    let found = messages(json!({"messages": [
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "function": "bash", "arguments": "{\"cmd\": \"x\"}"},
            {"id": "b", "function": "bash", "arguments": "x"},
            {"id": "c", "function": "bash"}]},
        {"role": "tool", "tool_call_id": "a", "content": "", "error": {"type": "timeout", "message": "too long"}},
        {"role": "tool", "tool_call_id": "b", "content": "exit 1", "error": null},
        {"role": "tool", "tool_call_id": "c", "content": "", "error": {"type": "unknown"}},
    ]}));
    let state = |i: usize| &found[0]["parts"][i]["state"];
    assert_eq!((&state(1)["status"], &state(1)["error"]), (&json!("error"), &json!("too long")));
    assert_eq!(state(1)["metadata"], json!({"errorType": "timeout"}));
    assert_eq!(state(1)["input"], json!({"cmd": "x"}));
    assert_eq!(
        (&state(2)["status"], &state(2)["input"]),
        (&json!("completed"), &json!({"input": "x"}))
    );
    assert_eq!((&state(3)["error"], &state(3)["input"]), (&json!("error"), &json!({})));
}

#[test]
fn results_without_calls_become_calls() {
    let made = read(&log(json!({"messages": [
        {"role": "tool", "tool_call_id": "a", "function": "bash", "content": "out"},
        {"role": "tool", "tool_call_id": "a", "content": "twice"},
        {"role": "tool", "tool_call_id": "b", "content": "out"}]})));
    let problems = shared::problems(&made);
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(made.problems.iter().all(|p| p.severity == Severity::Warning));
    let found = shared::root(&made);
    assert_eq!(types(&found[0]), ["step-start", "tool", "tool", "step-finish"]);
    assert_eq!(found[0]["parts"][1]["tool"], "bash");
    assert_eq!(found[0]["parts"][2]["tool"], "unknown");
}

#[test]
fn items_of_results_that_have_no_place_there() {
    let data = |n: u32| json!([{"type": "text", "text": "t"}, {"type": "data", "data": n}]);
    let made = read(&log(json!({"messages": [
        {"role": "assistant", "content": "x", "tool_calls": [{"id": "c1", "function": "f", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c1", "content": data(1)},
        {"role": "tool", "tool_call_id": "c1", "content": data(2)},
        {"role": "tool", "tool_call_id": "c2", "content": data(3)},
    ]})));
    let found = shared::root(&made);
    let expected =
        ["step-start", "text", "tool", "inspect-data", "tool", "inspect-data", "step-finish"];
    assert_eq!(types(&found[0]), expected);
    let kept = |part: usize| found[0]["parts"][part]["item"]["data"].clone();
    assert_eq!((kept(3), kept(5), made.problems.len()), (json!(1), json!(3), 2));
}

#[test]
fn scores_errors_and_limits_are_told() {
    let found = messages(json!({
        "messages": [{"role": "assistant", "content": "1"}, {"role": "user", "content": "2"}],
        "scores": {"match": {"value": "C", "answer": "x", "explanation": "y", "id": 7, "type": "z"}, "old": 1},
        "error": {"message": "it \"broke\"", "traceback": "…"},
        "limit": {"type": "token", "limit": 5000.0}}));
    assert_eq!(
        found[0]["info"]["error"],
        json!({"name": "UnknownError", "data": {"message": "it \"broke\""}})
    );
    let parts = &found[1]["parts"];
    assert_eq!(types(&found[1]), ["text", "score", "score", "notice"]);
    let id = &parts[1]["id"];
    let base = (&parts[1]["sessionID"], &parts[1]["messageID"]);
    assert_eq!(
        parts[1],
        json!({"id": id, "sessionID": base.0, "messageID": base.1, "type": "score", "name": "match",
            "value": "C", "answer": "x", "explanation": "y"})
    );
    assert_eq!((&parts[2]["name"], &parts[2]["value"]), (&json!("old"), &json!(1)));
    assert_eq!(
        (&parts[3]["level"], &parts[3]["text"]),
        (&json!("warning"), &json!("limit: token 5000"))
    );
    // Without an answer the error is a notice.
    let found = messages(
        json!({"messages": [{"role": "user", "content": "2"}], "error": {"message": "m"}}),
    );
    assert_eq!(found[0]["parts"][1]["level"], "error");
    // Without a message the scores have no place, nor has what ended the sample.
    let made = read(&log(json!({"scores": {"match": {"value": 1}}})));
    assert_eq!(made.problems.len(), 1);
    let bytes =
        log(json!({"error": {"message": "no \"key\""}, "limit": {"type": "time", "limit": 60}}));
    let made = read(&bytes);
    let at = String::from_utf8_lossy(&bytes).find("[{").unwrap() + 1;
    let expected = [
        "error in a session without a message: no \"key\"",
        "warning in a session without a message: limit: time 60",
    ];
    assert_eq!(shared::problems(&made), expected.map(|said| format!("inspect {at}: {said}")));
    assert!(made.problems.iter().all(|problem| problem.severity == Severity::Warning));
    assert_eq!((made.sessions.len(), shared::root(&made)), (1, json!([])));
}
