use super::*;
use crate::made_up::{answer, call, compaction, history, summary, text, user};
use serde_json::{Value, json};

fn found(messages: Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut take = |_: usize, problem: Problem| {
        found.push(format!("{} {}", problem.rule, problem.path));
    };
    let history = history(&messages);
    let notes = history.notes();
    let finished = finished_among(&history, &notes);
    report(&history, &notes, &finished, &Path::ROOT, &mut take).unwrap();
    found
}

#[test]
fn each_rule_is_found_where_it_is_broken() {
    let long = "word ".repeat(50);
    let said = |words: &str| user("a", vec![text(words)]);
    assert!(
        found(json!([said(&long), compaction("c", ""), summary("s", "c", "short")])).is_empty()
    );
    let lost = json!([said(&long), compaction("c", "no"), summary("s", "c", "short")]);
    assert_eq!(found(lost), ["CP-1 /1/parts/0/tail_start_id"]);
    let grown = json!([said("hi"), compaction("c", ""), summary("s", "c", &long)]);
    assert_eq!(found(grown), ["CP-2 /2"]);
    assert_eq!(found(json!([compaction("c", ""), said("hi")])), ["CP-3 /0"]);
    assert!(found(json!([said("hi"), compaction("c", "")])).is_empty());
    assert_eq!(found(json!([said("hi"), summary("s", "a", "x")])), ["CP-4 /1/info/parentID"]);
    let mut failed = call("x");
    failed["state"]["status"] = json!("error");
    failed["state"]["time"]["compacted"] = json!(5);
    let marked = json!([said("hi"), answer("b", json!({}), vec![text("x"), failed])]);
    assert_eq!(found(marked), ["CP-5 /1/parts/1/state"]);
}

#[test]
fn a_compaction_that_tells_itself_needs_no_summary() {
    let mut words = text("what happened before");
    words["synthetic"] = json!(true);
    let own = user("c", vec![json!({"type": "compaction", "auto": true}), words]);
    assert!(found(json!([own, user("a", vec![text("hi")])])).is_empty());
}

#[test]
fn a_second_summary_replaces_the_first() {
    let long = "word ".repeat(50);
    let messages = json!([
        user("a", vec![text(&long)]),
        compaction("c", ""),
        summary("s", "c", &"word ".repeat(20)),
        user("b", vec![text("hi")]),
        compaction("d", ""),
        summary("t", "d", &"word ".repeat(20)),
    ]);
    assert!(found(messages).is_empty());
}
