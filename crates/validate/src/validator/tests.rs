use super::*;
use apex_parts_model::bounds::MAX_PROBLEMS;
use apex_parts_model::{Json, Problem, Severity, ValidationResult};
use serde_json::{Value, json};

const S: &str = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f";
const M: &str = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e70";

fn base(more: Value) -> Value {
    let mut part = json!({"id": "p1", "sessionID": S, "messageID": M});
    part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    part
}
fn tool(state: Value) -> Value {
    base(json!({"type": "tool", "callID": "c", "tool": "bash", "state": state}))
}
fn tokens() -> Value {
    json!({"input": 1, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}})
}
fn user(parts: Value) -> Value {
    json!({"info": {"id": M, "sessionID": S, "role": "user", "time": {"created": 1}, "agent": "a",
        "model": {"providerID": "p", "modelID": "m"}}, "parts": parts})
}
fn assistant(parts: Value) -> Value {
    json!({"info": {"id": M, "sessionID": S, "role": "assistant", "time": {"created": 1, "completed": 2},
        "parentID": S, "modelID": "m", "providerID": "p", "agent": "a", "path": {"cwd": "/", "root": "/"},
        "cost": 0, "tokens": tokens(), "finish": "stop"}, "parts": parts})
}
/// The rules broken and where, in order: "BR-01 /id", a warning with a "?" after it.
fn broken<'a>(
    check: impl Fn(&Json<'a>, Ids, &mut Vec<Problem>),
    value: &'a Value,
    ids: Ids,
) -> Vec<String> {
    let mut problems = Vec::new();
    check(&Some(value), ids, &mut problems);
    let valid = ValidationResult::from(problems.clone()).valid;
    assert_eq!(valid, problems.iter().all(|p| p.severity == Severity::Warning));
    let mark = |p: &Problem| if p.severity == Severity::Warning { "?" } else { "" };
    problems.iter().map(|p| format!("{} {}{}", p.rule, p.path, mark(p))).collect()
}
fn of_part(value: &Value) -> Vec<String> {
    broken(part, value, Ids::Apex)
}
fn of_message(value: &Value) -> Vec<String> {
    broken(message, value, Ids::Apex)
}

#[test]
fn good_parts_of_every_type() {
    let span = json!({"start": 1, "end": 2});
    let text = json!({"value": "v", "start": 0, "end": 1});
    let place = json!({"line": 1, "character": 2});
    for more in [
        json!({"type": "text", "text": "", "synthetic": true, "ignored": false, "time": {"start": 1}, "metadata": {}}),
        json!({"type": "reasoning", "text": "t", "time": span}),
        json!({"type": "step-start"}),
        json!({"type": "step-finish", "reason": "stop", "cost": 0.1, "tokens": tokens()}),
        json!({"type": "file", "mime": "m", "url": "u"}),
        json!({"type": "file", "mime": "m", "url": "u", "source": {"type": "file", "path": "p", "text": text}}),
        json!({"type": "file", "mime": "m", "url": "u", "source": {"type": "symbol", "path": "p", "name": "n", "kind": 1,
               "range": {"start": place, "end": place}, "text": text}}),
        json!({"type": "file", "mime": "m", "url": "u", "source": {"type": "resource", "clientName": "c", "uri": "u", "text": text}}),
        json!({"type": "subtask", "prompt": "p", "description": "d", "agent": "a"}),
        json!({"type": "subtask", "prompt": "p", "description": "d", "agent": "a", "command": "c",
               "model": {"providerID": "p", "modelID": "m"}}),
        json!({"type": "agent", "name": "n", "source": text}),
        json!({"type": "compaction", "auto": false, "overflow": true}),
        json!({"type": "retry", "attempt": 1, "time": {"created": 1}, "error": {"message": "m", "isRetryable": true,
               "statusCode": 500, "responseHeaders": {"a": "b"}, "responseBody": "x", "metadata": {"k": "v"}}}),
        json!({"type": "retry", "attempt": 1, "time": {"created": 1}, "error": {"name": "APIError", "data": {}}}),
        json!({"type": "snapshot", "snapshot": "s"}),
        json!({"type": "patch", "hash": "h", "files": ["a", "b"]}),
        json!({"type": "anything", "text": 5, "state": null}),
    ] {
        assert_eq!(of_part(&base(more.clone())), Vec::<String>::new(), "{more}");
    }
    for state in [
        json!({"status": "pending", "input": {}, "raw": ""}),
        json!({"status": "running", "input": {}, "time": {"start": 0}}),
        json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {}, "time": span,
               "attachments": [base(json!({"type": "file", "mime": "m", "url": "u"}))]}),
        json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {},
               "time": {"start": 1, "end": 1, "compacted": 5}}),
        json!({"status": "error", "input": {}, "error": "e", "metadata": {}, "time": span}),
    ] {
        assert_eq!(of_part(&tool(state.clone())), Vec::<String>::new(), "{state}");
    }
}

