#![allow(clippy::string_slice)] // a test may fail loudly

use super::*;

fn piece(low: Option<u16>, text: &str, high: Option<u16>) -> Piece<'_> {
    Piece { low, text: text.into(), high }
}

#[test]
fn long_texts_are_the_same_text() {
    let mut text = Text::default();
    let mut whole = String::new();
    for i in 0..40_000 {
        let more = format!("{i} é😀 ");
        text.append(&more.as_str().into());
        whole.push_str(&more);
    }
    let big = "ß".repeat(BLOCK);
    text.append(&big.as_str().into());
    whole.push_str(&big);
    assert_eq!(text.len(), whole.len());
    assert!(text.full.len() > 5);
    assert!(text.full.iter().all(|b| b.len() <= BLOCK && b.capacity() <= BLOCK));
    assert_eq!(text.to_str(), whole);
    assert_eq!(text.to_string(), whole);
    for from in (0..whole.len()).step_by(9_973).chain([whole.len(), whole.len() - 2]) {
        if whole.is_char_boundary(from) {
            assert_eq!(text.since(from), whole[from..]);
        }
    }
}

#[test]
fn halves_of_surrogate_pairs_join() {
    let mut text = Text::default();
    text.append(&piece(None, "a", Some(0xd83d)));
    assert_eq!(text.to_str(), "a");
    text.append(&piece(None, "", None));
    text.append(&piece(Some(0xde00), "", Some(0xd83d)));
    assert_eq!(text.to_str(), "a😀");
    text.append(&piece(None, "b", None));
    text.append(&piece(Some(0xde00), "", Some(0xd83d)));
    assert_eq!(text.to_str(), "a😀\u{fffd}b\u{fffd}");
    assert!(text.close());
    assert!(!text.close());
    assert_eq!(text.to_str(), "a😀\u{fffd}b\u{fffd}\u{fffd}");
}
