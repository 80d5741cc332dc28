//! The recorded sessions of Codex, whole, cut off and in other orders.

// Tests may slice bytes.
#![allow(clippy::indexing_slicing)]

use super::Codex;
use crate::model::Severity;
use crate::transcript::formats::reader::tests::{assert_valid, made, recordings, root};
use crate::transcript::{Env, Format, Transcript, TranscriptOptions};
use crate::validate::Ids;
use std::fs;

#[test]
fn the_recorded_sessions() {
    let Some(folder) = recordings() else { return };
    for (name, count) in [("vscode", 20), ("golden", 4), ("compaction", 11), ("odd-items", 12)] {
        let bytes = fs::read(folder.join(format!("../agents/codex.{name}.jsonl"))).unwrap();
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
        assert_eq!(whole.len(), count, "{name}");
        for cut in (0..bytes.len()).step_by(if bytes.len() > 10_000 { 1_003 } else { 37 }) {
            if let Ok(part) = open(&bytes[..cut]) {
                assert!(part.message_count() <= count, "{name} cut at {cut}");
            }
        }
        if name == "vscode" {
            let totals = whole.iter().filter_map(|m| m["info"]["tokens"]["total"].as_f64());
            assert_eq!(totals.sum::<f64>(), 283_081.0);
        }
        // Opening it in any order, or twice, does no harm.
        let mut lines: Vec<_> = bytes.split_inclusive(|b| *b == b'\n').collect();
        lines.reverse();
        let _ = open(&lines.concat());
        let _ = open(&[&bytes[..], &bytes[..]].concat());
    }
}
