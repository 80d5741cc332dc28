use super::*;
use proptest::prelude::*;

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

/// serde_json refuses unpaired surrogates, which are JSON.
fn is_unpaired(error: &serde_json::Error) -> bool {
    let why = error.to_string();
    why.contains("surrogate") || why.contains("unexpected end of hex escape")
}

proptest! {
    #[test]
    fn strings_agree_with_serde_json(inside in r#"([a-f09é\\"/bnrtu\x01]|\\u[0-9a-f]{4}|[a-z ]{9}){0,12}"#) {
        let json = format!("\"{inside}\"");
        let whole = string(json.as_bytes(), 1).ok().filter(|(quote, _)| quote + 1 == json.len());
        match (whole, serde_json::from_str::<String>(&json)) {
            (Some((quote, is_escaped)), Ok(text)) => {
                prop_assert_eq!(is_escaped, inside.contains('\\'));
                prop_assert_eq!(unescaped(json.get(1..quote).unwrap()), text.as_str());
                prop_assert_eq!(unescape_bytes(inside.as_bytes()), text);
            }
            (ours, Err(error)) => {
                prop_assert!(ours.is_none() || is_unpaired(&error), "{json}: {error}");
            }
            (None, Ok(_)) => prop_assert!(false, "{json}"),
        }
    }

    #[test]
    fn any_text_is_read_back(text in any::<String>()) {
        let json = serde_json::to_string(&text).unwrap();
        let (quote, _) = string(json.as_bytes(), 1).unwrap();
        prop_assert_eq!(quote + 1, json.len());
        prop_assert_eq!(unescaped(json.get(1..quote).unwrap()), text);
    }

    #[test]
    fn plain_text_ends_where_it_does(text in r#"[a-zé ]{0,20}["\\\n]?[a-z]{0,9}"#) {
        let end = text.bytes().position(|b| b < 0x20 || matches!(b, b'"' | b'\\'));
        prop_assert_eq!(plain(text.as_bytes(), 0), end.unwrap_or(text.len()));
    }

    /// It is told by the first character where the whole text tells the same.
    #[test]
    fn a_string_is_blank_where_its_text_is(
        raw in r#"([ \u{85}\u{a0}\u{feff}\t]|\\[nrtbf/]|\\u(0020|0041|2028|feff|0085)|[ax\x7f\x01]?){0,4}"#
    ) {
        let text = unescape_bytes(raw.as_bytes());
        prop_assert_eq!(is_blank_string(raw.as_bytes()), is_blank(&text), "{}", raw);
    }
}
