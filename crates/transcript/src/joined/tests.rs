use super::*;
use crate::{Env, TranscriptOptions};
use serde_json::{Value, json};

fn line(second: u32, ordinal: u32, kind: &str, payload: &Value) -> String {
    let at = format!("2026-01-01T00:00:{second:02}.000Z");
    json!({"timestamp": at, "ordinal": ordinal, "type": kind, "payload": payload}).to_string()
        + "\n"
}
fn meta(second: u32, id: &str, more: &Value) -> String {
    let mut payload = json!({"id": id, "timestamp": format!("2026-01-01T00:00:{second:02}.000Z"),
        "cwd": "/w", "cli_version": "0.171.0"});
    for (name, value) in more.as_object().unwrap() {
        payload[name] = value.clone();
    }
    line(second, 0, "session_meta", &payload)
}
fn said(second: u32, ordinal: u32, role: &str, text: &str) -> String {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    let content = json!([{"type": kind, "text": text}]);
    let item = json!({"type": "message", "role": role, "content": content});
    line(second, ordinal, "response_item", &item)
}
fn used(second: u32, input: u32) -> String {
    let count = json!({"input_tokens": input, "output_tokens": 1, "total_tokens": input + 1});
    let info = json!({"last_token_usage": count, "total_token_usage": count});
    line(second, 99, "event_msg", &json!({"type": "token_count", "info": info}))
}
fn counted<T>(run: impl FnOnce(&mut Env<'_>) -> T) -> T {
    let mut count = 0;
    let mut new_id = || {
        count += 1;
        format!("0198c3f0-8d5e-7cc1-b5d1-{count:012}")
    };
    run(&mut Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id })
}
fn joined(files: &[(&str, &str)]) -> Result<Transcript, Error> {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    counted(|env| {
        let mut open = |of: &[usize]| {
            let mut t = Transcript::new(TranscriptOptions::default());
            for index in of {
                t.push(files[*index].1, env)?;
                t.push(b"\n", env)?;
            }
            t.end(env)?;
            Ok(t)
        };
        Transcript::open_files(&files, &mut open)
    })
}
/// The first text of each message of each session, by the id of the session.
fn texts(t: &Transcript) -> Vec<(String, Vec<String>)> {
    let of = |session: crate::Session| {
        let (place, _) = t.session_place(Some(&session.id)).unwrap();
        let messages = t.session_messages(place);
        let text = |bytes: &[u8]| {
            let message: Value = serde_json::from_slice(bytes).unwrap();
            let parts = message["parts"].as_array().unwrap();
            let text = parts.iter().find_map(|part| part["text"].as_str());
            text.unwrap_or_default().to_owned()
        };
        let all = (0..messages.count()).map(|i| text(&messages.json(i).unwrap().unwrap()));
        (session.id.clone(), all.collect())
    };
    t.sessions().into_iter().map(of).collect()
}

#[test]
fn a_thread_that_was_taken_back_is_one_session_with_a_branch() {
    let first = meta(0, "a", &json!({}))
        + &said(1, 1, "user", "one")
        + &said(2, 2, "assistant", "One.")
        + &said(3, 3, "user", "two")
        + &said(4, 4, "assistant", "Two, wrong.");
    let base = json!({"history_mode": "paginated",
        "history_base": {"thread_id": "a", "end_ordinal_exclusive": 3}});
    let later =
        meta(20, "a", &base) + &said(21, 4, "user", "three") + &said(22, 5, "assistant", "Three.");
    let own = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    for files in
        [[("1.jsonl", &*first), ("2.jsonl", &*later)], [("2.jsonl", &*later), ("1.jsonl", &*first)]]
    {
        let t = joined(&files).unwrap();
        assert_eq!(
            texts(&t),
            [
                ("a".to_owned(), own(&["one", "One.", "three", "Three."])),
                ("a/branch-1".to_owned(), own(&["two", "Two, wrong."])),
            ]
        );
        assert_eq!(t.sessions()[1].kind, SessionKind::Branch);
        assert_eq!(t.problems(), []);
        assert_eq!(t.stats().messages, 6);
    }
    // The last line of a file may have no end.
    let cut = first.trim_end();
    assert_eq!(joined(&[("1.jsonl", cut), ("2.jsonl", &later)]).unwrap().stats().messages, 6);
}

#[test]
fn sub_agents_are_sessions_of_the_run() {
    let root = meta(0, "a", &json!({}))
        + &said(1, 1, "user", "Go")
        + &said(2, 2, "assistant", "Done.")
        + &used(2, 100);
    let child = meta(3, "b", &json!({"parent_thread_id": "a"}))
        + &said(4, 1, "user", "Count")
        + &said(5, 2, "assistant", "Five.")
        + &used(5, 40);
    let deeper = meta(4, "c", &json!({"parent_thread_id": "b"})) + &said(4, 1, "user", "Deeper");
    let files = [("3.jsonl", &*deeper), ("2.jsonl", &*child), ("1.jsonl", &*root)];
    let t = joined(&files).unwrap();
    let sessions: Vec<_> = t.sessions().into_iter().map(|s| (s.id, s.parent_id, s.kind)).collect();
    let id = |id: &str| Some(id.to_owned());
    assert_eq!(
        sessions,
        [
            ("a".to_owned(), None, SessionKind::Main),
            ("b".to_owned(), id("a"), SessionKind::Task),
            ("c".to_owned(), id("b"), SessionKind::Task),
        ]
    );
    let stats = t.stats();
    assert_eq!((stats.messages, stats.tokens.input), (5, 140.0));
    assert_eq!(t.stats_of("b").unwrap().unwrap().tokens.input, 40.0);
}

