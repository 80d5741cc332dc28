use super::*;
use crate::made_up::{answer, compaction, history, summary, text, user};
use serde_json::{Value, json};

fn order(messages: Vec<Value>) -> Vec<u32> {
    let messages = Value::Array(messages);
    HistoryView::new(&history(&messages)).indices().collect()
}

fn said(id: &str) -> Value {
    user(id, vec![text("hello")])
}

#[test]
fn a_view_begins_with_the_newest_good_compaction() {
    let none = vec![said("a"), said("b")];
    assert_eq!(order(none), [0, 1]);
    let without_tail = vec![said("a"), compaction("c", ""), summary("s", "c", "x"), said("b")];
    assert_eq!(order(without_tail), [1, 2, 3]);
    let with_tail =
        vec![said("a"), said("b"), compaction("c", "b"), summary("s", "c", "x"), said("d")];
    assert_eq!(order(with_tail), [2, 3, 1, 4]);
    let between =
        vec![said("a"), compaction("c", "a"), said("x"), summary("s", "c", "x"), said("d")];
    assert_eq!(order(between), [1, 2, 3, 0, 4]);
}

#[test]
fn what_is_no_good_summary_cuts_nothing() {
    for info in [
        json!({"summary": true, "parentID": "c", "finish": null}),
        json!({"summary": true, "parentID": "c", "finish": ""}),
        json!({"summary": true, "parentID": "c", "error": {"name": "UnknownError"}}),
        json!({"summary": {"diffs": []}, "parentID": "c"}),
        json!({"parentID": "c"}),
        json!({"summary": true, "parentID": "other"}),
    ] {
        let messages = vec![said("a"), compaction("c", ""), answer("s", info, vec![text("x")])];
        assert_eq!(order(messages), [0, 1, 2]);
    }
    // A summary before its compaction is none of it.
    assert_eq!(order(vec![summary("s", "c", "x"), compaction("c", ""), said("a")]), [0, 1, 2]);
}

#[test]
fn a_failed_attempt_changes_nothing_about_the_one_before() {
    let failed = json!({"summary": true, "parentID": "d", "error": {"name": "x"}});
    let messages = vec![
        said("a"),
        said("b"),
        compaction("c", "b"),
        summary("s", "c", "x"),
        said("e"),
        compaction("d", "e"),
        answer("f", failed, vec![]),
    ];
    assert_eq!(order(messages), [2, 3, 1, 4, 5, 6]);
}

#[test]
fn an_older_compaction_within_the_tail_stands_in_its_place() {
    let messages = vec![
        said("a"),
        said("b"),
        compaction("c", "b"),
        summary("s", "c", "x"),
        said("d"),
        compaction("e", "b"),
        summary("t", "e", "y"),
    ];
    let messages = Value::Array(messages);
    let history = history(&messages);
    let view = HistoryView::new(&history);
    assert_eq!(view.indices().collect::<Vec<_>>(), [5, 6, 1, 2, 3, 4]);
    let finished = finished_compactions(&history);
    let shown = view.compactions(&finished).into_iter();
    assert_eq!(shown.map(|one| (one.message, one.summary)).collect::<Vec<_>>(), [(5, 6), (2, 3)]);
    let places: Vec<_> = finished.iter().map(|one| (one.message, one.summary, one.tail)).collect();
    assert_eq!(places, [(2, 3, Some(1)), (5, 6, Some(1))]);
}

#[test]
fn a_tail_that_is_not_there_counts_as_absent() {
    for tail in ["nowhere", "c", "d"] {
        let messages = vec![said("a"), compaction("c", tail), summary("s", "c", "x"), said("d")];
        let messages = Value::Array(messages);
        let history = history(&messages);
        let view = HistoryView::new(&history);
        assert_eq!(view.indices().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(view.cut.unwrap().lost_tail);
    }
}
