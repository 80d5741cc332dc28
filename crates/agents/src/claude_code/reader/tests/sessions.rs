//! Sessions of a file, what a person typed, and what the program says.

use super::*;

fn link(line: Value, parent: &str) -> Value {
    with(line, "parentUuid", if parent.is_empty() { json!(null) } else { json!(parent) })
}
fn asks(uuid: &str, parent: &str, text: &str) -> Value {
    link(user(uuid, 1, json!(text)), parent)
}
fn says(uuid: &str, parent: &str, text: &str) -> Value {
    let block = json!({"type": "text", "text": text});
    link(answer(uuid, 2, &format!("msg_{uuid}"), json!("end_turn"), block), parent)
}
fn calls(uuid: &str, parent: &str, call: &str, tool: &str, input: Value) -> Value {
    let block = json!({"type": "tool_use", "id": call, "name": tool, "input": input});
    link(answer(uuid, 2, &format!("msg_{uuid}"), json!("tool_use"), block), parent)
}
fn returns(uuid: &str, parent: &str, call: &str, content: &str) -> Value {
    let block = json!([{"type": "tool_result", "tool_use_id": call, "content": content}]);
    link(user(uuid, 3, block), parent)
}
fn queued(uuid: &str, parent: &str, prompt: Value, mode: Option<&str>) -> Value {
    let mut attachment = json!({"type": "queued_command", "prompt": prompt});
    if let Some(mode) = mode {
        attachment["commandMode"] = json!(mode);
    }
    let line = json!({"isSidechain": false, "sessionId": "S", "type": "attachment", "uuid": uuid, "timestamp": "2025-03-01T10:00:04.500Z", "attachment": attachment});
    link(line, parent)
}
fn system(uuid: &str, parent: &str, fields: &Value) -> Value {
    let mut line = json!({"isSidechain": false, "sessionId": "S", "type": "system", "uuid": uuid, "timestamp": "2025-03-01T10:00:04.500Z"});
    for (name, value) in fields.as_object().unwrap() {
        line[name] = value.clone();
    }
    link(line, parent)
}

/// The messages of a session: who, and what was said by a person or the model.
fn talk(made: &LoadedSessions, session: usize) -> Vec<String> {
    let all = messages(&made.sessions[session]);
    let line = |message: &Value| {
        let parts = message["parts"].as_array().unwrap();
        let said = parts.iter().filter(|p| p["type"] == "text" && p["synthetic"] != true);
        let texts: Vec<&str> = said.map(|p| p["text"].as_str().unwrap()).collect();
        format!("{}: {}", message["info"]["role"].as_str().unwrap(), texts.join(" "))
    };
    all.as_array().unwrap().iter().map(line).collect()
}
fn ids(made: &LoadedSessions) -> Vec<(&str, Option<&str>)> {
    made.sessions.iter().map(|s| (s.id.as_str(), s.parent_id.as_deref())).collect()
}
/// A part of the last session by its type.
fn part<'a>(all: &'a Value, kind: &str) -> &'a Value {
    let parts = all.as_array().unwrap().iter().flat_map(|m| m["parts"].as_array().unwrap());
    parts.into_iter().find(|part| part["type"] == kind).unwrap()
}

#[test]
fn what_was_typed_while_an_answer_was_made_is_a_message() {
    let image = json!([{"type": "text", "text": "see"}, {"type": "image", "source": {"type": "base64", "data": "QUJD"}}]);
    let other = json!({"isSidechain": false, "sessionId": "S", "type": "attachment", "uuid": "h", "parentUuid": "q3", "attachment": {"type": "hook_success", "content": "x"}});
    let made = read_all(&[
        asks("u1", "", "go"),
        calls("a1", "u1", "t1", "Bash", json!({})),
        returns("r1", "a1", "t1", "ok"),
        queued("q1", "r1", json!("use ninja"), Some("prompt")),
        queued("q2", "q1", image, None),
        queued("q3", "q2", json!("done"), Some("task-notification")),
        other,
        json!({"type": "queue-operation", "operation": "enqueue", "sessionId": "S", "content": "x"}),
        says("a2", "q3", "Done"),
    ]);
    assert_eq!(problems(&made), Vec::<String>::new());
    let expected =
        ["user: go", "assistant: ", "user: use ninja", "user: see", "user: ", "assistant: Done"];
    assert_eq!(talk(&made, 0), expected);
    let all = root(&made);
    assert_eq!(all[2]["info"]["id"], "q1");
    assert_eq!(all[2]["info"]["time"]["created"], at(4));
    assert_eq!(all[3]["parts"][1]["url"], "data:image/png;base64,QUJD");
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
}

