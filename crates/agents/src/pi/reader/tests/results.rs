//! Results of calls, answers that ended early, and commands of the user.

use super::*;

#[test]
fn results() {
    let image = json!({"type": "image", "data": "QUJD", "mimeType": "image/png"});
    let texts = json!([{"type": "text", "text": "a"}, image, {"type": "text", "text": ""}, {"type": "odd", "n": 1}, {"type": "text", "text": "b\n\nCommand exited with code 7\n"}]);
    let all = read_well(&[
        header(),
        user("u", "", 1, "go"),
        answer("a", "u", 2, call("c1")),
        result("r", "a", 3, "c1", json!({"content": texts, "details": null})),
        answer("a2", "r", 4, call("c2")),
        result(
            "r2",
            "a2",
            5,
            "c2",
            json!({"isError": true, "content": "boom\n\nCommand exited with code 2", "details": {"x": 1}}),
        ),
        answer("a3", "r2", 6, call("c3")),
        result("r3", "a3", 7, "c3", json!({"isError": true, "content": []})),
        answer("a4", "r3", 8, call("c4")),
        result("r4", "a4", 9, "c4", json!({"content": "Command exited with code 1\nor so"})),
        answer("a5", "r4", 10, call("c5")),
    ]);
    let state = |i: usize| all[i]["parts"][1]["state"].clone();
    let expected = json!({"status": "completed", "input": {"command": "ls"}, "output": "a\n\nb\n\nCommand exited with code 7\n", "title": "", "metadata": {"exit": 7}, "time": {"start": at(2), "end": at(3)}, "attachments": [{"id": "a:1:0", "sessionID": "S", "messageID": "a", "type": "file", "mime": "image/png", "url": "data:image/png;base64,QUJD"}]});
    assert_eq!(state(1), expected);
    let custom = json!({"id": "a:2", "sessionID": "S", "messageID": "a", "type": "pi-odd", "item": {"type": "odd", "n": 1}});
    assert_eq!(all[1]["parts"][2], custom);
    let failed = json!({"status": "error", "input": {"command": "ls"}, "error": "boom\n\nCommand exited with code 2", "metadata": {"exit": 2, "details": {"x": 1}}, "time": {"start": at(4), "end": at(5)}});
    assert_eq!(state(2), failed);
    assert_eq!(state(3)["error"], "error");
    assert_eq!(state(4)["metadata"], json!({}));
    assert_eq!(
        state(5),
        json!({"status": "running", "input": {"command": "ls"}, "time": {"start": at(10)}})
    );
}

#[test]
fn results_without_their_call_and_second_results() {
    let made = read_all(&[
        header(),
        user("u", "", 1, "go"),
        result("r", "u", 2, "c1", json!({})),
        answer("a", "r", 3, call("c2")),
        result("r2", "a", 4, "c2", json!({})),
        result(
            "r3",
            "r2",
            5,
            "c2",
            json!({"content": [{"type": "text", "text": "again"}, {"type": "odd"}]}),
        ),
        result("r4", "r3", 6, "c3", json!({"toolName": null})),
    ]);
    let rules: Vec<_> = made.problems.iter().map(|p| (p.rule.as_str(), p.severity)).collect();
    assert_eq!(rules, [("pi", apex_parts_model::Severity::Warning); 3]);
    let all = root(&made);
    let made_up = &all[1]["parts"][1];
    assert_eq!((&made_up["callID"], &made_up["tool"]), (&json!("c1"), &json!("bash")));
    assert_eq!(made_up["state"]["input"], json!({}));
    let parts = all[2]["parts"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[1]["state"]["output"]), (4, &json!("out")));
    assert_eq!(parts[2]["tool"], "unknown");
}

