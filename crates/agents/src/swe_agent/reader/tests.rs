use super::*;
use crate::tests::info;
use crate::tests::reading::{assert_valid, made, problems, root};
use serde_json::{Value, json};

fn read(file: &Value) -> LoadedSessions {
    let made = made(Box::new(SweAgent::default()), file.to_string().as_bytes());
    assert_valid(&made, Ids::OpenCode);
    assert_eq!(problems(&made), Vec::<String>::new());
    made
}
fn entry(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content, "agent": "main"})
}
fn answer(action: &str, call: Option<(&str, &str)>) -> Value {
    let mut entry = entry("assistant", "all of it");
    entry["thought"] = json!("of the history");
    entry["action"] = json!(action);
    if let Some((id, arguments)) = call {
        let function = json!({"name": "find_file", "arguments": arguments});
        entry["tool_calls"] = json!([{"id": id, "type": "function", "function": function}]);
    }
    entry
}
fn step(thought: &str, action: &str, observation: &str) -> Value {
    json!({"thought": thought, "action": action, "response": "all of it", "observation": observation, "execution_time": 0.25, "state": {"working_dir": "/w"}})
}
fn demo(role: &str, content: &str) -> Value {
    let mut entry = entry(role, content);
    entry["is_demo"] = json!(true);
    entry
}
fn file() -> Value {
    let mut first = step("I look.", "find_file \"a\"", "Found");
    first["thinking_blocks"] = json!([{"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "redacted_thinking", "data": "x"}]);
    json!({
        "environment": "main",
        "trajectory": [first, step("", "ls\n", ""), step("I wait.", "", "Go on."), step("", "", ""), step("", "exit", "bye")],
        "history": [
            entry("system", "Be brief."), demo("user", "a demo"), demo("assistant", "of an answer"), entry("system", "And \"kind\"."),
            {"role": "user", "content": [{"type": "text", "text": "Fix it."}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}}, {"type": "odd"}]},
            answer("find_file \"a\"", Some(("call_1", "{\"file_name\":\"a\"}"))),
            entry("tool", "Found\n(Open file: n/a)"),
            answer("ls\n", None),
        ],
        "info": {"exit_status": "exit_cost", "submission": "", "model_stats": {"instance_cost": 0.5, "total_cost": 9, "tokens_sent": 70, "tokens_received": 3}},
        "replay_config": "{\"agent\": {\"model\": {\"name\": \"gpt-4o\"}}}",
    })
}

#[test]
fn before_the_first_step_is_what_the_history_has() {
    let made = read(&file());
    let all = root(&made);
    let text = |i: usize, text: &str| json!({"id": format!("swe-agent:main:{i}:0"), "sessionID": "swe-agent:main", "messageID": format!("swe-agent:main:{i}"), "type": "text", "text": text, "time": {"start": 0, "end": 0}});
    let synthetic = |i, said| {
        let mut text = text(i, said);
        text["synthetic"] = json!(true);
        text
    };
    assert_eq!(all[0]["parts"], json!([synthetic(0, "a demo")]));
    assert_eq!(all[1]["parts"], json!([synthetic(1, "of an answer")]));
    assert_eq!(all[2]["parts"][0], text(2, "Fix it."));
    assert_eq!(all[2]["parts"][1]["mime"], "image/png");
    assert_eq!(all[2]["parts"][2]["type"], "swe-agent-odd");
    let systems: Vec<_> = (0..3).map(|i| all[i]["info"]["system"].clone()).collect();
    assert_eq!(systems, [json!("Be brief."), Value::Null, json!("And \"kind\".")]);
    assert_eq!(
        all[2]["info"],
        json!({"id": "swe-agent:main:2", "sessionID": "swe-agent:main", "role": "user", "time": {"created": 0}, "agent": "swe-agent", "model": {"providerID": "", "modelID": "gpt-4o"}, "system": "And \"kind\"."})
    );
}

#[test]
fn a_step_is_a_message() {
    let all = root(&read(&file()));
    let kinds = |i: usize| {
        let parts = all[i]["parts"].as_array().unwrap().iter();
        parts.map(|part| part["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first =
        ["step-start", "reasoning", "swe-agent-redacted_thinking", "text", "tool", "step-finish"];
    assert_eq!(kinds(3), first);
    let parts = &all[3]["parts"];
    assert_eq!(
        (&parts[1]["text"], &parts[1]["metadata"]),
        (&json!("hm"), &json!({"signature": "sig"}))
    );
    assert_eq!(parts[3]["text"], "I look.");
    assert_eq!((&parts[4]["callID"], &parts[4]["tool"]), (&json!("call_1"), &json!("find_file")));
    let state = json!({"status": "completed", "input": {"file_name": "a"}, "output": "Found", "title": "", "metadata": {"action": "find_file \"a\""}, "time": {"start": 0, "end": 250}});
    assert_eq!(parts[4]["state"], state);
    assert_eq!(all[3]["info"]["time"], json!({"created": 0, "completed": 250}));
    assert_eq!(all[3]["info"]["finish"], "tool-calls");
    assert_eq!(all[3]["info"]["tokens"]["input"], 0);
    // An action alone is a command, also where the history has no call for it.
    assert_eq!(kinds(4), ["step-start", "tool", "step-finish"]);
    let part = &all[4]["parts"][1];
    assert_eq!((&part["callID"], &part["tool"]), (&json!("swe-agent:main:4:1"), &json!("bash")));
    let state = json!({"status": "completed", "input": {"command": "ls\n"}, "output": "", "title": "", "metadata": {}, "time": {"start": 250, "end": 500}});
    assert_eq!(part["state"], state);
    // Without an action the observation is a message.
    assert_eq!(
        (kinds(5), kinds(6)),
        (vec!["step-start".into(), "text".into(), "step-finish".into()], vec!["text".into()])
    );
    assert_eq!(all[5]["info"]["finish"], "stop");
    let said = &all[6]["parts"][0];
    assert_eq!((&said["text"], &said["synthetic"]), (&json!("Go on."), &json!(true)));
    assert_eq!(
        (&all[6]["info"]["role"], &all[6]["info"]["time"]),
        (&json!("user"), &json!({"created": 750}))
    );
    // Without a thought either, the text is the response; an empty observation is none.
    assert_eq!(all[7]["parts"][1]["text"], "all of it");
    assert_eq!(all[8]["info"]["parentID"], "swe-agent:main:6");
    assert_eq!(all.as_array().unwrap().len(), 9);
}

#[test]
fn the_run_costs_what_its_info_says() {
    let made = read(&file());
    let tokens =
        json!({"input": 70, "output": 3, "reasoning": 0, "cache": {"read": 0, "write": 0}});
    assert_eq!(
        info(&made.sessions[0]),
        json!({"id": "swe-agent:main", "directory": "", "time": {"created": 0, "updated": 1250}, "cost": 0.5, "tokens": tokens, "exitStatus": "exit_cost"})
    );
    assert_eq!(made.sessions[0].cost, Some(0.5));
    assert_eq!(made.sessions[0].tokens.map(|t| t.input), Some(70.0));
    let all = root(&made);
    let errors: Vec<_> = (3..9).filter_map(|i| all[i]["info"].get("error").cloned()).collect();
    assert_eq!(errors, [json!({"name": "UnknownError", "data": {"message": "exit_cost"}})]);
    assert_eq!(all[8]["info"]["error"], errors[0]);
    // A cost is not negative.
    let mut file = file();
    file["info"]["model_stats"]["instance_cost"] = json!(-0.5);
    let made = read(&file);
    assert_eq!((made.sessions[0].cost, &info(&made.sessions[0])["cost"]), (Some(0.0), &json!(0)));
    // A run that was submitted has no error, and one without an info no cost.
    file["info"] = json!({"exit_status": "submitted (exit_cost)"});
    let made = read(&file);
    assert!(made.sessions[0].cost.is_none() && made.sessions[0].tokens.is_none());
    assert_eq!(root(&made)[8]["info"].get("error"), None);
    // The last step has the error, also where a message of the user is behind it.
    file["info"] = json!({"exit_status": "exit_forfeit"});
    file["trajectory"] = json!([step("I wait.", "", "Go on.")]);
    assert_eq!(root(&read(&file))[3]["info"]["error"]["data"]["message"], "exit_forfeit");
}

#[test]
fn one_action_twice_has_two_calls() {
    let steps: Vec<_> = (0..3).map(|_| step("", "ls", "x")).collect();
    let answers = [("call_1", "{}"), ("call_2", "{\"a\":1}")].map(|call| answer("ls", Some(call)));
    let file = json!({"trajectory": steps, "history": answers});
    let all = root(&read(&file));
    let calls: Vec<_> =
        (0..3).map(|i| (&all[i]["parts"][1]["callID"], &all[i]["parts"][1]["tool"])).collect();
    let expected = [("call_1", "find_file"), ("call_2", "find_file"), ("swe-agent::2:1", "bash")];
    assert_eq!(
        calls,
        expected
            .map(|(id, tool)| (json!(id), json!(tool)))
            .iter()
            .map(|(id, tool)| (id, tool))
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_history_alone_has_steps_in_pairs() {
    let mut thinking = answer("", None);
    thinking["thought"] = Value::Null;
    let history = [
        entry("system", "Be brief."),
        entry("user", "Fix it."),
        answer("find_file a", Some(("call_1", "{\"file_name\":\"a\"}"))),
        json!({"role": "tool", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "tool_call_ids": ["call_1"]}),
        entry("user", "Hurry."),
        thinking,
        entry("user", "No command."),
        answer("ls", None),
        answer("submit", None),
    ];
    for trajectory in [None, Some(json!([]))] {
        let mut file = json!({"history": history});
        if let Some(trajectory) = trajectory {
            file["trajectory"] = trajectory;
        }
        let all = root(&read(&file));
        let roles: Vec<_> =
            all.as_array().unwrap().iter().map(|m| m["info"]["role"].as_str().unwrap()).collect();
        assert_eq!(
            roles,
            ["user", "assistant", "user", "assistant", "user", "assistant", "assistant"]
        );
        let tool = &all[1]["parts"][2];
        assert_eq!(
            (&tool["tool"], &tool["state"]["output"]),
            (&json!("find_file"), &json!("one\ntwo"))
        );
        assert_eq!(tool["state"]["metadata"], json!({"action": "find_file a"}));
        assert_eq!(
            (&all[2]["parts"][0]["text"], all[2]["parts"][0].get("synthetic")),
            (&json!("Hurry."), None)
        );
        assert_eq!(all[3]["parts"][1]["text"], "all of it");
        assert_eq!(all[4]["parts"][0]["synthetic"], true);
        // What was not observed has not ended.
        assert_eq!(all[5]["parts"][2]["state"]["status"], "running");
        assert_eq!(all[6]["parts"][2]["state"]["input"], json!({"command": "submit"}));
    }
}

#[test]
fn odd_files() {
    for odd in [
        "[]",
        "7",
        "{}",
        "{\"trajectory\":[7,\"x\",[],{}],\"history\":[7,null,[[]]]}",
        "{\"trajectory\":{},\"history\":{\"a\":1},\"info\":[],\"replay_config\":\"{\"}",
    ] {
        let made = made(Box::new(SweAgent::default()), odd.as_bytes());
        assert_valid(&made, Ids::OpenCode);
    }
    let odd = json!({"trajectory": [{"action": "x", "observation": {"a": 1}, "execution_time": -5}, {"action": "y", "execution_time": 1e300}], "info": {}});
    let all = root(&read(&odd));
    assert_eq!(all[0]["parts"][1]["state"]["output"], "{\"a\":1}");
    assert_eq!(all[0]["info"]["time"], json!({"created": 0, "completed": 0}));
    assert_eq!(all[1]["parts"][1]["state"]["status"], "running");
}

#[test]
fn what_changed_is_what_was_submitted() {
    const DIFF: &str = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";
    let facts = |steps: Value, more: &Value| {
        let mut file = file();
        file["trajectory"] = steps;
        for (name, value) in more.as_object().unwrap() {
            file["info"][name] = value.clone();
        }
        let made = read(&file);
        let session = info(&made.sessions[0]);
        let of = |name: &str| session.get(name).cloned();
        (of("submission"), of("editedFiles"), of("changesUnknown"))
    };
    let edits = || step("", "edit 1:2 x", "File updated");
    assert_eq!(
        facts(json!([edits()]), &json!({"submission": DIFF, "edited_files30": "[File: a]"})),
        (Some(json!(DIFF)), None, None)
    );
    // Else what the call that submits has put out.
    assert_eq!(
        facts(json!([edits(), step("", "submit", DIFF)]), &json!({})),
        (Some(json!(DIFF)), None, None)
    );
    // Else the names.
    assert_eq!(
        facts(json!([edits()]), &json!({"edited_files30": "[File: a.py]\n1:x\n[File: b.py]\n"})),
        (None, Some(json!(["a.py", "b.py"])), None)
    );
    // Else it is not known, where something was edited.
    assert_eq!(facts(json!([edits()]), &json!({})), (None, None, Some(json!(true))));
    assert_eq!(facts(json!([step("", "ls", "a")]), &json!({})), (None, None, None));
}

#[test]
fn a_submitted_run_has_no_open_call() {
    let status = |exit: &str, submission: &str| {
        let mut file = file();
        let mut last = step("So.", "submit", "");
        last.as_object_mut().unwrap().remove("observation");
        file["trajectory"] = json!([last]);
        file["info"] = json!({"exit_status": exit, "submission": submission});
        let made = made(Box::new(SweAgent::default()), file.to_string().as_bytes());
        let all = root(&made);
        let parts = all.as_array().unwrap().last().unwrap()["parts"].as_array().unwrap().clone();
        let call = parts.iter().find(|part| part["type"] == "tool").unwrap();
        call["state"]["status"].clone()
    };
    assert_eq!(status("submitted", ""), "completed");
    assert_eq!(status("exit_cost", "diff --git a/x b/x\n"), "completed");
    assert_ne!(status("exit_cost", ""), "completed");
}