#[test]
fn base_fields() {
    assert_eq!(
        of_part(&json!({})),
        ["BR-01 /id", "BR-01 /sessionID", "BR-01 /messageID", "BR-03 /type"]
    );
    assert_eq!(
        of_part(&json!({"id": "", "sessionID": 5, "messageID": null, "type": 1})),
        ["BR-01 /id", "BR-01 /sessionID", "BR-01 /messageID", "BR-03 /type"]
    );
    let own = json!({"id": "p", "sessionID": "ses_1", "messageID": M.to_uppercase(), "type": "x"});
    assert_eq!(of_part(&own), ["BR-04 /sessionID"]);
    assert_eq!(broken(part, &own, Ids::OpenCode), Vec::<String>::new());
    for odd in [json!(null), json!(1), json!("x"), json!([]), json!(true)] {
        assert_eq!(of_part(&odd), ["schema "]);
    }
}

#[test]
fn fields_of_the_wrong_type_are_each_reported() {
    for (more, expected) in [
        (json!({"type": "text"}), vec!["schema /text"]),
        (
            json!({"type": "text", "text": 1, "synthetic": "yes", "ignored": 0, "time": {"start": "y", "end": "x"}, "metadata": []}),
            vec![
                "schema /text",
                "schema /synthetic",
                "schema /ignored",
                "schema /time/start",
                "schema /time/end",
                "schema /metadata",
            ],
        ),
        (json!({"type": "reasoning", "text": "t"}), vec!["schema /time"]),
        (
            json!({"type": "patch", "hash": "h", "files": ["a", 1, null]}),
            vec!["schema /files/1", "schema /files/2"],
        ),
        (json!({"type": "patch", "hash": "h", "files": {}}), vec!["schema /files"]),
        (json!({"type": "file", "mime": "m", "url": "u", "source": 1}), vec!["schema /source"]),
        (
            json!({"type": "file", "mime": "m", "url": "u", "source": {"type": "x"}}),
            vec!["schema /source/type"],
        ),
        (
            json!({"type": "file", "mime": "m", "url": "u", "source": {"type": "file"}}),
            vec!["schema /source/path", "schema /source/text"],
        ),
        (json!({"type": "retry", "attempt": 1, "time": {"created": 1}}), vec!["schema /error"]),
        (
            json!({"type": "retry", "attempt": "1", "time": 1, "error": 2}),
            vec!["schema /attempt", "schema /time", "schema /error"],
        ),
        (
            json!({"type": "retry", "attempt": 1, "time": {"created": 1}, "error": {"responseHeaders": {"a/b": 1}}}),
            vec![
                "schema /error/message",
                "schema /error/isRetryable",
                "schema /error/responseHeaders/a~1b",
            ],
        ),
        (
            json!({"type": "retry", "attempt": 1, "time": {"created": 1}, "error": {"name": "Odd"}}),
            vec!["schema /error/name", "schema /error/data"],
        ),
        (
            json!({"type": "step-finish", "reason": "r", "cost": "1", "tokens": {"input": 1, "output": 2, "reasoning": 3}}),
            vec!["schema /cost", "schema /tokens/cache"],
        ),
    ] {
        assert_eq!(of_part(&base(more.clone())), expected, "{more}");
    }
}

