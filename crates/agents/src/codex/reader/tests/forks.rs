//! Forks, what events say of calls, and texts that no message took.

use super::*;
use crate::session_kind::SessionKind;

/// A line at a time in milliseconds after the fork.
fn at(ms: u32, kind: &str, payload: Value) -> String {
    let (second, ms) = (ms / 1000, ms % 1000);
    json!({"timestamp": format!("2025-10-01T10:00:{second:02}.{ms:03}Z"), "type": kind, "payload": payload}).to_string() + "\n"
}
fn head(forked: Option<&str>) -> String {
    let mut payload = json!({"id": "kid", "timestamp": "2025-10-01T10:00:00.000Z", "cwd": "/w"});
    if let Some(parent) = forked {
        payload["forked_from_id"] = json!(parent);
    }
    at(0, "session_meta", payload)
}
/// A turn with its answer, and its tokens: those of the answer, if they are told, and all so far.
fn turn(ms: u32, end: u32, text: &str, last: Option<u32>, total: u32) -> String {
    let said = |role: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]});
    let counts = |n: u32| json!({"input_tokens": n, "output_tokens": n, "total_tokens": 2 * n});
    let mut info = json!({"total_token_usage": counts(total)});
    if let Some(last) = last {
        info["last_token_usage"] = counts(last);
    }
    [
        at(ms, "event_msg", json!({"type": "task_started", "turn_id": text})),
        at(ms, "turn_context", json!({"model": "m", "cwd": "/w"})),
        at(ms, "response_item", said("user", text)),
        at(end, "response_item", said("assistant", &text.to_uppercase())),
        at(end, "event_msg", json!({"type": "token_count", "info": info})),
    ]
    .concat()
}
fn texts(session: &crate::reader::LoadedSession) -> Vec<String> {
    let all = messages(session);
    let text = |m: &Value| {
        m["parts"].as_array().unwrap().iter().find_map(|p| p["text"].as_str().map(str::to_owned))
    };
    all.as_array().unwrap().iter().filter_map(text).collect()
}

#[test]
fn a_fork_begins_with_a_copy_of_its_parent() {
    let parent = at(0, "session_meta", json!({"id": "par", "timestamp": "2025-10-01T09:00:00Z"}));
    let own = turn(2_000, 6_000, "c", None, 70);
    for copy in [
        parent + &turn(0, 0, "a", Some(30), 30) + &turn(500, 900, "b", Some(20), 50),
        turn(0, 0, "a", Some(30), 30) + &turn(0, 0, "b", None, 50),
    ] {
        let made = read_all(&(head(Some("par")) + &copy + &own));
        let ids: Vec<_> =
            made.sessions.iter().map(|s| (s.id.as_str(), s.parent_id.as_deref())).collect();
        assert_eq!(ids, [("kid", Some("par")), ("kid/replay", Some("kid"))]);
        assert_eq!(made.sessions[1].kind, Some(SessionKind::Replay));
        assert_eq!(
            (texts(&made.sessions[0]), texts(&made.sessions[1])),
            (vec!["c".into(), "C".into()], vec!["a".into(), "A".into(), "b".into(), "B".into()])
        );
        // Only what the total has grown by since the copy.
        assert_eq!(messages(&made.sessions[0])[1]["info"]["tokens"]["input"], 20);
    }
}

#[test]
fn a_turn_that_goes_on_after_the_fork_is_its_own() {
    let file =
        head(Some("par")) + &turn(0, 0, "a", Some(1), 1) + &turn(300, 4_000, "b", Some(1), 2);
    let made = read_all(&file);
    assert_eq!(texts(&made.sessions[0]), ["b", "B"]);
    assert_eq!(texts(&made.sessions[1]), ["a", "A"]);
    // A session that is no fork, and a fork without a copy, have no replay.
    for head in [head(None), head(Some("par"))] {
        let made = read_all(&(head + &turn(0, 4_000, "a", Some(1), 1)));
        assert_eq!(
            (made.sessions.len(), texts(&made.sessions[0])),
            (1, vec!["a".to_owned(), "A".to_owned()])
        );
    }
    // A fork that nothing was said in yet.
    let made = read_all(&(head(Some("par")) + &turn(0, 0, "a", Some(1), 1)));
    assert_eq!((texts(&made.sessions[0]).len(), texts(&made.sessions[1]).len()), (0, 2));
}

