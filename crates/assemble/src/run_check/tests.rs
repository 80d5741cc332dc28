use super::*;
use apex_parts_model::Problem;
use serde_json::{Value, json};

fn rules(messages: Value) -> Vec<(String, String)> {
    let mut problems: Vec<Problem> = Vec::new();
    check_run(&Some(&messages), &mut problems);
    problems.into_iter().map(|p| (p.rule, p.path)).collect()
}

fn message(role: &str, parts: Value) -> Value {
    json!({"runId": "r", "role": role, "parts": parts, "timestamp": ""})
}

fn call(id: &str) -> Value {
    json!({"kind": "tool_call", "payload": {"toolCallId": id, "toolName": "t", "arguments": {}}})
}

fn result(id: &str) -> Value {
    json!({"kind": "tool_result", "payload": {"toolCallId": id, "isError": false, "content": ""}})
}

#[test]
fn a_good_run() {
    let text = json!({"kind": "text", "payload": {"text": "hi"}});
    let image = json!({"kind": "image", "payload": {"mimeType": "image/png", "url": "x"}});
    assert_eq!(
        rules(json!([
            message("system", json!([text])),
            message("user", json!([text, image])),
            message("assistant", json!([text, call("a"), call("b")])),
            message("tool", json!([result("b"), result("a")])),
            message("assistant", json!([text])),
        ])),
        []
    );
}

#[test]
fn a_part_of_an_unknown_kind_is_a_warning() {
    let mut problems: Vec<Problem> = Vec::new();
    let parts = json!([{"kind": "video", "payload": 1}, call("a")]);
    let messages = json!([message("assistant", parts), message("tool", json!([result("a")]))]);
    check_run(&Some(&messages), &mut problems);
    assert_eq!(
        problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "warning DC-14 at /0/parts/0/kind: no role has a part of kind \"video\": it is not checked"
        ]
    );
}

#[test]
fn calls_and_results() {
    let at = |rule: &str, path: &str| (rule.to_owned(), path.to_owned());
    let other = {
        let mut other = message("assistant", json!([call("a")]));
        other["runId"] = json!("another");
        other
    };
    assert_eq!(
        rules(json!([
            message("assistant", json!([call("a"), call("a")])),
            message("tool", json!([result("x"), result("a")])),
            message("tool", json!([result("a")])),
            other,
        ])),
        [
            at("DC-8", "/0/parts/1/payload/toolCallId"),
            at("DC-10", "/1/parts/0/payload/toolCallId"),
            at("DC-9", "/2/parts/0/payload/toolCallId"),
        ]
    );
}

#[test]
fn roles() {
    let kinds = ["text", "thinking", "tool_call", "tool_result", "image", "file_ref"];
    for (role, good) in [
        ("system", &["text", "thinking"][..]),
        ("user", &["text", "image", "file_ref"]),
        ("assistant", &["text", "thinking", "tool_call"]),
        ("tool", &["tool_result"]),
    ] {
        for kind in kinds {
            let part = json!({"kind": kind, "payload": {"toolCallId": "c"}});
            let wrong = rules(json!([message(role, json!([part]))]));
            let found = wrong.iter().any(|(rule, _)| rule == "DC-14");
            assert_eq!(found, !good.contains(&kind), "{role} {kind}");
        }
    }
}

#[test]
fn values_of_the_wrong_shape_are_reported() {
    for (value, path) in [
        (json!(null), ""),
        (json!({}), ""),
        (json!([5]), "/0"),
        (json!([{"role": "user", "parts": []}]), "/0/runId"),
        (json!([{"runId": "r", "role": 5, "parts": []}]), "/0/role"),
        (json!([{"runId": "r", "role": "robot", "parts": []}]), "/0/role"),
        (json!([{"runId": "r", "role": "user"}]), "/0/parts"),
        (json!([{"runId": "r", "role": "user", "parts": [1]}]), "/0/parts/0"),
        (json!([{"runId": "r", "role": "user", "parts": [{}]}]), "/0/parts/0/kind"),
        (
            json!([{"runId": "r", "role": "tool", "parts": [{"kind": "tool_result"}]}]),
            "/0/parts/0/payload/toolCallId",
        ),
    ] {
        assert_eq!(rules(value.clone()), [("schema".to_owned(), path.to_owned())], "{value}");
    }
}

#[test]
fn a_run_that_goes_on_without_a_result() {
    let problems_of = |messages: &[Value]| {
        let mut problems: Vec<Problem> = Vec::new();
        check_run(&Some(&Value::from(messages)), &mut problems);
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let text = || message("assistant", json!([{"kind": "text", "payload": {"text": "so"}}]));
    let calls = message("assistant", json!([call("a"), call("b")]));
    let answer = message("tool", json!([result("a")]));
    let late = message("tool", json!([result("b")]));
    // The run may still go on.
    assert_eq!(problems_of(std::slice::from_ref(&calls)), [""; 0]);
    assert_eq!(problems_of(&[calls.clone(), answer.clone()]), [""; 0]);
    assert_eq!(problems_of(&[calls.clone(), message("user", json!([]))]), [""; 0]);
    assert_eq!(
        problems_of(&[calls.clone(), answer.clone(), text()]),
        [
            "warning DC-9 at /0/parts/1/payload/toolCallId: the run continued, but the call \"b\" has no \
          result"
        ]
    );
    // A result may come late; another run does not count.
    assert_eq!(problems_of(&[calls.clone(), answer.clone(), text(), late]), [""; 0]);
    let mut other = text();
    other["runId"] = json!("another");
    assert_eq!(problems_of(&[calls.clone(), answer.clone(), other]), [""; 0]);
    // The output of a tool on the provider's side has no message of its own.
    let mut with_results = calls;
    with_results["meta"] = json!({"toolResults": [{"toolCallId": "b"}, {"toolCallId": "x"}, 7]});
    assert_eq!(problems_of(&[with_results, answer, text()]), [""; 0]);
    // Several runs, each with its own calls.
    let message = |run: &str, parts| json!({"runId": run, "role": "assistant", "parts": parts});
    let runs = [
        message("r", json!([call("a")])),
        message("s", json!([call("a")])),
        message("s", json!([])),
        message("r", json!([])),
    ];
    assert_eq!(problems_of(&runs).len(), 2);
}
