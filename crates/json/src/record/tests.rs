use super::*;
use serde_json::json;

#[test]
fn values_are_looked_up_in_the_text() {
    let text = r#" {"a":{"b":[1,"x\n",{}]},"n":null,"e":"", "t":true ,"a2":-1.5e1} "#;
    let root = read(text, 512).unwrap();
    assert_eq!(root.get("a").get("b").items().count(), 3);
    let [n, e, t, number, missing] = root.fields(&["n", "e", "t", "a2", "zz"]);
    assert!(!n.exists() && !missing.exists() && e.exists() && t.is_true());
    assert_eq!((number.number(), number.index()), (Some(-15.0), None));
    assert_eq!((e.piece(), e.str().as_deref()), (None, Some("")));
    assert_eq!(missing.describe(), "missing");
    assert_eq!(root.value(), serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(root.get("a").raw(), r#"{"b":[1,"x\n",{}]}"#);
    assert!(root.get("a").get("b").items().last().unwrap().is_empty_object());
}

#[test]
fn a_token_is_a_part_of_a_json_text() {
    let root = read(r#"{"s":"a\"b\ud83d"}"#, 512).unwrap();
    assert_eq!(root.get("s").token(), r#"a\"b\ud83d"#);
    let piece = root.get("s").piece().unwrap();
    assert_eq!((&*piece.text, piece.high), ("a\"b", Some(0xd83d)));
    assert_eq!(root.value(), json!({ "s": "a\"b\u{fffd}" }));
}

#[test]
fn fast_path_fields_need_a_whole_record() {
    let of = |text| fast_path_fields(text, ["a"]).map(|[a]| a.raw());
    assert_eq!(of(r#" {"b":1,"a":2} "#), Some("2"));
    assert_eq!(of(r#"{"a":2} x"#), None);
    assert_eq!(of(r#"{"a":2"#), None);
    assert_eq!(of("[]"), None);
    assert_eq!(of(""), None);
}

#[test]
fn only_fields_refuses_unknown_fields() {
    let of = |text| only_fields(text, ["a"], &["q"]).map(|[a]| a.raw());
    assert_eq!(of(r#"{"a":2,"q":{"x":1},"n":null}"#), Some("2"));
    assert_eq!(of("{}"), Some(""));
    for text in
        [r#"{"a":2,"z":1}"#, r#"{"a":2,}"#, r#"{"a"}"#, r#"{"a":2}}"#, r#"{"\u0061":2}"#, "{", "7"]
    {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn json_text_is_copied_without_white_space() {
    for (text, expected) in [
        (r#" { "b" : [ 1.50 , -0 , 1e400 ] , "a" : { } } "#, r#"{"b":[1.50,-0,1e400],"a":{}}"#),
        (r#""a\/\u00e9\n \" \ud800""#, "\"a/é\\n \\\" \u{fffd}\""),
        (r#"[true, null, "a  b"]"#, r#"[true,null,"a  b"]"#),
        ("5", "5"),
    ] {
        assert_eq!(read(text, 9).unwrap().json(), expected);
    }
    assert_eq!(MISSING.json(), "null");
}