#[test]
fn tools_of_servers_say_that_they_failed() {
    let end = |result: Value| {
        event(3, json!({"type": "mcp_tool_call_end", "call_id": "c", "result": result}))
    };
    let state = |before: &str, after: &str| {
        let file = meta()
            + &said(1, "user", "go")
            + &call(2, "c")
            + before
            + &output(4, "c", json!("not found"))
            + after;
        shown(&file)[1]["parts"][1]["state"].clone()
    };
    for flag in ["isError", "is_error"] {
        let end = end(json!({"Ok": {"content": [], flag: true}}));
        for state in [state(&end, ""), state("", &end)] {
            assert_eq!(
                (&state["status"], &state["metadata"]["isError"]),
                (&json!("completed"), &json!(true))
            );
        }
    }
    let state_of_error = state(&end(json!({"Err": "no server"})), "");
    assert_eq!(
        (&state_of_error["status"], &state_of_error["error"]),
        (&json!("error"), &json!("not found"))
    );
    let passed = state(&end(json!({"Ok": {"content": [], "isError": false}})), "");
    assert_eq!(passed["metadata"], json!({}));
}

#[test]
fn an_output_that_says_aborted_and_nothing_else() {
    let state = |text: &str| {
        let file = meta() + &said(1, "user", "go") + &call(2, "c") + &output(4, "c", json!(text));
        shown(&file)[1]["parts"][1]["state"].clone()
    };
    let aborted = state("aborted by user after 5.0s");
    assert_eq!(
        (&aborted["status"], &aborted["metadata"]["aborted"]),
        (&json!("error"), &json!(true))
    );
    for text in
        ["line: aborted by user after 5.0s\nok", "aborted by user after lunch", "aborted by user"]
    {
        assert_eq!(state(text)["status"], "completed", "{text}");
    }
}

#[test]
fn what_agents_and_programs_say_is_kept() {
    let agent = item(
        2,
        json!({"type": "agent_message", "author": "/root/a", "recipient": "/root", "content": [{"type": "input_text", "text": "from a"}]}),
    );
    let file = meta()
        + &said(1, "user", "go")
        + &agent
        + &said(3, "assistant", "Done")
        + &said(4, "developer", "be brief")
        + &said(5, "system", "and kind");
    let all = shown(&file);
    let texts: Vec<_> = all
        .iter()
        .map(|m| {
            let parts = m["parts"].as_array().unwrap();
            let part = parts.iter().find(|part| part["type"] == "text").unwrap();
            (
                m["info"]["role"].as_str().unwrap(),
                part["text"].as_str().unwrap(),
                part["synthetic"] == true,
            )
        })
        .collect();
    let expected = [
        ("user", "go", false),
        ("user", "from a", true),
        ("assistant", "Done", false),
        ("user", "be brief\n\nand kind", true),
    ];
    assert_eq!(texts, expected);
}

/// The first line of a file that copies nothing, and only says what it was forked from.
fn uncopied(more: &Value) -> String {
    let mut payload = json!({"id": "kid", "timestamp": "2025-10-01T10:00:00.000Z", "cwd": "/w"});
    for (name, value) in more.as_object().unwrap() {
        payload[name] = value.clone();
    }
    at(0, "session_meta", payload)
}

#[test]
fn where_nothing_is_copied_all_records_are_of_the_fork() {
    let base = json!({"thread_id": "par", "end_ordinal_exclusive": 9});
    for more in [
        json!({"forked_from_id": "par", "history_mode": "paginated"}),
        json!({"forked_from_id": "par", "history_base": base}),
    ] {
        // All of it within a tenth of a second.
        let made = read_all(&(uncopied(&more) + &turn(20, 90, "a", Some(1), 1)));
        assert_eq!(made.sessions.len(), 1, "{more}");
        assert_eq!(texts(&made.sessions[0]), ["a", "A"]);
        let session = info(&made.sessions[0]);
        assert_eq!(
            (&session["parentID"], &session["forkOf"]),
            (&json!("par"), &json!("par")),
            "{more}"
        );
        assert_eq!(problems(&made), Vec::<String>::new());
    }
}

#[test]
fn who_started_a_session_goes_before_what_it_was_forked_from() {
    let more = json!({"forked_from_id": "old", "parent_thread_id": "par"});
    let made = read_all(&(uncopied(&more) + &turn(0, 4_000, "a", Some(1), 1)));
    let session = info(&made.sessions[0]);
    assert_eq!((&session["parentID"], session.get("forkOf")), (&json!("par"), None));
}

#[test]
fn a_later_file_of_a_thread_says_where_it_begins() {
    let of = |thread: &str| {
        let base = json!({"thread_id": thread, "end_ordinal_exclusive": 12});
        let made =
            read_all(&(uncopied(&json!({"history_base": base})) + &turn(0, 9, "a", None, 1)));
        assert_eq!(texts(&made.sessions[0]), ["a", "A"]);
        problems(&made)
    };
    let said = "this file begins after ordinal 12 of kid: open the folder for what came before";
    assert!(of("kid").iter().any(|problem| problem.ends_with(said)), "{:?}", of("kid"));
    assert_eq!(of("another"), Vec::<String>::new());
}
