// Tests may cut where they like.
#![allow(clippy::string_slice)]

use super::*;
use crate::formats::reading::{assert_valid, made, messages, problems, root};
use apex_parts_fixtures::recorded;
use apex_parts_validate::Ids;
use proptest::prelude::*;
use serde_json::{Value, json};

fn replayed(text: &str) -> LoadedSessions {
    made(Box::new(OpenCodeEvents::default()), text.as_bytes())
}
fn lines(events: &[Value]) -> String {
    events.iter().map(|e| format!("{e}\n")).collect()
}
fn event(kind: &str, properties: Value) -> Value {
    json!({"type": kind, "properties": properties})
}
fn info(id: &str, created: u64) -> Value {
    event(
        "message.updated",
        json!({"info": {"id": id, "sessionID": "s", "role": "user", "time": {"created": created}}}),
    )
}
fn part(message: &str, id: &str, text: &str) -> Value {
    event(
        "message.part.updated",
        json!({"part": {"id": id, "sessionID": "s", "messageID": message, "type": "text", "text": text}}),
    )
}
fn delta(message: &str, id: &str, field: &str, text: &str) -> Value {
    event(
        "message.part.delta",
        json!({"sessionID": "s", "messageID": message, "partID": id, "field": field, "delta": text}),
    )
}
/// The parts of the first message.
fn parts(events: &[Value]) -> Value {
    root(&replayed(&lines(events)))[0]["parts"].clone()
}

#[test]
fn recorded_events_give_their_exports() {
    for (file, events) in recorded::files("opencode", |name| name.ends_with(".events.sse")) {
        let name = file.strip_suffix(".events.sse").unwrap();
        let export = recorded::file("opencode", &format!("{name}.export.json"));
        let export: Value = serde_json::from_slice(&export).unwrap();
        let made = replayed(&String::from_utf8(events).unwrap());
        assert_eq!(problems(&made), Vec::<String>::new(), "{name}");
        assert_eq!(root(&made), export["messages"], "{name}");
        let session = &made.sessions[0];
        assert_eq!(json!(session.id), export["info"]["id"]);
        assert_eq!(json!(session.title), export["info"]["title"]);
        let of_session: Value = serde_json::from_slice(session.info.as_ref().unwrap()).unwrap();
        assert_eq!(of_session, export["info"], "{name}");
        assert_eq!(made.sessions.len(), if name == "subtask" { 2 } else { 1 });
        for child in &made.sessions[1..] {
            assert_eq!(child.parent_id.as_ref(), Some(&session.id));
            assert!(messages(child).as_array().unwrap().len() > 1);
        }
        assert_valid(&made, Ids::OpenCode);
    }
}

#[test]
fn deltas_are_added_and_whole_parts_replace() {
    let rows = [
        info("m", 1),
        part("m", "p", "a\""),
        delta("m", "p", "text", "b\n\\"),
        delta("m", "p", "text", "ü€"),
    ];
    assert_eq!(parts(&rows)[0]["text"], "a\"b\n\\ü€");
    let mut more = rows.to_vec();
    more.push(part("m", "p", "whole"));
    more.push(delta("m", "p", "text", "!"));
    assert_eq!(parts(&more)[0]["text"], "whole!");
    // An old server: the delta beside the whole part is in it.
    let mut old = part("m", "p", "abc");
    old["properties"]["delta"] = json!("c");
    assert_eq!(parts(&[info("m", 1), old])[0]["text"], "abc");
}

#[test]
fn halves_of_surrogate_pairs_join() {
    let text = lines(&[info("m", 1), part("m", "p", "")])
        + r#"{"type":"message.part.delta","properties":{"messageID":"m","partID":"p","field":"text","delta":"\ud83d"}}
{"type":"message.part.delta","properties":{"messageID":"m","partID":"p","field":"text","delta":"\ude00"}}
"#;
    assert_eq!(root(&replayed(&text))[0]["parts"][0]["text"], "😀");
}

