mod laws;

use super::*;
use apex_parts_model::{Error, Problem, Severity};
use apex_parts_transcript::{Env, Format, Transcript, TranscriptOptions};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

struct Texts(Vec<Vec<u8>>);

impl MessageSource for Texts {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn json(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(self.0.get(index).map(Cow::from))
    }
}

/// The session and what was left out.
fn converted_of(
    messages: &[Value],
    source: &SessionSource<'_>,
    options: &OpenCodeOptions,
) -> (Value, Vec<String>) {
    let texts = Texts(messages.iter().map(|message| message.to_string().into_bytes()).collect());
    let mut conversion = OpenCodeConversion::new(&texts, source, options).unwrap();
    let mut made: Vec<Value> = Vec::new();
    while let Some(text) = conversion.next(&texts).unwrap() {
        made.push(serde_json::from_str(&text).unwrap());
    }
    let info: Value = serde_json::from_str(conversion.info()).unwrap();
    let lost = conversion.lost().each().map(|(name, count)| format!("{name} {count}")).collect();
    (json!({"info": info, "messages": made}), lost)
}

fn converted(messages: &[Value]) -> (Value, Vec<String>) {
    let source = SessionSource { id: "s".into(), format: "with-parts", ..SessionSource::default() };
    converted_of(messages, &source, &OpenCodeOptions::default())
}

fn copy(name: &str) -> OpenCodeOptions {
    OpenCodeOptions { copy: Some(name.to_owned()), ..OpenCodeOptions::default() }
}

fn opened(text: &str, format: Option<Format>) -> Transcript {
    let mut env = Env { now_ms: 2e12, new_id: &mut || "id".to_owned() };
    let options = TranscriptOptions { format, ..TranscriptOptions::default() };
    Transcript::open(text.as_bytes(), options, &mut env).unwrap()
}

/// What `opencode import` would not like.
fn problems_of(session: &Value) -> Vec<Problem> {
    let transcript = opened(&session.to_string(), Some(Format::OpenCodeExport));
    import_problems(&transcript, 2e12).unwrap()
}

fn errors_of(session: &Value) -> Vec<String> {
    let found = problems_of(session).into_iter();
    found.filter(|p| p.severity == Severity::Error).map(|p| p.to_string()).collect()
}

/// A time as JSON has it: an integer where it is one.
fn time(ms: f64) -> Value {
    serde_json::from_str(&apex_parts_model::view::number_text(ms)).unwrap()
}

fn user(id: &str, created: f64, parts: Value) -> Value {
    json!({"info": {"id": id, "sessionID": "s", "role": "user", "time": {"created": time(created)},
        "agent": "plan", "model": {"providerID": "p", "modelID": "m"}}, "parts": parts})
}

fn answer(id: &str, created: f64, parent: &str, parts: Value) -> Value {
    json!({"info": {"id": id, "sessionID": "s", "role": "assistant", "parentID": parent,
        "time": {"created": time(created), "completed": time(created + 1.0)}, "modelID": "m", "providerID": "p",
        "agent": "plan", "path": {"cwd": "/w", "root": "/w"}, "cost": 0.25,
        "tokens": {"input": 1, "output": 2, "reasoning": 3, "cache": {"read": 4, "write": 5}}},
        "parts": parts})
}

fn text(id: &str, text: &str) -> Value {
    json!({"id": id, "sessionID": "s", "messageID": "x", "type": "text", "text": text})
}

