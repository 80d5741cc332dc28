use super::*;
use crate::made_up::{answer, call, compaction, history, summary, text, user};
use serde_json::{Value, json};

fn model() -> ModelLimits {
    ModelLimits { context: 24_000.0, input: None, output: Some(8_000.0) }
}

fn planned(messages: &Value, config: &CompactionConfig, overflow: bool) -> CompactionPlan {
    plan(&history(messages), &model(), config, BesideMessages::default(), overflow).unwrap()
}

fn turn(n: usize) -> [Value; 2] {
    let answered =
        answer(&format!("a{n}"), json!({}), vec![text("answer"), call(&"word ".repeat(1200))]);
    [user(&format!("u{n}"), vec![text(&format!("question {n}"))]), answered]
}

#[test]
fn a_tail_is_kept_and_the_rest_summarised() {
    let messages = Value::Array((0..4).flat_map(turn).collect());
    let config = CompactionConfig { tail_turns: Some(1.0), ..CompactionConfig::default() };
    let made = planned(&messages, &config, false);
    assert_eq!(made.tail_start, Some(6));
    assert_eq!(made.with_action("summarise"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(made.with_action("keep"), [6, 7]);
    assert!(made.fits && made.after < made.before && made.problems.is_empty());
    let none = CompactionConfig { tail_turns: Some(0.0), ..CompactionConfig::default() };
    assert_eq!(planned(&messages, &none, false).tail_start, None);
}

#[test]
fn a_turn_that_is_too_large_is_cut_between_messages() {
    let long = answer("a", json!({}), vec![text(&"word ".repeat(4000))]);
    let short = answer("b", json!({}), vec![text("short")]);
    let messages = json!([user("u", vec![text("question")]), long, short]);
    let made = planned(&messages, &CompactionConfig::default(), false);
    assert_eq!(made.tail_start, Some(2));
}

#[test]
fn nothing_to_gain_is_told() {
    let messages = json!([user("u", vec![text("q")]), answer("a", json!({}), vec![text("a")])]);
    let made = planned(&messages, &CompactionConfig::default(), false);
    assert_eq!(made.problems.iter().map(|p| &*p.rule).collect::<Vec<_>>(), ["CP-2"]);
    let empty = json!([]);
    assert!(!planned(&empty, &CompactionConfig::default(), false).problems.is_empty());
}

#[test]
fn a_refused_request_is_asked_again() {
    let [question, answered] = turn(1);
    let asked =
        user("v", vec![text("look"), json!({"type": "file", "mime": "image/png", "url": "x"})]);
    let begun = answer("w", json!({"finish": null}), vec![text("I")]);
    let config =
        CompactionConfig { preserve_recent_tokens: Some(0.0), ..CompactionConfig::default() };
    let messages = json!([question, answered, asked, begun]);
    let made = planned(&messages, &config, true);
    assert_eq!((made.with_action("summarise"), made.with_action("drop")), (vec![0, 1], vec![2, 3]));
    // Without an earlier one of the user it is summarised like the rest.
    let first = json!([asked, begun]);
    assert_eq!(planned(&first, &config, true).with_action("drop"), Vec::<u32>::new());
}

#[test]
fn the_last_summary_goes_on_and_silent_messages_are_dropped() {
    let silent = answer("x", json!({"error": {"name": "x"}}), vec![json!({"type": "step-start"})]);
    let [question, answered] = turn(1);
    let messages = json!([
        user("u", vec![text("q")]),
        compaction("c", ""),
        summary("s", "c", " what happened "),
        silent,
        question,
        answered,
        compaction("d", ""),
    ]);
    let config =
        CompactionConfig { preserve_recent_tokens: Some(0.0), ..CompactionConfig::default() };
    let made = planned(&messages, &config, false);
    assert_eq!(made.previous_summary.as_deref(), Some("what happened"));
    assert_eq!((made.with_action("summarise"), made.with_action("drop")), (vec![4, 5], vec![3]));
    assert_eq!(made.pinned.len(), 1);
}
