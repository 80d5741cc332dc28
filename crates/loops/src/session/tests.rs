use super::*;
use serde_json::{Value, json};

fn find(messages: &[Value], config: &Config) -> Vec<Loop> {
    let messages = Value::from(messages);
    let json = |value: &Option<&Value>| value.map(Value::to_string).unwrap_or_default();
    find_loops(&Some(&messages), config, &json)
}

fn kinds(found: &[Loop]) -> Vec<&'static str> {
    found.iter().filter_map(|one| one.verdict.kind.map(LoopKind::as_str)).collect()
}

fn assistant(parts: &[Value]) -> Value {
    json!({"info": {"role": "assistant", "sessionID": "s"}, "parts": parts})
}

/// A completed call that reads a path, with its start and end.
fn read(id: &str, path: &str, (start, end): (u32, u32)) -> Value {
    json!({"id": id, "type": "tool", "tool": "read", "callID": id, "state": {
        "status": "completed", "input": {"path": path}, "output": format!("text of {path}"),
        "time": {"start": start, "end": end}}})
}

/// Messages with one call each.
fn reads(paths: &[String]) -> Vec<Value> {
    let part = |(n, path): (usize, &String)| assistant(&[read(&format!("p{n}"), path, (1, 2))]);
    paths.iter().enumerate().map(part).collect()
}

fn answer(text: &str) -> Value {
    assistant(&[json!({"id": "t", "type": "text", "text": text})])
}

#[test]
fn loops_with_equal_truncated_patterns_are_reported_each() {
    let long = "x".repeat(200);
    let paths: Vec<String> =
        ["a.ts", "b.ts", "c.ts"].iter().flat_map(|f| vec![format!("{long}{f}"); 5]).collect();
    let found = find(&reads(&paths), &Config::default());
    assert_eq!(kinds(&found), ["exact_repeat"; 3]);
    assert_eq!(found[1].part_ids, ["p5", "p6", "p7", "p8", "p9"]);
}

#[test]
fn a_loop_that_continues_is_reported_once() {
    let config = Config { max_iterations: 1e9, ..Config::default() };
    let cycle: Vec<String> = (0..60).map(|n| format!("{}", n % 3)).collect();
    assert_eq!(kinds(&find(&reads(&cycle), &config)), ["cycle"]);
    let same = vec!["a".to_owned(); 60];
    assert_eq!(kinds(&find(&reads(&same), &config)), ["exact_repeat"]);
}

#[test]
fn different_monologues_are_reported_each() {
    let mut messages = vec![answer("Done."), answer("Done."), answer("Done.")];
    messages.push(assistant(&[read("p", "a", (1, 2))]));
    messages.extend([answer("All is well."), answer("All is well."), answer("All is well.")]);
    assert_eq!(kinds(&find(&messages, &Config::default())), ["monologue", "monologue"]);
}

#[test]
fn a_second_context_loop_is_reported_too() {
    let compaction = || assistant(&[json!({"id": "c", "type": "compaction"})]);
    let mut messages: Vec<Value> = std::iter::repeat_with(compaction).take(5).collect();
    messages.push(answer("So far."));
    messages.extend(std::iter::repeat_with(compaction).take(4));
    assert_eq!(kinds(&find(&messages, &Config::default())), ["context_loop", "context_loop"]);
}

#[test]
fn different_chants_are_reported_each() {
    let one = "The build is still running. ".repeat(40) + "It has now finished.";
    let other = "The tests are still running. ".repeat(40) + "They have finished.";
    let found = find(&[answer(&one), answer(&other), answer(&one)], &Config::default());
    assert_eq!(kinds(&found), ["chanting", "chanting"]);
    assert_eq!(found[0].part_ids, ["t"]);
}

#[test]
fn too_many_calls_are_reported_once() {
    let paths: Vec<String> = (0..100).map(|n| format!("file {n}")).collect();
    let found = find(&reads(&paths), &Config::default());
    assert_eq!(kinds(&found), ["max_iterations"]);
    assert_eq!(
        (found[0].verdict.step_count, &found[0].part_ids[..]),
        (51, &["p50".to_owned()][..])
    );
    // A message of the user starts the count again.
    let mut messages = reads(&paths);
    messages.insert(60, json!({"info": {"role": "user", "sessionID": "s"}, "parts": []}));
    assert_eq!(kinds(&find(&messages, &Config::default())), ["max_iterations"]);
    messages.extend(reads(&paths[..20]).iter().map(|message| {
        let mut message = message.clone();
        let id = format!("again {}", message["parts"][0]["id"]);
        (message["parts"][0]["id"], message["parts"][0]["callID"]) = (json!(id), json!(id));
        message
    }));
    assert_eq!(kinds(&find(&messages, &Config::default())), ["max_iterations"; 2]);
}

