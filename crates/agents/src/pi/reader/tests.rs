mod results;

use super::*;
use crate::tests::reading::{assert_valid, made, messages, problems, root};
use crate::tests::{info, text_of};
use serde_json::{Value, json};

fn read_all(lines: &[Value]) -> LoadedSessions {
    let made = made(Box::new(Pi::default()), text_of(lines).as_bytes());
    assert_valid(&made, Ids::OpenCode);
    made
}
/// Reads lines that are in order, without a problem; gives the messages of the run.
fn read_well(lines: &[Value]) -> Value {
    let made = read_all(lines);
    assert_eq!(problems(&made), Vec::<String>::new());
    root(&made)
}
fn iso(second: u32) -> String {
    format!("2026-05-12T01:02:{second:02}.500Z")
}
fn at(second: u32) -> u64 {
    1_778_547_720_500 + u64::from(second) * 1000
}
fn header() -> Value {
    json!({"type": "session", "version": 3, "id": "S", "timestamp": iso(0), "cwd": "/w"})
}
fn entry(kind: &str, id: &str, parent: Value, second: u32, more: Value) -> Value {
    let mut line = json!({"type": kind, "id": id, "parentId": parent, "timestamp": iso(second)});
    for (name, value) in more.as_object().unwrap() {
        line[name] = value.clone();
    }
    line
}
fn said(id: &str, parent: &str, second: u32, message: Value) -> Value {
    entry("message", id, json!(parent), second, json!({"message": message}))
}
fn user(id: &str, parent: &str, second: u32, text: &str) -> Value {
    said(id, parent, second, json!({"role": "user", "content": [{"type": "text", "text": text}]}))
}
fn answer(id: &str, parent: &str, second: u32, content: Value) -> Value {
    said(
        id,
        parent,
        second,
        json!({"role": "assistant", "content": content, "provider": "p", "model": "m", "stopReason": "stop", "timestamp": at(second) - 400}),
    )
}
fn call(id: &str) -> Value {
    json!([{"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": "ls"}}])
}
fn result(id: &str, parent: &str, second: u32, call_id: &str, more: Value) -> Value {
    let mut message = json!({"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": [{"type": "text", "text": "out"}], "isError": false});
    for (name, value) in more.as_object().unwrap() {
        message[name] = value.clone();
    }
    said(id, parent, second, message)
}

#[test]
fn a_step_is_a_message() {
    let usage = json!({"input": 12, "output": 7, "cacheRead": 3, "cacheWrite": 2, "totalTokens": 24, "cost": {"input": 1, "total": 0.5}});
    let mut step = answer(
        "a",
        "u",
        4,
        json!([
            {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
            {"type": "text", "text": "I \"look\"."},
            {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}},
            {"type": "toolCall", "id": "c2", "name": "read", "arguments": {}},
        ]),
    );
    step["message"]["usage"] = usage;
    step["message"]["stopReason"] = json!("toolUse");
    let all = read_well(&[
        header(),
        entry("model_change", "mc", Value::Null, 1, json!({"provider": "p", "modelId": "m"})),
        user("u", "mc", 2, "go"),
        step,
        result("r1", "a", 5, "c1", json!({"details": {"diff": "-1"}})),
        result("r2", "r1", 6, "c2", json!({})),
    ]);
    let tokens = json!({"total": 24, "input": 12, "output": 7, "reasoning": 0, "cache": {"read": 3, "write": 2}});
    assert_eq!(
        all[0],
        json!({
            "info": {"id": "u", "sessionID": "S", "role": "user", "time": {"created": at(2)}, "agent": "pi", "model": {"providerID": "p", "modelID": "m"}},
            "parts": [{"id": "u:0", "sessionID": "S", "messageID": "u", "type": "text", "text": "go", "time": {"start": at(2), "end": at(2)}}],
        })
    );
    assert_eq!(
        all[1]["info"],
        json!({
            "id": "a", "sessionID": "S", "role": "assistant", "time": {"created": at(4) - 400, "completed": at(4)}, "parentID": "u", "modelID": "m", "providerID": "p", "agent": "pi",
            "path": {"cwd": "/w", "root": "/w"}, "cost": 0.5, "tokens": tokens, "finish": "tool-calls",
        })
    );
    let kinds: Vec<_> = all[1]["parts"].as_array().unwrap().iter().map(|p| &p["type"]).collect();
    assert_eq!(kinds, ["step-start", "reasoning", "text", "tool", "tool", "step-finish"]);
    let parts = &all[1]["parts"];
    assert_eq!(parts[1]["metadata"], json!({"signature": "sig"}));
    assert_eq!((&parts[3]["callID"], &parts[3]["tool"]), (&json!("c1"), &json!("bash")));
    assert_eq!(
        parts[3]["state"],
        json!({"status": "completed", "input": {"command": "ls"}, "output": "out", "title": "", "metadata": {"details": {"diff": "-1"}}, "time": {"start": at(4), "end": at(5)}})
    );
    assert_eq!(parts[4]["state"]["time"], json!({"start": at(4), "end": at(6)}));
    assert_eq!(
        (&parts[5]["reason"], &parts[5]["cost"], &parts[5]["tokens"]),
        (&json!("tool-calls"), &json!(0.5), &tokens)
    );
}

