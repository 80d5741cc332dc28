//! The text around a match, for a list of results.

use std::ops::Range;

/// The most characters of context on either side.
const AROUND: usize = 40;
/// The most of them that are given up to cut between words.
const WORD: usize = 12;
/// The most characters of the match that are shown.
const MATCH: usize = 160;

/// The match at `at` (a range of bytes of `text`) with up to 40 characters of context on either side, cut
/// between words if possible. `…` shows where text is left out; line breaks and control characters become
/// spaces. Of a match of more than 160 characters only the beginning is shown.
#[must_use]
pub fn excerpt(text: &str, at: Range<usize>) -> String {
    let before = text.get(..at.start).unwrap_or_default();
    let matched = text.get(at.clone()).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    let shown = head(matched, MATCH);
    let mut excerpt = String::with_capacity(shown.len() + 2 * AROUND + 6);
    let tail = tail_by_words(before);
    if tail.len() < before.len() {
        excerpt.push('…');
    }
    push(&mut excerpt, tail);
    push(&mut excerpt, shown);
    let next = if shown.len() < matched.len() { "" } else { head_by_words(after) };
    push(&mut excerpt, next);
    if shown.len() + next.len() < matched.len() + after.len() {
        excerpt.push('…');
    }
    excerpt
}

fn push(excerpt: &mut String, text: &str) {
    let blank = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    excerpt.extend(text.chars().map(|c| if blank(c) { ' ' } else { c }));
}

/// The first characters.
fn head(text: &str, chars: usize) -> &str {
    let end = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn head_by_words(text: &str) -> &str {
    // One more character shows whether a word ends just there.
    let more = head(text, AROUND + 1);
    if more.len() == text.len() {
        return head(text, AROUND);
    }
    let mut ends = more.char_indices().rev().take(WORD).filter(|(_, c)| c.is_whitespace());
    ends.next().and_then(|(at, _)| more.get(..at)).unwrap_or(head(text, AROUND))
}

fn tail(text: &str, chars: usize) -> &str {
    let start = text.char_indices().rev().take(chars).last().map_or(text.len(), |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

fn tail_by_words(text: &str) -> &str {
    let more = tail(text, AROUND + 1);
    if more.len() == text.len() {
        return tail(text, AROUND);
    }
    let mut starts = more.char_indices().take(WORD).filter(|(_, c)| c.is_whitespace());
    let start = starts.next().and_then(|(at, c)| more.get(at + c.len_utf8()..));
    start.unwrap_or(tail(text, AROUND))
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    fn of(text: &str, matched: &str) -> String {
        let at = text.find(matched).unwrap();
        excerpt(text, at..at + matched.len())
    }

    #[test]
    fn short_texts_are_shown_whole() {
        assert_eq!(of("a needle\n\tin hay\u{1b}", "needle"), "a needle  in hay ");
        assert_eq!(of("needle", "needle"), "needle");
    }

    #[test]
    fn long_ones_are_cut_between_words() {
        let text = format!("{} needle {}", "some words ".repeat(9), "more words ".repeat(9));
        assert_eq!(
            of(&text, "needle"),
            "…words some words some words some words  needle more words more words more words more…"
        );
        let text = format!("{} four needle four {}", "x".repeat(99), "y".repeat(99));
        assert_eq!(
            of(&text, "needle"),
            format!("…{} four needle four {}…", "x".repeat(34), "y".repeat(34))
        );
        let text = format!("{}needle{}", "é".repeat(99), "😀".repeat(99));
        let expected = format!("…{}needle{}…", "é".repeat(40), "😀".repeat(40));
        assert_eq!(of(&text, "needle"), expected);
    }

    #[test]
    fn of_a_long_match_the_beginning_is_shown() {
        let shown = of(&format!("ab{}cd", "x".repeat(999)), &"x".repeat(999));
        assert_eq!(shown, format!("ab{}…", "x".repeat(160)));
    }

    #[test]
    fn an_invalid_range_has_an_empty_excerpt() {
        assert_eq!(excerpt("é", 1..9), "");
    }
}
