use super::*;
use crate::made_up::{answer, call, compaction, history, summary, text, user};
use serde_json::{Value, json};

fn estimated(messages: Value) -> Estimate {
    estimate(&history(&messages), Estimator::Chars, BesideMessages::default()).unwrap()
}

fn reported(id: &str, input: u32, parts: Vec<Value>) -> Value {
    answer(id, json!({"tokens": {"input": input, "output": 50}}), parts)
}

#[test]
fn the_last_report_is_the_base() {
    let output = call(&"x".repeat(2000));
    let made = estimated(json!([user("u", vec![text("q")]), reported("a", 1000, vec![output])]));
    assert_eq!((made.tokens, made.base, made.added), (1550.0, 1050.0, 500.0));
    assert_eq!(made.source, EstimateSource::Mixed);
    let made = estimated(json!([user("u", vec![text("q")]), reported("a", 1000, vec![text("y")])]));
    assert_eq!((made.tokens, made.source), (1050.0, EstimateSource::Reported));
}

#[test]
fn what_says_nothing_is_no_anchor() {
    let question = || user("u", vec![text("question")]);
    let failed = json!({"tokens": {"input": 9000}, "error": {"name": "x"}});
    let unfinished = json!({"tokens": {"input": 9000}, "finish": null});
    for info in [failed, unfinished, json!({"tokens": {"input": 0, "output": 9}})] {
        let made = estimated(json!([question(), answer("a", info, vec![text("answer")])]));
        assert_eq!(made.source, EstimateSource::Counted);
        assert_eq!((made.tokens, made.factor), (4.0, 1.0));
    }
    let after_compaction = json!([
        question(),
        reported("a", 9000, vec![text("answer")]),
        compaction("c", "a"),
        summary("s", "c", "short"),
    ]);
    assert_eq!(estimated(after_compaction).source, EstimateSource::Counted);
}

#[test]
fn a_later_mark_takes_an_anchor_back() {
    let marked = |at: f64| {
        let mut old = call(&"x".repeat(4000));
        old["state"]["time"]["compacted"] = json!(at);
        json!([
            user("u", vec![text("q")]),
            answer("a", json!({}), vec![old]),
            reported("b", 1000, vec![text("y")])
        ])
    };
    assert_eq!(estimated(marked(3.0)).source, EstimateSource::Reported);
    assert_eq!(estimated(marked(4.0)).source, EstimateSource::Counted);
}

#[test]
fn earlier_steps_calibrate_the_count() {
    let step = |id: &str, input: u32| {
        answer(id, json!({"tokens": {"input": input, "output": 0}}), vec![call(&"x".repeat(4000))])
    };
    let made = estimated(json!([
        user("u", vec![text("q")]),
        step("a", 1000),
        step("b", 2500),
        step("c", 4000),
        user("v", vec![text(&"x".repeat(400))]),
    ]));
    let expected = (1500.0 + 0.9 * 1500.0 + 500.0) / (1000.0 + 0.9 * 1000.0 + 500.0);
    assert!((made.factor - expected).abs() < 1e-9, "{}", made.factor);
    let added: f64 = expected * 1100.0;
    assert_eq!(made.added.to_string(), added.round().to_string());
}

#[test]
fn system_and_tools_count_without_a_report() {
    let messages = json!([user("u", vec![text("question")])]);
    let beside = BesideMessages { system: Some("12345678"), tools: Some("1234") };
    let made = estimate(&history(&messages), Estimator::Chars, beside).unwrap();
    assert_eq!(made.tokens.to_string(), "5");
    let model = ModelLimits { context: 100.0, input: None, output: Some(10.0) };
    let config = CompactionConfig { threshold: Some(5.0), ..CompactionConfig::default() };
    let overflow = |beside| check(&history(&messages), &model, &config, beside).unwrap().overflow;
    assert!(overflow(beside) && !overflow(BesideMessages::default()));
}

#[test]
fn opencode_2_counts_reasoning_and_compacts_no_two_times_in_a_row() {
    let model = ModelLimits { context: 10_000.0, input: None, output: Some(1_000.0) };
    let checked = |messages: &Value, config: Value| {
        let config = CompactionConfig::read(&Some(&config)).unwrap();
        check(&history(messages), &model, &config, BesideMessages::default()).unwrap()
    };
    let tokens = json!({"tokens": {"input": 1000, "output": 50, "reasoning": 7}});
    let answered = json!([user("u", vec![text("q")]), answer("a", tokens, vec![text("y")])]);
    let made = checked(&answered, json!({"buffer": 0}));
    assert_eq!((made.used.tokens, made.used.base, made.usable), (1057.0, 1057.0, 9000.0));
    assert_eq!(checked(&answered, json!({})).used.tokens.to_string(), "1050");
    let long = "x".repeat(40_000);
    let mut messages =
        json!([user("u", vec![text("q")]), compaction("c", ""), summary("s", "c", &long),]);
    assert!(!checked(&messages, json!({"buffer": 0})).overflow);
    assert!(checked(&messages, json!({})).overflow);
    let failed = json!({"summary": true, "parentID": "c", "error": {"name": "x"}});
    let mut unfinished = messages.clone();
    unfinished[2] = answer("s", failed, vec![text(&long)]);
    assert!(checked(&unfinished, json!({"buffer": 0})).overflow);
    messages.as_array_mut().unwrap().push(user("v", vec![text("next")]));
    assert!(checked(&messages, json!({"buffer": 0})).overflow);
}
