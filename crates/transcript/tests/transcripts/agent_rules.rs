//! What holds for the sessions of all other agents, with cases of one format or of each.

use super::agents::{agents, lines};
use crate::shown::shown;
use apex_parts_model::Severity;
use apex_parts_transcript::{Env, Format, Transcript, TranscriptOptions};
use serde_json::{Value, json};

fn open(bytes: &[u8]) -> Transcript {
    let mut env = Env { now_ms: 0.0, new_id: &mut || panic!("no id is made up") };
    Transcript::open(bytes, TranscriptOptions::default(), &mut env).unwrap()
}

fn of_lines(lines: &[Value]) -> Transcript {
    open(lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes())
}

/// The messages of the first session.
fn run(t: &Transcript) -> Vec<Value> {
    shown(t).remove(0).1
}

fn codex(items: &[Value]) -> Transcript {
    let line = |item: &Value| json!({"timestamp": "2026-01-01T00:00:01Z", "type": "response_item", "payload": item});
    of_lines(&items.iter().map(line).collect::<Vec<_>>())
}

fn gemini(calls: &Value) -> Transcript {
    of_lines(&[
        json!({"sessionId": "S", "projectHash": "h"}),
        json!({"id": "a", "type": "gemini", "timestamp": "2026-01-01T00:00:05Z", "content": "", "toolCalls": calls}),
    ])
}

fn inspect(samples: &Value) -> Transcript {
    open(json!({"version": 2, "status": "success", "eval": {"run_id": "R", "task": "T"}, "samples": samples}).to_string().as_bytes())
}

/// The formats of one record a line.
fn of_records() -> impl Iterator<Item = (Format, Vec<u8>)> {
    agents().filter(|(_, bytes)| serde_json::from_slice::<Value>(bytes).is_err())
}

/// For a format without a case in a test here: every format of an agent has one.
fn without_a_case(format: Format) -> ! {
    panic!(
        "write a case for {} in crates/transcript/tests/transcripts/agent_rules.rs",
        format.as_str()
    )
}

#[test]
fn a_broken_line_is_as_if_it_were_not_there() {
    for (format, bytes) in of_records() {
        let whole = shown(&open(&bytes));
        let all = lines(&bytes);
        for at in 1..=all.len() {
            let (before, after) = all.split_at(at);
            let file = [&before.concat()[..], b"{\"type\": oops}\n", &after.concat()].concat();
            let t = open(&file);
            assert_eq!(shown(&t), whole, "{format:?} at line {at}");
            let errors: Vec<_> =
                t.problems().into_iter().filter(|p| p.severity == Severity::Error).collect();
            let start = before.concat().len() as f64;
            assert_eq!(errors.len(), 1, "{format:?} at line {at}");
            let offset = errors[0].offset.unwrap();
            assert!((start..start + 15.0).contains(&offset), "{format:?} at line {at}: {offset}");
        }
    }
}

#[test]
fn records_of_tomorrow_are_left_out() {
    for (format, bytes) in of_records() {
        let new = match format {
            Format::Codex => vec![
                json!({"type": "tomorrow", "payload": {"type": "message"}}),
                json!({"type": "response_item", "payload": {"type": "tomorrow"}}),
                json!({"type": "event_msg", "payload": {"type": "tomorrow"}}),
            ],
            Format::CopilotCli => vec![
                json!({"type": "session.tomorrow", "data": {"content": "x"}, "parentId": null}),
            ],
            Format::Pi => {
                vec![json!({"type": "tomorrow", "id": "new", "parentId": "p05", "content": "x"})]
            }
            Format::GeminiCli => vec![json!({"$tomorrow": {"messages": []}})],
            Format::ClaudeCode => vec![json!({"type": "tomorrow", "content": "x"})],
            Format::ClaudeStream => {
                vec![
                    json!({"type": "tomorrow", "session_id": "s"}),
                    json!({"type": "system", "subtype": "tomorrow"}),
                ]
            }
            one @ (Format::SweAgent | Format::Inspect) => {
                panic!("a file of {} is one JSON document", one.as_str())
            }
            other => without_a_case(other),
        };
        let mut all = lines(&bytes);
        let new: Vec<String> = new.iter().map(|line| format!("{line}\n")).collect();
        let at = all.len() - 2;
        all.splice(at..at, new.iter().map(String::as_bytes));
        let t = open(&all.concat());
        assert_eq!(shown(&t), shown(&open(&bytes)), "{format:?}");
        assert!(t.problems().iter().all(|problem| problem.rule == "BR-09"), "{format:?}");
    }
}

#[test]
fn an_id_that_was_used_is_not_used_again() {
    let messages = json!([{"id": "m", "role": "user", "content": "x"}, {"id": "m", "role": "user", "content": "y"}]);
    let t = inspect(
        &json!([{"id": 1, "epoch": 1, "messages": messages}, {"id": 2, "epoch": 1, "messages": messages}]),
    );
    let ids: Vec<Vec<Value>> = shown(&t)
        .into_iter()
        .map(|(_, all)| all.iter().map(|message| message["info"]["id"].clone()).collect())
        .collect();
    assert_eq!(ids, [[json!("m"), json!("R/1_1:1")], [json!("R/2_1:0"), json!("R/2_1:1")]]);
}

