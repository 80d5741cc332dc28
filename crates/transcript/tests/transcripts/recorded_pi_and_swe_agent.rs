//! Sessions of pi, OpenClaw and SWE-agent: they open whole, cut anywhere and damaged.

use crate::shown::{open, shown};
use apex_parts_fixtures::recorded;
use apex_parts_model::Severity;
use serde_json::Value;

/// The recorded files of a format, with their names.
fn sessions(format: &str) -> Vec<(String, Vec<u8>)> {
    recorded::files("agents", |name| name.starts_with(&format!("{format}.")))
}

fn opens_whole(format: &str) {
    for (name, bytes) in sessions(format) {
        let t = open(&bytes).unwrap();
        assert_eq!(t.format().unwrap().as_str(), format, "{name}");
        let errors: Vec<_> =
            t.problems().into_iter().filter(|p| p.severity == Severity::Error).collect();
        assert_eq!(errors, [], "{name}");
        assert!(t.message_count() > 0, "{name}");
        let all = shown(&t);
        assert_eq!(all, shown(&open(&bytes).unwrap()), "{name}");
        // A step is a message: an answer has one step-start and one step-finish.
        for message in all.iter().flat_map(|(_, messages)| messages) {
            let count = |kind: &str| {
                message["parts"].as_array().unwrap().iter().filter(|p| p["type"] == kind).count()
            };
            let steps = usize::from(message["info"]["role"] == "assistant");
            assert_eq!((count("step-start"), count("step-finish")), (steps, steps), "{name}");
        }
    }
}

fn opens_damaged(format: &str) {
    for (name, bytes) in sessions(format) {
        let count = open(&bytes).unwrap().message_count();
        let step = bytes.len() / if bytes.len() > 100_000 { 7 } else { 50 } + 1;
        for cut in (0..bytes.len()).step_by(step) {
            if let Ok(t) = open(&bytes[..cut]) {
                assert!(t.message_count() <= count, "{name} cut at {cut}");
                shown(&t);
            }
            let mut odd = bytes.clone();
            odd[cut] = odd[cut].wrapping_add(1);
            if let Ok(t) = open(&odd) {
                shown(&t);
            }
        }
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        for length in [2, 3, 7] {
            lines.chunks_mut(length).for_each(<[_]>::reverse);
            if let Ok(t) = open(&lines.concat()) {
                shown(&t);
            }
        }
    }
}

#[test]
fn recorded_sessions_of_pi_open() {
    opens_whole("pi");
}

#[test]
fn recorded_sessions_of_pi_open_damaged() {
    opens_damaged("pi");
}

#[test]
fn recorded_trajectories_of_swe_agent_open() {
    opens_whole("swe-agent");
}

#[test]
fn recorded_trajectories_of_swe_agent_open_damaged() {
    opens_damaged("swe-agent");
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn a_long_session_of_pi_has_all_its_messages() {
    for (name, bytes) in &recorded::files("agents", |name| name == "pi.large-session.jsonl") {
        let lines: Vec<Value> =
            bytes.split(|b| *b == b'\n').filter_map(|l| serde_json::from_slice(l).ok()).collect();
        let of = |role: &'static str| {
            let is = move |line: &&Value| line["message"]["role"] == role;
            lines.iter().filter(is).map(|line| &line["message"])
        };
        let t = open(bytes).unwrap();
        let stats = t.stats();
        assert_eq!(t.message_count(), of("user").count() + of("assistant").count(), "{name}");
        let cost: f64 =
            of("assistant").map(|m| m["usage"]["cost"]["total"].as_f64().unwrap()).sum();
        assert!((stats.cost - cost).abs() < 1e-9, "{name}: {} {cost}", stats.cost);
        let all = shown(&t);
        let states: Vec<_> = all
            .iter()
            .flat_map(|(_, messages)| messages)
            .flat_map(|message| message["parts"].as_array().unwrap())
            .filter(|part| part["type"] == "tool")
            .map(|part| &part["state"])
            .collect();
        let count = |is: &dyn Fn(&Value) -> bool| states.iter().filter(|state| is(state)).count();
        assert_eq!(count(&|s| s["status"] == "running"), 0, "{name}");
        let failed = of("toolResult").filter(|m| m["isError"] == true).count();
        let aborted = count(&|s| s["metadata"]["aborted"] == true);
        assert_eq!(count(&|s| s["status"] == "error"), failed + aborted, "{name}");
        assert!(aborted > 10 && count(&|s| s["metadata"]["exit"].is_i64()) > 10, "{name}");
    }
}