#[test]
fn a_cost_is_not_negative() {
    let mut step = answer("a", "u", 4, json!("I look."));
    step["message"]["usage"] = json!({"cost": {"total": -0.5}});
    let all = read_well(&[header(), user("u", "", 2, "go"), step]);
    let step = &all[1];
    assert_eq!((&step["info"]["cost"], &step["parts"][2]["cost"]), (&json!(0), &json!(0)));
}

#[test]
fn the_session_is_from_the_header() {
    let name =
        |second, name: Value| entry("session_info", "i", json!("a"), second, json!({"name": name}));
    let made =
        read_all(&[header(), user("u", "", 2, "go"), name(3, json!("A")), name(9, json!("B"))]);
    let expected = json!({"id": "S", "title": "B", "directory": "/w", "time": {"created": at(0), "updated": at(9)}});
    assert_eq!(info(&made.sessions[0]), expected);
    assert_eq!(made.sessions[0].title.as_deref(), Some("B"));
    // A name can be taken back, and the header can be lost.
    let made = read_all(&[user("u", "", 2, "go"), name(3, json!("A")), name(4, json!(""))]);
    let expected =
        json!({"id": "pi", "directory": "", "time": {"created": at(2), "updated": at(4)}});
    assert_eq!(info(&made.sessions[0]), expected);
}