#[test]
fn a_result_in_a_branch_belongs_to_the_call_before_it() {
    let calls = json!([{"type": "toolCall", "id": "c1", "name": "x"}, {"type": "toolCall", "id": "c2", "name": "x"}]);
    let made = read_all(&[
        header(),
        user("u", "", 1, "go"),
        answer("a", "u", 2, calls),
        result("r1", "a", 3, "c1", json!({})),
        result("r2", "r1", 4, "c2", json!({})),
        user("u2", "r1", 5, "no"),
    ]);
    assert_eq!((made.sessions.len(), problems(&made)), (1, vec![]));
    let all = root(&made);
    let ends: Vec<_> = [1, 2].map(|i| all[1]["parts"][i]["state"]["time"]["end"].clone()).into();
    assert_eq!(ends, [json!(at(3)), json!(at(4))]);
}

#[test]
fn errors_and_aborts() {
    let stopped = |id, parent, second, reason: &str, message: Value| {
        let mut line = answer(id, parent, second, call(id));
        line["message"]["stopReason"] = json!(reason);
        line["message"]["errorMessage"] = message;
        line
    };
    let all = read_well(&[
        header(),
        user("u", "", 1, "go"),
        stopped("a1", "u", 2, "error", json!("terminated")),
        stopped("a2", "a1", 3, "aborted", json!("Request was aborted")),
        stopped("a3", "a2", 4, "aborted", Value::Null),
        stopped("a4", "a3", 5, "length", Value::Null),
    ]);
    let error = |name: &str, text: &str| json!({"name": name, "data": {"message": text}});
    assert_eq!(all[1]["info"]["error"], error("UnknownError", "terminated"));
    assert_eq!(all[2]["info"]["error"], error("MessageAbortedError", "Request was aborted"));
    assert_eq!(all[3]["info"]["error"], error("MessageAbortedError", "aborted"));
    assert_eq!(all[4]["info"].get("error"), None);
    let finish: Vec<_> = (1..5).map(|i| all[i]["info"]["finish"].as_str().unwrap()).collect();
    assert_eq!(finish, ["error", "aborted", "aborted", "length"]);
    let state = |i: usize| all[i]["parts"][1]["state"].clone();
    let aborted = |text: &str, second| json!({"status": "error", "input": {"command": "ls"}, "error": text, "metadata": {"aborted": true}, "time": {"start": at(second), "end": at(second)}});
    assert_eq!(state(1), aborted("terminated", 2));
    assert_eq!(state(2), aborted("Request was aborted", 3));
    assert_eq!(state(3), aborted("aborted", 4));
    assert_eq!(state(4)["status"], "running");
}

#[test]
fn the_users_own_commands() {
    let run = |id, parent: &str, second, more: Value| {
        let mut message = json!({"role": "bashExecution", "command": "ls", "output": "a\nb", "exitCode": 1, "cancelled": false, "truncated": false});
        for (name, value) in more.as_object().unwrap() {
            message[name] = value.clone();
        }
        said(id, parent, second, message)
    };
    let all = read_well(&[
        header(),
        run("x", "", 1, json!({})),
        run(
            "y",
            "x",
            2,
            json!({"cancelled": true, "exitCode": null, "truncated": true, "fullOutputPath": "/t"}),
        ),
        run("z", "y", 3, json!({"output": "", "exitCode": 0})),
    ]);
    assert_eq!(all[0]["info"]["role"], "user");
    let expected = json!([{"id": "x:0", "sessionID": "S", "messageID": "x", "type": "tool", "callID": "x:0", "tool": "bash", "state": {"status": "completed", "input": {"command": "ls"}, "output": "a\nb", "title": "", "metadata": {"exit": 1}, "time": {"start": at(1), "end": at(1)}}}]);
    assert_eq!(all[0]["parts"], expected);
    let state = &all[1]["parts"][0]["state"];
    assert_eq!((&state["status"], &state["error"]), (&json!("error"), &json!("aborted")));
    assert_eq!(
        state["metadata"],
        json!({"aborted": true, "truncated": true, "fullOutputPath": "/t", "output": "a\nb"})
    );
    assert_eq!(all[2]["parts"][0]["state"]["metadata"], json!({"exit": 0}));
}
