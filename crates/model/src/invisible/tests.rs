use super::*;
use proptest::prelude::*;

fn seen(text: &str) -> String {
    VisibleText::new(text, Controls::Keep).text.into_owned()
}

#[test]
fn what_is_not_seen_is_removed() {
    let cases = [
        ("plain\ttext\r\n", "plain\ttext\r\n", 0),
        ("a\u{200b}b\u{2060}c\u{2064}d\u{feff}e", "abcde", 4),
        ("\u{202e}abc\u{202c}\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}", "abcx", 7),
        ("hi\u{e0041}\u{e007f}there", "hithere", 2),
        // A byte order mark at the start is none inside the text.
        ("\u{feff}a", "\u{feff}a", 0),
        // Colours, titles, links, character sets, a reset.
        ("a\u{1b}[31;1mred\u{1b}[0m b", "ared b", 2),
        ("\u{9b}2Jx\u{1b}[?25 qy", "xy", 2),
        ("\u{1b}]0;title\u{7}x\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{9c}", "xlink", 3),
        ("\u{1b}(B\u{1b}7\u{1b}cx", "x", 3),
        // Not finished, or no sequence: what is seen stays.
        ("\u{1b}[31", "[31", 1),
        ("\u{1b}]0;title\nx\u{7}", "]0;title\nx\u{7}", 1),
        ("a\u{1b}b\u{1b}\u{1b}[1mx\u{1b}", "abx", 4),
        // Joiners between letters and emoji stay, others go; variation selectors stay.
        ("می\u{200c}خواهم क\u{94d}\u{200d}ष", "می\u{200c}خواهم क\u{94d}\u{200d}ष", 0),
        (
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥",
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥",
            0,
        ),
        ("葛\u{e0100} ☺\u{fe0e}", "葛\u{e0100} ☺\u{fe0e}", 0),
        ("\u{200d}a\u{200c} b,\u{200d}c 1\u{200c}2\u{200d}", "a b,c 12", 5),
        ("a\u{200d}\u{200d}\u{200d}b", "a\u{200d}b", 2),
        ("é\0 \u{7f}\u{85}\u{8}", "é\0 \u{7f}\u{85}\u{8}", 0),
    ];
    for (text, wanted, removed) in cases {
        let made = VisibleText::new(text, Controls::Keep);
        assert_eq!((&*made.text, made.removed()), (wanted, removed), "{text:?}");
    }
}

#[test]
fn a_mark_inside_a_text_is_removed() {
    let made = VisibleText::inside("\u{feff}a", Controls::Keep);
    assert_eq!((&*made.text, made.removed()), ("a", 1));
}

#[test]
fn control_characters_are_removed_where_that_is_wanted() {
    let made = VisibleText::new("a\0b\u{7f}\u{85}\t\r\n\u{202e}\u{8}", Controls::Remove);
    assert_eq!((&*made.text, made.hidden, made.reordering), ("ab\t\r\n", 4, 1));
}

#[test]
fn hostile_texts_end_soon() {
    for piece in ["\u{1b}]", "\u{1b}[", "\u{1b}[0", "\u{200d}", "a\u{200d}", "\u{1b}P\u{1b}"] {
        let text = piece.repeat(1 << 19);
        assert!(seen(&text).len() <= text.len());
    }
}

proptest! {
    #[test]
    fn what_is_left_is_seen(
        text in "(?s)(.|\u{1b}[\\[\\]P(#]?|[0-9;m\\\\]|[\u{e0000}-\u{e007f}\u{200b}-\u{200f}\u{2060}-\u{2069}]|\u{9b}|\u{feff}|\u{7})*",
        controls in prop_oneof![Just(Controls::Keep), Just(Controls::Remove)],
    ) {
        let made = VisibleText::new(&text, controls);
        let again = VisibleText::new(&made.text, controls);
        prop_assert_eq!(again.removed(), 0, "{:?}", made.text);
        prop_assert!(!made.text.contains([ESCAPE, CSI]));
        prop_assert_eq!(made.removed() == 0, made.text == text);
    }
}
