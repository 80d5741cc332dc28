use super::*;
use crate::made_up::{answer, call, text, user};
use serde_json::{Value, json};

fn sent(message: &Value) -> u64 {
    let mut tokens = MessageTokens::default();
    tokens.read(&Some(message), &Head::read(&Some(message)), Estimator::Chars);
    tokens.sums(Estimator::Chars).sent(Estimator::Chars)
}

#[test]
fn each_part_counts_as_it_is_sent() {
    let twelve = "x".repeat(48);
    let user = |part: Value| sent(&user("u", vec![part]));
    let answer = |part: Value| sent(&answer("a", json!({}), vec![part]));
    assert_eq!(user(text(&twelve)), 12);
    assert_eq!(user(json!({"type": "text", "text": twelve, "ignored": true})), 0);
    assert_eq!(user(json!({"type": "text", "text": twelve, "synthetic": true})), 12);
    assert_eq!(user(json!({"type": "compaction", "auto": true})), 6);
    assert_eq!(user(json!({"type": "subtask"})), 11);
    assert_eq!(user(json!({"type": "reasoning", "text": twelve})), 0);
    assert_eq!(user(json!({"type": "file", "mime": "text/plain", "url": twelve})), 0);
    assert_eq!(user(json!({"type": "file", "mime": "image/png", "url": "https://x/y"})), 1600);
    assert_eq!(answer(text(&twelve)), 12);
    assert_eq!(answer(json!({"type": "reasoning", "text": twelve})), 12);
    assert_eq!(answer(json!({"type": "file", "mime": "image/png", "url": "x"})), 0);
    for silent in ["step-start", "step-finish", "snapshot", "patch", "retry", "agent", "other"] {
        assert_eq!(answer(json!({"type": silent, "text": twelve})), 0);
    }
    // Its name, its input as JSON (`{"n":1}`) and its output.
    assert_eq!(answer(call(&twelve)), 1 + 2 + 12);
    let mut cleared = call(&twelve);
    cleared["state"]["time"]["compacted"] = json!(0);
    cleared["state"]["attachments"] = json!([{"type": "file", "mime": "image/png", "url": "x"}]);
    assert_eq!(answer(cleared), 1 + 2 + 8);
    let mut with_file = call(&twelve);
    with_file["state"]["attachments"] = json!([{"type": "file", "mime": "image/png", "url": "x"}]);
    assert_eq!(answer(with_file), 1 + 2 + 12 + 8 + 1600);
    for (state, tokens) in [
        (json!({"status": "error", "input": {}, "error": twelve}), 1 + 1 + 12),
        (json!({"status": "running", "input": {}}), 1 + 1 + 8),
        (json!({"status": "pending", "input": {}, "raw": twelve}), 1 + 1 + 8),
        (json!({"status": "odd"}), 0),
        (json!(null), 0),
    ] {
        assert_eq!(answer(json!({"type": "tool", "tool": "bash", "state": state})), tokens);
    }
}

#[test]
fn failed_answers_that_say_nothing_are_not_sent() {
    let thought = json!({"type": "reasoning", "text": "long thoughts"});
    let failed = json!({"error": {"name": "x"}});
    let step = json!({"type": "step-start"});
    assert_eq!(sent(&answer("a", failed.clone(), vec![step.clone(), thought.clone()])), 0);
    assert!(sent(&answer("a", failed, vec![thought.clone(), text("a word")])) > 0);
    assert!(sent(&answer("a", json!({}), vec![step, thought])) > 0);
}

#[test]
fn classes_add_what_is_around_a_message() {
    let message = user("u", vec![text("word")]);
    let mut tokens = MessageTokens::default();
    tokens.read(&Some(&message), &Head::read(&Some(&message)), Estimator::Classes);
    assert_eq!(tokens.sums(Estimator::Classes).sent(Estimator::Classes), 7);
}

#[test]
fn what_is_no_message_counts_as_nothing() {
    for odd in [json!(null), json!(7), json!([]), json!({}), json!({"info": 7, "parts": 7})] {
        assert_eq!(sent(&odd), 0);
    }
    assert_eq!(sent(&json!({"info": {"role": "tool"}, "parts": [text("hello")]})), 0);
}