#[test]
fn states_of_tools() {
    for (state, expected) in [
        (json!(null), vec!["schema /state"]),
        (json!({}), vec!["schema /state/status"]),
        (json!({"status": "done"}), vec!["schema /state/status"]),
        (json!({"status": "pending", "input": {}}), vec!["BR-06 /state/raw"]),
        (
            json!({"status": "pending", "input": [], "raw": 5}),
            vec!["schema /state/input", "BR-06 /state/raw"],
        ),
        (json!({"status": "running", "input": {}}), vec!["BR-07 /state/time"]),
        (json!({"status": "running", "input": {}, "time": {}}), vec!["BR-07 /state/time/start"]),
        (
            json!({"status": "running", "input": {}, "time": {"start": "x"}}),
            vec!["schema /state/time/start"],
        ),
        (
            json!({"status": "completed", "input": {}, "output": "", "title": "t", "metadata": {}, "time": {"start": 1}}),
            vec!["BR-08 /state/time/end", "BR-09 /state/output"],
        ),
        (
            json!({"status": "completed", "input": {}, "output": "o", "title": "t", "metadata": {}, "time": {"start": 5, "end": 1}}),
            vec!["BR-08 /state/time/end?"],
        ),
        (
            json!({"status": "completed", "input": {}, "output": 5, "time": {"end": 1, "compacted": "x"}, "attachments": 1}),
            vec![
                "schema /state/output",
                "schema /state/title",
                "schema /state/metadata",
                "schema /state/time/start",
                "schema /state/time/compacted",
                "schema /state/attachments",
            ],
        ),
        (
            json!({"status": "completed", "input": {}, "output": "o", "title": "t", "metadata": {}, "time": {"start": 1, "end": 1},
                   "attachments": [base(json!({"type": "snapshot", "snapshot": "s"})), 5]}),
            vec!["schema /state/attachments/0/type", "schema /state/attachments/1"],
        ),
        (
            json!({"status": "error", "input": {}, "error": " \n", "time": 1}),
            vec!["schema /state/time", "BR-10 /state/error"],
        ),
        (
            json!({"status": "error", "input": {}, "time": {"start": 1, "end": 1}}),
            vec!["schema /state/error"],
        ),
    ] {
        assert_eq!(of_part(&tool(state.clone())), expected, "{state}");
    }
    let mut without = tool(json!(1));
    without.as_object_mut().unwrap().remove("state");
    assert_eq!(of_part(&without), ["schema /state"]);
    let empty = tool(
        json!({"status": "completed", "input": {}, "output": "", "title": "", "metadata": {}, "time": {"start": 1, "end": 1}}),
    );
    assert_eq!(broken(part, &empty, Ids::OpenCode), ["BR-09 /state/output?"]);
}

#[test]
fn good_messages() {
    assert_eq!(of_message(&user(json!([]))), Vec::<String>::new());
    let steps = json!([
        base(json!({"type": "step-start"})),
        {"id": "p2", "sessionID": S, "messageID": M, "type": "step-finish", "reason": "r", "cost": 0, "tokens": tokens()},
    ]);
    assert_eq!(of_message(&assistant(steps)), Vec::<String>::new());
    let mut both = assistant(json!([]));
    for error in [
        json!({"message": "m", "isRetryable": false}),
        json!({"name": "MessageAbortedError", "data": {"message": "x"}}),
    ] {
        both["info"]["error"] = error;
        assert_eq!(of_message(&both), Vec::<String>::new());
    }
    let all = json!([user(json!([])), both]);
    assert_eq!(broken(transcript, &all, Ids::Apex), Vec::<String>::new());
    assert_eq!(
        broken(transcript, &json!({"info": {}, "messages": all}), Ids::Apex),
        Vec::<String>::new()
    );
}

#[test]
fn messages_themselves() {
    for odd in [json!(null), json!([]), json!("x")] {
        assert_eq!(of_message(&odd), ["schema "]);
    }
    assert_eq!(of_message(&json!({})), ["schema /info", "schema /parts"]);
    assert_eq!(
        of_message(&json!({"info": {}, "parts": []})),
        ["BR-01 /info/id", "BR-01 /info/sessionID", "schema /info/role"]
    );
    let mut m = user(json!([]));
    m["info"]["tools"] = json!({"bash": true, "read": "no"});
    m["info"]["summary"] = json!({"title": 1, "diffs": {}});
    m["info"]["sessionID"] = json!("ses_1");
    assert_eq!(
        of_message(&m),
        [
            "BR-04 /info/sessionID",
            "schema /info/summary/title",
            "schema /info/summary/diffs",
            "schema /info/tools/read"
        ]
    );
    let mut m = assistant(json!([]));
    m["info"]["tokens"] = json!({"input": -1, "output": "2", "total": "x", "cache": {"read": 0}});
    m["info"]["time"] = json!({"created": 1});
    m["info"]["error"] = json!(7);
    assert_eq!(
        of_message(&m),
        [
            "BR-13 /info/tokens/input",
            "schema /info/tokens/output",
            "BR-13 /info/tokens/reasoning",
            "schema /info/tokens/total",
            "BR-13 /info/tokens/cache/write",
            "BR-14 /info/time/completed?",
            "schema /info/error"
        ]
    );
    m["info"].as_object_mut().unwrap().remove("tokens");
    assert!(of_message(&m).contains(&"BR-13 /info/tokens".to_owned()));
    m["info"]["tokens"] = json!([]);
    assert!(of_message(&m).contains(&"schema /info/tokens".to_owned()));
}

