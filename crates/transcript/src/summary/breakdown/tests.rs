use super::*;
use crate::{Env, TranscriptOptions};
use serde_json::{Value, json};

/// Name, calls, failed, milliseconds, tokens.
type Sums = (String, u32, u32, Option<f64>, Option<f64>);

fn call(tool: &str, path: &str, start: f64, end: f64, exit: u32) -> Value {
    json!({"id": "p", "type": "tool", "callID": "c", "tool": tool, "state": {"status": "completed",
        "input": {"filePath": path}, "output": "x", "title": "", "metadata": {"exit": exit},
        "time": {"start": start, "end": end}}})
}

fn step(tokens: u32, cost: f64) -> Value {
    json!({"id": "f", "type": "step-finish", "reason": "stop", "cost": cost, "tokens": {"input": tokens,
        "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}})
}

fn rows(by: Division, range: RangeInclusive<f64>) -> Vec<Sums> {
    let (transcript, summarizer) = summed_up();
    let rows = transcript.breakdown(&summarizer, by, &range);
    rows.into_iter().map(|row| (row.name, row.calls, row.failed, row.ms, row.tokens)).collect()
}

fn summed_up() -> (Transcript, Summarizer) {
    let answer = |id: &str, model: &str, from: f64, to: f64, parts: Value| {
        json!({"info": {"id": id, "sessionID": "s", "role": "assistant", "modelID": model,
            "agent": "build", "time": {"created": from, "completed": to}}, "parts": parts})
    };
    let messages = json!([
        {"info": {"id": "u", "sessionID": "s", "role": "user"}, "parts": []},
        answer("1", "big", 0.0, 100.0, json!([
            call("read", "/a", 10.0, 30.0, 0), call("edit", "/a", 20.0, 60.0, 1), step(7, 0.5)])),
        answer("2", "small", 100.0, 150.0, json!([call("read", "/b", 110.0, 120.0, 0), step(3, 0.0)])),
        {"info": {"id": "v", "sessionID": "s", "role": "user", "time": {"created": 900.0}},
            "parts": [{"id": "t", "type": "text", "text": "And?"}]},
        {"info": {"id": "w", "sessionID": "s", "role": "user", "time": {"created": 950.0}},
            "parts": [{"id": "t", "type": "text", "text": "A note", "synthetic": true}]},
    ]);
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let bytes = messages.to_string().into_bytes();
    let transcript = Transcript::open(&bytes, TranscriptOptions::default(), &mut env).unwrap();
    let mut summarizer = Summarizer::default();
    transcript.summarize(&mut summarizer, usize::MAX).unwrap();
    (transcript, summarizer)
}

const ALL: RangeInclusive<f64> = f64::NEG_INFINITY..=f64::INFINITY;

fn row(name: &str, calls: u32, failed: u32, ms: f64, tokens: Option<f64>) -> Sums {
    (name.to_owned(), calls, failed, Some(ms), tokens)
}

#[test]
fn sums_are_by_what_is_asked_for() {
    assert_eq!(
        rows(Division::Tool, ALL),
        [row("edit", 1, 1, 40.0, None), row("read", 2, 0, 30.0, None)]
    );
    let models = [row("big", 2, 1, 100.0, Some(7.0)), row("small", 1, 0, 50.0, Some(3.0))];
    assert_eq!(rows(Division::Model, ALL), models);
    assert_eq!(rows(Division::Agent, ALL), [row("build", 3, 1, 150.0, Some(10.0))]);
    assert_eq!(
        rows(Division::File, ALL),
        [row("/a", 2, 1, 60.0, None), row("/b", 1, 0, 10.0, None)]
    );
    assert_eq!(rows(Division::Step, ALL).len(), 2);
}

#[test]
fn a_range_counts_what_is_in_it() {
    let tools = [row("edit", 1, 1, 35.0, None), row("read", 2, 0, 10.0, None)];
    assert_eq!(rows(Division::Tool, 25.0..=115.0), tools);
    // The first step ends in the range, the second does not.
    assert_eq!(rows(Division::Agent, 50.0..=120.0), [row("build", 2, 1, 70.0, Some(7.0))]);
    assert_eq!(rows(Division::Agent, 500.0..=600.0), []);
}

#[test]
fn the_time_of_a_range_is_split_as_that_of_the_whole() {
    let (transcript, summarizer) = summed_up();
    let split = |range| transcript.time_split(&summarizer, &range);
    assert_eq!(split(ALL), transcript.summary(&summarizer).time);
    let part = split(25.0..=115.0).unwrap();
    assert_eq!((part.total, part.model, part.tools), (90.0, 50.0, 40.0));
    // Only what a person wrote begins a turn: the note does not.
    let idle = [150.0..=900.0, 900.0..=950.0].map(|range| split(range).unwrap().idle);
    assert_eq!(idle, [750.0, 0.0]);
    assert_eq!(split(2000.0..=3000.0), None);
}

#[test]
fn a_command_of_a_person_is_a_call_and_no_step() {
    let messages = json!([
        {"info": {"id": "u", "sessionID": "s", "role": "user", "time": {"created": 1.0}},
            "parts": [call("bash", "/a", 10.0, 30.0, 1)]},
    ]);
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let bytes = messages.to_string();
    let transcript =
        Transcript::open(bytes.as_bytes(), TranscriptOptions::default(), &mut env).unwrap();
    let mut summarizer = Summarizer::default();
    transcript.summarize(&mut summarizer, usize::MAX).unwrap();
    let by = |by| transcript.breakdown(&summarizer, by, &ALL);
    assert_eq!(by(Division::Step), []);
    let tools = by(Division::Tool);
    assert_eq!((tools.len(), tools[0].calls, tools[0].failed), (1, 1, 1));
}