#[test]
fn consecutive_calls_of_a_message_are_rounds() {
    let step = |n: u32, times: (u32, u32)| read(&format!("p{n}"), "a", times);
    let found = |parts: &[Value]| kinds(&find(&[assistant(parts)], &Config::default()));
    // One message, assembled from a stream of six steps.
    let steps: Vec<Value> = (0..6).map(|n| step(n, (n * 10, n * 10 + 5))).collect();
    assert_eq!(found(&steps), ["exact_repeat"]);
    let at_once: Vec<Value> = (0..6).map(|n| step(n, (n * 10, n * 10 + 10))).collect();
    assert_eq!(found(&at_once), ["exact_repeat"]);
    // Calls at the same time, or at unknown times, are in one round.
    let together: Vec<Value> = (0..6).map(|n| step(n, (n, n + 100))).collect();
    assert_eq!(found(&together), [""; 0]);
    let unknown: Vec<Value> = (0..6).map(|n| step(n, (7, 7))).collect();
    assert_eq!(found(&unknown), [""; 0]);
    // Two calls per step: a different call does not begin a round, whenever it is made.
    let pairs: Vec<Value> = (0..3)
        .flat_map(|n| {
            let turn: [(u32, &str); 2] =
                if n % 2 == 0 { [(0, "a"), (1, "b")] } else { [(0, "b"), (1, "a")] };
            turn.map(|(k, path)| {
                read(&format!("p{n}{k}"), path, (n * 10 + k * 2, n * 10 + k * 2 + 1))
            })
        })
        .collect();
    assert_eq!(found(&pairs), ["cycle"]);
}

#[test]
fn sessions_are_independent() {
    let one = |n: u32| {
        let part = read(&format!("p{n}"), "a", (1, 2));
        json!({"info": {"role": "assistant", "sessionID": format!("s{}", n % 2)}, "parts": [part]})
    };
    let messages: Vec<Value> = (0..6).map(one).collect();
    assert_eq!(find(&messages[..4], &Config::default()), []);
    let found = find(&messages, &Config::default());
    assert_eq!(found[0].part_ids, ["p0", "p2", "p4"]);
    assert_eq!(found[1].part_ids, ["p1", "p3", "p5"]);
}

/// A completed command with an exit code.
fn command(id: &str, text: &str, exit: i32) -> Value {
    json!({"id": id, "type": "tool", "tool": "bash", "callID": id, "state": {
        "status": "completed", "input": {"command": text}, "output": format!("{text}: no"),
        "metadata": {"exit": exit}, "time": {"start": 1, "end": 2}}})
}

