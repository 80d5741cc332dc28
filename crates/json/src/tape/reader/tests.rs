use super::*;
use crate::tape::{Node, SeenIds};
use apex_parts_model::{Owned, View};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn read(text: &str) -> Result<usize, JsonError> {
    Tape::default().read(text.as_bytes(), 0)
}

/// The value on the tape, read through `View` as rules read it.
fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::True => Value::Bool(true),
        Kind::False => Value::Bool(false),
        Kind::Number => json!(node.number()),
        Kind::String | Kind::EmptyString => Value::String(node.str().unwrap().into_owned()),
        Kind::Array => node.children().map(value).collect(),
        Kind::Object => {
            let mut map = serde_json::Map::new();
            node.each_field(&mut |name, v| {
                map.insert(name.to_owned(), value(*v));
            });
            Value::Object(map)
        }
        other => panic!("{other:?}"),
    }
}

fn as_floats(value: &Value) -> Value {
    match value {
        Value::Number(n) => json!(n.as_f64()),
        Value::Array(list) => list.iter().map(as_floats).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), as_floats(v))).collect(),
        other => other.clone(),
    }
}

#[test]
fn agrees_with_serde_json() {
    for text in [
        "null",
        " true ",
        "false",
        "0",
        "-0",
        "12.5e3",
        "-1E-2",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        "[1,[2,[3]],{}]",
        r#"{"a":1,"b":{"c":[null,true]},"":""}"#,
        r#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00é""#,
        "\"0123456789abcdef0123456789\"",
        "\"seven77\\u0000\"",
        "{ \"a\" : [ 1 , 2 ] }\n",
        "\"\u{2028}\u{7f}\"",
        "123456789012345678901234567890",
    ] {
        let mut tape = Tape::default();
        tape.read(text.as_bytes(), 0).unwrap_or_else(|f| panic!("{text}: {f:?}"));
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value(tape.root_of(text)), as_floats(&expected), "{text}");
    }
}

#[test]
fn texts_that_are_not_json_are_refused_with_the_offset() {
    for (text, offset, cut) in [
        ("", 0, true),
        (" ", 1, true),
        ("[1,]", 3, false),
        ("[1 2]", 3, false),
        ("{\"a\" 1}", 5, false),
        ("{\"a\":}", 5, false),
        ("{a:1}", 1, false),
        ("{\"a\":1,}", 7, false),
        ("[", 1, true),
        ("{\"a\"", 4, true),
        ("\"abc", 4, true),
        ("\"\\x\"", 1, false),
        ("\"\\u12G4\"", 1, false),
        ("\"\\u12", 1, true),
        ("\"a\nb\"", 2, false),
        ("tru", 0, true),
        ("trux", 0, false),
        ("nul", 0, true),
        ("01x", 1, false),
        ("-", 1, true),
        ("1.", 2, true),
        ("1.x", 2, false),
        ("1e", 2, true),
        ("+1", 0, false),
        ("NaN", 0, false),
        ("'a'", 0, false),
        ("]", 0, false),
        ("[}", 1, false),
        ("{]", 1, false),
        ("\"\\", 1, true),
    ] {
        match read(text) {
            Ok(end) => assert!(text == "01x" && end == 1, "{text:?} was read"),
            Err(error) => {
                assert_eq!(
                    (error.offset, error.is_cut()),
                    (offset, cut),
                    "{text:?}: {}",
                    error.message
                )
            }
        }
    }
}

#[test]
fn nests_deep_without_recursion() {
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(read(&deep(MAX_DEPTH)).is_ok());
    let error = read(&deep(100_000)).unwrap_err();
    assert_eq!((error.message, error.offset), ("nested too deep", MAX_DEPTH));
}

#[test]
fn the_last_of_two_fields_counts() {
    let text = br#"{"type":"a","\u0074ype":"b","x":{"type":"c"}}"#;
    let mut tape = Tape::default();
    tape.read(text, 0).unwrap();
    let root = tape.root(text);
    assert_eq!(root.get(Key::Type).str().as_deref(), Some("b"));
    assert_eq!(value(root), json!({"type": "b", "x": {"type": "c"}}));
}

#[test]
fn views_answer_like_values() {
    let json = json!({"text": " \u{feff}", "type": "tool", "files": ["a", 1], "time": {"start": 1.5}, "id": "", "auto": true, "url": null});
    let text = json.to_string();
    let mut tape = Tape::default();
    tape.read(text.as_bytes(), 0).unwrap();
    let (node, owned) = (tape.root_of(&text), Owned::from(json));
    for key in Key::ALL {
        let (a, b) = (node.get(*key), owned.get(*key));
        assert_eq!(a.kind(), b.kind(), "{key:?}");
        assert_eq!(a.is_blank(), b.is_blank());
        assert_eq!(a.word(), b.word());
        assert_eq!(a.text(), b.text());
        assert_eq!((a.len(), a.is_empty()), (b.len(), b.is_empty()));
        assert_eq!(a.number().to_bits(), b.number().to_bits());
        assert_eq!(a.at(1).kind(), b.at(1).kind());
        assert_eq!(a.at(9).kind(), Kind::Missing);
        assert_eq!(a.is_uuid(), b.is_uuid());
        assert_eq!(a.same(&a), b.same(&b));
    }
    let mut ids = SeenIds::default();
    assert!(node.get(Key::Type).note(&mut ids) && !node.get(Key::Type).note(&mut ids));
    assert!(node.note(&mut ids), "only strings are noted");
    let mut fields = 0;
    owned.each_field(&mut |_, _| fields += 1);
    assert_eq!(fields, 7);
}

