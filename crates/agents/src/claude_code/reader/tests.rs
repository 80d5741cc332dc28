use super::*;
use crate::session_kind::SessionKind;
use crate::tests::reading::{
    assert_part_ids_ascend, assert_valid, complaints, made, messages, problems, root,
};
use apex_parts_validate::Ids;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read_all(lines: &[Value]) -> LoadedSessions {
    made(Box::new(ClaudeCode::default()), text_of(lines).as_bytes())
}
fn text_of(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
fn line(kind: &str, uuid: &str, second: u32, message: Value) -> Value {
    json!({"parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/w", "sessionId": "S", "version": "2.0.1", "gitBranch": "main", "type": kind, "message": message, "uuid": uuid, "timestamp": format!("2025-03-01T10:00:{second:02}.500Z")})
}
fn with(mut line: Value, name: &str, value: Value) -> Value {
    line[name] = value;
    line
}
fn user(uuid: &str, second: u32, content: Value) -> Value {
    line("user", uuid, second, json!({"role": "user", "content": content}))
}
fn answer(uuid: &str, second: u32, id: &str, stop: Value, block: Value) -> Value {
    line(
        "assistant",
        uuid,
        second,
        json!({"id": id, "type": "message", "role": "assistant", "model": "claude-x", "content": [block], "stop_reason": stop, "usage": {"input_tokens": 3, "output_tokens": 20, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 7}}),
    )
}
fn at(second: u32) -> u64 {
    1_740_823_200_500 + u64::from(second) * 1000
}
fn session() -> Vec<Value> {
    vec![
        json!({"type": "summary", "summary": "Fix the bug", "leafUuid": "u6"}),
        json!({"type": "file-history-snapshot", "messageId": "x"}),
        with(user("u0", 0, json!("Caveat: local")), "isMeta", json!(true)),
        user("u1", 1, json!("fix \"it\" ü")),
        answer(
            "u2",
            2,
            "msg_1",
            json!(null),
            json!({"type": "thinking", "thinking": "hm", "signature": "sig"}),
        ),
        answer("u3", 3, "msg_1", json!(null), json!({"type": "text", "text": "I look."})),
        answer(
            "u4",
            4,
            "msg_1",
            json!("tool_use"),
            json!({"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/w/a"}}),
        ),
        with(
            user(
                "u5",
                5,
                json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}]}]),
            ),
            "toolUseResult",
            json!({"n": 1}),
        ),
        answer("u6", 6, "msg_2", json!("end_turn"), json!({"type": "text", "text": "Done."})),
    ]
}

