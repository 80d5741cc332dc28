use super::*;
use crate::made_up::{answer, call, text, user};
use crate::made_up::{compaction, summary};
use crate::{BesideMessages, CompactionPlan};
use crate::{
    CompactionConfig, ModelLimits, UndoTarget, filter_compacted, plan, plan_truncation, undo,
};
use apex_parts_model::Owned;
use serde_json::{Value, json};

/// A plan as JavaScript gives it back.
fn given(messages: &Value) -> Owned {
    let model = ModelLimits { context: 24_000.0, input: None, output: Some(8_000.0) };
    let config = CompactionConfig { tail_turns: Some(0.0), ..CompactionConfig::default() };
    let history = MessageArray::new(Some(messages));
    let made = plan(&history, &model, &config, BesideMessages::default(), false).unwrap();
    let id = |index: u32| history.message_id(index as usize).unwrap();
    let ids = |name: &str| made.with_action(name).into_iter().map(id).collect::<Vec<_>>();
    let pinned: Vec<Value> = made.pinned.iter().map(|one| json!({"text": one.text})).collect();
    Owned::from(json!({
        "fingerprint": made.fingerprint, "keep": ids("keep"), "summarise": ids("summarise"),
        "drop": ids("drop"), "pinned": pinned,
    }))
}

fn applied(messages: &Value, go_on: GoOn, words: &str) -> Result<Value, Error> {
    let mut next = 0;
    let mut id = || {
        next += 1;
        Ok(format!("z{next}"))
    };
    let mut meta = SummaryMeta {
        id: &mut id,
        now: 1000.0,
        auto: true,
        overflow: false,
        go_on,
        tokens: Owned::default(),
        cost: 0.0,
        model_id: Owned::default(),
        provider_id: Owned::default(),
        finish: Owned::default(),
    };
    let made = apply_summary(&Owned::from(messages.clone()), &given(messages), words, &mut meta);
    made.map(Owned::into_json)
}

#[test]
fn a_compaction_and_its_summary_follow_the_old_messages() {
    let messages = json!([
        user("u", vec![text("please")]),
        answer("a", json!({"path": {"cwd": "/x", "root": "/"}}), vec![call("out")]),
    ]);
    let made = applied(&messages, GoOn::Auto, "what happened").unwrap();
    assert_eq!(made.as_array().unwrap().len(), 4);
    assert_eq!((&made[0], &made[1]), (&messages[0], &messages[1]));
    assert_eq!(made[2]["parts"][0]["type"], "compaction");
    let info = &made[3]["info"];
    assert_eq!((&info["parentID"], &info["summary"]), (&made[2]["info"]["id"], &json!(true)));
    assert_eq!((&info["path"]["cwd"], &info["finish"]), (&json!("/x"), &json!("stop")));
    assert_eq!(made[3]["parts"][0]["text"], "what happened\n\n## The user's own words\n\nplease");
}

#[test]
fn it_goes_on_only_if_something_is_left_to_do() {
    let done = json!([user("u", vec![text("q")]), answer("a", json!({}), vec![text("x")])]);
    let open = json!([
        user("u", vec![text("q")]),
        answer("a", json!({"finish": "tool-calls"}), vec![call("x")]),
    ]);
    let asked = json!([user("u", vec![text("q")])]);
    let count = |messages: &Value, go_on: GoOn| {
        let made = applied(messages, go_on, "x").unwrap();
        made.as_array().unwrap().len() - messages.as_array().unwrap().len()
    };
    assert_eq!(count(&done, GoOn::Auto), 2);
    assert_eq!(count(&done, GoOn::Always), 3);
    assert_eq!(count(&open, GoOn::Auto), 3);
    assert_eq!(count(&open, GoOn::Never), 2);
    assert_eq!(count(&asked, GoOn::Auto), 3);
}

#[test]
fn a_blank_summary_changes_nothing() {
    let messages = json!([user("u", vec![text("q")])]);
    let error = applied(&messages, GoOn::Auto, " \n").unwrap_err();
    assert!(error.to_string().ends_with(" (empty_summary)"), "{error}");
}

/// The history without its earliest turns, and the plan.
fn truncated(messages: &Value, budget: f64) -> (Result<Value, Error>, CompactionPlan) {
    let model = ModelLimits { context: 24_000.0, input: None, output: Some(8_000.0) };
    let config =
        CompactionConfig { preserve_recent_tokens: Some(budget), ..CompactionConfig::default() };
    let history = MessageArray::new(Some(messages));
    let plan =
        plan_truncation(&history, &model, &config, BesideMessages::default(), false).unwrap();
    let id = |index: u32| history.message_id(index as usize).unwrap();
    let ids = |name: &str| plan.with_action(name).into_iter().map(id).collect::<Vec<_>>();
    let given = json!({
        "fingerprint": plan.fingerprint, "keep": ids("keep"), "drop": ids("drop"), "summarise": [],
        "tailStartID": plan.tail_start.map(id), "previousSummary": plan.previous_summary,
    });
    let mut next = 0;
    let mut id = || {
        next += 1;
        Ok(format!("t{next}"))
    };
    let mut meta = SummaryMeta {
        id: &mut id,
        now: 1000.0,
        auto: true,
        overflow: false,
        go_on: GoOn::Always,
        tokens: Owned::default(),
        cost: 0.0,
        model_id: Owned::default(),
        provider_id: Owned::default(),
        finish: Owned::default(),
    };
    let made = apply_truncation(&Owned::from(messages.clone()), &Owned::from(given), &mut meta);
    (made.map(Owned::into_json), plan)
}

