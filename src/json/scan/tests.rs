use super::*;
use proptest::prelude::*;

fn whole(json: &str) -> Result<Span, JsonError> {
    let span = value(json.as_bytes(), 0, 100)?;
    match skip_space(json.as_bytes(), span.end) {
        end if end == json.len() => Ok(span),
        end => Err(JsonError::syntax("behind", end)),
    }
}

#[test]
fn values_are_stepped_over() {
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
fn bytes_are_compared_as_slices_are() {
    for length in 0..40 {
        let one: Vec<u8> = (0..length).collect();
        for at in 0..=one.len() {
            let mut other = one.clone();
            other.get_mut(at).into_iter().for_each(|byte| *byte ^= 0x80);
            let longer = [one.as_slice(), b"x"].concat();
            for (a, b) in [(&one, &other), (&other, &one), (&one, &longer), (&longer, &other)] {
                assert_eq!(same(a, b), a == b, "{a:?} {b:?}");
                assert_eq!(is_less(a, b), a < b, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn digits_are_stepped_over() {
    for length in 0..20 {
        for behind in ["", ",", "e", "/        ", ":              ", ".12345678901"] {
            let text = format!("x{}{behind}", "7".repeat(length));
            assert_eq!(skip_digits(text.as_bytes(), 1), length + 1, "{text}");
        }
    }
}

#[test]
fn too_deep_is_said_as_such() {
    let deep = "[".repeat(101);
    let error = value(deep.as_bytes(), 0, 100).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.offset, 100);
    assert!(value("[[]]".as_bytes(), 0, 2).is_ok());
    assert!(value("[[]]".as_bytes(), 0, 1).is_err());
}

#[test]
fn of_a_name_that_comes_twice_the_last_counts() {
    let json = r#"{"a":1,"b":[2],"\u0061":"x"} "#;
    let ([a, b, c], end) = fields(json, 0, ["a", "b", "c"], 9).unwrap();
    assert_eq!(a.unwrap().string(json).unwrap(), "x");
    assert_eq!(b.unwrap().text(json), "[2]");
    assert_eq!(c, None);
    assert_eq!(end, json.len() - 1);
}

#[test]
fn halves_of_pairs_are_kept_at_the_edges_only() {
    let read = |raw: &str| {
        let mut text = String::new();
        let (low, high) = unescape(raw, &mut text);
        (low, text, high)
    };
    assert_eq!(read(r"\ud83d\ude00"), (None, "😀".into(), None));
    assert_eq!(read(r"\ude00a\ud83d"), (Some(0xde00), "a".into(), Some(0xd83d)));
    assert_eq!(read(r"\ude00\ud83d"), (Some(0xde00), String::new(), Some(0xd83d)));
    assert_eq!(read(r"a\ude00"), (None, "a\u{fffd}".into(), None));
    assert_eq!(read(r"\ud83da"), (None, "\u{fffd}a".into(), None));
    assert_eq!(read(r"\ud83d\ud83d\ude00"), (None, "\u{fffd}😀".into(), None));
    assert_eq!(read(r"\ud83d\n"), (None, "\u{fffd}\n".into(), None));
    assert_eq!(read(r"\/\\\b\u0000"), (None, "/\\\u{8}\0".into(), None));
    assert_eq!(unescaped(r"\ude00-\ud83d"), "\u{fffd}-\u{fffd}");
}

proptest! {
    #[test]
    fn agrees_with_serde_json(json in r#"[\[\]{}",:0-9a-f\\utrlsn.eE+ -]{0,16}"#) {
        // serde_json refuses half surrogates and numbers out of range, which are good JSON.
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&json);
        if theirs.is_ok() != whole(&json).is_ok() {
            let why = theirs.unwrap_err().to_string();
            prop_assert!(why.contains("surrogate") || why.contains("out of range"), "{json}: {why}");
        }
    }

    #[test]
    fn strings_say_what_they_said(text in any::<String>()) {
        let json = serde_json::to_string(&text).unwrap();
        let span = whole(&json).unwrap();
        let said = span.string(&json).unwrap();
        prop_assert_eq!(said.as_ref(), text.as_str());
    }

    #[test]
    fn bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = value(&bytes, 0, 8);
    }
}
