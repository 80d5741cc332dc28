use crate::env::Env;
use crate::reader::LoadedSessions;
use crate::record::Record;
use crate::session_kind::SessionKind;
use crate::tests::reading::{assert_valid, messages, problems, root};
use crate::tests::{at, info, odd_values, text_of, timestamp, types};
use crate::transcript_format::TranscriptFormat;
use apex_parts_validate::Ids;
use serde_json::{Value, json};

fn read(bytes: &[u8]) -> LoadedSessions {
    let mut env = Env { now_ms: 0.0, new_id: &mut || panic!("no id is made up") };
    let mut reader = super::GeminiCli::reader().unwrap();
    reader.record(Record { json: bytes, event: "", offset: 0 }, &mut env);
    let made = reader.finish(bytes.len() as u64, &mut env);
    assert_valid(&made, Ids::OpenCode);
    made
}
fn lines(lines: &[Value]) -> LoadedSessions {
    read(text_of(lines).as_bytes())
}
fn header() -> Value {
    json!({"sessionId": "S", "projectHash": "h", "startTime": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-01-01T00:00:00.000Z", "kind": "main"})
}
fn record(id: &str, second: u32, kind: &str, content: &Value) -> Value {
    json!({"id": id, "timestamp": timestamp(second), "type": kind, "content": content})
}
fn with(mut record: Value, name: &str, value: Value) -> Value {
    record[name] = value;
    record
}
fn shell(status: &str, output: &str) -> Value {
    json!({"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}, "status": status, "timestamp": "2026-01-01T00:00:09.000Z", "description": "ls it", "displayName": "Shell", "resultDisplay": {"a": 1}, "result": [{"functionResponse": {"id": "c1", "name": "run_shell_command", "response": {"output": output}}}]})
}
fn calling(calls: &[Value]) -> Value {
    root(&lines(&[header(), with(record("a", 2, "gemini", &json!("")), "toolCalls", json!(calls))]))
}

#[test]
fn a_whole_file_and_lines_are_the_same() {
    let records = [
        record("u", 1, "user", &json!("Hi \"you\"")),
        with(record("a", 2, "gemini", &json!("Hello")), "model", json!("g-1")),
        record("u2", 3, "user", &json!([{"text": "More"}])),
    ];
    let whole = with(header(), "messages", json!(records));
    let pretty = serde_json::to_string_pretty(&whole).unwrap();
    let all: Vec<Value> = [header()].into_iter().chain(records.clone()).collect();
    let by_line = lines(&all);
    for text in [pretty, whole.to_string(), json!(all).to_string()] {
        // A whole file has its header and its messages in one record.
        let records = by_line.records;
        assert_eq!(LoadedSessions { records, ..read(text.as_bytes()) }, by_line);
    }
    let all = root(&by_line);
    let [user, answer, last] = &all.as_array().unwrap()[..] else { panic!() };
    assert_eq!(
        (&user["info"]["id"], &user["info"]["role"], &user["info"]["agent"]),
        (&json!("u"), &json!("user"), &json!("gemini-cli"))
    );
    assert_eq!(user["info"]["model"], json!({"providerID": "google", "modelID": ""}));
    assert_eq!(user["parts"][0]["text"], "Hi \"you\"");
    assert_eq!(user["info"]["time"]["created"], at(1));
    assert_eq!(
        (&answer["info"]["modelID"], &answer["info"]["finish"]),
        (&json!("g-1"), &json!("stop"))
    );
    assert_eq!(answer["info"]["parentID"], "u");
    assert_eq!(last["info"]["model"]["modelID"], "g-1");
}

#[test]
fn the_header_is_the_session() {
    let made = lines(&[
        header(),
        json!({"$set": {"summary": "Old", "directories": ["/w", "/x"]}}),
        record("u", 5, "user", &json!("Hi")),
        json!({"$set": {"lastUpdated": "2026-01-01T00:00:07.000Z", "summary": "New"}}),
    ]);
    let expected = json!({"id": "S", "title": "New", "directory": "/w", "time": {"created": at(0), "updated": at(7)}});
    assert_eq!(info(&made.sessions[0]), expected);
    assert_eq!((&*made.sessions[0].id, made.sessions[0].title.as_deref()), ("S", Some("New")));
}

#[test]
fn a_message_is_counted_once() {
    let tokens =
        json!({"input": 100, "output": 10, "cached": 40, "thoughts": 7, "tool": 3, "total": 120});
    let made = lines(&[
        header(),
        record("u", 1, "user", &json!("Hi")),
        with(record("a", 2, "gemini", &json!("He")), "tokens", tokens.clone()),
        record("u2", 3, "user", &json!("More")),
        with(record("a", 2, "gemini", &json!("Hello")), "tokens", tokens),
    ]);
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(all[1]["parts"][1]["text"], "Hello");
    let expected = json!({"total": 120, "input": 63, "output": 10, "reasoning": 7, "cache": {"read": 40, "write": 0}});
    assert_eq!(all[1]["info"]["tokens"], expected);
    assert_eq!(all[1]["parts"][2]["tokens"], expected);
    // In a whole file both stay.
    let twice = [record("u", 1, "user", &json!("a")), record("u", 2, "user", &json!("b"))];
    let made = read(with(header(), "messages", json!(twice)).to_string().as_bytes());
    let ids: Vec<_> =
        root(&made).as_array().unwrap().iter().map(|m| m["info"]["id"].clone()).collect();
    assert_eq!(ids, ["u", "S:1"]);
}

#[test]
fn a_rewind_is_a_branch() {
    let answer = |id: &str, second, model: &str| {
        with(record(id, second, "gemini", &json!(id)), "model", json!(model))
    };
    let made = lines(&[
        header(),
        record("u1", 1, "user", &json!("1")),
        answer("a1", 2, "m1"),
        record("u2", 3, "user", &json!("2")),
        answer("a2", 4, "m2"),
        json!({"$rewindTo": "u2"}),
        record("u2", 5, "user", &json!("2 again")),
        json!({"$rewindTo": "unknown"}),
        record("u9", 6, "user", &json!("9")),
        json!({"$rewindTo": "u1"}),
        json!({"$rewindTo": "nothing is left"}),
        record("u10", 7, "user", &json!("10")),
    ]);
    let of = |index: usize| {
        let all = messages(&made.sessions[index]);
        let ids = all.as_array().unwrap().iter();
        (
            made.sessions[index].id.clone(),
            ids.map(|m| m["info"]["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
        )
    };
    let expected = [
        ("S", vec!["u10"]),
        ("S/branch-1", vec!["u2", "a2"]),
        ("S/branch-2", vec!["u1", "a1", "S/branch-2:2"]),
        ("S/branch-3", vec!["u9"]),
    ];
    for (index, (id, ids)) in expected.into_iter().enumerate() {
        assert_eq!(of(index), (id.to_owned(), ids.into_iter().map(str::to_owned).collect()));
    }
    assert_eq!(made.sessions.len(), 4);
    assert_eq!(made.sessions[1].parent_id.as_deref(), Some("S"));
    // It starts with the model of then.
    assert_eq!(messages(&made.sessions[1])[0]["info"]["model"]["modelID"], "m1");
    assert_eq!(messages(&made.sessions[3])[0]["info"]["model"]["modelID"], "");
}

#[test]
fn set_messages_replace_all() {
    let made = lines(&[
        header(),
        record("u1", 1, "user", &json!("1")),
        json!({"$set": {"messages": [record("u2", 2, "user", &json!("2")), {"odd": 1}, 7]}}),
        record("u2", 2, "user", &json!("two")),
        record("u1", 3, "user", &json!("one")),
    ]);
    let all = root(&made);
    let said: Vec<_> =
        all.as_array().unwrap().iter().map(|m| m["parts"][0]["text"].clone()).collect();
    // What is gone is a branch, and a compaction stands where it stood.
    assert_eq!((said, made.sessions.len()), (vec![json!(null), json!("two"), json!("one")], 2));
    assert_eq!(all[0]["parts"][0]["type"], "compaction");
    assert_eq!(messages(&made.sessions[1])[0]["parts"][0]["text"], "1");
    assert_eq!(made.sessions[1].kind, Some(SessionKind::Branch));
}

#[test]
fn contents_are_parts() {
    let content = json!(["a", {"text": "b"}, {"inlineData": {"mimeType": "image/png", "data": "QUJD", "displayName": "x.png"}}, {"fileData": {"fileUri": "gs://b/c", "mimeType": "video/mp4"}}, {"fileData": {"fileUri": "gs://d"}}, {"executableCode": {"code": "1"}}]);
    let made = lines(&[header(), record("u", 1, "user", &content)]);
    let parts = root(&made)[0]["parts"].clone();
    let kinds: Vec<_> = parts.as_array().unwrap().iter().map(|p| p["type"].clone()).collect();
    assert_eq!(kinds, ["text", "text", "file", "file", "file", "gemini-cli-executableCode"]);
    assert_eq!(parts[2]["url"], "data:image/png;base64,QUJD");
    assert_eq!((&parts[2]["mime"], &parts[2]["filename"]), (&json!("image/png"), &json!("x.png")));
    assert_eq!((&parts[3]["mime"], &parts[3]["url"]), (&json!("video/mp4"), &json!("gs://b/c")));
    assert_eq!(parts[4]["mime"], "image/*");
    assert_eq!(parts[5]["item"], json!({"executableCode": {"code": "1"}}));
    // One part alone is a content too.
    let made = lines(&[header(), record("u", 1, "user", &json!({"text": "b"}))]);
    assert_eq!(root(&made)[0]["parts"][0]["text"], "b");
    // What is nothing but results is left out.
    let response = json!({"functionResponse": {"id": "c", "name": "n", "response": {}}});
    for content in [json!([response, response]), response.clone()] {
        let made = lines(&[header(), record("u", 1, "user", &content)]);
        assert_eq!(root(&made), json!([]));
    }
    let made = lines(&[header(), record("u", 1, "user", &json!([response, {"text": "and"}]))]);
    assert_eq!(root(&made)[0]["parts"][1]["text"], "and");
}

#[test]
fn thoughts_are_reasoning() {
    let thoughts = json!([{"subject": "S", "description": "D", "timestamp": "2026-01-01T00:00:01.000Z"}, {"subject": "only"}, {"description": "d"}, {}]);
    let made =
        lines(&[header(), with(record("a", 2, "gemini", &json!("x")), "thoughts", thoughts)]);
    let parts = root(&made)[0]["parts"].clone();
    let texts: Vec<_> = parts.as_array().unwrap().iter().map(|p| p["text"].clone()).collect();
    assert_eq!(
        texts,
        [json!(null), json!("**S**\nD"), json!("**only**"), json!("d"), json!("x"), json!(null)]
    );
    assert_eq!(
        (&parts[1]["type"], &parts[1]["time"]["start"]),
        (&json!("reasoning"), &json!(at(1)))
    );
}

#[test]
fn notices_and_other_records_are_kept() {
    let made = lines(&[
        header(),
        record("i", 1, "info", &json!("ready")),
        record("u", 2, "user", &json!("Hi")),
        record("a", 3, "gemini", &json!("Ho")),
        record("w", 4, "warning", &json!([{"text": "slow"}])),
        record("e", 5, "error", &json!("broke")),
        json!({"id": "m", "type": "model", "timestamp": "2026-01-01T00:00:06.000Z", "parts": [{"text": "x"}]}),
        json!({"odd": true}),
    ]);
    let all = root(&made);
    let notice = |part: &Value| (part["type"].clone(), part["level"].clone(), part["text"].clone());
    let expected = |level: &str, text: &str| (json!("notice"), json!(level), json!(text));
    assert_eq!(notice(&all[0]["parts"][0]), expected("info", "ready"));
    assert_eq!(notice(&all[1]["parts"][3]), expected("warning", "slow"));
    assert_eq!(notice(&all[1]["parts"][4]), expected("error", "broke"));
    assert_eq!(
        all[1]["info"]["error"],
        json!({"name": "UnknownError", "data": {"message": "broke"}})
    );
    assert_eq!(
        (&all[2]["parts"][1]["type"], &all[2]["parts"][1]["record"]["id"]),
        (&json!("gemini-cli-model"), &json!("m"))
    );
    assert_eq!(all.as_array().unwrap().len(), 3);
}

#[test]
fn notices_without_a_message_are_warnings() {
    let notices = [
        header(),
        record("i", 1, "info", &json!("ready")),
        record("e", 2, "error", &json!("no \"quota\"")),
    ];
    let text = text_of(&notices);
    let at = |id: &str| text.find(&format!("\n{{\"content\":{id}")).unwrap() + 1;
    let made = read(text.as_bytes());
    let expected = [
        format!("gemini-cli {}: info in a session without a message: ready", at("\"ready")),
        format!("gemini-cli {}: error in a session without a message: no \"quota\"", at("\"no")),
    ];
    assert_eq!((root(&made), problems(&made)), (json!([]), expected.to_vec()));
    // In a file of one object they have places too; a message that comes takes them.
    let whole = with(header(), "messages", json!(notices[1..])).to_string();
    let offsets: Vec<_> = read(whole.as_bytes()).problems.iter().map(|p| p.offset).collect();
    let of = |what: &str| Some(whole.find(what).unwrap() as f64);
    assert_eq!(offsets, [of("{\"content\":\"ready"), of("{\"content\":\"no")]);
    let made = lines(&[&notices[..], &[record("u", 3, "user", &json!("Hi"))]].concat());
    assert_eq!(
        (types(&root(&made)[0]), problems(&made).len()),
        (vec!["notice", "notice", "text"], 0)
    );
}

#[test]
fn what_is_before_damage_is_kept() {
    let file = text_of(&[
        header(),
        record("u", 1, "user", &json!("a")),
        record("v", 2, "user", &json!("b")),
    ]);
    let broken = file.replacen("\"v\"", "\"v", 1);
    let made = read(broken.as_bytes());
    assert_eq!(root(&made).as_array().unwrap().len(), 1);
    assert!(
        problems(&made)[0].starts_with(&format!("json {}", broken.rfind("\"v,").unwrap() + 4)),
        "{:?}",
        problems(&made)
    );
    // A bad first line is one line.
    let made = read(format!("{{oops\n{file}").as_bytes());
    assert_eq!((root(&made).as_array().unwrap().len(), made.problems.len()), (2, 1));

    let whole = with(
        header(),
        "messages",
        json!([
            record("u", 1, "user", &json!("a")),
            with(
                record("v", 2, "gemini", &json!("b")),
                "toolCalls",
                json!([shell("success", "o")])
            )
        ]),
    );
    let whole = serde_json::to_string_pretty(&whole).unwrap();
    let mut most = 0;
    for cut in 0..whole.len() {
        let made = read(&whole.as_bytes()[..cut]);
        assert_eq!(made.problems.len(), 1, "{cut}");
        let count = root(&made).as_array().unwrap().len();
        assert!(count >= most, "{cut}");
        most = count;
    }
    assert_eq!(most, 2);
    // A refresh does not call a file cut that still comes.
    let mut env = Env { now_ms: 0.0, new_id: &mut || String::new() };
    let mut reader = super::GeminiCli::reader().unwrap();
    reader.record(Record { json: &whole.as_bytes()[..600], event: "", offset: 0 }, &mut env);
    assert!(reader.peek(600, &mut env).problems.is_empty());
    // Nor a line that is cut after a space.
    let text = text_of(&[header(), record("u", 1, "user", &json!("a b"))]);
    let cut = text.find("a b").unwrap() + 2;
    let mut reader = super::GeminiCli::reader().unwrap();
    reader.record(Record { json: &text.as_bytes()[..cut], event: "", offset: 0 }, &mut env);
    assert!(reader.peek(cut as u64, &mut env).problems.is_empty());
}

#[test]
fn changes_inside_changes_are_not_read() {
    let nested = "{\"type\":\"user\",\"$set\":{\"messages\":[".repeat(5000) + &"]}}".repeat(5000);
    let made = read(format!("{}\n{nested}\n", header()).as_bytes());
    assert_eq!(root(&made).as_array().unwrap().len(), 1);
    assert!(made.problems.is_empty());
}

#[test]
fn anything_is_read() {
    let values = odd_values();
    for name in [
        "id",
        "type",
        "timestamp",
        "content",
        "model",
        "thoughts",
        "toolCalls",
        "tokens",
        "$set",
        "$rewindTo",
        "messages",
        "directories",
    ] {
        for value in &values {
            let answer = with(record("a", 2, "gemini", &json!("x")), name, value.clone());
            lines(&[with(header(), name, value.clone()), answer.clone(), answer]);
        }
    }
    for name in
        ["id", "name", "args", "status", "timestamp", "result", "description", "displayName"]
    {
        for value in &values {
            calling(&[with(shell("success", "x"), name, value.clone())]);
        }
    }
}

mod calls;
mod checkpoints;

#[test]
fn the_context_of_a_session_was_not_asked() {
    let text = |text: &str| {
        let made = lines(&[header(), record("u", 1, "user", &json!([{"text": text}]))]);
        root(&made)[0]["parts"][0].get("synthetic").cloned()
    };
    assert_eq!(text("<session_context>\nThis is it.\n</session_context>"), Some(json!(true)));
    assert_eq!(text("What is a <session_context>?"), None);
}

#[test]
fn what_is_taken_back_is_a_branch_once_another_request_follows() {
    let said = |session: &crate::reader::LoadedSession| -> Vec<Value> {
        let all = messages(session);
        all.as_array().unwrap().iter().map(|m| m["parts"][0]["text"].clone()).collect()
    };
    let [one, two] = ["1", "2"].map(|n| record(&format!("u{n}"), 1, "user", &json!(n)));
    let back = json!({"$set": {"messages": [one]}});
    let mut file = vec![header(), one, two, back];
    // No request follows: it stays, unanswered, and there is no compaction.
    let made = lines(&file);
    assert_eq!((made.sessions.len(), said(&made.sessions[0])), (1, vec![json!("1"), json!("2")]));
    file.push(record("u3", 3, "user", &json!("3")));
    let made = lines(&file);
    assert_eq!(said(&made.sessions[0]), [json!("1"), json!("3")]);
    assert_eq!(
        (made.sessions[1].kind, said(&made.sessions[1])),
        (Some(SessionKind::Branch), vec![json!("2")])
    );
}
