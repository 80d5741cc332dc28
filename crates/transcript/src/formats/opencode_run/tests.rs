use super::*;
use crate::formats::reading::{assert_valid, complaints, made, problems, root};
use apex_parts_validate::Ids;
use proptest::prelude::*;
use serde_json::{Value, json};

fn line(kind: &str, timestamp: u64, part: Value) -> String {
    json!({"type": kind, "timestamp": timestamp, "sessionID": "ses_1", "part": part}).to_string()
        + "\n"
}
fn part(message: &str, id: &str, rest: Value) -> Value {
    let mut part = json!({"id": id, "sessionID": "ses_1", "messageID": message});
    for (name, value) in rest.as_object().unwrap() {
        part[name] = value.clone();
    }
    part
}
fn file() -> String {
    let finish = |cost: f64, reason: &str| json!({"type": "step-finish", "reason": reason, "cost": cost, "tokens": {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 5, "write": 0}}});
    line("step_start", 100, part("msg_1", "prt_1", json!({"type": "step-start"})))
        + &line(
            "tool_use",
            120,
            part(
                "msg_1",
                "prt_2",
                json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "a", "title": "t", "metadata": {}, "time": {"start": 90, "end": 119}}}),
            ),
        )
        + &line("step_finish", 130, part("msg_1", "prt_3", finish(0.25, "tool-calls")))
        + &line("step_start", 140, part("msg_2", "prt_4", json!({"type": "step-start"})))
        + &line(
            "text",
            150,
            part(
                "msg_2",
                "prt_5",
                json!({"type": "text", "text": "done ü", "time": {"start": 145, "end": 150}}),
            ),
        )
        + &line("step_finish", 160, part("msg_2", "prt_6", finish(0.5, "stop")))
}

#[test]
fn each_message_id_is_a_message() {
    let made = made(Box::new(OpenCodeRun::default()), file().as_bytes());
    let messages = root(&made);
    assert_eq!(messages.as_array().unwrap().len(), 2);
    assert_eq!(
        messages[0]["info"],
        json!({"id": "msg_1", "sessionID": "ses_1", "role": "assistant", "time": {"created": 90, "completed": 130}, "parentID": "", "modelID": "", "providerID": "", "agent": "", "path": {"cwd": "", "root": ""}, "cost": 0.25, "tokens": {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 5, "write": 0}}, "finish": "tool-calls"})
    );
    assert_eq!(messages[0]["parts"].as_array().unwrap().len(), 3);
    assert_eq!(messages[1]["parts"][1]["text"], "done ü");
    assert_eq!(made.sessions[0].id, "ses_1");
    assert_eq!(complaints(&made.sessions[0], Ids::OpenCode), Vec::<String>::new());
    assert_eq!(problems(&made), Vec::<String>::new());
}

#[test]
fn errors_belong_to_an_unfinished_message_or_have_their_own() {
    let error = |error: Value| {
        json!({"type": "error", "timestamp": 200, "sessionID": "ses_1", "error": error}).to_string()
            + "\n"
    };
    let named = json!({"name": "MessageAbortedError", "data": {"message": "Aborted"}});
    let start = line("step_start", 100, part("msg_1", "prt_1", json!({"type": "step-start"})));
    let out = made(Box::new(OpenCodeRun::default()), (start + &error(named.clone())).as_bytes());
    assert_eq!(root(&out)[0]["info"]["error"], named);
    assert_valid(&out, Ids::OpenCode);
    let text = file() + &error(named) + &error(json!("plain")) + &error(json!({"message": "m"}));
    let out = made(Box::new(OpenCodeRun::default()), text.as_bytes());
    assert_eq!(root(&out).as_array().unwrap().len(), 5);
    assert_eq!(
        root(&out)[3]["info"]["error"],
        json!({"name": "UnknownError", "data": {"message": "plain"}})
    );
    assert_eq!(root(&out)[4]["info"]["error"]["data"]["message"], "m");
    assert_valid(&out, Ids::OpenCode);
}

#[test]
fn problems_of_bad_lines_have_offsets() {
    let bad = "{\"type\":\"text\",\"sessionID\":\"s\"}\n{\"type\":\"text\",\"part\":{}}\n[[]]\n{\n{}\n{\"type\":\"odd\"}\n";
    let out = made(Box::new(OpenCodeRun::default()), bad.as_bytes());
    assert_eq!(out.sessions, []);
    assert_eq!(problems(&out).len(), 5, "{:?}", problems(&out));
    assert!(problems(&out)[3].starts_with("json 64: "), "{:?}", problems(&out));
}

proptest! {
    #[test]
    fn damaged_files_can_be_read(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6)) {
        let mut bytes = file().into_bytes();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let made = made(Box::new(OpenCodeRun::default()), &bytes);
        root(&made);
    }
}
