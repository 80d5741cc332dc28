use super::*;
use crate::formats::reading::{
    assert_part_ids_ascend, assert_valid, complaints, made, messages, problems, root,
};
use apex_parts_validate::Ids;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read_all(lines: &[Value]) -> LoadedSessions {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    made(Box::new(PlainMessages::default()), text.as_bytes())
}
fn message(role: &str, second: u32, parts: Value) -> Value {
    json!({"runId": "r", "role": role, "parts": parts, "timestamp": format!("2025-03-01T10:00:{second:02}.500Z")})
}
fn part(kind: &str, payload: Value) -> Value {
    json!({"kind": kind, "payload": payload})
}
fn at(second: u32) -> u64 {
    1_740_823_200_500 + u64::from(second) * 1000
}
fn run() -> Vec<Value> {
    let call = |id: &str, arguments: Value| {
        part("tool_call", json!({"toolCallId": id, "toolName": "read", "arguments": arguments}))
    };
    let result = |id: &str, failed: bool, content: Value| {
        part("tool_result", json!({"toolCallId": id, "isError": failed, "content": content}))
    };
    let mut answer = message(
        "assistant",
        2,
        json!([
            part("thinking", json!({"text": "hm"})),
            part("text", json!({"text": "I look."})),
            call("c1", json!({"path": "a"})),
            call("c2", json!("free")),
            call("c3", json!({}))
        ]),
    );
    answer["meta"] = json!({"modelId": "m", "finishReason": "tool_calls", "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "cost": 0.5, "cacheReadTokens": 4, "reasoningTokens": 2}});
    vec![
        message("system", 0, json!([part("text", json!({"text": "be good"}))])),
        message(
            "user",
            1,
            json!([
                part("text", json!({"text": "hi \"ü\""})),
                part("image", json!({"mimeType": "image/jpeg", "data": "QUJD"})),
                part("file_ref", json!({"path": "/w/a b.txt", "size": 3}))
            ]),
        ),
        answer,
        message(
            "tool",
            3,
            json!([result(
                "c1",
                false,
                json!([
                    part("text", json!({"text": "one"})),
                    part("text", json!({"text": "two"})),
                    part("image", json!({"mimeType": "image/png", "url": "https://x"}))
                ])
            )]),
        ),
        message("tool", 4, json!([result("c2", true, json!("no"))])),
        message("tool", 5, json!([result("c3", false, json!({"a": [1]}))])),
        message(
            "assistant",
            6,
            json!([part("text", json!({"text": "Done."})), part("odd", json!({"x": 1}))]),
        ),
    ]
}

#[test]
fn a_run() {
    let made = read_all(&run());
    assert_eq!(problems(&made), Vec::<String>::new());
    assert_eq!(complaints(&made.sessions[0], Ids::Apex), Vec::<String>::new());
    let all = root(&made);
    assert_eq!(all.as_array().unwrap().len(), 4);
    assert_eq!(
        (&all[0]["info"]["role"], &all[0]["parts"][0]["synthetic"]),
        (&json!("user"), &json!(true))
    );
    let user = &all[1]["parts"];
    assert_eq!(user[0]["text"], "hi \"ü\"");
    assert_eq!(user[1]["url"], "data:image/jpeg;base64,QUJD");
    assert_eq!(
        (&user[2]["url"], &user[2]["filename"]),
        (&json!("file:///w/a b.txt"), &json!("a b.txt"))
    );
    assert_eq!(all[1]["info"]["model"]["modelID"], "m");
    let info = &all[2]["info"];
    assert_eq!(info["time"], json!({"created": at(2), "completed": at(5)}));
    assert_eq!(
        info["tokens"],
        json!({"input": 6, "output": 3, "reasoning": 2, "cache": {"read": 4, "write": 0}})
    );
    assert_eq!(
        (&info["cost"], &info["finish"], &info["parentID"]),
        (&json!(0.5), &json!("tool_calls"), &all[1]["info"]["id"])
    );
    assert_eq!(info["meta"]["usage"]["totalTokens"], 15);
    let parts = all[2]["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|p| p["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["step-start", "reasoning", "text", "tool", "tool", "tool", "step-finish"]);
    assert_eq!(parts[3]["state"]["output"], "one\ntwo");
    assert_eq!(parts[3]["state"]["attachments"][0]["url"], "https://x");
    assert_eq!(
        (&parts[4]["state"]["error"], &parts[4]["state"]["input"]),
        (&json!("no"), &json!({"input": "free"}))
    );
    assert_eq!(parts[5]["state"]["output"], "{\"a\":[1]}");
    assert_eq!(all[3]["parts"][2]["payload"], json!({"x": 1}));
}

#[test]
fn a_cost_is_not_negative() {
    let mut answer = message("assistant", 1, json!([]));
    answer["meta"] = json!({"usage": {"cost": -0.5}});
    let made = read_all(&[answer]);
    let answer = &root(&made)[0];
    assert_eq!((&answer["info"]["cost"], &answer["parts"][1]["cost"]), (&json!(0), &json!(0)));
    assert_valid(&made, Ids::Apex);
}

#[test]
fn results_that_have_no_call_and_bad_records() {
    let result = |id: &str| {
        part("tool_result", json!({"toolCallId": id, "isError": false, "content": "said"}))
    };
    let mut failed = message(
        "assistant",
        2,
        json!([part(
            "tool_call",
            json!({"toolCallId": "c", "toolName": "t", "arguments": {}, "rawArgsText": "{x"})
        )]),
    );
    failed["meta"] = json!({"error": {"errorCode": "overloaded"}});
    let made = read_all(&[
        failed,
        message("tool", 3, json!([result("c"), result("c"), result("zz")])),
        message("robot", 4, json!([])),
        json!({"role": "user"}),
        message("user", 5, json!([{"kind": "text"}])),
        json!([[]]),
    ]);
    let all = root(&made);
    assert_eq!(all[0]["info"]["error"]["message"], "overloaded");
    assert_eq!(all[0]["parts"][1]["metadata"]["rawArgsText"], "{x");
    assert_eq!(all[1]["parts"].as_array().unwrap().len(), 2);
    assert_valid(&made, Ids::Apex);
    let rules: Vec<_> = made.problems.iter().map(|p| p.rule.as_str()).collect();
    assert_eq!(rules, ["DC-9", "DC-10", "schema", "schema", "schema", "schema"]);
}

proptest! {
    #[test]
    fn records_in_any_order_and_with_damage_can_be_read(
        order in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let lines = run();
        let lines: Vec<Value> = order.iter().map(|i| lines[*i].clone()).collect();
        let whole = read_all(&lines);
        assert_valid(&whole, Ids::Apex);
        assert_part_ids_ascend(&whole);
        let mut bytes: Vec<u8> = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for session in &made(Box::new(PlainMessages::default()), &bytes).sessions {
            messages(session);
        }
    }
}