#[test]
fn an_answer_goes_on_in_a_message_of_its_own_behind_what_was_typed() {
    let more = |uuid: &str, parent: &str, text: &str| {
        let block = json!({"type": "text", "text": text});
        link(answer(uuid, 5, "msg_1", json!("end_turn"), block), parent)
    };
    let made = read_all(&[
        asks("u1", "", "go"),
        more("a1", "u1", "one"),
        queued("q1", "a1", json!("wait"), None),
        more("a2", "q1", "two"),
    ]);
    assert_eq!(talk(&made, 0), ["user: go", "assistant: one", "user: wait", "assistant: two"]);
    let all = root(&made);
    assert_eq!((&all[1]["info"]["id"], &all[3]["info"]["id"]), (&json!("msg_1"), &json!("a2")));
    assert_eq!(
        (&all[1]["info"]["tokens"]["output"], &all[3]["info"]["tokens"]["output"]),
        (&json!(0), &json!(20))
    );
    assert_valid(&made, Ids::OpenCode);
}

#[test]
fn what_was_rewound_is_a_session() {
    let made = read_all(&[
        asks("u1", "", "plan"),
        says("a1", "u1", "ready"),
        asks("u2", "a1", "red"),
        says("a2", "u2", "Red"),
        asks("u3", "a1", "blue"),
        says("a3", "u3", "Blue"),
    ]);
    assert_eq!(ids(&made), [("S", None), ("S/branch-1", Some("S"))]);
    assert_eq!(made.sessions[1].kind, Some(SessionKind::Branch));
    let main = ["user: plan", "assistant: ready", "user: blue", "assistant: Blue"];
    assert_eq!(talk(&made, 0), main);
    assert_eq!(talk(&made, 1), ["user: red", "assistant: Red"]);
    for session in &made.sessions {
        assert_eq!(complaints(session, Ids::OpenCode), Vec::<String>::new());
    }
}

#[test]
fn linked_lines_are_one_session_whatever_they_name() {
    let named = |line: Value, session: &str| with(line, "sessionId", json!(session));
    let made = read_all(&[
        named(asks("u1", "", "one"), "A"),
        named(says("a1", "u1", "One"), "A"),
        named(asks("u2", "a1", "two"), "B"),
        named(says("a2", "u2", "Two"), "B"),
        named(asks("u3", "", "three"), "C"),
        named(says("a3", "u3", "Three"), "C"),
    ]);
    assert_eq!(ids(&made), [("B", None), ("C", None)]);
    assert_eq!(talk(&made, 0), ["user: one", "assistant: One", "user: two", "assistant: Two"]);
    assert_eq!(talk(&made, 1), ["user: three", "assistant: Three"]);
}