#[test]
fn a_session() {
    let made = read_all(&session());
    assert_eq!(problems(&made), Vec::<String>::new());
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
    let all = root(&made);
    let ids: Vec<_> =
        all.as_array().unwrap().iter().map(|m| m["info"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["u0", "u1", "msg_1", "msg_2"]);
    assert_eq!(all[0]["parts"][0]["synthetic"], true);
    assert_eq!(all[1]["parts"][0]["text"], "fix \"it\" ü");
    assert_eq!(all[1]["info"]["model"], json!({"providerID": "anthropic", "modelID": "claude-x"}));
    let info = &all[2]["info"];
    assert_eq!(info["time"], json!({"created": at(2), "completed": at(5)}));
    assert_eq!((&info["parentID"], &info["finish"]), (&json!("u1"), &json!("tool_use")));
    assert_eq!(info["path"], json!({"cwd": "/w", "root": "/w"}));
    let tokens =
        json!({"input": 3, "output": 20, "reasoning": 0, "cache": {"read": 7, "write": 5}});
    assert_eq!(info["tokens"], tokens, "once, though it stands on three lines");
    let parts = all[2]["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|p| p["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["step-start", "reasoning", "text", "tool", "step-finish"]);
    assert_eq!(
        (&parts[1]["text"], &parts[1]["metadata"]),
        (&json!("hm"), &json!({"signature": "sig"}))
    );
    let state = &parts[3]["state"];
    assert_eq!((&parts[3]["callID"], &parts[3]["tool"]), (&json!("toolu_1"), &json!("Read")));
    assert_eq!((&state["status"], &state["output"]), (&json!("completed"), &json!("one\ntwo")));
    assert_eq!(state["time"], json!({"start": at(4), "end": at(5)}));
    assert_eq!(state["metadata"], json!({"toolUseResult": {"n": 1}}));
    assert_eq!(state["attachments"][0]["url"], "data:image/png;base64,QUJD");
    assert_eq!((&parts[4]["reason"], &parts[4]["tokens"]), (&json!("tool_use"), &tokens));
    let session: Value = serde_json::from_slice(made.sessions[0].info.as_ref().unwrap()).unwrap();
    assert_eq!(
        session,
        json!({"id": "S", "title": "Fix the bug", "directory": "/w", "version": "2.0.1", "gitBranch": "main", "time": {"created": at(0), "updated": at(6)}})
    );
    assert_eq!(made.sessions[0].title.as_deref(), Some("Fix the bug"));
}

#[test]
fn tools_that_fail_or_have_no_result() {
    let call = |uuid: &str, second, id: &str| {
        answer(
            uuid,
            second,
            "msg_1",
            json!("tool_use"),
            json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}),
        )
    };
    let result = |id: &str, content: Value, failed: bool| json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed});
    let made = read_all(&[
        user("u0", 0, json!("go")),
        call("u1", 1, "a"),
        call("u2", 2, "b"),
        call("u3", 3, "c"),
        with(
            user(
                "u4",
                4,
                json!([result("a", json!("no"), true), result("b", json!(""), true), {"type": "text", "text": "[Request interrupted by user]"}]),
            ),
            "toolUseResult",
            json!("Error: no"),
        ),
        user(
            "u5",
            5,
            json!([result("zz", json!("orphan"), false), result("a", json!("again"), false)]),
        ),
    ]);
    let all = root(&made);
    let states: Vec<_> = (1..4).map(|i| all[1]["parts"][i]["state"].clone()).collect();
    assert_eq!((&states[0]["status"], &states[0]["error"]), (&json!("error"), &json!("no")));
    assert_eq!(states[1]["error"], "the tool failed and did not say why");
    let said = "[Request interrupted by user]";
    assert_eq!(
        (&states[2]["error"], &states[2]["metadata"]["aborted"]),
        (&json!(said), &json!(true))
    );
    assert_eq!(all[1]["info"]["error"]["data"]["message"], said);
    assert_eq!(
        (&all[2]["parts"][0]["text"], &all[2]["parts"][1]["text"]),
        (&json!("orphan"), &json!("again"))
    );
    assert_eq!(made.problems.len(), 2);
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
}

