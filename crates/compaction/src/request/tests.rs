use super::*;
use crate::made_up::{answer, call, text, user};
use serde_json::{Value, json};

fn told(message: &Value, most: f64) -> String {
    let mut conversation = ConversationText { out: String::new(), most, is_full: false };
    conversation.read(&Some(message));
    conversation.out
}

#[test]
fn messages_are_told_line_by_line() {
    let file = json!({"type": "file", "mime": "application/pdf", "filename": "x.pdf"});
    let parts = vec![text("one"), file.clone(), text(""), text("two")];
    assert_eq!(
        told(&user("u", parts), 10.0),
        "[User]: one\ntwo\n[Attached application/pdf: x.pdf]"
    );
    assert_eq!(told(&user("u", vec![file]), 10.0), "[Attached application/pdf: x.pdf]");
    let thought = json!({"type": "reasoning", "text": "hm"});
    assert_eq!(
        told(&answer("a", json!({}), vec![thought, text(""), text("yes"), call("out")]), 10.0),
        "[Assistant reasoning]: hm\n[Assistant]: yes\n[Assistant tool call]: bash({\"n\":1})\n[Tool result]: out"
    );
    let mut failed = call("");
    failed["state"] = json!({"status": "error", "input": {}, "error": "a long error of the tool"});
    assert!(
        told(&answer("a", json!({}), vec![failed]), 5.0)
            .ends_with("[Tool error]: a long error of the tool")
    );
    let mut cleared = call("x");
    cleared["state"]["time"]["compacted"] = json!(1);
    assert!(
        told(&answer("a", json!({}), vec![cleared]), 5.0)
            .ends_with("[Tool result]: [Old tool result content cleared]")
    );
    assert_eq!(told(&user("u", vec![]), 5.0), "");
}

#[test]
fn outputs_are_cut_between_characters() {
    assert_eq!(cut("abcd".to_owned(), 4.0), "abcd");
    assert_eq!(cut("abcde".to_owned(), 4.0), "abcd\n[truncated]");
    assert_eq!(cut("x🎉🎉".to_owned(), 5.0), "x🎉🎉");
    assert_eq!(cut("x🎉🎉".to_owned(), 4.0), "x🎉\n[truncated]");
    assert_eq!(cut("ééé".to_owned(), 3.0), "ééé");
    assert_eq!(cut("abc".to_owned(), 0.0), "\n[truncated]");
}
