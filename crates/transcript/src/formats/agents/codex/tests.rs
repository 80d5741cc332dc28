//! Recorded sessions of Codex, whole, cut off and in other orders.

// Tests may slice bytes.
#![allow(clippy::indexing_slicing)]

use super::Codex;
use crate::formats::reader::tests::{assert_valid, made, root};
use crate::{Env, Format, Transcript, TranscriptOptions};
use apex_parts_fixtures::recorded;
use apex_parts_model::Severity;
use apex_parts_validate::Ids;

#[test]
fn recorded_sessions() {
    for (name, bytes) in recorded::files("agents", |name| name.starts_with("codex.")) {
        let open = |bytes: &[u8]| {
            let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
            Transcript::open(bytes, TranscriptOptions::default(), &mut env)
        };
        let t = open(&bytes).unwrap();
        assert_eq!(t.format(), Some(Format::Codex), "{name}");
        let problems = t.problems();
        let errors = problems.iter().filter(|p| p.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{name}: {problems:?}");
        let made = made(Box::new(Codex::default()), &bytes);
        assert_valid(&made, Ids::OpenCode);
        let whole = root(&made);
        let whole = whole.as_array().unwrap();
        let count = whole.len();
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

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn recorded_sessions_have_all_their_messages() {
    for (name, count) in [("vscode", 20), ("golden", 4), ("compaction", 11), ("odd-items", 12)] {
        let bytes = recorded::file("agents", &format!("codex.{name}.jsonl"));
        let whole = root(&made(Box::new(Codex::default()), &bytes));
        let whole = whole.as_array().unwrap();
        assert_eq!(whole.len(), count, "{name}");
        if name == "vscode" {
            let totals = whole.iter().filter_map(|m| m["info"]["tokens"]["total"].as_f64());
            assert_eq!(totals.sum::<f64>(), 283_081.0);
        }
    }
}