#[test]
fn version_1_is_a_line() {
    let line = |role: &str, second| json!({"type": "message", "timestamp": iso(second), "message": {"role": role, "content": "x"}});
    let first = json!({"type": "session", "id": "S", "timestamp": iso(0), "cwd": "/w", "provider": "p1", "modelId": "m1"});
    let change =
        json!({"type": "model_change", "timestamp": iso(1), "provider": "p2", "modelId": "m2"});
    let all = read_well(&[first, line("user", 1), change, line("user", 2), line("assistant", 3)]);
    let ids: Vec<_> = (0..3).map(|i| all[i]["info"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["S:0", "S:1", "S:2"]);
    let of = |i: usize| all[i]["info"]["model"].clone();
    assert_eq!(of(0), json!({"providerID": "p1", "modelID": "m1"}));
    assert_eq!(of(1), json!({"providerID": "p2", "modelID": "m2"}));
    let info = &all[2]["info"];
    assert_eq!((&info["modelID"], &info["parentID"]), (&json!("m2"), &json!("S:1")));
    // Without a time of its own the answer began at the time before.
    assert_eq!(info["time"], json!({"created": at(2), "completed": at(3)}));
    assert_eq!(all[2]["parts"][1]["text"], "x");
}

#[test]
fn what_was_left_is_in_branches() {
    let change = |id, parent: &str, model: &str| {
        entry("model_change", id, json!(parent), 1, json!({"provider": "p", "modelId": model}))
    };
    let made = read_all(&[
        header(),
        user("u1", "", 1, "one"),
        change("m1", "u1", "first"),
        user("b1", "m1", 2, "left"),
        user("b2", "b1", 3, "left too"),
        change("m2", "m1", "second"),
        user("c1", "m2", 4, "left later"),
        entry("label", "l", json!("b1"), 5, json!({"label": "x", "targetId": "b1"})),
        user("d1", "b1", 6, "on"),
        user("u2", "u1", 7, "two"),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    let ids: Vec<_> =
        made.sessions.iter().map(|s| (s.id.as_str(), s.parent_id.as_deref())).collect();
    let root = Some("S");
    let branches = [("S/branch-1", root), ("S/branch-2", root), ("S/branch-3", root)];
    assert_eq!(ids, [&[("S", None)], &branches[..]].concat());
    let texts = |i: usize| {
        let all = messages(&made.sessions[i]);
        let of = |m: &Value| m["parts"][0]["text"].as_str().unwrap().to_owned();
        all.as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(texts(0), ["one", "two"]);
    assert_eq!(texts(1), ["left", "left too"]);
    assert_eq!(texts(2), ["left later"]);
    assert_eq!(texts(3), ["on"]);
    let model =
        |i: usize, m: usize| messages(&made.sessions[i])[m]["info"]["model"]["modelID"].clone();
    assert_eq!(
        [model(0, 1), model(1, 0), model(2, 0), model(3, 0)],
        ["", "first", "second", "first"]
    );
    assert_eq!(
        info(&made.sessions[1]),
        json!({"id": "S/branch-1", "parentID": "S", "directory": "/w", "time": {"created": at(1), "updated": at(3)}})
    );
}

#[test]
fn a_parent_that_is_not_in_the_file_is_the_entry_before() {
    let made = read_all(&[
        header(),
        user("u", "S", 1, "go"),
        entry("thinking_level_change", "t", json!("u"), 1, json!({"thinkingLevel": "off"})),
        answer("a", "u", 2, call("c1")),
        result("r", "c1", 3, "c1", json!({})),
        user("u2", "gone", 4, "more"),
    ]);
    // The change of the thinking level is left, but there is nothing to show of it.
    assert_eq!((made.sessions.len(), problems(&made)), (1, vec![]));
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(all[1]["parts"][1]["state"]["status"], "completed");
}

#[test]
fn texts_of_the_program() {
    let text = json!([{"type": "text", "text": "ctx"}, {"type": "image", "data": "data:image/gif;base64,QQ=="}]);
    let all = read_well(&[
        header(),
        said(
            "a",
            "",
            1,
            json!({"role": "custom", "customType": "t", "content": text, "display": false}),
        ),
        said("b", "a", 2, json!({"role": "hookMessage", "content": "hook"})),
        entry("custom_message", "c", json!("b"), 3, json!({"content": "hidden", "display": false})),
        entry("custom_message", "d", json!("c"), 4, json!({"content": "seen", "display": true})),
        entry("branch_summary", "e", json!("d"), 5, json!({"fromId": "x", "summary": "left"})),
        said("f", "e", 6, json!({"role": "branchSummary", "summary": "left too"})),
        entry("custom", "g", json!("f"), 7, json!({"data": {"content": "state"}})),
        entry("tomorrow", "h", json!("g"), 7, json!({"message": {"role": "user", "content": "?"}})),
        said("i", "h", 7, json!({"role": "tomorrow", "content": "?"})),
        said("j", "i", 8, json!({"role": "system", "content": "Be \"brief\"."})),
        user("k", "j", 9, "go"),
    ]);
    let ids: Vec<_> =
        all.as_array().unwrap().iter().map(|m| m["info"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e", "f", "k"]);
    let part = |i: usize, text: &str, second| json!({"id": format!("{}:0", ids[i]), "sessionID": "S", "messageID": ids[i], "type": "text", "text": text, "synthetic": true, "time": {"start": at(second), "end": at(second)}});
    assert_eq!(all[0]["parts"][0], part(0, "ctx", 1));
    let file = &all[0]["parts"][1];
    assert_eq!(
        (&file["mime"], &file["url"]),
        (&json!("image/gif"), &json!("data:image/gif;base64,QQ=="))
    );
    assert_eq!(all[1]["parts"], json!([part(1, "hook", 2)]));
    let mut hidden = part(2, "hidden", 3);
    hidden["ignored"] = json!(true);
    assert_eq!(all[2]["parts"], json!([hidden]));
    assert_eq!(all[3]["parts"], json!([part(3, "seen", 4)]));
    assert_eq!(all[4]["parts"], json!([part(4, "left", 5)]));
    assert_eq!(all[5]["parts"], json!([part(5, "left too", 6)]));
    assert_eq!(all[6]["info"]["system"], "Be \"brief\".");
}

#[test]
fn compactions() {
    let all = read_well(&[
        header(),
        user("u", "", 1, "go"),
        entry(
            "compaction",
            "c",
            json!("u"),
            2,
            json!({"summary": "so far", "tokensBefore": 19, "firstKeptEntryId": "u"}),
        ),
        said(
            "d",
            "c",
            3,
            json!({"role": "compactionSummary", "summary": "again", "tokensBefore": 7}),
        ),
    ]);
    let parts = |id: &str, tokens: u32, text: &str, second| {
        json!([
            {"id": format!("{id}:0"), "sessionID": "S", "messageID": id, "type": "compaction", "auto": true, "tokensBefore": tokens},
            {"id": format!("{id}:1"), "sessionID": "S", "messageID": id, "type": "text", "text": text, "synthetic": true, "time": {"start": at(second), "end": at(second)}},
        ])
    };
    assert_eq!(all[0]["parts"][0]["text"], "go");
    assert_eq!(
        (&all[1]["info"]["role"], &all[1]["parts"]),
        (&json!("user"), &parts("c", 19, "so far", 2))
    );
    assert_eq!(all[2]["parts"], parts("d", 7, "again", 3));
}

#[test]
fn odd_contents_and_times() {
    let mut lost_time = user("u", "", 2, "go");
    lost_time["timestamp"] = json!("yesterday");
    lost_time["message"]["content"] =
        json!(["plain", 7, {"type": "image", "url": "x"}, {"type": "text", "text": 5}]);
    let given = json!([{"type": "toolCall", "name": "x", "arguments": "{\"a\":1}"}, {"type": "toolCall", "id": "c", "arguments": [1]}, {"type": "redacted"}]);
    let all = read_well(&[header(), lost_time, answer("a", "u", 3, given)]);
    assert_eq!(all[0]["info"]["time"]["created"], at(0));
    let kinds: Vec<_> = all[0]["parts"].as_array().unwrap().iter().map(|p| &p["type"]).collect();
    assert_eq!(kinds, ["text", "pi-item", "pi-image", "pi-text"]);
    assert_eq!(all[0]["parts"][1]["item"], 7);
    let parts = &all[1]["parts"];
    assert_eq!(
        (&parts[1]["callID"], &parts[1]["state"]["input"]),
        (&json!("a:1"), &json!({"a": 1}))
    );
    assert_eq!(
        (&parts[2]["tool"], &parts[2]["state"]["input"]),
        (&json!("unknown"), &json!({"input": [1]}))
    );
    assert_eq!(parts[3]["type"], "pi-redacted");
}

#[test]
fn a_bad_line_is_as_if_it_were_not_there() {
    let lines =
        [header(), user("u", "", 1, "go"), user("v", "u", 2, "lost"), user("w", "v", 3, "on")];
    let text = text_of(&lines);
    let bad = text.replace("{\"id\":\"v\"", "{\"id\":v");
    let bad = if bad == text { text.replace("\"lost\"", "lost") } else { bad };
    let made = made(Box::new(Pi::default()), bad.as_bytes());
    let mut without = made_without(&lines, 2);
    assert_eq!(made.problems.len(), 1);
    without.problems.clone_from(&made.problems);
    assert_eq!(made, without);
    // A line that says nothing is reported too.
    let made = read_all(&[
        header(),
        json!({"id": "x"}),
        entry("message", "y", Value::Null, 1, json!({})),
        user("z", "y", 2, "go"),
    ]);
    let rules: Vec<_> = made.problems.iter().map(|p| p.rule.as_str()).collect();
    assert_eq!(rules, ["schema", "schema"]);
    assert_eq!(root(&made).as_array().unwrap().len(), 1);
}

fn made_without(lines: &[Value], skipped: usize) -> LoadedSessions {
    let mut lines = lines.to_vec();
    lines.remove(skipped);
    read_all(&lines)
}