#[test]
fn calls_name_the_sub_agents_that_they_started() {
    let side = |line: Value, agent: Option<&str>| {
        let line = with(line, "isSidechain", json!(true));
        agent.map_or(line.clone(), |agent| with(line, "agentId", json!(agent)))
    };
    let task =
        |prompt: &str| json!({"description": "look", "subagent_type": "Explore", "prompt": prompt});
    let result = |uuid: &str, call: &str, outcome: Value| {
        with(returns(uuid, "a1", call, "ok"), "toolUseResult", outcome)
    };
    let made = read_all(&[
        asks("u1", "", "go"),
        calls("a1", "u1", "t1", "Task", task("find \"x\"")),
        calls("a2", "a1", "t2", "Agent", task("find y")),
        calls("a3", "a2", "t3", "Task", task("elsewhere")),
        side(asks("s1", "", "find y"), None),
        side(says("s2", "s1", "Y"), None),
        side(asks("s3", "", "something else"), Some("ag1")),
        side(says("s4", "s3", "X"), Some("ag1")),
        result("r1", "t1", json!({"agentId": "ag1"})),
        link(result("r3", "t3", json!({"agentId": "ag9", "status": "async_launched"})), "a3"),
    ]);
    assert_eq!(ids(&made), [("S", None), ("s1", Some("S")), ("ag1", Some("S"))]);
    let all = root(&made);
    let child = |message: usize| &all[message]["parts"][1]["state"]["metadata"]["sessionId"];
    assert_eq!((child(1), child(2), child(3)), (&json!("ag1"), &json!("s1"), &json!("ag9")));
    assert_eq!(all[2]["parts"][1]["state"]["status"], "running");
    assert_eq!(made.sessions[1].title.as_deref(), Some("look"));
    let info: Value = serde_json::from_slice(made.sessions[2].info.as_ref().unwrap()).unwrap();
    assert_eq!(info["agent"], "Explore");
    assert_eq!(messages(&made.sessions[2])[1]["info"]["agent"], "Explore");
    for session in &made.sessions {
        assert_eq!(complaints(session, Ids::OpenCode), Vec::<String>::new());
    }
}

#[test]
fn an_output_in_another_file_is_told() {
    let saved = "<persisted-output>\nOutput too large (50KB). Full output saved to: /srv/t9.txt\n\nPreview\n</persisted-output>";
    let lines = |outcome: Option<Value>| {
        let result = returns("r1", "a1", "t1", saved);
        let result = outcome.map_or(result.clone(), |o| with(result, "toolUseResult", o));
        let made =
            read_all(&[asks("u1", "", "go"), calls("a1", "u1", "t1", "Bash", json!({})), result]);
        root(&made)[1]["parts"][1]["state"]["metadata"].clone()
    };
    let told = lines(Some(json!({"persistedOutputPath": "/srv/other.txt"})));
    assert_eq!((&told["outputPath"], &told["truncated"]), (&json!("/srv/other.txt"), &json!(true)));
    assert_eq!(lines(None), json!({"outputPath": "/srv/t9.txt", "truncated": true}));
}

#[test]
fn interruptions_abort_the_answer_before_them() {
    let made = read_all(&[
        asks("u1", "", "go"),
        calls("a1", "u1", "t1", "Bash", json!({})),
        link(
            user(
                "i1",
                4,
                json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
            ),
            "a1",
        ),
        asks("u2", "i1", "[Request interrupted by user] is what I see"),
        asks("i2", "u2", "[Request interrupted by user]"),
    ]);
    let expected = ["user: go", "assistant: ", "user: [Request interrupted by user] is what I see"];
    assert_eq!(talk(&made, 0), expected);
    let all = root(&made);
    let error = &all[1]["info"]["error"];
    assert_eq!(error["name"], "MessageAbortedError");
    assert_eq!(error["data"]["message"], "[Request interrupted by user for tool use]");
    let state = &all[1]["parts"][1]["state"];
    assert_eq!((&state["status"], &state["metadata"]["aborted"]), (&json!("error"), &json!(true)));
    // The second request had no answer yet.
    assert_eq!(all[2]["parts"][1]["type"], "notice");
    assert_eq!(all[2]["parts"][1]["text"], "[Request interrupted by user]");
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
}

