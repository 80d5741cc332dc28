//! The detector over labelled cases; a false alarm is as bad as a miss.

use super::*;
use apex_parts_model::delta::Piece;
use serde_json::Value;
use std::collections::BTreeMap;

/// The first verdict with a loop.
#[derive(Debug)]
struct First {
    kind: LoopKind,
    action: Action,
    /// The numbers of the call, the item and the chunk of text then, from 1.
    call: u64,
    item: u64,
    chunk: u64,
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn config(value: &Value) -> Config {
    let mut config = Config::default();
    for (name, value) in value.as_object().into_iter().flatten() {
        match name.as_str() {
            "threshold" => config.threshold = u64::try_from(value.as_i64().unwrap()).unwrap_or(0),
            "maxIterations" => config.max_iterations = value.as_f64().unwrap(),
            "checkInterval" => config.check_interval = value.as_f64().unwrap(),
            "ignoredTools" => config.ignored_tools = strings(value),
            "boundaryTools" => config.boundary_tools = strings(value),
            "pollTools" => config.poll_tools = strings(value),
            "progressTools" => config.progress_tools = Some(strings(value)),
            "volatileArgKeys" => {
                let keys = value.as_object().unwrap().iter();
                config.volatile_arg_keys = keys.map(|(k, v)| (k.clone(), strings(v))).collect();
            }
            "disabled" => {
                config.disabled =
                    strings(value).iter().map(|k| LoopKind::parse(k).unwrap()).collect();
            }
            other => panic!("no setting {other}"),
        }
    }
    config
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Feeds a case to a detector as the note in the file of vectors says.
fn run(case: &Value) -> Option<First> {
    let mut detector = Detector::new(config(&case["config"]));
    let (mut call, mut item, mut chunk) = (0, 0, 0);
    let mut first = None;
    let mut see = |verdict: Verdict, call, item, chunk| {
        if let (Some(kind), None) = (verdict.kind, &first) {
            first = Some(First { kind, action: verdict.action, call, item, chunk });
        }
    };
    for text in strings(&case["text"]) {
        chunk += 1;
        see(detector.text(&text, Channel::Text), call, item, chunk);
    }
    let items = case["calls"].as_array().cloned().unwrap_or_default();
    let mut waiting: Vec<(u64, Value)> = Vec::new();
    for (place, one) in items.iter().enumerate() {
        item += 1;
        if let Some(event) = one["event"].as_str() {
            match event {
                "reset" => detector.reset(),
                "snapshot" => detector = Detector::restore(&detector.snapshot()).unwrap(),
                event => see(detector.event(RunEvent::parse(event).unwrap()), call, item, chunk),
            }
            continue;
        }
        if let Some(text) = one["text"].as_str() {
            let is_reasoning = one["channel"] == "reasoning";
            let channel = if is_reasoning { Channel::Reasoning } else { Channel::Text };
            see(detector.text(text, channel), call, item, chunk);
            continue;
        }
        let parameters = one.get("parameters").map(Value::to_string).unwrap_or_default();
        let range = one.get("range").map(|range| ReadRange {
            resource: range["resource"].as_str().unwrap().to_owned(),
            start: range["start"].as_f64().unwrap(),
            end: range["end"].as_f64().unwrap(),
        });
        let asked = Call {
            tool: one["toolName"].as_str().unwrap(),
            parameters: &parameters,
            id: one["callID"].as_str(),
            round: one["round"].as_f64(),
            time_ms: one["timestamp"].as_f64().unwrap_or(0.0),
            range,
        };
        call += 1;
        see(detector.check(&asked), call, item, chunk);
        waiting.push((call - 1, one.clone()));
        // The results of a round are recorded after its last call.
        let next = items.get(place + 1).filter(|n| n.get("toolName").is_some());
        if one.get("round").is_some() && next.is_some_and(|n| n["round"] == one["round"]) {
            continue;
        }
        for (number, one) in std::mem::take(&mut waiting) {
            let (result, key) = (one.get("result").map(as_text), one["resultKey"].as_str());
            if result.is_none() && key.is_none() {
                continue;
            }
            let id = one["callID"].as_str();
            let ran = CallResult {
                id,
                call: id.is_none().then_some(number),
                result: result.as_deref(),
                key,
                is_error: one["isError"] == true,
                blocked: one["blocked"] == true,
            };
            see(detector.record(&ran).unwrap(), number + 1, item, chunk);
        }
    }
    first
}

/// Returns an error if the case is not met.
fn judge(case: &Value) -> Result<(), String> {
    let (first, want) = (run(case), &case["expected"]);
    let met = match &first {
        None => want["detected"] == false,
        Some(first) => {
            want["detected"] == true
                && want["kind"] == first.kind.as_str()
                && want["action"].as_str().is_none_or(|a| a == first.action.as_str())
                && want["atCall"].as_u64().is_none_or(|at| at == first.call)
                && want["byChunk"].as_u64().is_none_or(|by| first.chunk <= by)
                && want["fromItem"].as_u64().is_none_or(|from| first.item >= from)
        }
    };
    if met { Ok(()) } else { Err(format!("{}: {first:?}, wanted {want}", case["id"])) }
}

fn score(name: &str, vectors: &Value) {
    let mut score: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in vectors.as_array().unwrap() {
        let kind = case["expected"]["kind"].as_str().unwrap_or("none").to_owned();
        let (met, all) = score.entry(kind).or_default();
        *all += 1;
        match judge(case) {
            Ok(()) => *met += 1,
            Err(why) => wrong.push(why),
        }
    }
    println!("{name}:");
    for (kind, (met, all)) in &score {
        println!("  {kind:20} {met} of {all}");
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

#[test]
fn all_vectors_are_met() {
    let own = std::fs::read_to_string(apex_parts_fixtures::path("loops.json")).unwrap();
    let all: Value = serde_json::from_str(&own).unwrap();
    score("tests/fixtures/loops.json", &all["vectors"]);
}

fn loops_of(name: &str) -> Vec<Loop> {
    let text = apex_parts_fixtures::recorded::file("opencode", &format!("{name}.export.json"));
    let export: Value = serde_json::from_slice(&text).unwrap();
    let json = |value: &Option<&Value>| value.map(Value::to_string).unwrap_or_default();
    find_loops(&Some(&export["messages"]), &Config::default(), &json)
}

#[test]
fn the_recorded_loop_is_found_and_no_other() {
    let found = loops_of("doom-loop");
    println!("{found:#?}");
    let first = &found[0];
    // The command ends with exit code 1 each of the six times.
    assert_eq!(first.verdict.kind, Some(LoopKind::ExactError));
    assert_eq!((first.verdict.repeats, first.verdict.calls.len()), (6, 6));
    assert_eq!((first.part_ids.len(), first.places.len()), (6, 6));
    for honest in ["many-steps", "fix-greeting", "long-compaction", "subtask"] {
        assert_eq!(loops_of(honest), [], "{honest}");
    }
}

#[test]
fn polls_with_another_last_result_are_not_loops() {
    let part = |n: u32, output: &str| {
        serde_json::json!({"id": format!("p{n}"), "type": "tool", "tool": "status", "callID": format!("c{n}"),
            "state": {"status": "completed", "input": {}, "output": output}})
    };
    let text = |n: u32| serde_json::json!({"id": format!("t{n}"), "type": "text", "text": "Yes."});
    let of = |part: Value| serde_json::json!({"info": {"role": "assistant"}, "parts": [part]});
    let find = |parts: Vec<Value>| {
        let messages: Value = parts.into_iter().map(of).collect();
        let json = |value: &Option<&Value>| value.map(Value::to_string).unwrap_or_default();
        find_loops(&Some(&messages), &Config::default(), &json)
    };
    assert_eq!(find(vec![part(1, "running"), part(2, "running"), part(3, "done")]), []);
    assert_eq!(
        find(vec![part(1, "x"), part(2, "x"), part(3, "x")])[0].part_ids,
        ["p1", "p2", "p3"]
    );
    assert_eq!(find(vec![text(1), text(2), text(3)])[0].part_ids, ["t3"]);
}

mod corpus;
mod laws;
mod refusals;
mod rounds;