#[test]
fn fields_that_are_missing_null_nested_or_taken() {
    let tool = event(
        "message.part.updated",
        json!({"part": {"id": "p", "messageID": "m", "sessionID": "s", "type": "tool", "state": {"raw": "{", "input": {}}, "n": null, "k": 7, "empty": {}}}),
    );
    let made = replayed(&lines(&[
        info("m", 1),
        tool,
        delta("m", "p", "state.raw", "\"a\""),
        delta("m", "p", "new", "x"),
        delta("m", "p", "new2", "y"),
        delta("m", "p", "n", "z"),
        delta("m", "p", "empty.a", "1"),
        delta("m", "p", "empty.b", "2"),
        delta("m", "p", "k", "lost"),
        delta("m", "p", "__proto__", "p"),
    ]));
    let tool = &root(&made)[0]["parts"][0];
    assert_eq!(tool["state"]["raw"], "{\"a\"");
    assert_eq!((&tool["new"], &tool["new2"], &tool["n"]), (&json!("x"), &json!("y"), &json!("z")));
    assert_eq!(tool["empty"], json!({"a": "1", "b": "2"}));
    assert_eq!((&tool["k"], &tool["__proto__"]), (&json!(7), &json!("p")));
    assert_eq!(made.problems.len(), 1);
    assert!(made.problems[0].message.contains("deltas for `k`, which is no text"));
}

#[test]
fn the_order_is_that_of_an_export() {
    let ids = |n: u32| format!("msg_{n:012x}abcdefghijABCD");
    let made = replayed(&lines(&[info(&ids(3), 5), info(&ids(2), 5), info(&ids(9), 4)]));
    let order: Vec<_> =
        root(&made).as_array().unwrap().iter().map(|m| m["info"]["id"].clone()).collect();
    assert_eq!(order, [ids(9), ids(2), ids(3)]);
    // Ids of others say nothing of the order.
    let made = replayed(&lines(&[info("m10", 5), info("m9", 5)]));
    assert_eq!(root(&made)[0]["info"]["id"], "m10");
    let rows = parts(&[info("m", 1), part("m", "p2", "a"), part("m", "p1", "b")]);
    assert_eq!((&rows[0]["id"], &rows[1]["id"]), (&json!("p2"), &json!("p1")));
    let id = |n: u32| format!("prt_{n:012x}abcdefghijABCD");
    let rows = parts(&[info("m", 1), part("m", &id(2), "a"), part("m", &id(1), "b")]);
    assert_eq!(rows[0]["id"], id(1));
}

#[test]
fn what_is_removed_is_gone() {
    let removed = event("message.removed", json!({"sessionID": "s", "messageID": "m"}));
    let made = replayed(&lines(&[
        info("m", 1),
        part("m", "p", "a"),
        removed.clone(),
        part("m", "p", "late"),
        delta("m", "p", "text", "late"),
    ]));
    assert_eq!((made.sessions, made.problems), (vec![], vec![]));
    let made = replayed(&lines(&[
        part("m", "p", "a"),
        event("message.part.removed", json!({"messageID": "m", "partID": "p"})),
    ]));
    assert_eq!((made.sessions, made.problems), (vec![], vec![]));
    let again = [info("m", 1), part("m", "p", "a"), removed, info("m", 1), part("m", "p", "b")];
    assert_eq!(parts(&again)[0]["text"], "b");
    let gone = event("message.part.removed", json!({"messageID": "m", "partID": "p"}));
    let rows = [
        info("m", 1),
        part("m", "p", "a"),
        part("m", "q", "b"),
        gone,
        delta("m", "p", "text", "late"),
    ];
    assert_eq!(parts(&rows).as_array().unwrap().len(), 1);
    let created = event("session.created", json!({"info": {"id": "s"}}));
    let deleted = event("session.deleted", json!({"info": {"id": "s"}}));
    let rows = [created.clone(), info("m", 1), deleted.clone(), info("m2", 1)];
    assert_eq!(replayed(&lines(&rows)).sessions, []);
    let rows = [created.clone(), info("m", 1), deleted, created, info("m2", 2)];
    let made = replayed(&lines(&rows));
    assert_eq!(root(&made).as_array().unwrap().len(), 1);
    assert_eq!(root(&made)[0]["info"]["id"], "m2");
}