#[test]
fn ids_are_made_in_order_and_references_follow() {
    // All at one time, and the parts' own ids sort in another way.
    let messages = [
        user("b", 1000.4, json!([text("z", "Do it, please"), text("y", "now")])),
        answer("a", 1000.0, "b", json!([text("x", "Yes")])),
        user(
            "9",
            999.0,
            json!([{"type": "compaction", "id": "w", "auto": true, "tail_start_id": "b"}]),
        ),
        answer("8", 1000.0, "gone", json!([])),
    ];
    let (session, lost) = converted(&messages);
    assert_eq!(lost, Vec::<String>::new());
    assert_eq!(problems_of(&session), []);
    let made = session["messages"].as_array().unwrap();
    let ids: Vec<&str> = made.iter().map(|m| m["info"]["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted() && ids.iter().all(|id| ids::is_own_form(id)), "{ids:?}");
    let created: Vec<_> = made.iter().map(|m| m["info"]["time"]["created"].as_f64()).collect();
    assert_eq!(created, [Some(1000.0); 4]);
    assert_eq!(made[1]["info"]["parentID"], ids[0]);
    assert_eq!(made[2]["parts"][0]["tail_start_id"], ids[0]);
    // The message that it names is not there: it answers the user's last.
    assert_eq!(made[3]["info"]["parentID"], ids[2]);
    assert_eq!(
        (&made[1]["info"]["mode"], &made[1]["info"]["agent"]),
        (&json!("plan"), &json!("plan"))
    );
    let info = &session["info"];
    assert_eq!((&info["title"], &info["slug"]), (&json!("Do it, please"), &json!("do-it-please")));
    assert_eq!(info["cost"], 0.5);
    assert_eq!(info["tokens"]["cache"], json!({"read": 8, "write": 10}));
    assert_eq!(info["model"], json!({"id": "m", "providerID": "p"}));
    assert_eq!(info["directory"], "/w");
    assert_eq!(info["time"], json!({"created": 1000, "updated": 1001}));
    assert_eq!(info["metadata"]["apex"], json!({"format": "with-parts", "sessionID": "s"}));
}

#[test]
fn an_answer_without_a_prompt_gets_one() {
    let messages = [answer("a", 5000.0, "", json!([])), answer("b", 6000.0, "", json!([]))];
    let (session, _) = converted(&messages);
    assert_eq!(problems_of(&session), []);
    let made = session["messages"].as_array().unwrap();
    assert_eq!(made.len(), 3);
    let prompt = &made[0]["info"];
    assert_eq!((&prompt["role"], &prompt["time"]["created"]), (&json!("user"), &json!(4999)));
    assert_eq!(prompt["model"], json!({"providerID": "p", "modelID": "m"}));
    assert_eq!(made[0]["parts"][0]["synthetic"], true);
    assert!(made[1..].iter().all(|m| m["info"]["parentID"] == prompt["id"]));
    // What the converter has added is no title.
    assert_eq!(session["info"]["title"], "Converted session");
}

/// A session of OpenCode's own, with every reference.
fn own() -> (Value, Vec<Value>) {
    let rename = |value: Value| -> Value {
        let text = value.to_string().replace("\"s\"", "\"ses_s\"").replace("\"x\"", "\"msg_1\"");
        serde_json::from_str(&text).unwrap()
    };
    let mut last = user("msg_3", 1700.5, json!([text("prt_6", "more")]));
    last["parts"][0]["messageID"] = json!("msg_3");
    let mut middle = answer(
        "msg_2",
        1600.0,
        "msg_1",
        json!([
        {"id": "prt_5", "sessionID": "s", "messageID": "msg_2", "type": "compaction", "auto": false, "tail_start_id": "msg_1"}]),
    );
    middle["info"]["mode"] = json!("plan");
    let messages =
        [user("msg_1", 1500.0, json!([text("prt_1", "hi"), text("prt_2", "ho")])), middle, last];
    let info = json!({"id": "ses_s", "slug": "a", "title": "T", "version": "1.0", "cost": 0.5,
        "tokens": {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}},
        "agent": "plan", "model": {"id": "m", "providerID": "p"}, "directory": "/w", "projectID": "p",
        "path": "", "parentID": "ses_parent", "time": {"created": 1400, "updated": 1800},
        "revert": {"messageID": "msg_1", "partID": "prt_2", "snapshot": "x"}});
    (info, messages.into_iter().map(rename).collect())
}

fn of_own(options: &OpenCodeOptions) -> (Value, Value) {
    let (info, messages) = own();
    let text = info.to_string();
    let source = SessionSource {
        id: "ses_s".into(),
        parent: Some(("ses_parent".into(), 0.0)),
        info: Some(text.as_bytes()),
        format: "opencode-export",
        is_opencode: true,
        is_export: true,
        ..SessionSource::default()
    };
    let (made, lost) = converted_of(&messages, &source, options);
    assert_eq!(lost, Vec::<String>::new());
    assert_eq!(errors_of(&made), Vec::<String>::new());
    (json!({"info": info, "messages": messages}), made)
}

#[test]
fn opencodes_own_session_stays_as_it_is() {
    let (given, made) = of_own(&OpenCodeOptions::default());
    assert_eq!(made, given);
}

#[test]
fn what_is_empty_in_an_export_stays_so() {
    let (mut info, mut messages) = own();
    (info["title"], info["slug"], info["agent"]) = (json!(""), json!(""), json!(""));
    let answer = &mut messages[1];
    (answer["info"]["agent"], answer["info"]["mode"]) = (json!(""), json!(""));
    let tool = json!({"status": "pending", "input": {}, "raw": ""});
    let ids = json!({"id": "prt_7", "sessionID": "ses_s", "messageID": "msg_2"});
    for part in [
        json!({"type": "tool", "callID": "", "tool": "", "state": tool}),
        json!({"id": "prt_8", "type": "step-finish", "reason": "", "cost": 0, "tokens": info["tokens"]}),
    ] {
        let mut whole = ids.clone();
        whole.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        answer["parts"].as_array_mut().unwrap().push(whole);
    }
    let text = info.to_string();
    let source = SessionSource {
        id: "ses_s".into(),
        parent: Some(("ses_parent".into(), 0.0)),
        info: Some(text.as_bytes()),
        is_opencode: true,
        is_export: true,
        ..SessionSource::default()
    };
    let (made, lost) = converted_of(&messages, &source, &OpenCodeOptions::default());
    assert_eq!(lost, Vec::<String>::new());
    assert_eq!(made, json!({"info": info, "messages": messages}));
}

#[test]
fn an_export_that_does_not_say_what_its_session_cost_stays_as_it_is() {
    let (mut info, messages) = own();
    for name in ["cost", "tokens", "agent", "model", "directory", "projectID", "path"] {
        info.as_object_mut().unwrap().remove(name);
    }
    let text = info.to_string();
    let of = |is_export| SessionSource {
        id: "ses_s".into(),
        parent: Some(("ses_parent".into(), 0.0)),
        info: Some(text.as_bytes()),
        is_opencode: true,
        is_export,
        ..SessionSource::default()
    };
    let options = OpenCodeOptions::default();
    assert_eq!(converted_of(&messages, &of(true), &options).0["info"], info);
    // Events may end before the session's last record.
    let made = &converted_of(&messages, &of(false), &options).0["info"];
    assert_eq!((&made["cost"], &made["tokens"]["output"]), (&json!(0.25), &json!(2)));
}

#[test]
fn a_copy_has_other_ids_wherever_one_is_named() {
    let (given, made) = of_own(&copy("first"));
    assert_ne!(made, of_own(&copy("second")).1);
    let [a, b, c] = [0, 1, 2].map(|i| made["messages"][i].clone());
    assert_eq!(b["info"]["parentID"], a["info"]["id"]);
    assert_eq!(b["parts"][0]["tail_start_id"], a["info"]["id"]);
    let revert = &made["info"]["revert"];
    assert_eq!((&revert["messageID"], &revert["partID"]), (&a["info"]["id"], &a["parts"][1]["id"]));
    // It is a child of the same session, and no time has changed.
    assert_eq!(made["info"]["parentID"], "ses_parent");
    assert_eq!(c["info"]["time"], given["messages"][2]["info"]["time"]);
    let text = made.to_string();
    for id in
        ["\"msg_1\"", "\"msg_2\"", "\"msg_3\"", "\"ses_s\"", "\"prt_1\"", "\"prt_2\"", "\"prt_6\""]
    {
        assert!(!text.contains(id), "{id}");
    }
}

#[test]
fn what_has_no_place_is_named_or_carried() {
    let mut answer = answer(
        "msg_2",
        1.0,
        "msg_1",
        json!([
            {"id": "prt_1", "type": "x-chart", "sessionID": "s", "messageID": "m", "bars": [1]},
            {"id": "prt_2", "type": "tool", "callID": "c", "tool": "t", "more": 1, "state":
                {"status": "completed", "input": "ls", "output": 7, "time": {"start": 1.5}, "title": null}},
            {"id": "prt_3", "type": "step-finish", "reason": "tool_use"},
            {"id": "prt_4", "type": "retry", "attempt": 2.4, "error": {"message": "no", "isRetryable": false, "statusCode": 529}},
            7
        ]),
    );
    answer["info"]["error"] = json!({"message": "it broke", "metadata": {"errorCode": "x"}});
    answer["info"]["finish"] = json!("end_turn");
    answer["info"]["mood"] = json!({"deep": 1});
    let mut prompt = user("msg_1", 0.0, json!([]));
    prompt["info"]["system"] = json!(null);
    let (session, lost) = converted(&[prompt, answer]);
    assert_eq!(errors_of(&session), Vec::<String>::new());
    let names = ["assistant.error.metadata 1", "assistant.mood 1", "part 1", "tool.more 1"];
    assert_eq!(lost, names);
    let made = &session["messages"][1];
    assert_eq!(
        made["info"]["error"],
        json!({"name": "UnknownError", "data": {"message": "it broke"}})
    );
    assert_eq!(made["info"]["finish"], "stop");
    let [chart, tool, finish, retry] = [0, 1, 2, 3].map(|i| made["parts"][i].clone());
    assert_eq!((&chart["type"], &chart["text"]), (&json!("text"), &json!("[x-chart]")));
    assert_eq!((&chart["synthetic"], &chart["ignored"]), (&json!(true), &json!(true)));
    let apex = &chart["metadata"]["apex"];
    assert_eq!(
        (&apex["type"], &apex["bars"], &apex["id"]),
        (&json!("x-chart"), &json!([1]), &chart["id"])
    );
    assert_eq!(
        tool["state"],
        json!({"status": "completed", "input": {"value": "ls"}, "output": "7",
        "title": "", "metadata": {}, "time": {"start": 2, "end": 2}})
    );
    assert_eq!((&finish["reason"], &finish["tokens"]["input"]), (&json!("tool-calls"), &json!(0)));
    assert_eq!(retry["attempt"], 2);
    let held = json!({"message": "no", "isRetryable": false, "statusCode": 529});
    assert_eq!(retry["error"], json!({"name": "APIError", "data": held}));
    // Read from an export of it, the carried part is what it was.
    let transcript = opened(&session.to_string(), None);
    let message: Value = serde_json::from_slice(&transcript.message(1).unwrap().unwrap()).unwrap();
    assert_eq!(message["parts"][0]["type"], "x-chart");
}

#[test]
fn a_second_message_or_part_of_an_id_is_not_lost() {
    let messages = [
        user("msg_1", 1.0, json!([text("prt_1", "a"), text("prt_1", "b")])),
        user("msg_1", 2.0, json!([text("prt_1", "c")])),
    ];
    let (session, _) = converted(&messages);
    assert_eq!(problems_of(&session), []);
    assert_eq!(session["messages"][0]["info"]["id"], "msg_1");
    assert_eq!(session["messages"][0]["parts"][0]["id"], "prt_1");
}

/// Every id of the messages and the parts of a session.
fn ids_of(session: &Value) -> Vec<&str> {
    let messages = session["messages"].as_array().unwrap().iter();
    messages
        .flat_map(|message| {
            let parts = message["parts"].as_array().unwrap().iter();
            [&message["info"]["id"]].into_iter().chain(parts.map(|part| &part["id"]))
        })
        .map(|id| id.as_str().unwrap())
        .collect()
}

#[test]
fn no_id_is_there_twice() {
    // One part in three messages of one time: the first keeps its id, the others have ids of their own.
    let part = || json!([text("prt_1", "a")]);
    let messages =
        [user("msg_1", 1.0, part()), user("msg_2", 1.0, part()), user("msg_3", 1.0, part())];
    let (session, _) = converted(&messages);
    assert_eq!(problems_of(&session), []);
    // Ids that are made come upon themselves where a session was put together with what was made of it.
    let foreign =
        [user("a", 1.0, json!([text("b", "a")])), user("c", 1.0, json!([text("d", "a")]))];
    let made = converted(&foreign).0["messages"].as_array().unwrap().clone();
    for whole in [[made.clone(), foreign.to_vec()].concat(), [foreign.to_vec(), made].concat()] {
        let (session, _) = converted(&whole);
        let ids = ids_of(&session);
        assert_eq!(ids.len(), 8);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 8, "{ids:?}");
        assert_eq!(errors_of(&session), Vec::<String>::new());
    }
}

#[test]
fn another_session_with_the_same_messages_has_ids_of_its_own() {
    let messages = [user("m", 1.0, json!([text("p", "a")]))];
    let made = |id: &str| {
        let source = SessionSource { id: id.into(), ..SessionSource::default() };
        converted_of(&messages, &source, &OpenCodeOptions::default()).0
    };
    assert_ne!(made("a")["messages"][0]["info"]["id"], made("b")["messages"][0]["info"]["id"]);
    assert_eq!(made("a"), made("a"));
}

#[test]
fn what_is_no_message_is_refused() {
    for bad in [json!(7), json!({"info": {}}), json!({"info": [], "parts": []})] {
        let texts = Texts(vec![bad.to_string().into_bytes()]);
        let made =
            OpenCodeConversion::new(&texts, &SessionSource::default(), &OpenCodeOptions::default());
        assert!(made.unwrap_err().to_string().contains("/0"), "{bad}");
    }
}
