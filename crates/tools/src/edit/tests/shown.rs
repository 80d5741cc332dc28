//! Files with text that is not seen: what `read` shows of them is found.

use super::*;

#[test]
fn what_is_not_seen_need_not_be_given() {
    let cases = [
        ("a\u{200b}b = 1\nc\u{2060}\n", "ab = 1", "ab = 2", "ab = 2\nc\u{2060}\n"),
        ("\u{200b}ab\u{200b}\n", "ab", "x", "\u{200b}x\u{200b}\n"),
        ("x \u{1b}[31mred\u{1b}[0m y", "x red y", "x y", "x y"),
        ("\u{feff}a\u{feff}b\r\nc\r\n", "ab\nc", "d\ne", "\u{feff}d\r\ne\r\n"),
        ("  if\u{200e} x:\n    y()\n", "if x:\n  y()", "if z:\n  y()", "  if z:\n    y()\n"),
        // Given as it is, the file's own text is meant.
        ("a\u{200b}b ab", "a\u{200b}b", "x", "x ab"),
        ("ab\u{200d}c x\u{200b}", "ab\u{200d}", "d", "dc x\u{200b}"),
        ("ab \u{200b}", "a\u{200b}b", "x", "x \u{200b}"),
    ];
    for (file, old, new, wanted) in cases {
        assert_eq!(done(file, old, new).0, wanted, "{file:?} {old:?}");
    }
}

#[test]
fn what_is_shown_twice_is_there_twice() {
    let refusal = refused("ab\na\u{200b}b\n", "ab", "x");
    assert!(matches!(refusal, EditRefusal::Ambiguous { count: 2, .. }), "{refusal:?}");
    assert_eq!(all("ab\na\u{200b}b\n\u{202e}", "ab", "x"), ("x\nx\n\u{202e}".to_owned(), 2));
    assert!(is_not_found("a\u{200b}\n", "\u{202e}", "x"));
}

#[test]
fn bytes_that_are_not_text_stay() {
    let file = b"\xff\xe2\x80\x8ba\xe2\x80\x8bb\xfe\n";
    let edited = edit(file, "ab", "x", false).unwrap();
    assert_eq!(edited.bytes, b"\xff\xe2\x80\x8bx\xfe\n");
}
