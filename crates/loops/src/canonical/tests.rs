use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn of(value: &Value) -> Fingerprint {
    fingerprint_of(&value.to_string(), &[])
}

#[test]
fn order_and_spelling_do_not_matter() {
    assert_eq!(
        fingerprint_of(r#"{"a":1,"b":[true,null]}"#, &[]),
        fingerprint_of(r#" { "b" : [ true, null ], "a" : 1.0 } "#, &[])
    );
    assert_eq!(fingerprint_of(r#"{"a":"A"}"#, &[]), fingerprint_of(r#"{"a":"A"}"#, &[]));
    for same in ["100", "1e2", "100.0", "1E+2"] {
        assert_eq!(fingerprint_of(same, &[]), fingerprint_of("100", &[]), "{same}");
    }
    assert_eq!(fingerprint_of("-0", &[]), fingerprint_of("0.0", &[]));
}

#[test]
fn different_values_have_different_fingerprints() {
    let all = [
        "1",
        "\"1\"",
        "[1]",
        "[[1]]",
        "[1,2]",
        "[2,1]",
        "{\"a\":1}",
        "{\"a\":\"1\"}",
        "{\"a\":{}}",
        "{\"a\":null}",
        "true",
        "false",
        "[]",
        "{\"a\":[]}",
        "\"\"",
        "{\"a\":1,\"b\":2}",
        "{\"a\":2,\"b\":1}",
        "[null]",
        "[{}]",
        "9007199254740993",
        "0.1",
        "{}",
        "not json",
        "\"null\"",
    ];
    for (i, a) in all.iter().enumerate() {
        for b in all.iter().skip(i + 1) {
            assert_ne!(fingerprint_of(a, &[]), fingerprint_of(b, &[]), "{a} {b}");
        }
    }
}

#[test]
fn missing_null_and_empty_arguments_are_equal() {
    for nothing in ["", " ", "null", "{}", " { } ", "{\"now\":1}"] {
        assert_eq!(fingerprint_of(nothing, &["now".to_owned()]), EMPTY, "{nothing}");
    }
    // Only the outermost object's fields are arguments.
    let without = ["now".to_owned()];
    assert_eq!(
        fingerprint_of(r#"{"a":1,"now":2}"#, &without),
        fingerprint_of(r#"{"now":{"x":[]},"a":1}"#, &without)
    );
    assert_ne!(
        fingerprint_of(r#"{"a":{"now":1}}"#, &without),
        fingerprint_of(r#"{"a":{"now":2}}"#, &without)
    );
}

#[test]
fn depth_is_not_limited() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let less = format!("{}{}", "[".repeat(99_999), "]".repeat(99_999));
    assert_ne!(fingerprint_of(&deep, &[]), fingerprint_of(&less, &[]));
}

#[test]
fn similarity_is_the_share_of_common_words() {
    let words = |text: &str| words(text);
    assert_eq!(
        jaccard(
            &words(r#"{"pattern":"a|b|c","path":"src"}"#),
            &words(r#"{"path":"src","pattern":"C|b|a"}"#)
        ),
        1.0
    );
    assert_eq!(words("one two, one-three").len(), 3);
    assert_eq!(jaccard(&words("a b c d"), &words("a b c e")), 0.6);
    assert_eq!(jaccard(&[], &[]), 0.0);
    assert_eq!(jaccard(&[], &[1]), 0.0);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|m| json!(m)),
        ]
    })
}

proptest! {
    #[test]
    fn white_space_does_not_matter(value in any_json()) {
        prop_assert_eq!(fingerprint_of(&serde_json::to_string_pretty(&value).unwrap(), &[]), of(&value));
        prop_assert_eq!(fingerprint_of(&text(&value.to_string()), &[]), of(&value));
    }

    #[test]
    fn fingerprints_are_equal_exactly_if_the_canonical_texts_are(a in any_json(), b in any_json()) {
        let empty = |v: &Value| v.is_null() || *v == json!({});
        let as_text = |v: &Value| text(&v.to_string());
        prop_assert_eq!(of(&a) == of(&b), as_text(&a) == as_text(&b) || (empty(&a) && empty(&b)));
    }

    #[test]
    fn any_text_has_a_fingerprint(text in any::<String>()) {
        prop_assert_eq!(fingerprint_of(&text, &[]), fingerprint_of(&text, &[]));
    }
}
