use super::*;
use apex_parts_json::tape::Tape;
use serde_json::{Value, json};

type Told = Vec<(Severity, String)>;

fn told(value: &Value, of: fn(Node<'_>, &Path<'_>, TellProblem<'_>)) -> Told {
    told_of(&value.to_string(), of)
}

fn told_of(json: &str, of: fn(Node<'_>, &Path<'_>, TellProblem<'_>)) -> Told {
    let mut tape = Tape::default();
    tape.read(json.as_bytes(), 0).unwrap();
    let mut told = Vec::new();
    of(tape.root(json.as_bytes()), &Path::ROOT, &mut |severity, path, _| {
        told.push((severity, path.to_string()));
    });
    told
}

fn of_record(record: &Value) -> Told {
    told(record, |node, path, tell| record_problems(node, path, tell))
}

fn error(path: &str) -> Told {
    vec![(Severity::Error, path.to_owned())]
}

fn warning(path: &str) -> Told {
    vec![(Severity::Warning, path.to_owned())]
}

fn user(fields: Value) -> Value {
    with(json!({"id": "msg_1", "type": "user", "text": "hi", "time": {"created": 1}}), fields)
}

fn with(mut record: Value, fields: Value) -> Value {
    if let (Some(to), Value::Object(from)) = (record.as_object_mut(), fields) {
        to.extend(from);
    }
    record
}

fn without(mut record: Value, name: &str) -> Value {
    record.as_object_mut().unwrap().remove(name);
    record
}

fn answer(content: &[Value]) -> Value {
    json!({"id": "msg_1", "type": "assistant", "agent": "build",
        "model": {"id": "m", "providerID": "p"}, "content": content, "time": {"created": 1}})
}

fn call(state: Value) -> Value {
    json!({"type": "tool", "id": "c", "name": "shell", "state": state, "time": {"created": 1}})
}

fn completed(content: Value) -> Value {
    call(json!({"status": "completed", "input": {}, "content": content}))
}

fn whole() -> Value {
    answer(&[completed(json!([{"type": "text", "text": "x"}]))])
}

#[test]
fn the_labelled_records_are_told() {
    assert_eq!(of_record(&whole()), []);
    assert_eq!(of_record(&answer(&[completed(json!([]))])), error("/content/0/state/content"));
    let failed = answer(&[call(json!({"status": "error", "input": {}}))]);
    assert_eq!(of_record(&failed), error("/content/0/state/error"));
    assert_eq!(of_record(&user(json!({"id": "x1"}))), error("/id"));
    assert_eq!(of_record(&user(json!({"files": null}))), error("/files"));
    assert_eq!(of_record(&user(json!({"mood": "good"}))), warning("/mood"));
    assert_eq!(of_record(&user(json!({"metadata": {"a": null, "b": [1]}}))), []);
    assert_eq!(
        of_record(&user(json!({"time": {"created": "2026-01-01"}}))),
        error("/time/created")
    );
    assert_eq!(of_record(&with(whole(), json!({"finish": "end_turn"}))), error("/finish"));
    let unknown = json!({"id": "msg_1", "type": "dream", "time": {"created": 1}});
    assert_eq!(of_record(&unknown), error(""));
    let old = user(json!({"files": [{"uri": "file:///a", "mime": "text/plain"}]}));
    let severities: Vec<_> = of_record(&old).into_iter().collect();
    assert!(severities.contains(&(Severity::Error, "/files/0/data".to_owned())), "{severities:?}");
    let running = answer(&[call(json!({"status": "running", "input": {}}))]);
    assert_eq!(of_record(&running), error("/content/0/state/metadata"));
}

#[test]
fn what_is_no_record_is_told() {
    for record in [json!(null), json!([]), json!("x"), json!({}), json!({"type": 7})] {
        assert_eq!(of_record(&record), error(""), "{record}");
    }
    assert_eq!(of_record(&json!({"type": "compaction"})), error(""));
}

/// One record of each type with every field that it may have.
fn full() -> Vec<Value> {
    let base = |word: &str, fields: Value| {
        let base = json!({"id": "msg_1", "type": word, "time": {"created": 1.5}, "metadata": {}});
        with(base, fields)
    };
    let model = json!({"id": "m", "providerID": "p", "variant": "v"});
    let tokens =
        json!({"input": 1, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0.5}});
    let error = json!({"type": "provider.error", "message": "no", "status": 500,
        "response": {"body": "b"}, "retryAfterMs": 5});
    let mention = json!({"start": 0, "end": 2, "text": "@a"});
    let blocks = json!([{"type": "text", "text": ""},
        {"type": "file", "uri": "data:,", "mime": "text/plain", "name": "n"}]);
    let tool = |state: Value| {
        with(
            call(state),
            json!({"executed": true, "native": {"a": 1},
            "time": {"created": 1, "ran": 2, "completed": 3}}),
        )
    };
    vec![
        base(
            "user",
            json!({"text": "", "skills": [{"id": "s", "name": "S", "text": "t", "mention": mention}],
            "files": [{"data": "YQ==", "mime": "m", "source": {"type": "uri", "uri": "u"}, "name": "n",
                "description": "d", "mention": mention},
                {"data": "", "mime": "m", "source": {"type": "inline"}}],
            "agents": [{"name": "a", "mention": mention}]}),
        ),
        base(
            "assistant",
            json!({"agent": "a", "model": model, "time": {"created": 1, "streamed": 2, "completed": 3},
            "content": [
                {"type": "text", "text": "", "native": {}},
                {"type": "reasoning", "text": "t", "native": {}, "time": {"created": 1, "completed": 2}},
                tool(json!({"status": "streaming", "input": "{"})),
                tool(json!({"status": "running", "input": {}, "metadata": {"a": null}})),
                tool(json!({"status": "completed", "input": {"a": null}, "content": blocks, "metadata": {}})),
                tool(json!({"status": "error", "input": {}, "error": error, "content": blocks, "metadata": {}})),
            ],
            "snapshot": {"start": "a", "end": "b", "files": ["c"]}, "finish": "unknown", "rawFinish": "x",
            "native": {}, "cost": 0.1, "tokens": tokens, "error": error,
            "retry": {"attempt": 1, "at": 5, "error": error}}),
        ),
        base(
            "compaction",
            json!({"status": "running", "reason": "auto", "summary": "", "recent": ""}),
        ),
        base(
            "compaction",
            json!({"status": "completed", "reason": "manual", "summary": "s", "recent": "r",
            "model": model, "native": {}, "cost": 0, "tokens": tokens}),
        ),
        base(
            "compaction",
            json!({"status": "failed", "reason": "auto", "error": error, "cost": 0, "tokens": tokens}),
        ),
        base(
            "shell",
            json!({"shellID": "sh_1", "command": "ls", "status": "exited", "exit": 0,
            "output": {"output": "", "cursor": 0, "size": 0, "truncated": false},
            "time": {"created": 1, "completed": 2}}),
        ),
        base("synthetic", json!({"text": "t", "description": "d"})),
        base("system", json!({"text": "t", "description": "d"})),
        base("skill", json!({"skill": "s", "name": "S", "text": "t"})),
        base("agent-switched", json!({"agent": "a", "previous": "b"})),
        base("model-switched", json!({"model": model, "previous": model})),
        base(
            "location-switched",
            json!({"location": {"directory": "/a"}, "projectID": "p", "subpath": "s",
            "previous": {"location": {"directory": "/b"}, "projectID": "p", "subpath": "s"}}),
        ),
        base("idle", json!({"outcome": "failed", "error": error})),
    ]
}

#[test]
fn every_field_is_taken_and_none_may_be_null() {
    for record in full() {
        assert_eq!(of_record(&record), [], "{record}");
        for name in record.as_object().unwrap().keys() {
            let nulled = with(record.clone(), json!({name: null}));
            let told = of_record(&nulled);
            // What says the kind is told of the record itself.
            let is_tag = name == "type" || (name == "status" && record["type"] == "compaction");
            let path = if is_tag { String::new() } else { format!("/{name}") };
            assert_eq!(told, error(&path), "{nulled}");
        }
    }
}

#[test]
fn a_required_field_may_not_be_missing() {
    let required = [
        ("user", "id time text"),
        ("assistant", "id time agent model content"),
        ("compaction", "id time reason"),
        ("shell", "id time shellID command status"),
        ("synthetic", "id time text"),
        ("system", "id time text"),
        ("skill", "id time skill name text"),
        ("agent-switched", "id time agent"),
        ("model-switched", "id time model"),
        ("location-switched", "id time location"),
        ("idle", "id time outcome"),
    ];
    for record in full() {
        let word = record["type"].as_str().unwrap();
        let (_, names) = required.iter().find(|(own, _)| *own == word).unwrap();
        for name in names.split(' ') {
            assert_eq!(
                of_record(&without(record.clone(), name)),
                error(&format!("/{name}")),
                "{record}"
            );
        }
        assert_eq!(of_record(&with(record.clone(), json!({"other": 1}))), warning("/other"));
    }
    let [_, _, running, completed, failed, ..] = &full()[..] else { panic!() };
    assert_eq!(of_record(&without(running.clone(), "summary")), error("/summary"));
    assert_eq!(of_record(&without(completed.clone(), "summary")), error("/summary"));
    assert_eq!(of_record(&without(completed.clone(), "recent")), []);
    assert_eq!(of_record(&without(failed.clone(), "error")), error("/error"));
}

#[test]
fn values_are_checked() {
    let file = |data: &str| {
        user(json!({"files": [{"data": data, "mime": "m", "source": {"type": "inline"}}]}))
    };
    for data in ["", "YQ==", "YWI=", "YWJj", "+/+/"] {
        assert_eq!(of_record(&file(data)), [], "{data}");
    }
    for data in ["Y", "YQ", "YQ=", "Y===", "====", "YQ==\n", "YWJj=", "Y-==", "YQ=Q"] {
        assert_eq!(of_record(&file(data)), error("/files/0/data"), "{data}");
    }
    let shell = full().into_iter().find(|record| record["type"] == "shell").unwrap();
    for exit in [json!(1.5), json!(-1), json!("Infinity"), json!("-Infinity"), json!("NaN")] {
        assert_eq!(of_record(&with(shell.clone(), json!({"exit": exit}))), []);
    }
    assert_eq!(of_record(&with(shell.clone(), json!({"exit": "1"}))), error("/exit"));
    assert_eq!(of_record(&with(shell.clone(), json!({"shellID": "x"}))), error("/shellID"));
    assert_eq!(of_record(&with(shell, json!({"callID": "x"}))), warning("/callID"));
    let retry = |attempt: Value| {
        let retry = json!({"attempt": attempt, "at": 1, "error": {"type": "t", "message": "m"}});
        of_record(&with(whole(), json!({"retry": retry})))
    };
    assert_eq!(retry(json!(1)), []);
    for attempt in [json!(0), json!(-1), json!(1.5), json!("1")] {
        assert_eq!(retry(attempt), error("/retry/attempt"));
    }
    let infinite = user(json!({"time": {"created": 1}})).to_string().replace(":1}", ":1e999}");
    let told = told_of(&infinite, |node, path, tell| record_problems(node, path, tell));
    assert_eq!(told, error("/time/created"));
    let content = |item: Value| of_record(&answer(&[item]));
    assert_eq!(content(json!({"type": "image"})), error("/content/0"));
    assert_eq!(
        content(json!({"type": "text", "text": "t", "state": {}})),
        warning("/content/0/state")
    );
    let block = json!([{"type": "image", "data": ""}]);
    assert_eq!(content(completed(block)), error("/content/0/state/content/0"));
    assert_eq!(content(call(json!({"status": "pending", "input": ""}))), error("/content/0/state"));
    let tokens = json!({"total": 1, "input": 1, "output": 1, "reasoning": 0, "cache": {"read": 0, "write": 0}});
    assert_eq!(of_record(&with(whole(), json!({"tokens": tokens}))), warning("/tokens/total"));
}

#[test]
fn the_session_is_checked() {
    let of_info = |info: &Value| told(info, |node, path, tell| info_problems(node, path, tell));
    let tokens = json!({"input": 1, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}});
    let least = json!({"id": "ses_1", "projectID": "global", "cost": 0, "tokens": tokens,
        "time": {"created": 1, "updated": 2}, "location": {"directory": "/d"}});
    let all = with(
        least.clone(),
        json!({"parentID": "ses_2", "agent": "a", "outcome": "succeeded",
        "fork": {"sessionID": "ses_3", "boundary": {"type": "before", "messageID": "msg_1"}},
        "model": {"id": "m", "providerID": "p"}, "title": "t", "subpath": "s", "metadata": {"apex": null},
        "time": {"created": 1, "updated": 2, "idle": 3, "viewed": 4, "archived": 5},
        "permissions": [{"action": "shell", "resource": "*", "effect": "ask"}],
        "revert": {"messageID": "msg_1", "partID": "p", "snapshot": "s", "files": [
            {"file": "f", "patch": "", "additions": 0, "deletions": 0, "status": "added"}]}}),
    );
    assert_eq!(of_info(&least), []);
    assert_eq!(of_info(&all), []);
    for name in least.as_object().unwrap().keys() {
        assert_eq!(of_info(&without(least.clone(), name)), error(&format!("/{name}")));
    }
    for name in all.as_object().unwrap().keys() {
        assert_eq!(of_info(&with(all.clone(), json!({name: null}))), error(&format!("/{name}")));
    }
    for (field, path) in [
        (json!({"id": "x"}), "/id"),
        (json!({"parentID": "msg_1"}), "/parentID"),
        (json!({"revert": {"messageID": "x"}}), "/revert/messageID"),
        (json!({"fork": {"sessionID": "ses_1", "boundary": {"type": "after"}}}), "/fork/boundary"),
        (
            json!({"permissions": [{"action": "a", "resource": "b", "effect": "maybe"}]}),
            "/permissions/0/effect",
        ),
        (json!({"outcome": "done"}), "/outcome"),
    ] {
        assert_eq!(of_info(&with(all.clone(), field)), error(path));
    }
    assert_eq!(of_info(&with(all, json!({"slug": "s"}))), warning("/slug"));
    assert_eq!(of_info(&json!([])), error(""));
}
