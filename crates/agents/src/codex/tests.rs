//! Recorded sessions of Codex.

use super::Codex;
use crate::tests::reading::{assert_valid, made, root};
use apex_parts_fixtures::recorded;
use apex_parts_model::Severity;
use apex_parts_validate::Ids;

#[test]
fn recorded_sessions() {
    for (name, bytes) in recorded::files("agents", |name| name.starts_with("codex.")) {
        let made = made(Box::new(Codex::default()), &bytes);
        assert_valid(&made, Ids::OpenCode);
        assert!(made.problems.iter().all(|p| p.severity != Severity::Error), "{name}");
        assert!(!root(&made).as_array().unwrap().is_empty(), "{name}");
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