#[test]
fn a_loop_has_all_its_calls() {
    let six: Vec<Value> =
        (0..6).map(|n| assistant(&[command(&format!("p{n}"), "cargo check", 101)])).collect();
    let found = find(&six, &Config::default());
    // They fail each time, although their states are completed.
    assert_eq!(kinds(&found), ["exact_error"]);
    assert_eq!(found[0].part_ids, ["p0", "p1", "p2", "p3", "p4", "p5"]);
    assert_eq!(found[0].places, [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
    assert_eq!(found[0].verdict.repeats, 6);
    let value = found[0].to_value();
    assert_eq!(value["places"][5], json!([5, 0]));
    let good: Vec<Value> =
        (0..4).map(|n| assistant(&[command(&format!("p{n}"), "cargo check", 0)])).collect();
    assert_eq!(kinds(&find(&good, &Config::default())), ["exact_repeat"]);
}

#[test]
fn a_long_loop_has_all_its_calls_too() {
    let config = Config { max_iterations: 1e9, ..Config::default() };
    let cycle: Vec<String> = (0..300).map(|n| format!("{}", n % 3)).collect();
    let found = find(&reads(&cycle), &config);
    assert_eq!((found.len(), found[0].part_ids.len()), (1, 300));
    assert_eq!(found[0].places.last(), Some(&(299, 0)));
}

#[test]
fn a_soft_loop_has_the_calls_after_its_warning() {
    // The same failing call with others between: four times are a loop, which goes on once more.
    let messages: Vec<Value> = (0..10)
        .map(|n| {
            let text = if n % 2 == 0 { "make".to_owned() } else { format!("ls {n}") };
            assistant(&[command(&format!("p{n}"), &text, if n % 2 == 0 { 2 } else { 0 })])
        })
        .collect();
    let found = find(&messages, &Config::default());
    assert_eq!(kinds(&found), ["interleaved_repeat"]);
    assert_eq!(found[0].part_ids, ["p0", "p2", "p4", "p6", "p8"]);
    assert_eq!(found[0].verdict.repeats, 5);
}

/// A call whose state is an error, with this metadata.
fn failed(id: &str, input: &Value, error: &str, metadata: &Value) -> Value {
    json!({"id": id, "type": "tool", "tool": "edit", "callID": id, "state": {
        "status": "error", "input": input, "error": error, "metadata": metadata,
        "time": {"start": 1, "end": 1}}})
}

#[test]
fn a_call_that_never_ran_has_no_result() {
    let find_with = |metadata: &Value| {
        let part = |n: u32| failed(&format!("p{n}"), &json!({"path": n}), "terminated", metadata);
        // Each is an answer that died.
        let messages: Vec<Value> = (0..16).map(|n| assistant(&[part(n)])).collect();
        kinds(&find(&messages, &Config::default()))
    };
    for mark in [json!({"aborted": true}), json!({"interrupted": true, "exit": 1})] {
        assert_eq!(find_with(&mark), [""; 0], "{mark}");
    }
    // Other errors are results.
    for mark in [json!({}), json!({"aborted": false}), json!({"interrupted": "true"}), Value::Null]
    {
        assert_eq!(find_with(&mark), ["same_error"], "{mark}");
    }
}

#[test]
fn a_call_that_never_ran_does_not_withdraw() {
    let read = |n: u32| read(&format!("p{n}"), "a", (1, 2));
    let mut aborted = read(2);
    aborted["state"] = json!({"status": "error", "input": {"path": "a"}, "error": "terminated",
        "metadata": {"aborted": true}, "time": {"start": 1, "end": 1}});
    let messages: Vec<Value> =
        [read(0), read(1), aborted, read(3)].into_iter().map(|part| assistant(&[part])).collect();
    let found = find(&messages, &Config::default());
    assert_eq!(kinds(&found), ["exact_repeat"]);
    assert_eq!(found[0].verdict.repeats, 4);
}

#[test]
fn only_a_call_that_a_detector_refused_is_a_refusal() {
    let session = |kind: &str| {
        let call = |n: u32| {
            let mut part = read(&format!("p{n}"), "a", (1, 2));
            if n >= 2 {
                part["state"] = json!({"status": "error", "input": {"path": "a"}, "error": format!("no {n}"),
                    "metadata": {"kind": kind}, "time": {"start": 1, "end": 1}});
            }
            assistant(&[part])
        };
        let messages: Vec<Value> = (0..5).map(call).collect();
        find(&messages, &Config::default())
    };
    let found = session("loop");
    assert_eq!((kinds(&found), found[0].verdict.repeats), (vec!["exact_repeat"], 5));
    assert_eq!(found[0].part_ids.len(), 5);
    // Another error after two equal answers withdraws; three of them are a loop of their own.
    for other in ["fault", "permission", ""] {
        let found = session(other);
        assert_eq!((kinds(&found), found[0].verdict.repeats), (vec!["exact_error"], 3), "{other}");
    }
}

#[test]
fn the_calls_of_a_message_count_once() {
    let denied = |id: String, n: u32| {
        failed(&id, &json!({"path": n}), "The user declined this call.", &json!({}))
    };
    let message = |m: u32, width: u32| {
        let parts: Vec<Value> =
            (0..width).map(|n| denied(format!("p{m}-{n}"), m * 100 + n)).collect();
        assistant(&parts)
    };
    let of = |count: u32, width: u32| {
        let messages: Vec<Value> = (0..count).map(|m| message(m, width)).collect();
        find(&messages, &Config::default())
    };
    assert_eq!(of(1, 16), []);
    assert_eq!(of(4, 4), []);
    let found = of(5, 3);
    assert_eq!(kinds(&found), ["same_error"]);
    assert_eq!((found[0].verdict.action, found[0].verdict.repeats), (crate::Action::Warning, 5));
    // It has the calls of all rounds, those of the last one too.
    assert_eq!(found[0].part_ids.len(), 15);
    assert_eq!(of(8, 3)[0].verdict.action, crate::Action::Interrupt);
}
