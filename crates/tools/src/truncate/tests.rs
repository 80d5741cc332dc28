// Tests may fail loudly.
#![allow(clippy::string_slice)]

use super::*;
use proptest::prelude::*;

fn head_of(text: &str, lines: usize, bytes: usize) -> Truncated<'_> {
    truncate(text, lines, bytes, Direction::Head)
}

fn tail_of(text: &str, lines: usize, bytes: usize) -> Truncated<'_> {
    truncate(text, lines, bytes, Direction::Tail)
}

#[test]
fn exactly_the_limit_is_whole_and_a_final_line_feed_is_no_line() {
    let text = "row\n".repeat(2_000);
    for direction in [Direction::Head, Direction::Tail] {
        let cut = truncate(&text, MAX_LINES, MAX_BYTES, direction);
        assert_eq!((cut.kept, cut.truncated, cut.omitted_bytes), (text.as_str(), false, 0));
    }
    let more = format!("{text}row");
    assert_eq!(head_of(&more, MAX_LINES, MAX_BYTES).omitted_lines, 1);
    assert_eq!(tail_of(&more, MAX_LINES, MAX_BYTES).omitted_lines, 1);
}

#[test]
fn a_final_line_feed_over_the_limit_of_bytes_is_dropped_and_nothing_is_truncated() {
    let text = format!("{}\n", "a".repeat(10));
    let cut = head_of(&text, 5, 10);
    assert_eq!((cut.kept.len(), cut.truncated, cut.omitted_bytes), (10, false, 0));
}

#[test]
fn whole_lines_are_kept() {
    assert_eq!(head_of("aaaa\nbbbb\ncccc", 10, 9).kept, "aaaa\nbbbb");
    assert_eq!(head_of("aaaa\nbbbb\ncccc", 10, 8).kept, "aaaa");
    assert_eq!(tail_of("aaaa\nbbbb\ncccc", 10, 9).kept, "bbbb\ncccc");
    assert_eq!(tail_of("aaaa\nbbbb\ncccc", 10, 8).kept, "cccc");
    assert_eq!(tail_of("aaaa\nbbbb\ncccc\n", 10, 9).kept, "bbbb\ncccc");
}

#[test]
fn a_first_line_that_alone_is_too_long_is_cut_at_a_character() {
    let text = "é".repeat(10);
    let cut = head_of(&text, 10, 7);
    assert_eq!((cut.kept, cut.omitted_lines, cut.omitted_bytes), ("ééé", 0, 14));
    let text = format!("{text}\nnext\nlast\n");
    let cut = head_of(&text, 10, 7);
    assert_eq!((cut.kept, cut.omitted_lines), ("ééé", 2));
}

#[test]
fn a_last_line_that_alone_is_too_long_keeps_its_end() {
    let text = format!("first\n{}", "é".repeat(10));
    let cut = tail_of(&text, 10, 7);
    assert_eq!((cut.kept, cut.omitted_lines, cut.omitted_bytes), ("ééé", 1, 20));
    let huge = format!("{}\n", "x".repeat(90_000));
    assert_eq!(tail_of(&huge, MAX_LINES, MAX_BYTES).kept.len(), MAX_BYTES);
}

#[test]
fn limits_of_zero_keep_nothing() {
    for (lines, bytes) in [(0, 100), (100, 0), (0, 0)] {
        for direction in [Direction::Head, Direction::Tail] {
            let cut = truncate("a\nb", lines, bytes, direction);
            assert_eq!((cut.kept, cut.truncated, cut.omitted_bytes), ("", true, 3));
            assert_eq!(cut.omitted_lines, 2);
            assert!(!truncate("", lines, bytes, direction).truncated);
        }
    }
}

#[test]
fn the_note_is_the_sentence_of_the_contract() {
    let path = FullOutput::Whole("/tmp/x");
    assert_eq!(
        truncation_note(12, 300, path),
        "[12 more lines left out. Whole output: /tmp/x: read it with offset and limit, or grep it.]"
    );
    assert_eq!(truncation_note(12, 300, FullOutput::Nowhere), "[12 more lines left out.]");
    assert_eq!(truncation_note(0, 300, FullOutput::Nowhere), "[300 more bytes left out.]");
    assert_eq!(
        truncation_note(1, 300, FullOutput::First64MiB("/tmp/x")),
        "[1 more lines left out. The first 64 MiB of the output: /tmp/x: \
         read it with offset and limit, or grep it.]"
    );
    let long = "p".repeat(LONGEST_PATH + 1);
    assert_eq!(truncation_note(2, 1, FullOutput::Whole(&long)), "[2 more lines left out.]");
}

#[test]
fn a_text_that_only_looks_like_a_note_hides_nothing() {
    let long = format!("a\n\n[3 more lines left out. {}.]", "x".repeat(60_000));
    assert!(head_of(&long, 10, 1_000).truncated);
    assert!(head_of("a\nb\n\n[more lines left out.]", 2, 100).truncated);
    assert!(!head_of("a\nb\n\n[3 more lines left out.]", 2, 100).truncated);
    assert!(tail_of("a\nb\n\n[3 more lines left out.]", 2, 100).truncated);
}

proptest! {
    #[test]
    fn truncating_twice_changes_nothing(
        text in "([a-cé]{0,4}\n?){0,12}",
        lines in 0usize..8,
        bytes in 0usize..30,
        is_head: bool,
        full in prop_oneof![
            Just(FullOutput::Nowhere),
            Just(FullOutput::Whole("/a b")),
            Just(FullOutput::First64MiB("file:///x")),
        ],
    ) {
        let direction = if is_head { Direction::Head } else { Direction::Tail };
        let once = truncate(&text, lines, bytes, direction);
        prop_assert_eq!(truncate(once.kept, lines, bytes, direction).kept, once.kept);
        let shown = once.with_note(direction, full);
        let again = truncate(&shown, lines, bytes, direction);
        prop_assert_eq!(again.kept, shown.as_str());
        prop_assert!(!again.truncated);
    }

    #[test]
    fn limits_hold_and_counts_add_up(
        text in "([a-cé漢]{0,5}\n?){0,12}",
        lines in 0usize..8,
        bytes in 0usize..40,
        is_head: bool,
    ) {
        let direction = if is_head { Direction::Head } else { Direction::Tail };
        let cut = truncate(&text, lines, bytes, direction);
        prop_assert!(cut.kept.len() <= bytes);
        prop_assert!(cut.kept.lines().count() <= lines);
        let body = text.strip_suffix('\n').unwrap_or(&text);
        if cut.truncated {
            prop_assert_eq!(cut.omitted_bytes, text.len() - cut.kept.len());
            let all: Vec<_> = body.split('\n').collect();
            let (first, rest) = match direction {
                Direction::Head => (body.starts_with(cut.kept), &body[cut.kept.len()..]),
                Direction::Tail => (body.ends_with(cut.kept), &body[..body.len() - cut.kept.len()]),
            };
            prop_assert!(first);
            let is_whole = match direction {
                Direction::Head => rest.starts_with('\n'),
                Direction::Tail => rest.ends_with('\n'),
            };
            let kept = if cut.kept.is_empty() { 0 } else { cut.kept.split('\n').count() };
            if is_whole && !cut.kept.is_empty() {
                prop_assert_eq!(cut.omitted_lines, all.len() - kept);
            } else if kept > 0 {
                prop_assert_eq!(kept, 1, "only a line that is alone is cut");
            }
        } else {
            prop_assert!(cut.kept == text || cut.kept == body);
        }
    }
}
