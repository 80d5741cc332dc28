//! Text that a model reads and a person does not see: what is removed from results (MC-8), what is only told
//! (MC-9), and what is told of definitions (MT-4).
//!
//! Removed are Unicode's tag characters, CSI escape sequences, and control characters but tab, line feed and
//! carriage return. Words are never looked for: whether a text is an injection is not decided here.

use std::borrow::Cow;

/// What a text has that is not seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Invisible {
    /// Something that [`visible_text`] removes.
    pub(crate) hidden: bool,
    /// A bidi override, by which the text is shown in another order than it is read in.
    pub(crate) reordered: bool,
}

impl Invisible {
    /// Neither.
    pub(crate) const NONE: Invisible = Invisible { hidden: false, reordered: false };

    /// What either of two texts has.
    #[must_use]
    pub(crate) fn and(self, other: Invisible) -> Invisible {
        Invisible {
            hidden: self.hidden || other.hidden,
            reordered: self.reordered || other.reordered,
        }
    }
}

/// What of a text is not seen.
pub(crate) fn find_invisible(text: &str) -> Invisible {
    // Most texts are printable ASCII, whose bytes are looked at many at a time.
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Invisible::NONE;
    }
    Invisible { hidden: text.chars().any(is_hidden), reordered: text.chars().any(is_override) }
}

/// The text without what [`find_invisible`] calls hidden; the same text if it has none of it.
pub(crate) fn visible_text(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_hidden) else { return Cow::Borrowed(text) };
    let mut seen = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at(first);
    seen.push_str(before);
    while let Some(next) = rest.chars().next() {
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
        match next {
            '\u{1b}' => rest = rest.strip_prefix('[').and_then(after_sequence).unwrap_or(rest),
            '\u{9b}' => rest = after_sequence(rest).unwrap_or(rest),
            other if is_hidden(other) => {}
            other => {
                seen.push(other);
                let plain = rest.find(is_hidden).unwrap_or(rest.len());
                let (before, after) = rest.split_at(plain);
                seen.push_str(before);
                rest = after;
            }
        }
    }
    Cow::Owned(seen)
}

/// What follows a CSI sequence whose introducer was read: parameters, intermediates, one final byte. `None` if
/// it is not one; then only its control character goes, for the rest is seen.
fn after_sequence(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c| ('\u{30}'..='\u{3f}').contains(&c));
    let text = text.trim_start_matches(|c| ('\u{20}'..='\u{2f}').contains(&c));
    text.strip_prefix(|c| ('\u{40}'..='\u{7e}').contains(&c))
}

/// A control character that no text needs, or a tag character.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || ('\u{e0000}'..='\u{e007f}').contains(&c)
}

fn is_override(c: char) -> bool {
    matches!(c, '\u{202d}' | '\u{202e}')
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_seen_is_removed() {
        let cases = [
            ("plain\ttext\r\n", "plain\ttext\r\n"),
            ("a\u{1b}[31;1mred\u{1b}[0m b", "ared b"),
            ("\u{9b}2Jx\u{85}", "x"),
            ("\u{1b}[?25 qx", "x"),
            // Not finished, or no CSI sequence: what is seen stays.
            ("\u{1b}[31", "[31"),
            ("\u{1b}]0;title\u{7}x", "]0;titlex"),
            ("\u{1b}\u{1b}[1mx", "x"),
            ("hi\u{e0041}\u{e007f}\0 \u{7f}there", "hi there"),
            // The flag of Wales and joiners: only the tags go.
            ("\u{1f3f4}\u{e0067}\u{200d}é", "\u{1f3f4}\u{200d}é"),
            ("\u{202e}abc", "\u{202e}abc"),
        ];
        for (text, seen) in cases {
            assert_eq!(visible_text(text), seen, "{text:?}");
            assert_eq!(find_invisible(text).hidden, text != seen, "{text:?}");
        }
        assert!(find_invisible("a\u{202d}").reordered);
        assert!(!find_invisible("a\u{202a}\u{2067}שלום").reordered);
    }

    proptest! {
        #[test]
        fn what_is_left_is_seen(text in "(?s)(.|\u{1b}\\[?|[0-9;m]|[\u{e0000}-\u{e007f}]|\u{9b})*") {
            let seen = visible_text(&text);
            prop_assert!(!find_invisible(&seen).hidden);
            prop_assert_eq!(visible_text(&seen), seen.as_ref());
            prop_assert_eq!(find_invisible(&text).reordered, find_invisible(&seen).reordered);
        }
    }
}