#[test]
fn sidechains_are_sessions() {
    let side = |line: Value, parent: Value| {
        with(with(line, "isSidechain", json!(true)), "parentUuid", parent)
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let made = read_all(&[
        side(user("a1", 1, json!("task a")), json!(null)),
        user("u1", 0, json!("go")),
        side(user("b1", 1, json!("task b")), json!(null)),
        side(answer("a2", 2, "msg_a", json!("end_turn"), text("A")), json!("a1")),
        side(answer("b2", 2, "msg_b", json!("end_turn"), text("B")), json!("b1")),
        with(side(user("c1", 3, json!("task c")), json!("u1")), "agentId", json!("agent7")),
        with(
            side(answer("c2", 3, "msg_c", json!("end_turn"), text("C")), json!(null)),
            "agentId",
            json!("agent7"),
        ),
    ]);
    let seen: Vec<_> =
        made.sessions.iter().map(|s| (s.id.as_str(), s.parent_id.as_deref())).collect();
    assert_eq!(seen, [("S", None), ("a1", Some("S")), ("b1", Some("S")), ("agent7", Some("S"))]);
    for (session, said) in made.sessions[1..].iter().zip(["A", "B", "C"]) {
        let all = messages(session);
        assert_eq!(all.as_array().unwrap().len(), 2);
        assert_eq!(all[1]["parts"][1]["text"], said);
        assert_eq!(complaints(session, Ids::OpenCode), Vec::<String>::new());
    }
}

#[test]
fn compactions_errors_and_blocks_of_other_types() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "manual", "preTokens": 5}, "sessionId": "S", "uuid": "u1", "timestamp": "2025-03-01T10:00:01Z"});
    let summary = |uuid: &str| {
        with(user(uuid, 2, json!("This session is continued …")), "isCompactSummary", json!(true))
    };
    let odd =
        answer("u5", 5, "msg_1", json!("end_turn"), json!({"type": "odd", "id": "x", "deep": [1]}));
    let server = answer(
        "u6",
        6,
        "msg_1",
        json!("end_turn"),
        json!({"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"q": 1}}),
    );
    let found = answer(
        "u7",
        7,
        "msg_1",
        json!("end_turn"),
        json!({"type": "web_search_tool_result", "tool_use_id": "srv", "content": [{"type": "hit", "url": "u"}]}),
    );
    let failed = with(
        answer(
            "u8",
            8,
            "msg_2",
            json!("stop_sequence"),
            json!({"type": "text", "text": "API Error: 500"}),
        ),
        "isApiErrorMessage",
        json!(true),
    );
    let made = read_all(&[
        boundary,
        summary("u2"),
        summary("u3"),
        user(
            "u4",
            4,
            json!([{"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}]),
        ),
        odd,
        server,
        found,
        failed,
    ]);
    let all = root(&made);
    assert_eq!(all[0]["parts"][0]["auto"], false);
    assert_eq!(all[1]["parts"][0]["synthetic"], true);
    assert_eq!(
        (&all[2]["parts"][0]["type"], &all[2]["parts"][1]["type"]),
        (&json!("compaction"), &json!("text"))
    );
    assert_eq!(all[3]["parts"][0]["url"], "https://x/y.png");
    assert_eq!(all[4]["parts"][1]["type"], "claude-odd");
    assert_eq!(all[4]["parts"][1]["block"], json!({"type": "odd", "id": "x", "deep": [1]}));
    assert_eq!(all[4]["parts"][2]["state"]["output"], "{\"type\":\"hit\",\"url\":\"u\"}");
    assert_eq!(
        all[5]["info"]["error"],
        json!({"name": "APIError", "data": {"message": "API Error: 500", "isRetryable": false}})
    );
    // The first boundary of the two has no summary.
    let without_summary =
        "warning CP-3 at /0: this compaction has no summary that ended well: it hides nothing";
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), [without_summary]);
}

#[test]
fn lines_that_come_twice_count_once() {
    let mut lines = session();
    lines.extend(session());
    // Both are counted as lines of the format.
    let [twice, once] = [read_all(&lines), read_all(&session())];
    assert_eq!(LoadedSessions { records: once.records, ..twice }, once);
}

proptest! {
    #[test]
    fn lines_in_any_order_and_with_damage_can_be_read(
        order in Just((0..9usize).collect::<Vec<_>>()).prop_shuffle(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let lines = session();
        let lines: Vec<Value> = order.iter().map(|i| lines[*i].clone()).collect();
        let whole = read_all(&lines);
        assert_valid(&whole, Ids::OpenCode);
        assert_part_ids_ascend(&whole);
        let mut bytes = text_of(&lines).into_bytes();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for session in &made(Box::new(ClaudeCode::default()), &bytes).sessions {
            messages(session);
        }
    }
}

mod sessions;

#[test]
fn the_last_totals_of_the_program_are_those_of_the_session() {
    let usage = |input: u32, cost: f64| json!({"inputTokens": input, "outputTokens": 7, "cacheReadInputTokens": 3, "cacheCreationInputTokens": 2, "costUSD": cost});
    let state = |cost: f64, unknown: bool, models: Value| json!({"type": "cost-state", "sessionId": "S", "totalCostUSD": cost, "hasUnknownModelCost": unknown, "modelUsage": models});
    let facts = |states: &[Value]| {
        let lines: Vec<Value> = session().into_iter().chain(states.iter().cloned()).collect();
        let made = read_all(&lines);
        assert_eq!(problems(&made), problems(&read_all(&session())));
        // Messages keep their usage.
        assert_eq!(root(&made), root(&read_all(&session())));
        crate::tests::info(&made.sessions[0])
    };
    let two = json!({"a": usage(100, 0.5), "b": usage(50, 0.25)});
    let told =
        facts(&[state(0.1, false, json!({"a": usage(1, 0.1)})), state(0.75, false, two.clone())]);
    assert_eq!(told["cost"], 0.75);
    assert_eq!(
        told["tokens"],
        json!({"input": 150, "output": 14, "reasoning": 0, "cache": {"read": 6, "write": 4}})
    );
    assert_eq!(told["modelUsage"], two);
    // The last one counts, also where it is less.
    assert_eq!(
        facts(&[state(0.75, false, two.clone()), state(0.5, false, json!({"a": usage(1, 0.5)}))])["cost"],
        0.5
    );
    // A price that is not known.
    for state in [state(0.75, true, two.clone()), state(0.0, false, two)] {
        let told = facts(&[state]);
        assert_eq!((told.get("cost"), &told["tokens"]["input"]), (None, &json!(150)));
    }
    for odd in [json!(null), json!([]), json!("x")] {
        assert_eq!(facts(&[state(0.5, false, odd)]).get("tokens"), None);
    }
}
