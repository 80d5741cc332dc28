//! What is refused, and in which words.

use super::*;

fn message(file: &str, old: &str, new: &str) -> String {
    refused(file, old, new).message("src/a.ts")
}

#[test]
fn they_are_checked_in_order() {
    let nul = edit(b"a\0", "", "", false).unwrap_err();
    assert_eq!(nul, EditRefusal::Same);
    assert_eq!(edit(b"a\0", "", "x", false).unwrap_err(), EditRefusal::EmptyOld);
    let binary = edit(b"PK\x03\x04\0\0", "PK", "x", false).unwrap_err();
    assert_eq!(
        binary.message("a.zip"),
        "a.zip is binary (6 bytes, looks like ZIP archive); it cannot be edited as text."
    );
}

#[test]
fn more_than_one_place_is_refused_with_their_lines() {
    let file = "const a = 1;\nlog(a);\nconst b = 2;\nlog(a);\nconst c = 3;\nlog(a);\n";
    assert_eq!(
        message(file, "log(a);", "print(a);"),
        "oldString is in src/a.ts 3 times (lines 2, 4, 6). Give more lines around the one you mean, \
         or replaceAll."
    );
    let many = message(&"x\n".repeat(30), "x", "y");
    assert!(many.contains("30 times (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)"), "{many}");
    let same_line = message("aa", "a", "b");
    assert!(same_line.contains("2 times (lines 1, 1)"), "{same_line}");
}

#[test]
fn places_that_overlap_are_two() {
    assert!(matches!(refused("aaa", "aa", "b"), EditRefusal::Ambiguous { count: 2, .. }));
    assert_eq!(all("aaa", "aa", "b"), ("ba".to_owned(), 1));
    assert_eq!(done("aa", "aa", "b").0, "b");
}

#[test]
fn more_than_one_place_at_a_later_level_is_refused_too() {
    let file = "  start();\n  a;\n  start();\n";
    assert_eq!(
        message(file, "start();  ", "begin();"),
        "oldString is in src/a.ts 2 times (lines 1, 3), matched ignoring trailing whitespace. Give more \
         lines around the one you mean, or replaceAll."
    );
    let file = "  abc\n  def\n    abc\n    def\n";
    assert_eq!(
        message(file, "abc\ndef", "x"),
        "oldString is in src/a.ts 2 times (lines 1, 3), matched ignoring indentation. Give more lines \
         around the one you mean."
    );
}

#[test]
fn replace_all_is_refused_at_levels_4_to_8_and_the_level_is_named() {
    let refusal = edit(b"  abc\n  def\n", "abc\ndef", "x", true).unwrap_err();
    assert_eq!(
        refusal.message("P"),
        "oldString is not in P as it is written, only (line 1) matched ignoring indentation (level 4). \
         replaceAll needs the text exactly as it is in the file."
    );
    let refusal = edit(b"print(\"a\")\n", "print(\\\"a\\\")", "x", true).unwrap_err();
    assert!(refusal.message("P").contains("(level 7)"));
}

#[test]
fn the_closest_text_is_shown_if_it_is_alike() {
    let file = "fn one() {}\n\nfn total(a: u32, b: u32) -> u32 {\n    a + b\n}\n";
    assert_eq!(
        message(file, "fn total(a: u32, b: u64) -> u32 {\n    a + b\n}", "x"),
        "oldString is not in src/a.ts. The closest text is lines 3-5 (91% alike), which differ so:\n\
         -fn total(a: u32, b: u64) -> u32 {\n+fn total(a: u32, b: u32) -> u32 {"
    );
    assert_eq!(message(file, "something else", "x"), "oldString is not in src/a.ts.");
    assert_eq!(message("", "a", "b"), "oldString is not in src/a.ts.");
}

#[test]
fn a_line_is_shown_before_a_change() {
    let file = "let alpha = 1;\nlet beta = 2;\nlet gamma = 3;\n";
    let message = message(file, "let alpha = 1;\nlet betta = 2;\nlet gamma = 3;\n", "x");
    assert!(
        message.ends_with("differ so:\n let alpha = 1;\n-let betta = 2;\n+let beta = 2;"),
        "{message}"
    );
}

#[test]
fn the_difference_has_at_most_12_lines() {
    let file: String = (0..40).map(|i| format!("some line of the file, {i}\n")).collect();
    let old = file.replace("file", "life");
    let text = message(&file, &old, "x");
    let (_, diff) = text.split_once("differ so:\n").unwrap();
    assert!(diff.lines().count() <= 12, "{diff}");
    let old: String = file
        .lines()
        .enumerate()
        .map(|(i, l)| format!("{l}{}\n", if i % 2 == 0 { "." } else { "" }))
        .collect();
    let text = message(&file, &old, "x");
    let (_, diff) = text.split_once("differ so:\n").unwrap();
    assert!(diff.lines().count() == 12 && diff.ends_with('…'), "{diff}");
    let long = format!("{}a", "long ".repeat(200));
    let text = message(&long, &format!("{long}b"), "x");
    assert!(text.len() < 700, "{text}");
}

#[test]
fn a_missing_line_end_is_told() {
    assert_eq!(
        message("one two three", "one two three\n", "x"),
        "oldString is not in src/a.ts. The closest text is lines 1-1 (99% alike), which differ so:\n\
         +one two three\n\\ No newline at end of file"
    );
}

#[test]
fn a_file_that_would_be_huge_is_refused() {
    let new = "y".repeat(1 << 20);
    let refusal = edit("x".repeat(1 << 20).as_bytes(), "x", &new, true).unwrap_err();
    assert!(matches!(refusal, EditRefusal::TooLarge { count: 1_048_576 }));
    assert!(refusal.message("P").contains("larger than 128 MiB"));
}