#[test]
fn ids_are_seen_once_in_any_order() {
    let ids =
        ["b", "c", "a", "cc", "c", "a", "a\0", "aa", "cccccccccc", "ccccccccca", "é", "b", "é"];
    let text = json!(ids).to_string().replace("\"cc\"", r#""\u0063c""#);
    let mut tape = Tape::default();
    tape.read(text.as_bytes(), 0).unwrap();
    let (mut seen, mut expected) = (SeenIds::default(), BTreeSet::new());
    for (i, node) in tape.root_of(&text).children().enumerate() {
        assert_eq!(node.note(&mut seen), expected.insert(ids[i]), "{i}: {:?}", ids[i]);
    }
}

#[test]
fn the_field_cache_does_not_mix_objects() {
    let of = |n: usize| json!({"id": n, "text": n, "type": n, "time": {"start": n, "end": n}, "odd": n, "tool": n});
    let list: Vec<_> = (0..40).map(of).collect();
    let text = json!(list).to_string().replace("\"odd\"", "\"text\"");
    let mut tape = Tape::default();
    for _ in 0..2 {
        tape.read(text.as_bytes(), 0).unwrap();
        let nodes: Vec<_> = tape.root_of(&text).children().collect();
        for step in [1, 7, 8, 16] {
            for (i, n) in (0..nodes.len()).map(|i| (i, i * step % nodes.len())) {
                let number = |node: Node<'_>, key| node.get(key).number() as usize;
                assert_eq!(number(nodes[n], Key::Text), n, "{i}");
                assert_eq!(number(nodes[i].get(Key::Time), Key::End), i);
                assert_eq!(nodes[n].get(Key::Title).kind(), Kind::Missing);
                assert_eq!(number(nodes[i], Key::Tool), i);
            }
        }
    }
    // Nothing is left of the last document.
    let other = r#"[{"a":1,"b":1,"c":1,"d":1,"e":1}]"#;
    tape.read(other.as_bytes(), 0).unwrap();
    let node = tape.root_of(other).at(0);
    assert_eq!(node.get(Key::Text).kind(), Kind::Missing);
}

#[test]
fn numbers_are_parsed_as_rust_parses_them() {
    for text in [
        "0",
        "7",
        "12345678",
        "1234567",
        "123456789",
        "1768210348238",
        "999999999999999",
        "9007199254740993",
        "0.014454",
        "-1",
        "1e3",
        "12345678.5",
        "00000001.5",
        "1E-7",
        "0.1",
        "123456789012345678901234567890",
        "-0",
    ] {
        let number: f64 = text.parse().unwrap();
        assert_eq!(crate::number::double(text.as_bytes()).to_bits(), number.to_bits(), "{text}");
    }
}

#[test]
fn unescaping_replaces_only_invalid_text() {
    for (raw, text) in [
        (&b"plain"[..], "plain"),
        (br"a\u00e9\n", "aé\n"),
        (br"\ud83d\ude00", "😀"),
        (br"\ud83d", "\u{fffd}"),
        (br"\ud83dx\ude00", "\u{fffd}x\u{fffd}"),
        (br"\ude00\ud83d", "\u{fffd}\u{fffd}"),
        (br"\ud83d\u0041", "\u{fffd}A"),
        (b"\xff\\t", "\u{fffd}\t"),
        (br"\", "\u{fffd}"),
        (br"\u12", "\u{fffd}"),
        (br"\q", "q"),
        (br"\b\f\r\/", "\u{8}\u{c}\r/"),
    ] {
        assert_eq!(unescape_bytes(raw), text, "{raw:?}");
    }
}

#[test]
fn a_number_that_is_too_long_is_the_same_error_in_pieces() {
    let long = "1".repeat(20_000);
    for end in ["", "e", "ex", ".", "e1"] {
        let text = format!("[{long}{end}");
        let whole = read(&text).unwrap_err();
        let mut tape = Tape::default();
        tape.begin(0);
        let first = tape.go_on(&text.as_bytes()[..18_000], true).unwrap_err();
        assert_eq!((first, first.is_cut()), (whole, false), "{end:?}");
    }
}

/// A text of another program has the same values, whatever keys it has.
#[test]
fn a_foreign_text_is_read_alike() {
    let text = r#"{"id":1,"état":"é","\u0069d":2,"parts":[{"type":"tool","x":{"time":{"start":3}}}],"":4,"a long name that no rule asks for":5}"#;
    let (mut own, mut foreign) = (Tape::default(), Tape::default());
    assert_eq!(own.read(text.as_bytes(), 0), Ok(text.len()));
    assert_eq!(foreign.read_foreign(text), Ok(text.len()));
    let (own, foreign) = (own.root_of(text), foreign.root(text.as_bytes()));
    let mut pairs = vec![(own, foreign)];
    while let Some((one, other)) = pairs.pop() {
        assert_eq!((one.kind(), one.span()), (other.kind(), other.span()));
        for key in Key::ALL {
            let (one, other) = (one.get(*key), other.get(*key));
            assert_eq!((one.kind(), one.span()), (other.kind(), other.span()), "{}", key.as_str());
        }
        pairs.extend(one.children().zip(other.children()));
    }
    assert_eq!(foreign.get(Key::Id).number(), 2.0);
}
