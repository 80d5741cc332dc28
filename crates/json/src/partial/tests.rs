#![allow(clippy::string_slice)] // a test may fail loudly

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(pieces: &[&str]) -> (Partial, String) {
    let (mut partial, mut raw) = (Partial::default(), Text::default());
    for piece in pieces {
        partial.feed(piece);
        raw.append(&(*piece).into());
    }
    let mut shown = String::new();
    partial.complete(&raw, &mut shown);
    (partial, shown)
}

fn shown(text: &str) -> String {
    read(&[text]).1
}

#[test]
fn cut_texts_are_completed() {
    for (text, want) in [
        ("", "{}"),
        (" ", "{}"),
        ("{", "{}"),
        (r##"{"path":"/a","content":"# No"##, r##"{"path":"/a","content":"# No"}"##),
        (r#"{"pa"#, "{}"),
        (r#"{"path""#, "{}"),
        (r#"{"path":"#, "{}"),
        (r#"{"a":1,"#, r#"{"a":1}"#),
        (r#"{"a":1,"b":{"c":[1,{"d":"x"#, r#"{"a":1,"b":{"c":[1,{"d":"x"}]}}"#),
        (r#"{"a":"x\"#, r#"{"a":"x"}"#),
        (r#"{"a":"x\u00"#, r#"{"a":"x"}"#),
        (r#"{"a":"x\ud83d"#, r#"{"a":"x"}"#),
        (r#"{"a":"x\ud83d\ude"#, r#"{"a":"x"}"#),
        (r#"{"a":"x\ud83d\ude00"#, r#"{"a":"x\ud83d\ude00"}"#),
        (r#"{"a":"x\ud83dy"#, r#"{"a":"x\ud83dy"}"#),
        (r#"{"a":tr"#, r#"{"a":true}"#),
        (r#"{"a":n"#, r#"{"a":null}"#),
        (r#"{"a":-"#, "{}"),
        (r#"{"a":-1"#, r#"{"a":-1}"#),
        (r#"{"a":1."#, r#"{"a":1}"#),
        (r#"{"a":1.5e"#, r#"{"a":1.5}"#),
        (r#"{"a":1.5e-3"#, r#"{"a":1.5e-3}"#),
        ("[1,2", "[1,2]"),
        ("[1,[", "[1,[]]"),
        (r#""free te"#, r#""free te""#),
        ("tr", "true"),
        ("12", "12"),
        ("-", "{}"),
        // After an error nothing more is shown.
        ("{\"a\":\"x\ny", "{\"a\":\"x\"}"),
        (r#"{"a":1 x"#, r#"{"a":1}"#),
        (r#"{"a":trx"#, "{}"),
        ("trx", "{}"),
        ("{]", "{}"),
        ("{} {}", "{}"),
    ] {
        assert_eq!(shown(text), want, "{text}");
    }
}

#[test]
fn whole_texts_are_accepted_and_others_refused_with_the_offset() {
    for good in ["{}", " [1, 2.5, \"x\", null, {\"a\": []}] ", "\"x\"", "0", "-1e5", "true"] {
        assert_eq!(read(&[good]).0.finish(), Ok(()), "{good}");
        assert_eq!(shown(good).trim(), good.trim());
    }
    for (bad, at) in [
        ("{\"a\":1", 6),
        ("{\"a\" 1}", 5),
        ("{'a':1}", 1),
        ("{\"a\":01}", 6),
        ("[1,]", 3),
        ("{\"a\":1,}", 7),
        ("nope", 1),
        ("{}x", 2),
        ("-", 1),
        ("\"a\u{1}\"", 2),
        ("\"\\x\"", 2),
        ("\u{feff}{}", 0),
    ] {
        assert_eq!(read(&[bad]).0.finish().unwrap_err().offset, at, "{bad}");
    }
    assert!(read(&["", " \n"]).0.is_blank());
    assert!(!read(&["{"]).0.is_blank());
    assert!(!read(&["x"]).0.is_blank());
}

#[test]
fn depth_is_known_before_it_is_reached() {
    let mut partial = Partial::default();
    assert!(partial.fits("[[[", 3));
    assert!(!partial.fits("[[[[", 3));
    assert!(partial.fits("[[[]],\"[[[[[[\"", 3));
    partial.feed("[[[");
    assert!(!partial.fits("{", 3));
    assert!(partial.fits("]]", 3));
    assert!(partial.fits("\"{\"", 3));
    partial.feed("!");
    assert!(partial.fits("[[[[[", 3));
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("\u{1}\"\\/😀é")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|f| Value::Object(f.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_beginning_completes_to_json(tree in tree(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&tree) } else { serde_json::to_string(&tree) };
        let text = text.unwrap();
        let cuts: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        let (mut partial, mut raw) = (Partial::default(), Text::default());
        for cut in cuts.windows(2) {
            let piece = &text[cut[0]..cut[1]];
            partial.feed(piece);
            raw.append(&piece.into());
            let mut shown = String::new();
            partial.complete(&raw, &mut shown);
            prop_assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{}: {shown}", &text[..cut[1]]);
        }
        prop_assert_eq!(partial.finish(), Ok(()));
        let mut shown = String::new();
        partial.complete(&raw, &mut shown);
        prop_assert_eq!(shown, text);
    }

    #[test]
    fn pieces_do_not_matter_and_serde_json_agrees(
        text in r#"[\[\]{}",:0-9a-f\\utrlsn.eE+ -]{0,20}"#, cut in 0usize..20,
    ) {
        let (one, shown) = read(&[&text]);
        let cut = cut.min(text.len());
        let (two, also) = read(&[&text[..cut], &text[cut..]]);
        prop_assert_eq!(&shown, &also);
        prop_assert_eq!(one.finish(), two.finish());
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        if one.finish().is_ok() != theirs.is_ok() {
            let why = theirs.unwrap_err().to_string();
            prop_assert!(why.contains("surrogate") || why.contains("out of range"), "{text}: {why}");
        }
        let whole = crate::cursor::value(shown.as_bytes(), 0, 99);
        prop_assert!(whole.is_ok_and(|s| s.end == shown.trim_end().len()), "{text} → {shown}");
    }
}