#[test]
fn the_root_comes_first() {
    let session = |id: &str, parent: Option<&str>| {
        let mut info = json!({"id": id, "title": format!("T {id}")});
        if let Some(parent) = parent {
            info["parentID"] = json!(parent);
        }
        event("session.updated", json!({"info": info}))
    };
    let made = replayed(&lines(&[
        session("c", Some("s")),
        session("x", None),
        session("s", None),
        info("m", 1),
    ]));
    let seen: Vec<_> =
        made.sessions.iter().map(|s| (s.id.as_str(), s.parent_id.as_deref())).collect();
    assert_eq!(seen, [("s", None), ("c", Some("s")), ("x", None)]);
    assert_eq!(made.sessions[0].title.as_deref(), Some("T s"));
}

#[test]
fn rows_of_wrapped_deltas() {
    let mut text = lines(&[info("m", 1), part("m", "p", "")]);
    for i in 0..5 {
        let mut one = delta("m", "p", "text", &i.to_string());
        one["id"] = json!(format!("e{i}"));
        text += &lines(&[json!({"directory": "/d", "payload": one})]);
    }
    assert_eq!(root(&replayed(&text))[0]["parts"][0]["text"], "01234");
}

#[test]
fn other_shapes_of_the_same_event() {
    let wrapped = json!({"directory": "/d", "payload": info("m", 1)});
    let turned = r#"{"properties":{"part":{"messageID":"m","id":"p","type":"text","text":"a"}},"id":"e","type":"message.part.updated"}"#;
    let escaped = r#"{"ty\u0070e":"message.part.delta","properties":{"messageID":"\u006d","partID":"p","f\u0069eld":"text","delta":"b"}}"#;
    let made = replayed(&format!("{wrapped}\n{turned}\n{escaped}\n"));
    assert_eq!(root(&made)[0]["parts"][0]["text"], "ab");
    assert_eq!(problems(&made), Vec::<String>::new());
}

#[test]
fn what_is_wrong_has_its_place_and_what_can_be_kept_is() {
    let text = lines(&[delta("m", "p", "text", "a"), part("m", "q", "b")])
        + "{\"type\":\"message.updated\",\"properties\":{\"info\":{}}}\n[1]\n{]\n{\"a\":1}\n{\"type\":1}\n{\"type\":\"x\"} y\n";
    let at = |what: &str| text.find(what).unwrap();
    let made = replayed(&text);
    let message = &root(&made)[0];
    assert_eq!(message["parts"][0]["text"], "a");
    assert_eq!(message["parts"][1]["text"], "b");
    assert_eq!(message["info"]["id"], "m");
    assert_valid(&made, Ids::OpenCode);
    let found = problems(&made);
    assert_eq!(found.len(), 8, "{found:#?}");
    assert!(
        found[0].starts_with("events 0: parts of a message")
            || found[1].starts_with("events 0: parts of a message")
    );
    assert!(found[2].starts_with(&format!(
        "events {}: an event that does not name",
        at("{\"type\":\"message.updated\"")
    )));
    // An array is a stream of its elements.
    assert_eq!(found[3], format!("events {}: a record is an object; skipped", at("[1]") + 1));
    assert!(found[4].starts_with(&format!("json {}: ", at("{]") + 1)));
    assert!(found[5].contains("without `type`"));
}

#[test]
fn a_part_may_come_before_its_message() {
    let made = replayed(&lines(&[part("m", "p", "a"), info("m", 1)]));
    assert_eq!(root(&made)[0]["parts"][0]["text"], "a");
    assert_eq!(problems(&made), Vec::<String>::new());
}

