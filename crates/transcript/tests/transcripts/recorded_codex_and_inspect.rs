//! Recorded sessions of Codex and logs of Inspect: they open whole, and up to any cut.

use crate::agent_files::assert_cuts_open;
use crate::shown::open;
use apex_parts_fixtures::recorded;
use apex_parts_model::Severity;
use apex_parts_transcript::Transcript;

fn assert_no_errors(t: &Transcript, name: &str) {
    let problems = t.problems();
    let errors: Vec<_> = problems.iter().filter(|p| p.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

#[test]
fn sessions_of_codex_open_whole_and_cut() {
    for (name, bytes) in recorded::files("agents", |name| name.starts_with("codex.")) {
        let t = open(&bytes).unwrap();
        assert_eq!(t.format().unwrap().as_str(), "codex", "{name}");
        assert_no_errors(&t, &name);
        let count = t.message_count();
        assert!(count > 0, "{name}");
        for cut in (0..bytes.len()).step_by(if bytes.len() > 10_000 { 1_003 } else { 37 }) {
            if let Ok(part) = open(&bytes[..cut]) {
                assert!(part.message_count() <= count, "{name} cut at {cut}");
            }
        }
        // Opening it in any order, or twice, does no harm.
        let mut lines: Vec<_> = bytes.split_inclusive(|b| *b == b'\n').collect();
        lines.reverse();
        let _ = open(&lines.concat());
        let _ = open(&[&bytes[..], &bytes[..]].concat());
    }
}

fn logs() -> Vec<(String, Vec<u8>)> {
    recorded::files("agents", |name| name.starts_with("inspect."))
}

#[test]
fn logs_of_inspect_open_whole_and_cut() {
    for (name, bytes) in logs() {
        let t = open(&bytes).unwrap();
        assert_eq!(t.format().unwrap().as_str(), "inspect", "{name}");
        if name.contains("no-samples") {
            assert!(t.problems().iter().any(|problem| problem.rule == "no-messages"), "{name}");
        } else {
            assert_no_errors(&t, &name);
        }
        let (step, from) = if name.ends_with(".eval") { (7, 6) } else { (101, 14) };
        assert_cuts_open(&bytes, step, from);
    }
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn logs_of_inspect_have_all_their_messages() {
    for (name, bytes) in logs() {
        let t = open(&bytes).unwrap();
        let count = match name.as_str() {
            "inspect.guess-number.eval" => 7,
            "inspect.no-samples.json" => 0,
            "inspect.tool-errors.json" => 1,
            _ => 2,
        };
        assert_eq!(t.message_count(), count, "{name}");
        if name == "inspect.guess-number.eval" {
            assert!(t.problems().is_empty(), "{name}");
        }
    }
}
