use super::*;
use crate::{Env, SessionKind, Summarizer, TranscriptOptions};
use serde_json::{Value, json};

const MADE_UP: f64 = 1_700_000_000_000.0;

fn open(text: &str) -> Transcript {
    open_in_pieces(text, usize::MAX)
}
fn open_in_pieces(text: &str, size: usize) -> Transcript {
    let mut new_id = || "0198c3f0-8d5e-7cc1-b5d1-000000000001".to_owned();
    let env = &mut Env { now_ms: MADE_UP, new_id: &mut new_id };
    let mut t = Transcript::new(TranscriptOptions::default());
    text.as_bytes().chunks(size.min(text.len())).for_each(|piece| t.push(piece, env).unwrap());
    t.end(env).unwrap();
    t
}
fn message(id: &str, session: &str, role: &str, text: &str) -> Value {
    let info = json!({"id": id, "sessionID": session, "role": role,
        "time": {"created": 1, "completed": 2}});
    let part = json!({"id": format!("p-{id}"), "messageID": id, "sessionID": session,
        "type": "text", "text": text});
    json!({"info": info, "parts": [part]})
}
/// A copy with this note.
fn copy(note: &Value, messages: &[Value]) -> String {
    let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
    let list = format!("[{}]", texts.join(","));
    list.replacen(r#"{"info":{"#, &format!(r#"{{"info":{{"apexTranscript":{note},"#), 1)
}
fn ended(t: &Transcript, session: Option<&str>) -> String {
    let mut summarizer = session.map_or_else(Summarizer::default, Summarizer::of_session);
    t.summarize(&mut summarizer, usize::MAX).unwrap();
    t.summary(&summarizer).ended.map(|ended| ended.how).unwrap_or_default()
}

#[test]
fn a_copy_is_read_as_its_note_says() {
    let note = json!({"ids": "opencode", "format": "claude-code", "sessions": [
        {"id": "s", "kind": "main", "title": "The task", "messages": 2, "last": "m2",
         "tokens": {"input": 5, "output": 6, "reasoning": 7, "cache": {"read": 8, "write": 9}},
         "cost": 0.25, "info": {"version": "2.1"}},
        {"id": "t", "kind": "task", "parentID": "s", "agent": "explore", "file": "agent-t.jsonl",
         "messages": 1, "last": "m3"},
    ]});
    let messages = [
        message("m1", "s", "user", "do it"),
        message("m2", "s", "assistant", "done"),
        message("m3", "t", "user", "look"),
    ];
    let text = copy(&note, &messages);
    for size in [1, 7, 300, usize::MAX] {
        let t = open_in_pieces(&text, size);
        assert!(t.problems().iter().all(|found| found.rule != "BR-04"), "{size}");
        assert_eq!(t.format(), Some(Format::WithParts));
        let sessions = t.sessions();
        let ids: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
        assert_eq!(ids, ["s", "t"]);
        assert_eq!(sessions[0].title.as_deref(), Some("The task"));
        let child = (sessions[1].kind, sessions[1].parent_id.as_deref());
        assert_eq!(child, (SessionKind::Task, Some("s")));
        let child = (sessions[1].agent.as_deref(), sessions[1].file.as_deref());
        assert_eq!(child, (Some("explore"), Some("agent-t.jsonl")));
        assert_eq!(t.message_count(), 2);
        let stats = t.stats();
        assert_eq!((stats.messages, stats.tokens.cache.write), (3, 9.0));
        assert!((stats.cost - 0.25).abs() < 1e-9);
        assert_eq!(t.session(), Some(&br#"{"version":"2.1"}"#[..]));
        let first: Value = serde_json::from_slice(&t.message(0).unwrap().unwrap()).unwrap();
        assert_eq!(first, messages[0]);
        // The copy of a copy has the same note.
        let again: Value = serde_json::from_str(&t.copy_note(None).unwrap().unwrap()).unwrap();
        assert_eq!(again, note);
    }
}

#[test]
fn the_end_holds_while_the_last_message_is_the_last() {
    let messages = [message("m1", "s", "user", "do it"), message("m2", "s", "assistant", "done")];
    let note = |last: &str| json!({"cut": true, "sessions": [{"id": "s", "last": last}]});
    assert_eq!(ended(&open(&copy(&note("m2"), &messages)), None), "cut");
    assert_eq!(ended(&open(&copy(&note("m2"), &messages)), Some("s")), "cut");
    assert_eq!(ended(&open(&copy(&note("m9"), &messages)), None), "finished");
    let status = json!({"format": "swe-agent", "sessions": [
        {"id": "s", "last": "m2", "info": {"exitStatus": "exit_cost"}}]});
    assert_eq!(ended(&open(&copy(&status, &messages)), None), "cut");
    let more = [&messages[..], &[message("m3", "s", "assistant", "more")]].concat();
    assert_eq!(ended(&open(&copy(&status, &more)), None), "finished");
}

#[test]
fn other_messages_than_noted_are_of_the_sessions_that_they_name() {
    let note = json!({"sessions": [{"id": "s", "messages": 5}, {"id": "t", "messages": 1}]});
    let messages = [
        message("m1", "s", "user", "a"),
        message("m2", "t", "user", "b"),
        message("m3", "x", "user", "c"),
    ];
    let t = open(&copy(&note, &messages));
    let count = |id: &str| t.messages_of(id).unwrap().len();
    assert_eq!((count("s"), count("t")), (1, 2));
}

#[test]
fn a_time_that_was_made_up_is_none_of_the_copy() {
    let messages = [message("m1", "s", "user", "do it")];
    let mut made_up = messages.clone();
    made_up[0]["info"]["time"] = json!({"created": MADE_UP + 5.0});
    let note = json!({"madeUp": MADE_UP + 5.0, "sessions": [{"id": "s"}]});
    assert_eq!(open(&copy(&note, &made_up)).stats().start, None);
    let note = json!({"sessions": [{"id": "s"}]});
    assert_eq!(open(&copy(&note, &made_up)).stats().start, Some(MADE_UP + 5.0));
}

#[test]
fn messages_that_say_it_all_need_no_note() {
    let message = message("m1", "s", "user", "do it");
    let t = open(&json!([message]).to_string());
    assert_eq!(t.copy_note(None).unwrap(), None);
    let export = json!({"info": {"id": "s", "title": "T"}, "messages": [message]}).to_string();
    let note = open(&export).copy_note(None).unwrap().unwrap();
    let expected = json!({"ids": "opencode", "format": "opencode-export", "sessions": [
        {"id": "s", "kind": "main", "title": "T", "messages": 1, "last": "m1", "info": {"id": "s", "title": "T"}}]});
    assert_eq!(serde_json::from_str::<Value>(&note).unwrap(), expected);
}

#[test]
fn an_export_has_its_note_in_its_session() {
    let message = message("m1", "s", "user", "do it");
    let answer = json!({"info": {"id": "m2", "sessionID": "s", "role": "assistant",
        "time": {"created": 1, "completed": 2}}, "parts": []});
    let note = json!({"cut": true, "ids": "opencode", "sessions": [{"id": "s", "last": "m2"}]});
    let info = format!(r#"{{"apexTranscript":{note},"id":"s","title":"T"}}"#);
    let t = open(&format!(r#"{{"info":{info},"messages":[{message},{answer}]}}"#));
    assert_eq!(t.format(), Some(Format::OpenCodeExport));
    assert_eq!(t.session(), Some(&br#"{"id":"s","title":"T"}"#[..]));
    assert_eq!(ended(&t, None), "cut");
}

#[test]
fn a_note_of_anything_is_read_as_far_as_it_is_one() {
    let messages = [message("m1", "s", "user", "do it")];
    let notes = [
        json!(null),
        json!("x"),
        json!([1]),
        json!({}),
        json!({"ids": 5, "format": "no-format", "sessions": {"id": "s"}}),
        json!({"sessions": [1, null, {"id": 7, "kind": "x", "messages": -1, "tokens": []}]}),
        json!({"sessions": [{"id": "s", "messages": 1e300}, {"id": "s", "messages": 1e300}]}),
        json!({"sessions": [{"id": "s", "info": [], "cost": "x", "last": {}}], "madeUp": "x"}),
    ];
    for note in notes {
        let t = open(&copy(&note, &messages));
        assert_eq!(t.stats().messages, 1, "{note}");
        let text = t.copy_note(None).unwrap();
        text.iter().for_each(|text| drop(serde_json::from_str::<Value>(text).unwrap()));
    }
}

#[test]
fn what_is_no_message_of_a_copy_is_a_problem() {
    let note = json!({"sessions": [{"id": "s"}]});
    let text = copy(&note, &[message("m1", "s", "user", "do it"), json!({"role": "user"})]);
    let problems = open(&text).problems();
    let lost = problems.iter().find(|found| found.offset.is_some()).unwrap();
    assert_eq!(lost.rule, "schema");
    assert!(lost.message.starts_with("expected a message"), "{}", lost.message);
}
