use super::*;
use crate::BesideMessages;
use crate::made_up::{answer, call, text, user};
use crate::{CompactionConfig, ModelLimits, plan};
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
