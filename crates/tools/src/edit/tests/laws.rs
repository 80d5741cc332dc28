//! What holds for every edit, and hostile input.

// Tests may fail loudly.
#![allow(clippy::string_slice)]

use super::*;
use proptest::prelude::*;

fn lines(edited: &Edited, file: &[u8]) -> (usize, usize) {
    let spans = crate::lines::span::line_spans(file);
    (spans[edited.line - 1].start, spans[edited.end_line - 1].next)
}

/// Lines of a file, of which an edit quotes some with changes.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("abc"),
        Just("  abc"),
        Just("\tabc"),
        Just("    abc x"),
        Just("    abc  x"),
        Just(""),
        Just("  "),
        Just("}"),
        Just("it\u{2019}s"),
        Just("it's"),
        Just("say \"x\" "),
    ];
    let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just("")];
    proptest::collection::vec((line, end), 0..7)
        .prop_map(|lines| lines.iter().map(|(line, end)| format!("{line}{end}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bytes_outside_the_matched_lines_never_change(
        file in text(), old in text(), new in text(), replace_all: bool, bom: bool, junk: bool,
    ) {
        let mut bytes = if bom { BOM.to_vec() } else { vec![] };
        bytes.extend(file.as_bytes());
        if junk {
            bytes.splice(bytes.len()..bytes.len(), *b"\n\xff\xe9\n");
        }
        if let Ok(edited) = edit(&bytes, &old, &new, replace_all) {
            let (start, end) = lines(&edited, &bytes);
            let after = bytes.len() - end;
            prop_assert!(edited.bytes.len() >= start + after);
            prop_assert_eq!(&edited.bytes[..start], &bytes[..start]);
            prop_assert_eq!(&edited.bytes[edited.bytes.len() - after..], &bytes[end..]);
            prop_assert!(edited.count == 1 || replace_all);
            if edited.level == MatchLevel::Exact && edited.count == 1 && !new.contains(['\r', '\n']) {
                let text = bytes.windows(old.len()).position(|w| w == old.as_bytes()).unwrap();
                let expected = [&bytes[..text], new.as_bytes(), &bytes[text + old.len()..]].concat();
                prop_assert_eq!(edited.bytes, expected);
            }
        }
    }

    #[test]
    fn a_piece_of_whole_lines_is_found_again_after_a_shift(
        lines in proptest::collection::vec((0usize..3, "[a-z]{3}"), 3..9),
        from in 0usize..3,
        shift in 1usize..4,
    ) {
        let write = |more: usize, lines: &[(usize, String)]| -> String {
            lines.iter().map(|(i, l)| format!("{}{l}\n", "  ".repeat(i + more))).collect()
        };
        let file = write(shift, &lines);
        let old = write(0, &lines[from..]);
        match edit(file.as_bytes(), &old, "new\n", false) {
            Ok(edited) => prop_assert_eq!((edited.line, edited.end_line), (from + 1, lines.len())),
            Err(EditRefusal::Ambiguous { .. }) => {}
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}

fn within_two_seconds(file: &[u8], old: &str, replace_all: bool) {
    let started = std::time::Instant::now();
    let _ = edit(file, old, "new text\nof two lines", replace_all);
    assert!(started.elapsed().as_secs_f64() < 2.0, "{:?}", started.elapsed());
}

#[test]
fn equal_lines_end_soon() {
    let megabyte = |line: &str| line.repeat((1 << 20) / line.len());
    for (line, other) in [
        ("a\n", "a\r\n"),
        ("abc\n", "  abc\n"),
        ("abc  \n", "abc\n"),
        ("\n", " \n"),
        ("abc", "abc "),
    ] {
        let file = megabyte(line);
        for all in [false, true] {
            within_two_seconds(file.as_bytes(), &megabyte(other), all);
            within_two_seconds(file.as_bytes(), &file[..file.len() / 2], all);
            within_two_seconds(
                file.as_bytes(),
                &format!("{}x", &megabyte(other)[..file.len() / 2]),
                all,
            );
            within_two_seconds(file.as_bytes(), &format!("  {}", &file[..file.len() / 2]), all);
        }
    }
}

#[test]
fn many_places_in_one_long_line_of_a_mixed_file_end_soon() {
    let file = format!("x\r\ny\n{}", "ab".repeat(300_000));
    let edited = edit(file.as_bytes(), "ab", "c\nd", true).unwrap();
    assert_eq!(edited.count, 300_000);
    assert!(edited.bytes.ends_with(b"c\ndc\nd"));
}

#[test]
fn odd_strings_end_in_a_value() {
    for old in ["\u{feff}", "\n", "\r", "\\", "\\n", "1:", "1: ", ":", " ", "999999999999999999: a"]
    {
        for file in ["", "\n", "\r", "\r\n", "\u{feff}", "\u{feff}a", "1: ", " \t", "\\"] {
            for all in [false, true] {
                let _ = edit(file.as_bytes(), old, "x\n\r\n", all);
            }
        }
    }
}