#[test]
fn the_total_of_a_session_counts_its_sub_agents() {
    let line = |agent: Option<&str>, id: &str, text: &str| {
        let mut line = json!({"type": "assistant", "uuid": id, "parentUuid": null, "sessionId": "s",
            "timestamp": "2026-01-01T00:00:01.000Z", "cwd": "/w", "version": "2.1.332",
            "message": {"id": id, "type": "message", "role": "assistant", "model": "m",
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 10, "output_tokens": 5}}});
        if let Some(agent) = agent {
            line["agentId"] = json!(agent);
            line["isSidechain"] = json!(true);
        }
        format!("{line}\n")
    };
    let usage = json!({"m": {"inputTokens": 30, "outputTokens": 15, "costUSD": 0.5}});
    let state =
        json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": 0.5, "modelUsage": usage});
    let main = line(None, "m1", "Main.");
    let agent = line(Some("a7"), "m2", "Agent.");
    let about = r#"{"agentType":"explorer","description":"Look around"}"#;
    let of = |main: &str| {
        let files = [
            ("s/subagents/agent-a7.meta.json", about),
            ("s/subagents/agent-a7.jsonl", &agent),
            ("s.jsonl", main),
        ];
        joined(&files).unwrap()
    };
    let t = of(&(main.clone() + &state.to_string() + "\n"));
    let stats = t.stats();
    assert_eq!(
        (stats.messages, stats.cost, stats.tokens.input, stats.tokens.output),
        (2, 0.5, 30.0, 15.0)
    );
    let session = t.sessions().into_iter().nth(1).unwrap();
    assert_eq!((session.id.as_str(), session.title.as_deref()), ("a7", Some("Look around")));
    let info: Value = serde_json::from_slice(t.session_info("a7").unwrap()).unwrap();
    assert_eq!((&info["title"], &info["agent"]), (&json!("Look around"), &json!("explorer")));
    // Without a total the sums of both count.
    assert_eq!(of(&main).stats().tokens.input, 20.0);
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let refused = |files: &[(&str, &str)]| joined(files).unwrap_err().to_string();
    let [a, b] = ["a", "b"].map(|id| meta(0, id, &json!({})) + &said(1, 1, "user", "x"));
    assert_eq!(
        refused(&[("1.jsonl", &a), ("2.jsonl", &b)]),
        "these are the files of 2 runs, as 1.jsonl and 2.jsonl: open each run by itself (schema)"
    );
    assert_eq!(refused(&[]), "there is no file of a session (schema)");
    assert_eq!(
        refused(&[("s/subagents/agent-1.meta.json", "{}")]),
        "there is no file of a session (schema)"
    );
    assert!(joined(&[("x.jsonl", "not a transcript")]).is_err());
}

#[test]
fn a_damaged_file_of_a_sub_agent_is_a_problem_of_the_run() {
    let root = meta(0, "a", &json!({})) + &said(1, 1, "user", "Go");
    let head = meta(3, "b", &json!({"parent_thread_id": "a"}));
    let said_of = |t: &Transcript| t.problems().into_iter().map(|p| p.message).collect::<Vec<_>>();
    let damaged = head.clone() + "{\"type\": nonsense}\n" + &said(4, 1, "user", "Count");
    let t = joined(&[("1.jsonl", &root), ("2.jsonl", &damaged)]).unwrap();
    assert_eq!(t.sessions().len(), 2);
    assert!(
        said_of(&t).iter().any(|message| message.starts_with("2.jsonl: ")),
        "{:?}",
        said_of(&t)
    );
    let t = joined(&[("1.jsonl", &root), ("2.jsonl", &head)]).unwrap();
    assert_eq!(t.stats().messages, 1);
}

#[test]
fn a_field_is_added_to_an_object_that_lacks_it() {
    let of = |json: &str, text| String::from_utf8(with_field(json.into(), "a", text)).unwrap();
    assert_eq!(of("{}", Some("x\"")), r#"{"a":"x\""}"#);
    assert_eq!(of(r#"{"b":1} "#, Some("x")), r#"{"b":1,"a":"x"}"#);
    assert_eq!(of(r#"{"a":1}"#, Some("x")), r#"{"a":1}"#);
    for (json, text) in [("{}", None), ("[]", Some("x")), ("{", Some("x"))] {
        assert_eq!(of(json, text), json);
    }
}
