//! Executions of tools, and sub-agents.

use super::*;

#[test]
fn a_start_waits_for_its_request() {
    let made = read(&[
        start(),
        begins(1, "c1"),
        answer(2, "m1", &request("c1")),
        begins(3, "c2"),
        ends(4, "c2", true, &json!({"content": "x"})),
        answer(5, "m2", &request("c2")),
        begins(6, "c3"),
        event("assistant.turn_end", 7, json!({})),
        begins(8, "c4"),
        user(9, "Next"),
        begins(10, "c5"),
    ]);
    let all = root(&made);
    assert_eq!(ids(&all), ["m1", "S:1", "m2", "S:3", "S:4", "e9", "S:6"]);
    let state = |message: usize, part: usize| all[message]["parts"][part]["state"].clone();
    assert_eq!(state(0, 2)["time"], json!({"start": at(1)}));
    assert_eq!(
        (state(1, 1)["status"].clone(), state(1, 1)["time"].clone()),
        (json!("completed"), json!({"start": at(3), "end": at(4)}))
    );
    assert_eq!(state(1, 1)["input"], json!({"command": "ls"}));
    assert_eq!(all[2]["parts"].as_array().unwrap().len(), 3);
    for message in [3, 4, 6] {
        assert_eq!(state(message, 1)["status"], "running");
    }
    assert!(made.problems.is_empty());
}

#[test]
fn executions_end() {
    let files = json!([{"type": "terminal", "text": "x", "exitCode": 4}, {"type": "image", "data": "QUJD", "mimeType": "image/png"}]);
    let mut lines = vec![start(), user(1, "Go")];
    let cases = [
        (ends(3, "c0", false, &json!({"content": "why"})), json!({"message": "because"})),
        (ends(3, "c1", false, &json!({"content": "why"})), json!(null)),
        (ends(3, "c2", false, &json!(null)), json!(null)),
        (
            ends(
                3,
                "c3",
                true,
                &json!({"content": "same", "detailedContent": "same", "contents": files}),
            ),
            json!(null),
        ),
    ];
    for (i, (end, error)) in cases.into_iter().enumerate() {
        lines.push(answer(2, &format!("m{i}"), &request(&format!("c{i}"))));
        lines.push(with(end, "error", error));
    }
    lines.push(ends(4, "c3", true, &json!({"content": "again"})));
    lines.push(with(
        ends(5, "unknown", true, &json!({"content": "lost"})),
        "toolName",
        json!("grep"),
    ));
    let made = read(&lines);
    let all = root(&made);
    let state = |index: usize| all[index]["parts"][2]["state"].clone();
    for (index, error) in [(1, "because"), (2, "why"), (3, "error")] {
        assert_eq!(
            (state(index)["status"].clone(), state(index)["error"].clone()),
            (json!("error"), json!(error))
        );
    }
    assert_eq!(
        (state(4)["output"].clone(), state(4)["metadata"].clone()),
        (json!("same"), json!({"exit": 4}))
    );
    assert_eq!(state(4)["attachments"][0]["url"], "data:image/png;base64,QUJD");
    let lost = &all[4]["parts"][3];
    assert_eq!(
        (&lost["tool"], &lost["state"]["output"], &lost["state"]["input"]),
        (&json!("grep"), &json!("lost"), &json!({}))
    );
    assert_eq!(made.problems.len(), 2);
}

#[test]
fn sub_agents_are_sessions() {
    let inside = |event: Value| with(event, "parentToolCallId", json!("c1"));
    let made = read(&[
        start(),
        answer(1, "m1", &request("c1")),
        event(
            "subagent.started",
            2,
            json!({"toolCallId": "c1", "agentName": "explore", "agentDisplayName": "Explore"}),
        ),
        inside(answer(3, "m2", &request("c2"))),
        inside(begins(4, "c2")),
        inside(ends(5, "c2", true, &json!({"content": "x"}))),
        ends(6, "c1", true, &json!({"content": "y"})),
    ]);
    assert_eq!(info(&made.sessions[1])["id"], "S/c1");
    assert_eq!(
        (&info(&made.sessions[1])["parentID"], &info(&made.sessions[1])["title"]),
        (&json!("S"), &json!("Explore"))
    );
    let inner = messages(&made.sessions[1]);
    assert_eq!(inner[0]["info"]["modelID"], "m-1");
    assert_eq!(inner[0]["parts"][2]["state"]["output"], "x");
    assert_eq!(root(&made)[0]["parts"][2]["state"]["output"], "y");
    assert!(made.problems.is_empty());
}
