use super::*;
use crate::made_up::{answer, call, compaction, history, summary, text, user};
use serde_json::{Value, json};

/// A history that ends with two turns, in which nothing is cleared.
fn with_old(mut parts: Vec<Value>) -> Value {
    let mut messages = vec![user("u", vec![text("first")])];
    for (at, part) in parts.drain(..).enumerate() {
        messages.push(answer(&format!("a{at}"), json!({}), vec![part]));
    }
    messages.push(user("v", vec![text("second")]));
    messages.push(answer("w", json!({}), vec![call(&"y".repeat(4_000_000))]));
    messages.push(user("x", vec![text("third")]));
    Value::Array(messages)
}

fn config() -> CompactionConfig {
    CompactionConfig { prune: true, ..CompactionConfig::default() }
}

fn pruned(messages: &Value, config: &CompactionConfig) -> (Vec<(u32, u32)>, String) {
    let history = history(messages);
    let plan = prune(&history, config).unwrap();
    let entries = outputs(&history, &plan.runs, config.estimator).unwrap();
    let places = entries.iter().map(|entry| (entry.message, entry.part)).collect();
    (places, plan.saved.to_string())
}

fn tokens(count: usize) -> Value {
    call(&"x".repeat(count * 4))
}

#[test]
fn the_output_that_crosses_the_protected_ones_goes() {
    let messages = with_old(vec![tokens(30_000), tokens(10_011), tokens(30_000)]);
    assert_eq!(pruned(&messages, &config()), (vec![(1, 0), (2, 0)], "40011".into()));
    let fits = with_old(vec![tokens(30_000), tokens(10_000), tokens(30_000)]);
    assert_eq!(pruned(&fits, &config()), (vec![(1, 0)], "30000".into()));
    // Exactly the minimum is not enough.
    let little = with_old(vec![tokens(20_000), tokens(40_000)]);
    assert_eq!(pruned(&little, &config()).0, []);
    let off = CompactionConfig { prune: false, ..config() };
    assert_eq!(pruned(&messages, &off).0, []);
}

#[test]
fn protected_tools_failed_calls_and_marks_are_looked_at() {
    let mut skill = tokens(50_000);
    skill["tool"] = json!("skill");
    let mut failed = tokens(50_000);
    failed["state"]["status"] = json!("error");
    let messages = with_old(vec![tokens(50_000), skill, failed, tokens(40_000)]);
    assert_eq!(pruned(&messages, &config()).0, [(1, 0)]);
    let mut cleared = tokens(5);
    cleared["state"]["time"]["compacted"] = json!(0);
    let messages = with_old(vec![tokens(50_000), cleared, tokens(50_000), tokens(40_000)]);
    assert_eq!(pruned(&messages, &config()).0, [(3, 0)]);
}

#[test]
fn summaries_stop_it_and_compactions_count_as_turns() {
    let old = answer("a", json!({}), vec![tokens(90_000)]);
    let ends = [compaction("c", ""), user("x", vec![text("t")])];
    let messages = json!([user("u", vec![text("t")]), old, ends[0], ends[1]]);
    assert_eq!(pruned(&messages, &config()).0, [(1, 0)]);
    let messages = json!([
        user("u", vec![text("t")]),
        old,
        compaction("c", ""),
        summary("s", "c", "x"),
        user("v", vec![text("t")]),
        user("w", vec![text("t")]),
    ]);
    assert_eq!(pruned(&messages, &config()).0, []);
}

#[test]
fn the_cost_with_a_cache_is_told() {
    let messages = with_old(vec![text(&"x".repeat(400)), tokens(90_000), tokens(40_000)]);
    let plan = prune(&history(&messages), &config()).unwrap();
    let all = |tokens: usize| 1 + 2 + tokens;
    // The first question, the answer of 100 tokens, and the name and input of the call stand before its output.
    assert_eq!(plan.cache.prefix.to_string(), (1 + 100).to_string());
    let rewritten = 3 + 8 + all(40_000) + 2 + all(1_000_000) + 1;
    assert_eq!(plan.cache.rewritten.to_string(), rewritten.to_string());
    let expected = (plan.cache.rewritten * 1.15 / (90_000.0 * 0.1)).ceil();
    assert_eq!(plan.cache.break_even.unwrap().to_string(), expected.to_string());
}