fn shown(messages: &Value) -> Vec<String> {
    let view = filter_compacted(&Owned::from(messages.clone())).into_json();
    let ids = view.as_array().unwrap().iter();
    ids.map(|one| one["info"]["id"].as_str().unwrap().to_owned()).collect()
}

fn turns(from: usize, to: usize) -> Vec<Value> {
    (from..to)
        .flat_map(|n| {
            let words = "word ".repeat(80); // 100 tokens
            [
                user(&format!("u{n}"), vec![text(&words)]),
                answer(&format!("a{n}"), json!({}), vec![call(&words)]),
            ]
        })
        .collect()
}

#[test]
fn the_earliest_turns_are_left_out_and_come_back() {
    let messages = Value::Array(turns(0, 4));
    let (made, plan) = truncated(&messages, 500.0);
    let made = made.unwrap();
    assert_eq!(plan.with_action("drop"), [0, 1, 2, 3]);
    assert!(plan.fits && plan.problems.is_empty(), "{plan:?}");
    // Nothing is deleted; the call stays with its result.
    assert_eq!(made.as_array().unwrap()[..8], messages.as_array().unwrap()[..]);
    assert_eq!(shown(&made), ["t1", "t3", "u2", "a2", "u3", "a3"]);
    assert_eq!(made[9]["parts"][0]["text"], TRUNCATION_NOTICE);
    let back = undo(&Owned::from(made), UndoTarget::Compaction("t1")).unwrap().into_json();
    assert_eq!(back, messages);
}

#[test]
fn nothing_to_leave_out_adds_nothing_and_says_so() {
    let messages = Value::Array(turns(0, 2));
    let (made, plan) = truncated(&messages, 5_000.0);
    assert_eq!(made.unwrap(), messages);
    assert_eq!(plan.problems.iter().map(|one| &*one.rule).collect::<Vec<_>>(), ["CP-2"]);
    assert_eq!(plan.after.to_bits(), plan.before.to_bits());
    let (_, plan) = truncated(&messages, 10.0);
    assert_eq!(plan.with_action("keep"), [2, 3]);
    assert_eq!(plan.problems.iter().map(|one| &*one.rule).collect::<Vec<_>>(), ["CP-6"]);
}

#[test]
fn an_older_summary_stays_and_an_older_notice_does_not() {
    let mut all = turns(0, 1);
    all.extend([compaction("c", ""), summary("s", "c", "what happened")]);
    all.extend(turns(1, 4));
    let (made, _) = truncated(&Value::Array(all.clone()), 250.0);
    let made = made.unwrap();
    assert_eq!(shown(&made), ["t1", "t3", "u3", "a3"]);
    let texts = |message: &Value| {
        let parts = message["parts"].as_array().unwrap().clone();
        parts.iter().map(|part| part["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&made[11]), [TRUNCATION_NOTICE, "what happened"]);
    // An unfinished compaction at the end is finished, and takes the summary too.
    all.push(compaction("open", ""));
    let finished = truncated(&Value::Array(all), 250.0).0.unwrap();
    assert_eq!(shown(&finished), ["open", "t1", "u3", "a3"]);
    assert_eq!(texts(&finished[11]), [TRUNCATION_NOTICE, "what happened"]);
    let mut more = made.as_array().unwrap().clone();
    more.extend(turns(4, 6));
    for message in &mut more {
        // Their ids are used again.
        let id = message["info"]["id"].as_str().unwrap().replace('t', "old");
        message["info"]["id"] = json!(id);
        if let Some(parent) = message["info"]["parentID"].as_str() {
            message["info"]["parentID"] = json!(parent.replace('t', "old"));
        }
    }
    let (again, plan) = truncated(&Value::Array(more), 250.0);
    let again = again.unwrap();
    assert_eq!(plan.previous_summary.as_deref(), Some("what happened"));
    assert_eq!(shown(&again), ["t1", "t3", "u5", "a5"]);
    let last = again.as_array().unwrap().last().unwrap();
    assert_eq!(texts(last), [TRUNCATION_NOTICE, "what happened"]);
}

#[test]
fn a_plan_for_a_summary_is_refused() {
    let messages = json!([user("u", vec![text("q")])]);
    let mut id = || Ok("x".to_owned());
    let mut meta = SummaryMeta {
        id: &mut id,
        now: 1.0,
        auto: true,
        overflow: false,
        go_on: GoOn::Auto,
        tokens: Owned::default(),
        cost: 0.0,
        model_id: Owned::default(),
        provider_id: Owned::default(),
        finish: Owned::default(),
    };
    let error = apply_truncation(&Owned::from(messages.clone()), &given(&messages), &mut meta);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the plan is for a summary"), "{error}");
}
