use crate::reader::LoadedSessions;
use crate::tests::reading::{assert_valid, made, messages, problems, root};
use crate::tests::{at, info, odd_values, text_of, timestamp};
use crate::transcript_format::TranscriptFormat;
use apex_parts_model::Severity;
use apex_parts_validate::Ids;
use serde_json::{Value, json};

fn read(lines: &[Value]) -> LoadedSessions {
    let made = made(super::CopilotCli::reader().unwrap(), text_of(lines).as_bytes());
    assert_valid(&made, Ids::OpenCode);
    made
}
fn event(kind: &str, second: u32, data: Value) -> Value {
    json!({"type": kind, "data": data, "id": format!("e{second}"), "timestamp": timestamp(second), "parentId": null})
}
fn start() -> Value {
    event(
        "session.start",
        0,
        json!({"sessionId": "S", "copilotVersion": "1.0.7", "startTime": "2025-12-31T23:59:59.000Z", "selectedModel": "m-1", "context": {"cwd": "/w"}}),
    )
}
fn user(second: u32, text: &str) -> Value {
    event("user.message", second, json!({"content": text, "attachments": []}))
}
fn answer(second: u32, id: &str, calls: &Value) -> Value {
    event(
        "assistant.message",
        second,
        json!({"messageId": id, "content": "Ok", "toolRequests": calls, "outputTokens": 12}),
    )
}
fn request(call: &str) -> Value {
    json!([{"toolCallId": call, "name": "bash", "arguments": {"command": "ls"}, "type": "function"}])
}
fn begins(second: u32, call: &str) -> Value {
    event(
        "tool.execution_start",
        second,
        json!({"toolCallId": call, "toolName": "bash", "arguments": "{\"command\":\"ls\"}"}),
    )
}
fn ends(second: u32, call: &str, success: bool, result: &Value) -> Value {
    event(
        "tool.execution_complete",
        second,
        json!({"toolCallId": call, "success": success, "result": result}),
    )
}
fn with(mut event: Value, name: &str, value: Value) -> Value {
    event["data"][name] = value;
    event
}
fn ids(messages: &Value) -> Vec<String> {
    let ids = messages.as_array().unwrap().iter();
    ids.map(|m| m["info"]["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_session_is_read() {
    let made = read(&[
        start(),
        event("system.message", 1, json!({"content": "Be brief."})),
        user(2, "List"),
        event("assistant.turn_start", 3, json!({"turnId": "0"})),
        answer(4, "m1", &request("c1")),
        begins(5, "c1"),
        ends(
            6,
            "c1",
            true,
            &json!({"content": "a\n<exited with exit code 3>", "detailedContent": "more"}),
        ),
        event("session.model_change", 7, json!({"newModel": "m-2"})),
        answer(8, "m2", &json!([])),
        event("session.title_changed", 9, json!({"title": "T"})),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    assert_eq!(
        info(&made.sessions[0]),
        json!({"id": "S", "title": "T", "directory": "/w", "version": "1.0.7", "time": {"created": at(0) - 1000, "updated": at(9)}})
    );
    let all = root(&made);
    assert_eq!(ids(&all), ["e2", "m1", "m2"]);
    assert_eq!(all[0]["info"]["system"], "Be brief.");
    assert_eq!(all[0]["info"]["model"], json!({"providerID": "github-copilot", "modelID": "m-1"}));
    assert_eq!(
        (&all[1]["info"]["modelID"], &all[2]["info"]["modelID"]),
        (&json!("m-1"), &json!("m-2"))
    );
    assert_eq!(all[1]["info"]["tokens"]["output"], 12);
    assert_eq!(all[1]["parts"][1]["text"], "Ok");
    assert_eq!(
        all[1]["parts"][2]["state"],
        json!({"status": "completed", "input": {"command": "ls"}, "output": "a\n<exited with exit code 3>", "title": "", "metadata": {"exit": 3, "detailedContent": "more"}, "time": {"start": at(5), "end": at(6)}})
    );
    assert_eq!(all[1]["info"]["time"], json!({"created": at(4), "completed": at(6)}));
    assert_eq!(all[1]["info"]["path"]["cwd"], "/w");
}

#[test]
fn a_user_has_files_and_synthetic_texts() {
    let files = json!([{"type": "file", "path": "/w/a b.rs", "displayName": "a b.rs"}, {"type": "selection", "filePath": "/w/c", "text": "x"}, {"type": "blob", "data": "QUJD"}, {"type": "blob", "data": "QUJD", "mimeType": "image/png"}, {"type": "github_reference", "number": 7}]);
    let made = read(&[
        start(),
        with(user(1, "Look"), "attachments", files),
        with(user(2, "skill"), "source", json!("skill-x")),
        with(user(3, "me"), "source", json!("user")),
    ]);
    let all = root(&made);
    let file = |index: usize| {
        (all[0]["parts"][index]["mime"].clone(), all[0]["parts"][index]["url"].clone())
    };
    assert_eq!(file(1), (json!("text/plain"), json!("file:///w/a b.rs")));
    assert_eq!(all[0]["parts"][1]["filename"], "a b.rs");
    assert_eq!(file(2), (json!("text/plain"), json!("file:///w/c")));
    assert_eq!(
        file(3),
        (json!("application/octet-stream"), json!("data:application/octet-stream;base64,QUJD"))
    );
    assert_eq!(file(4).0, "image/png");
    assert_eq!(
        (&all[0]["parts"][5]["type"], &all[0]["parts"][5]["item"]["number"]),
        (&json!("copilot-cli-github_reference"), &json!(7))
    );
    let synthetic: Vec<_> = (0..3).map(|i| all[i]["parts"][0]["synthetic"].clone()).collect();
    assert_eq!(synthetic, [json!(null), json!(true), json!(null)]);
}

#[test]
fn reasoning_is_shown_once() {
    let before = |second| event("assistant.reasoning", second, json!({"content": "before"}));
    let none = json!([]);
    let made = read(&[
        start(),
        before(1),
        with(
            with(answer(2, "m1", &none), "reasoningText", json!("own")),
            "reasoningOpaque",
            json!("op"),
        ),
        before(3),
        with(answer(4, "m2", &none), "encryptedContent", json!("en")),
        with(answer(5, "m3", &none), "encryptedContent", json!("en")),
        answer(6, "m4", &none),
        before(7),
        user(8, "Stop"),
        answer(9, "m5", &none),
    ]);
    let all = root(&made);
    let part = |index: usize| {
        (all[index]["parts"][1]["text"].clone(), all[index]["parts"][1]["metadata"].clone())
    };
    assert_eq!(part(0), (json!("own"), json!({"reasoningOpaque": "op"})));
    assert_eq!(part(1), (json!("before"), json!({"encryptedContent": "en"})));
    assert_eq!(part(2), (json!(""), json!({"encryptedContent": "en"})));
    assert_eq!((part(3).0, part(5).0), (json!("Ok"), json!("Ok")));
}

#[test]
fn the_last_shutdown_has_the_sums() {
    let usage = |n: u32| json!({"usage": {"inputTokens": 100 * n, "outputTokens": 10 * n, "cacheReadTokens": 30 * n, "cacheWriteTokens": 20 * n, "reasoningTokens": 4 * n}, "requests": {"count": 1, "cost": 3}});
    let made = read(&[
        start(),
        answer(1, "m1", &json!([])),
        event("session.shutdown", 2, json!({"modelMetrics": {"a": usage(7)}})),
        event(
            "session.shutdown",
            3,
            json!({"modelMetrics": {"a": usage(1), "b": usage(2), "c": {"requests": 2}}, "totalPremiumRequests": 4}),
        ),
    ]);
    assert_eq!(
        info(&made.sessions[0])["tokens"],
        json!({"input": 150, "output": 18, "reasoning": 12, "cache": {"read": 90, "write": 60}})
    );
    assert_eq!(info(&made.sessions[0])["cost"], json!(null));
    let made = read(&[
        start(),
        event("session.shutdown", 2, json!({"modelMetrics": {"a": {"requests": 2}}})),
    ]);
    assert_eq!(made.sessions[0].tokens, None);
}

#[test]
fn compactions_notices_and_aborts() {
    let made = read(&[
        start(),
        event("session.info", 1, json!({"message": "hello"})),
        user(2, "Go"),
        answer(3, "m1", &request("c1")),
        event("session.warning", 4, json!({"message": "slow"})),
        event("session.truncation", 5, json!({"tokenLimit": 1})),
        event("system.notification", 6, json!({"content": "done"})),
        event("session.compaction_complete", 7, json!({"success": false})),
        event("abort", 8, json!({"reason": "user initiated"})),
        event(
            "session.compaction_complete",
            9,
            json!({"success": true, "preCompactionTokens": 150, "summaryContent": "sum"}),
        ),
        event("session.compaction_complete", 10, json!({"success": true, "trigger": "manual"})),
        answer(11, "m2", &request("c2")),
        event("abort", 12, json!({"reason": "user initiated"})),
        event("session.error", 13, json!({"message": "late"})),
        event("session.mode_changed", 14, json!({})),
    ]);
    let all = root(&made);
    assert_eq!(all[0]["parts"][0]["text"], "hello");
    let notices: Vec<_> = (4..8)
        .map(|i| (all[1]["parts"][i]["level"].clone(), all[1]["parts"][i]["text"].clone()))
        .collect();
    let expected = [
        ("warning", "slow"),
        ("warning", "context truncated"),
        ("info", "done"),
        ("error", "compaction failed"),
    ];
    assert_eq!(notices, expected.map(|(level, text)| (json!(level), json!(text))));
    assert_eq!(all[1]["info"]["error"]["data"]["message"], "compaction failed");
    assert_eq!(
        (
            &all[1]["parts"][2]["state"]["error"],
            &all[1]["parts"][2]["state"]["metadata"]["aborted"]
        ),
        (&json!("user initiated"), &json!(true))
    );
    assert_eq!(
        (&all[2]["parts"][0]["auto"], &all[2]["parts"][0]["tokensBefore"]),
        (&json!(true), &json!(150))
    );
    assert_eq!(
        (&all[2]["parts"][1]["text"], &all[2]["parts"][1]["synthetic"]),
        (&json!("sum"), &json!(true))
    );
    assert_eq!(
        (&all[3]["parts"][0]["auto"], all[3]["parts"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    assert_eq!(
        all[4]["info"]["error"],
        json!({"name": "MessageAbortedError", "data": {"message": "user initiated"}})
    );
    assert_eq!(all[4]["parts"][2]["state"]["metadata"]["aborted"], true);
}

#[test]
fn notices_without_a_message_are_warnings() {
    let made = read(&[
        start(),
        event("session.error", 1, json!({"message": "quota"})),
        event("session.truncation", 2, json!({})),
        event("system.notification", 3, json!({"content": "done", "parentToolCallId": "c"})),
    ]);
    let said: Vec<_> = made.problems.iter().map(|p| (p.severity, p.message.clone())).collect();
    let expected = ["error", "warning", "info"]
        .into_iter()
        .zip(["quota", "context truncated", "done"])
        .map(|(level, text)| format!("{level} in a session without a message: {text}"));
    assert_eq!(said, expected.map(|said| (Severity::Warning, said)).collect::<Vec<_>>());
    assert_eq!((made.sessions.len(), root(&made)), (2, json!([])));
}

#[test]
fn an_abort_without_a_reason() {
    let made = read(&[
        start(),
        user(1, "Go"),
        answer(2, "m1", &request("c1")),
        event("abort", 3, json!({})),
    ]);
    let all = root(&made);
    let error = json!({"name": "MessageAbortedError", "data": {"message": "aborted"}});
    assert_eq!(all[1]["info"]["error"], error);
    assert_eq!(all[1]["parts"][2]["state"]["error"], "aborted");
}

#[test]
fn damaged_lines_are_skipped() {
    let lines = [start(), user(1, "Hi"), answer(2, "m1", &json!([]))];
    let text = text_of(&lines);
    let broken = text.replacen("{\"data\":{\"attachments\"", "{oops\"data\":{\"attachments\"", 1);
    let made = made(super::CopilotCli::reader().unwrap(), broken.as_bytes());
    assert_eq!((ids(&root(&made)), made.problems.len()), (vec!["m1".to_owned()], 1));
    let values = odd_values();
    let names = [
        "content",
        "messageId",
        "toolRequests",
        "outputTokens",
        "toolCallId",
        "parentToolCallId",
        "arguments",
        "result",
        "error",
        "success",
        "modelMetrics",
        "message",
        "source",
        "attachments",
        "context",
        "reason",
        "reasoningText",
    ];
    for name in names {
        for value in &values {
            let all = [
                start(),
                user(1, "Hi"),
                answer(2, "m1", &request("c")),
                begins(3, "c"),
                ends(4, "c", true, &json!({"content": "x"})),
                event("session.shutdown", 5, json!({})),
                event("abort", 6, json!({})),
                event("session.error", 7, json!({})),
            ];
            read(&all.map(|event| with(event, name, value.clone())));
        }
    }
}

mod calls;

/// An event of the agent with this id.
fn of_agent(mut event: Value, id: &str) -> Value {
    event["agentId"] = json!(id);
    event
}
fn used(second: u32, input: u32) -> Value {
    let usage = json!({"inputTokens": input, "outputTokens": 20, "cacheReadTokens": 5, "cacheWriteTokens": 2, "reasoningTokens": 4});
    event("session.usage_record", second, json!({"usage": usage}))
}

#[test]
fn the_id_of_an_agent_tells_whose_an_event_is() {
    let starts = event("subagent.started", 4, json!({"toolCallId": "c1", "agentName": "explore"}));
    let prompt = with(user(5, "Look for it"), "source", json!("agent-7"));
    let made = read(&[
        start(),
        user(1, "Go"),
        answer(2, "m1", &request("c1")),
        begins(3, "c1"),
        of_agent(starts, "a-7"),
        of_agent(prompt, "a-7"),
        of_agent(answer(6, "m2", &request("c2")), "a-7"),
        of_agent(begins(7, "c2"), "a-7"),
        of_agent(ends(8, "c2", true, &json!({"content": "x"})), "a-7"),
        ends(9, "c1", true, &json!({"content": "found"})),
        answer(10, "m3", &json!([])),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    assert_eq!(made.sessions.len(), 2);
    let [main, agent] = [0, 1].map(|i| messages(&made.sessions[i]));
    let agent_id = &info(&made.sessions[1])["id"];
    let call = &main[1]["parts"][2];
    assert_eq!(
        (&call["callID"], &call["state"]["metadata"]["sessionId"]),
        (&json!("c1"), agent_id)
    );
    assert_eq!(main.as_array().unwrap().len(), 3);
    assert_eq!(agent[0]["parts"][0]["text"], "Look for it");
    assert_eq!(agent[0]["parts"][0].get("synthetic"), None);
    assert_eq!(agent[1]["parts"][2]["callID"], "c2");
    assert_eq!(info(&made.sessions[1])["parentID"], "S");
}

#[test]
fn what_an_answer_used_stands_before_it() {
    let made = read(&[
        start(),
        user(1, "Go"),
        used(2, 100),
        of_agent(used(3, 900), "a-7"),
        answer(4, "m1", &json!([])),
        answer(5, "m2", &json!([])),
        of_agent(answer(6, "m3", &json!([])), "a-7"),
    ]);
    let all = root(&made);
    let tokens = |i: usize| &all[i]["info"]["tokens"];
    assert_eq!(
        *tokens(1),
        json!({"input": 93, "output": 16, "reasoning": 4, "cache": {"read": 5, "write": 2}})
    );
    // Only the next answer of the same agent.
    assert_eq!((&tokens(2)["input"], &tokens(2)["output"]), (&json!(0), &json!(12)));
    assert_eq!(messages(&made.sessions[1])[0]["info"]["tokens"]["input"], 893);
}

#[test]
fn a_refused_request_is_an_answer_with_the_error() {
    let made =
        read(&[start(), user(1, "Go"), event("session.error", 2, json!({"message": "429"}))]);
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(
        (&all[1]["info"]["role"], &all[1]["info"]["error"], &all[1]["parts"]),
        (
            &json!("assistant"),
            &json!({"name": "UnknownError", "data": {"message": "429"}}),
            &json!([])
        )
    );
}

#[test]
fn a_number_beside_the_result_goes_before_words_in_it() {
    let exit = |content: &str, code: &Value| {
        let end = with(
            ends(4, "c1", true, &json!({"content": content})),
            "shellExecution",
            json!({"exitCode": code}),
        );
        let made =
            read(&[start(), user(1, "Go"), answer(2, "m1", &request("c1")), begins(3, "c1"), end]);
        root(&made)[1]["parts"][2]["state"]["metadata"]["exit"].clone()
    };
    let words = "a\n<exited with exit code 3>";
    assert_eq!(exit(words, &json!(1)), 1);
    assert_eq!(exit(words, &json!(null)), 3);
    assert_eq!(exit("<exited with exit code 3>\nand more", &json!(null)), Value::Null);
}