#[test]
fn a_time_that_cannot_be_read_is_the_one_before_it() {
    let said = |time: Value, text: &str| json!({"timestamp": time, "type": "response_item", "payload": {"type": "message", "role": "user", "content": text}});
    let t = of_lines(&[
        said(json!("soon"), "a"),
        said(json!("2026-01-01T00:00:01Z"), "b"),
        said(json!({}), "c"),
        said(json!(null), "d"),
    ]);
    let times: Vec<_> = run(&t).iter().map(|m| m["info"]["time"]["created"].clone()).collect();
    assert_eq!(
        times,
        [0, 1_767_225_601_000_u64, 1_767_225_601_000, 1_767_225_601_000].map(Value::from)
    );
}

#[test]
fn a_call_does_not_end_before_it_starts() {
    let call =
        json!([{"id": "c", "name": "x", "status": "success", "timestamp": "2026-01-01T00:00:02Z"}]);
    let all = run(&gemini(&call));
    let at = 1_767_225_605_000_u64;
    assert_eq!(all[0]["parts"][1]["state"]["time"], json!({"start": at, "end": at}));
}

#[test]
fn arguments_are_an_object() {
    let call = |arguments: Value| json!({"type": "function_call", "name": "f", "call_id": "c", "arguments": arguments});
    for (given, input) in [
        (json!("{\"a\": 1}"), json!({"a": 1})),
        (json!({"a": 1}), json!({"a": 1})),
        (json!("[1]"), json!({"input": "[1]"})),
        (json!("{\"a\""), json!({"input": "{\"a\""})),
        (json!(7), json!({"input": 7})),
        (json!(null), json!({})),
    ] {
        assert_eq!(run(&codex(&[call(given)]))[0]["parts"][1]["state"]["input"], input);
    }
}

#[test]
fn results_and_calls_that_do_not_fit() {
    let output = |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "x"});
    let user = json!({"type": "message", "role": "user", "content": "go"});
    let call = json!({"type": "function_call", "name": "f", "call_id": "c"});
    let t = codex(&[user, output("lost"), call, output("c"), output("c")]);
    let warnings: Vec<_> = t.problems().iter().map(|p| (p.severity, p.rule.clone())).collect();
    assert_eq!(
        warnings,
        [(Severity::Warning, "codex".to_owned()), (Severity::Warning, "codex".to_owned())]
    );
    let all = run(&t);
    let tools: Vec<_> = all[1..]
        .iter()
        .map(|m| {
            json!([
                m["info"]["role"],
                m["parts"][1]["tool"],
                m["parts"][1]["state"]["input"],
                m["parts"][1]["state"]["status"]
            ])
        })
        .collect();
    assert_eq!(
        tools,
        [
            json!(["assistant", "unknown", {}, "completed"]),
            json!(["assistant", "f", {}, "completed"])
        ]
    );
}

#[test]
fn an_error_without_a_reason_says_how_the_call_ended() {
    let states = run(&gemini(&json!([
        {"id": "a", "name": "x", "status": "cancelled"},
        {"id": "b", "name": "x", "status": "error"},
        {"id": "c", "name": "x", "status": "validating"},
    ])));
    let state = |part: usize| &states[0]["parts"][part]["state"];
    assert_eq!(
        (&state(1)["error"], &state(1)["metadata"]["aborted"]),
        (&json!("cancelled"), &json!(true))
    );
    assert_eq!((&state(2)["error"], state(2).get("metadata")), (&json!("error"), None));
    assert_eq!(state(3)["status"], "running");
    let failed = run(&codex(&[json!({"type": "web_search_call", "id": "w", "status": "failed"})]));
    assert_eq!(failed[0]["parts"][1]["state"]["error"], "failed");
    let messages = json!([
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "f", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "x", "error": {"type": "timeout"}},
    ]);
    let all = run(&inspect(&json!([{"id": 1, "epoch": 1, "messages": messages}])));
    let state = &all[0]["parts"][1]["state"];
    assert_eq!(
        (&state["error"], &state["metadata"]),
        (&json!("error"), &json!({"errorType": "timeout"}))
    );
}

#[test]
fn sums_of_the_run_are_the_files_or_those_of_the_steps() {
    for (format, bytes) in agents() {
        let t = open(&bytes);
        let tokens = t.stats().tokens;
        let sums =
            [tokens.input, tokens.output, tokens.reasoning, tokens.cache.read, tokens.cache.write];
        let expected = match format {
            // The steps' sum is the last total: 20,450.
            Format::Codex => [5_152.0, 370.0, 80.0, 14_848.0, 0.0],
            // With branches, here and below: what they cost was spent.
            Format::GeminiCli => [4_205.0, 144.0, 42.0, 22_500.0, 0.0],
            Format::CopilotCli => [19_000.0, 360.0, 40.0, 30_000.0, 2_000.0],
            Format::Pi => [3_290.0, 276.0, 0.0, 11_000.0, 3_300.0],
            Format::SweAgent => [30_500.0, 640.0, 0.0, 0.0, 0.0],
            Format::Inspect => [464.0, 110.0, 40.0, 1_536.0, 0.0],
            // Those of `modelUsage`, with the sub-agent's.
            Format::ClaudeStream => [200.0, 120.0, 0.0, 5_700.0, 600.0],
            Format::ClaudeCode => [2_807.0, 691.0, 0.0, 32_185.0, 0.0],
            other => without_a_case(other),
        };
        assert_eq!(
            sums, expected,
            "{format:?}: in crates/transcript/tests/transcripts/agent_rules.rs, write the sums of its example"
        );
    }
}
