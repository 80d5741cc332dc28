use super::*;
use apex_parts_json::tape::{MAX_DEPTH, Tape};

fn found(part: &str) -> Vec<(String, String)> {
    let mut tape = Tape::default();
    tape.read(part.as_bytes(), 0).unwrap();
    let mut found = Vec::new();
    let within = searched(tape.root_of(part));
    let _ = strings(tape.root_of(part), &mut |pointer, node| {
        assert!(within.start <= node.span().start && node.span().end <= within.end);
        found.push((pointer.to_string(), node.str().unwrap().into_owned()));
        ControlFlow::Continue(())
    });
    found
}

fn same(part: &str, expected: &[(&str, &str)]) {
    let found = found(part);
    let found: Vec<(&str, &str)> = found.iter().map(|(p, s)| (p.as_str(), s.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn texts() {
    same(r#"{"id":"x","type":"text","text":"hi","metadata":{"a":"b"}}"#, &[("/text", "hi")]);
    same(r#"{"type":"reasoning","text":"so"}"#, &[("/text", "so")]);
    same(r#"{"type":"text","text":""}"#, &[]);
    same(r#"{"type":"text"}"#, &[]);
    same(r#"{"type":"step-finish","reason":"stop","snapshot":"abc"}"#, &[]);
    same(r#"{"type":"of mine","text":"hi"}"#, &[]);
    same("[]", &[]);
    same("\"text\"", &[]);
}

#[test]
fn ids_are_not_searched() {
    let part = r#"{"id":"a","type":"text","text":"b","messageID":"c"}"#;
    let mut tape = Tape::default();
    tape.read(part.as_bytes(), 0).unwrap();
    assert_eq!(&part.as_bytes()[searched(tape.root_of(part))], b"b");
    tape.read(b"{}", 0).unwrap();
    assert_eq!(searched(tape.root(b"{}")), 0..0);
}

#[test]
fn tools() {
    same(
        r#"{"type":"tool","tool":"t","callID":"c","state":{"status":"completed",
            "input":{"command":"ls","list":["a",1,{"b":"c","a/~b":["d"]},[],{}],"n":null,"z":"y"},
            "output":"out","title":"Lists","raw":"{","error":"no","metadata":{"output":"out"},
            "attachments":[{"type":"file","filename":"f","url":"data:x"},
                {"url":"file:///x","filename":"g"}]}}"#,
        &[
            ("/state/title", "Lists"),
            ("/state/input/command", "ls"),
            ("/state/input/list/0", "a"),
            ("/state/input/list/2/b", "c"),
            ("/state/input/list/2/a~1~0b/0", "d"),
            ("/state/input/z", "y"),
            ("/state/raw", "{"),
            ("/state/output", "out"),
            ("/state/error", "no"),
            ("/state/attachments/0/filename", "f"),
            ("/state/attachments/1/filename", "g"),
            ("/state/attachments/1/url", "file:///x"),
        ],
    );
}

#[test]
fn other_part_types() {
    same(
        r#"{"type":"file","mime":"text/plain","filename":"a","url":"file:///a"}"#,
        &[("/filename", "a"), ("/url", "file:///a")],
    );
    same(
        r#"{"type":"subtask","prompt":"do","description":"it","agent":"x"}"#,
        &[("/description", "it"), ("/prompt", "do")],
    );
    same(r#"{"type":"agent","name":"build"}"#, &[("/name", "build")]);
    same(r#"{"type":"retry","error":{"message":"busy"}}"#, &[("/error/message", "busy")]);
    same(
        r#"{"type":"retry","error":{"name":"E","data":{"message":"busy"}}}"#,
        &[("/error/data/message", "busy")],
    );
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    same(
        r#"{"type":"tool","state":{"input":{"a":"1","b":"2","\u0061":"3"},"output":"x","output":1}}"#,
        &[("/state/input/a", "3"), ("/state/input/b", "2")],
    );
}

#[test]
fn strings_of_the_deepest_document_are_visited() {
    let deep = MAX_DEPTH - 2;
    let part = format!(
        r#"{{"type":"tool","state":{{"input":{}"x"{}}}}}"#,
        "[".repeat(deep),
        "]".repeat(deep)
    );
    let found = found(&part);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.len(), "/state/input".len() + 2 * deep);
}

#[test]
fn it_ends_at_a_break() {
    let part = br#"{"type":"tool","state":{"input":{"a":["1","2"]},"output":"3"}}"#;
    let mut tape = Tape::default();
    tape.read(part, 0).unwrap();
    let mut seen = 0;
    let _ = strings(tape.root(part), &mut |_, _| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!(seen, 1);
}
