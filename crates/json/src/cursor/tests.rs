use super::*;
use crate::fields::fields;
use crate::partial::Partial;
use crate::tape::Tape;
use crate::tree::{build, tree};
use crate::writer::value_text;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn whole(json: &str) -> Result<Span, JsonError> {
    let span = value(json.as_bytes(), 0, 100)?;
    end_of(json.as_bytes(), span.end)?;
    Ok(span)
}

/// The tree of a value that may not be JSON, by cursors.
fn visit(json: &str, at: &mut usize) -> Result<Value, JsonError> {
    let bytes = json.as_bytes();
    let mut cursor = Cursor::new(bytes, *at);
    let found = match bytes.get(*at) {
        Some(b'{') => {
            let mut map = Map::new();
            while let Some(key) = cursor.field()? {
                map.insert(key.text(json).into_owned(), visit(json, &mut cursor.at)?);
            }
            Value::Object(map)
        }
        Some(b'[') => {
            let mut list = Vec::new();
            while cursor.element()? {
                list.push(visit(json, &mut cursor.at)?);
            }
            Value::Array(list)
        }
        _ => {
            let span = value(bytes, *at, 0)?;
            *at = span.end;
            return Ok(build(json, &mut { span.start }));
        }
    };
    *at = cursor.at;
    Ok(found)
}

#[test]
fn values_are_skipped() {
    for json in
        ["{}", "[ ]", " {\"a\" : [1, {\"b\":null}], \"c\": \"\\u00e9\"} ", "-0.5e+3", "true"]
    {
        assert!(whole(json).is_ok(), "{json}");
    }
    for json in ["", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", "\"\u{1}\"", "\"\\x\"", "[}"]
    {
        assert!(whole(json).is_err(), "{json}");
    }
}

#[test]
fn errors_name_what_is_wrong_and_where() {
    for (json, message, offset, is_cut) in [
        ("", "the text is cut off", 0, true),
        ("[", "the text is cut off", 1, true),
        ("{ ", "the text is cut off", 2, true),
        ("{\"a\"", "the text is cut off", 4, true),
        ("{\"a\":1", "the text is cut off", 6, true),
        ("{\"a\":1,", "the text is cut off", 7, true),
        ("[tru", "expected a value", 1, true),
        ("{a", "expected a key in double quotes", 1, false),
        ("{\"a\" 1}", "expected `:`", 5, false),
        ("[1 2]", "expected `,` or the end", 3, false),
        ("{\"a\":1]", "expected `,` or the end", 6, false),
        ("[1,]", "expected a value", 3, false),
    ] {
        let error = value(json.as_bytes(), 0, 9).unwrap_err();
        assert_eq!(
            (error.message, error.offset, error.is_cut()),
            (message, offset, is_cut),
            "{json}"
        );
        if json.starts_with('{') {
            let error = fields(json, 0, ["a"], 9).unwrap_err();
            let message = message.replace("the end", "`}`");
            assert_eq!((error.message, error.offset, error.is_cut()), (&*message, offset, is_cut));
        }
    }
}

#[test]
fn nesting_too_deep_is_a_limit() {
    let deep = "[".repeat(101);
    let error = value(deep.as_bytes(), 0, 100).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.offset, 100);
    assert!(value("[[]]".as_bytes(), 0, 2).is_ok());
    assert!(value("[[]]".as_bytes(), 0, 1).is_err());
    let mixed = format!("{}1{}", "[{\"a\":".repeat(90), "}]".repeat(90));
    assert!(value(mixed.as_bytes(), 0, 180).is_ok_and(|span| span.end == mixed.len()));
    assert!(value(mixed.replacen("}]", "]]", 1).as_bytes(), 0, 180).is_err());
}

#[test]
fn of_a_name_that_occurs_twice_the_last_counts() {
    let json = r#"{"a":1,"b":[2],"\u0061":"x"} "#;
    let ([a, b, c], end) = fields(json, 0, ["a", "b", "c"], 9).unwrap();
    assert_eq!(a.unwrap().string(json).unwrap(), "x");
    assert_eq!(b.unwrap().text(json), "[2]");
    assert_eq!(c, None);
    assert_eq!(end, json.len() - 1);
}

fn any_tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("\u{1}\"\\/😀é")),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|f| Value::Object(f.into_iter().collect())),
        ]
    })
}

/// serde_json refuses two things that are JSON: unpaired surrogates and numbers beyond the range of
/// doubles.
fn is_refused_json(error: &serde_json::Error) -> bool {
    let why = error.to_string();
    why.contains("surrogate") || why.contains("hex escape") || why.contains("out of range")
}

proptest! {
    /// Every reader of this folder reads the same texts as JSON as serde_json does.
    #[test]
    fn all_readers_agree_with_serde_json(json in r#"[\[\]{}",:0-9a-f\\utrlsn.eE+ -]{0,16}"#) {
        let ours = whole(&json);
        let theirs = serde_json::from_str::<Value>(&json);
        if theirs.is_ok() != ours.is_ok() {
            prop_assert!(is_refused_json(theirs.as_ref().unwrap_err()), "{json}: {theirs:?}");
        }
        let start = skip_space(json.as_bytes(), 0);
        let mut end = start;
        let visited = visit(&json, &mut end).ok().filter(|_| end_of(json.as_bytes(), end).is_ok());
        prop_assert_eq!(visited.is_some(), ours.is_ok());
        let mut tape = Tape::default();
        let taped = tape.read(json.as_bytes(), 0).and_then(|end| end_of(json.as_bytes(), end));
        prop_assert_eq!(taped.is_ok(), ours.is_ok());
        let mut partial = Partial::default();
        partial.feed(&json);
        prop_assert_eq!(partial.finish().is_ok(), ours.is_ok());
        if let Ok(theirs) = theirs {
            prop_assert_eq!(visited.as_ref(), Some(&theirs));
            prop_assert_eq!(tree(&json, 100), Ok(theirs));
        }
    }

    #[test]
    fn trees_are_read_as_they_were_written(written in any_tree(), pretty in any::<bool>()) {
        let json = if pretty { serde_json::to_string_pretty(&written).unwrap() } else { value_text(&written) };
        prop_assert_eq!(tree(&json, 100), Ok(written.clone()));
        prop_assert_eq!(visit(&json, &mut 0), Ok(written.clone()));
        let mut tape = Tape::default();
        prop_assert_eq!(tape.read(json.as_bytes(), 0), Ok(json.len()));
        if let Value::Object(map) = &written {
            for (name, value) in map {
                let ([found], end) = fields(&json, 0, [name], 100).unwrap();
                prop_assert_eq!(end, json.len());
                prop_assert_eq!(&tree(found.unwrap().text(&json), 100).unwrap(), value);
            }
        }
        // A text that is cut anywhere is reported as cut by every reader, at the same byte.
        for cut in 0..json.len() {
            let cut = json.as_bytes().get(..cut).unwrap();
            let Err(ours) = value(cut, 0, 100) else {
                prop_assert!(!written.is_array() && !written.is_object() && !written.is_string());
                continue;
            };
            prop_assert!(ours.is_cut());
            prop_assert!(tape.read(cut, 0).is_err_and(|e| e.is_cut() && e.offset == ours.offset));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = value(&bytes, 0, 8);
        let _ = Cursor::new(&bytes, 0).field();
        let _ = Cursor::new(&bytes, 0).element();
    }
}