#[test]
fn parts_in_messages() {
    let other = "0198c3f0-8d5e-7cc1-b5d1-000000000000";
    let text = |id: &str, session: &str, message: &str| json!({"id": id, "sessionID": session, "messageID": message, "type": "text", "text": ""});
    let m = user(json!([
        text("a", S, M),
        text("b", S, M),
        text("a", other, other),
        text("c", "x", "y")
    ]));
    assert_eq!(
        of_message(&m),
        [
            "WP-1 /parts/2/sessionID",
            "WP-1 /parts/2/messageID",
            "BR-02 /parts/2/id",
            "WP-1 /parts/3/sessionID",
            "BR-04 /parts/3/sessionID",
            "WP-1 /parts/3/messageID",
            "BR-04 /parts/3/messageID"
        ]
    );
    // An id that is not a UUID is a problem in every place.
    let mut m = user(json!([text("a", "ses_1", M)]));
    m["info"]["sessionID"] = json!("ses_1");
    assert_eq!(of_message(&m), ["BR-04 /info/sessionID", "BR-04 /parts/0/sessionID"]);
    assert_eq!(broken(message, &m, Ids::OpenCode), Vec::<String>::new());
}

#[test]
fn steps_pair_up_and_tools_end() {
    let part = |id: usize, kind: &str| json!({"id": format!("p{id}"), "sessionID": S, "messageID": M, "type": kind, "reason": "r", "cost": 0, "tokens": tokens()});
    let steps = |kinds: &[&str]| {
        let parts: Vec<Value> = kinds.iter().enumerate().map(|(i, k)| part(i, k)).collect();
        of_message(&assistant(json!(parts)))
    };
    let (start, end) = ("step-start", "step-finish");
    assert_eq!(steps(&[start, end, start, end]), Vec::<String>::new());
    assert_eq!(steps(&[start]), ["WP-2 /parts/0?"]);
    assert_eq!(steps(&[end]), ["WP-2 /parts/0?"]);
    assert_eq!(steps(&[start, start, end]), ["WP-2 /parts/0?"]);
    assert_eq!(steps(&[start, end, end, start]), ["WP-2 /parts/2?", "WP-2 /parts/3?"]);
    let mut m = assistant(json!([
        tool(json!({"status": "pending", "input": {}, "raw": ""})),
        {"id": "p2", "sessionID": S, "messageID": M, "type": "tool", "callID": "d", "tool": "t",
         "state": {"status": "running", "input": {}, "time": {"start": 1}}},
    ]));
    assert_eq!(of_message(&m), ["WP-3 /parts/0/state?", "WP-3 /parts/1/state?"]);
    m["info"]["time"] = json!({"created": 1});
    m["info"].as_object_mut().unwrap().remove("finish");
    assert_eq!(of_message(&m), Vec::<String>::new());
}

#[test]
fn only_the_output_of_a_completed_call_is_cleared() {
    let time = json!({"start": 1, "end": 2, "compacted": 3});
    let failed = json!({"status": "error", "input": {}, "error": "x", "time": time});
    assert_eq!(of_message(&assistant(json!([tool(failed)]))), ["CP-5 /parts/0/state?"]);
    let completed = json!({"status": "completed", "input": {}, "output": "x", "title": "", "metadata": {}, "time": time});
    assert_eq!(of_message(&assistant(json!([tool(completed)]))), Vec::<String>::new());
}

#[test]
fn transcripts_say_which_message() {
    assert_eq!(broken(transcript, &json!({}), Ids::Apex), ["schema "]);
    assert_eq!(broken(transcript, &json!([user(json!([])), 5]), Ids::Apex), ["schema /1"]);
    assert_eq!(
        broken(transcript, &json!({"messages": [user(json!([7]))]}), Ids::Apex),
        ["schema /messages/0/parts/0"]
    );
}

#[test]
fn the_number_of_problems_is_limited() {
    struct Count(usize, String);
    impl Report for Count {
        fn report(&mut self, problem: Problem) {
            self.0 += 1;
            self.1 = problem.rule;
        }
    }
    let many = Value::Array(vec![Value::Null; MAX_PROBLEMS + 5]);
    let mut count = Count(0, String::new());
    transcript(&Some(&many), Ids::Apex, &mut count);
    assert_eq!((count.0, count.1.as_str()), (MAX_PROBLEMS + 1, "limit"));
}