#[test]
fn the_newer_family_alone_is_a_problem() {
    let next = event("session.next.text.delta", json!({"delta": "a"}));
    let made = replayed(&lines(&[event("server.connected", json!({})), next.clone()]));
    assert_eq!(made.sessions, []);
    assert!(problems(&made)[0].contains("session.next.*"));
    assert_eq!(problems(&replayed(&lines(&[next, info("m", 1)]))), Vec::<String>::new());
}

#[test]
fn problems_have_a_limit() {
    let made = replayed(&"{\"type\":1}\n".repeat(20_000));
    assert_eq!(made.problems.len(), 10_001);
    assert_eq!(
        made.problems[10_000].message,
        "more than 10000 problems; the others are not listed"
    );
}

proptest! {
    /// However a text is cut into deltas, it is the same text.
    #[test]
    fn cuts_do_not_matter(text in "\\PC*[\"\\\\\n😀]{0,4}\\PC*", cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut at: Vec<usize> = cuts.iter().map(|c| c.index(text.len() + 1)).filter(|c| text.is_char_boundary(*c)).collect();
        at.sort_unstable();
        at.push(text.len());
        let mut rows = vec![info("m", 1), part("m", "p", "")];
        let mut from = 0;
        for to in at {
            rows.push(delta("m", "p", "text", &text[from..to]));
            from = to;
        }
        prop_assert_eq!(&parts(&rows)[0]["text"], &json!(text));
    }

    /// Whatever the order and however bytes are spoilt: no panic, and JSON comes out.
    #[test]
    fn disorder_does_no_harm(order in Just((0..12usize).collect::<Vec<_>>()).prop_shuffle(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
        let rows = [
            info("m", 1), info("m2", 2), part("m", "p", "a"), part("m2", "q", "b"),
            delta("m", "p", "text", "x"), delta("m2", "q", "state.raw", "y"), delta("m", "r", "text", "z"),
            event("message.removed", json!({"messageID": "m2"})),
            event("message.part.removed", json!({"messageID": "m", "partID": "p"})),
            event("session.created", json!({"info": {"id": "s"}})),
            event("session.deleted", json!({"sessionID": "s"})),
            event("session.next.x", json!({})),
        ];
        let mut bytes = order.iter().fold(String::new(), |text, i| format!("{text}{}\n", rows[*i])).into_bytes();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let made = made(Box::new(OpenCodeEvents::default()), &bytes);
        for session in &made.sessions {
            messages(session);
        }
    }
}

#[test]
fn a_row_of_deltas_ends_where_anything_differs() {
    let with_id = |id: &str, rest: Value| {
        format!("{{\"id\":\"{id}\",{}\n", rest.to_string().strip_prefix('{').unwrap())
    };
    let mut text = lines(&[info("m", 1), part("m", "p", ""), part("m", "q", "")]);
    for (id, part, field, more) in [
        ("e1", "p", "text", "a"),
        ("e\\\"2", "p", "text", "b\""),
        ("e3", "q", "text", "c"),
        ("e4", "p", "text", "d"),
        ("e5", "p", "note", "e"),
    ] {
        text += &with_id(id, delta("m", part, field, more));
    }
    text += &lines(&[part("m", "p", "new")]);
    text += &with_id("e6", delta("m", "p", "note", "f"));
    text += &with_id("e7", delta("m", "p", "note", "g")).replace("\"g\"", "\"g\",\"extra\":1");
    text += "{\"id\":\"e8\",\"type\":\"message.part.delta\",\"properties\":{\"delta\":\"h\\q\"}}\n";
    let made = replayed(&text);
    let rows = &root(&made)[0]["parts"];
    assert_eq!((&rows[0]["text"], &rows[0]["note"]), (&json!("new"), &json!("fg")));
    assert_eq!(rows[1]["text"], "c");
    assert_eq!(made.problems.len(), 1);
}