#[test]
fn commands_are_a_persons_unless_the_program_answers() {
    let command = |name: &str| {
        format!(
            "<command-name>/{name}</command-name>\n<command-message>x</command-message>\n<command-args>a b</command-args>"
        )
    };
    let made = read_all(&[
        asks("c1", "", &command("review")),
        with(asks("m1", "c1", "You are a reviewer."), "isMeta", json!(true)),
        says("a1", "m1", "Reviewed"),
        asks("c2", "a1", &command("model")),
        asks("o2", "c2", "<local-command-stdout>set</local-command-stdout>"),
        asks("b1", "o2", "<bash-input>ls</bash-input>"),
        asks("b2", "b1", "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"),
        asks("u1", "b2", "What does <bash-input> mean?"),
    ]);
    let said: Vec<String> =
        talk(&made, 0).into_iter().filter(|line| !line.ends_with(": ")).collect();
    assert_eq!(
        said,
        ["user: /review a b", "assistant: Reviewed", "user: What does <bash-input> mean?"]
    );
    let all = root(&made);
    assert_eq!(all[0]["parts"][0]["metadata"]["command"], "/review");
    assert_eq!(
        (&all[3]["parts"][0]["text"], &all[3]["parts"][0]["synthetic"]),
        (&json!("/model a b"), &json!(true))
    );
}

#[test]
fn the_program_is_no_model() {
    let own = |uuid: &str, parent: &str, text: &str| {
        let mut line = says(uuid, parent, text);
        line["message"]["model"] = json!("<synthetic>");
        line
    };
    let made = read_all(&[
        asks("u1", "", "go"),
        own("a1", "u1", "No response requested."),
        with(own("a2", "a1", "API Error: 529"), "isApiErrorMessage", json!(true)),
    ]);
    let all = root(&made);
    assert_eq!(talk(&made, 0), ["user: go", "assistant: ", "assistant: "]);
    assert_eq!((&all[1]["info"]["modelID"], &all[1]["info"]["error"]), (&json!(""), &json!(null)));
    assert_eq!(all[2]["info"]["error"]["data"]["message"], "API Error: 529");
}

#[test]
fn a_notice_without_a_message_is_a_warning_with_its_text() {
    let said = "no \"quota\"\nleft";
    let notice = json!({"subtype": "informational", "content": said, "level": "warning"});
    let made = read_all(&[system("n0", "", &notice)]);
    let warnings: Vec<_> = made.problems.iter().map(|p| (&*p.rule, &*p.message)).collect();
    let message = format!("warning in a session without a message: {said}");
    assert_eq!(warnings, [("claude-code", &*message)]);
}

#[test]
fn system_lines_are_notices() {
    let deep = json!({"status": 529, "error": {"error": {"message": "Overloaded"}}});
    let made = read_all(&[
        system("n0", "", &json!({"subtype": "informational", "content": "hello", "level": "info"})),
        asks("u1", "n0", "go"),
        system(
            "n1",
            "u1",
            &json!({"subtype": "api_error", "level": "error", "error": deep, "retryAttempt": 2, "maxRetries": 10, "retryInMs": 500}),
        ),
        says("a1", "n1", "Done"),
        system(
            "n2",
            "a1",
            &json!({"subtype": "local_command", "content": "<command-name>/cost</command-name>"}),
        ),
        system("n3", "n2", &json!({"subtype": "turn_duration", "durationMs": 5})),
        system(
            "n4",
            "n3",
            &json!({"subtype": "stop_hook_summary", "content": "ran", "level": "suggestion"}),
        ),
    ]);
    let all = root(&made);
    let notices: Vec<(&str, &str)> = all
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|m| m["parts"].as_array().unwrap())
        .filter(|part| part["type"] == "notice")
        .map(|part| (part["level"].as_str().unwrap(), part["text"].as_str().unwrap()))
        .collect();
    let expected = [
        ("info", "hello"),
        ("error", "Overloaded (status 529, retry 2 of 10, in 500 ms)"),
        ("info", "/cost"),
    ];
    assert_eq!(notices, expected);
    assert_eq!(part(&all, "notice")["messageID"], "u1");
    assert_eq!(talk(&made, 0), ["user: go", "assistant: Done"]);
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
}
