// Tests may fail loudly.
#![allow(clippy::string_slice)]

use super::*;

fn hunks(old: &str, new: &str) -> String {
    let patch = unified_diff("p", old.as_bytes(), new.as_bytes()).patch;
    let at = patch.find("@@").unwrap_or(patch.len());
    patch[at..].to_owned()
}

#[test]
fn the_head_names_the_path_twice() {
    let patch = unified_diff("/w/a b.txt", b"x\n", b"y\n").patch;
    let rule = "=".repeat(67);
    assert_eq!(
        patch,
        format!(
            "Index: /w/a b.txt\n{rule}\n--- /w/a b.txt\n+++ /w/a b.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n"
        )
    );
}

#[test]
fn three_lines_of_context_are_shown() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_eq!(
        hunks(old, &old.replace('5', "five")),
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    );
}

#[test]
fn changes_with_six_lines_between_share_a_hunk_and_with_seven_do_not() {
    let text = |between: usize| format!("a\n{}b\n", "-\n".repeat(between));
    for (between, expected) in [(6, 1), (7, 2)] {
        let old = text(between);
        let new = old.replace('a', "A").replace('b', "B");
        assert_eq!(hunks(&old, &new).matches("@@ -").count(), expected, "{between}");
    }
}

#[test]
fn a_missing_last_line_end_is_told() {
    assert_eq!(
        hunks("first\nlast", "first\nend"),
        "@@ -1,2 +1,2 @@\n first\n-last\n\\ No newline at end of file\n+end\n\
         \\ No newline at end of file\n"
    );
    assert_eq!(
        hunks("a\nb", "a\nb\n"),
        "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    );
    assert_eq!(
        hunks("a\nb", "A\nb"),
        "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"
    );
}

#[test]
fn nothing_before_or_after_is_line_0() {
    assert_eq!(hunks("", "fresh\n"), "@@ -0,0 +1,1 @@\n+fresh\n");
    assert_eq!(hunks("gone\n", ""), "@@ -1,1 +0,0 @@\n-gone\n");
    assert_eq!(hunks("same\n", "same\n"), "");
}

#[test]
fn line_ends_are_compared_and_not_shown() {
    assert_eq!(hunks("a\r\nb\r\n", "a\r\nc\r\n"), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    let diff = unified_diff("p", b"a\r\nb\n", b"a\nb\n");
    assert_eq!((diff.additions, diff.deletions), (1, 1));
}

#[test]
fn a_byte_order_mark_is_compared_and_not_shown() {
    assert_eq!(hunks("\u{feff}a\n", "\u{feff}b\n"), "@@ -1,1 +1,1 @@\n-a\n+b\n");
    assert_eq!(hunks("\u{feff}a\n", "a\n"), "@@ -1,1 +1,1 @@\n-a\n+a\n");
}

#[test]
fn bytes_that_are_not_utf_8_show_as_replacement_characters() {
    let diff = unified_diff("p", b"caf\xe9\nn\n", b"tea\xe9\nn\n");
    assert!(diff.patch.ends_with("-caf\u{fffd}\n+tea\u{fffd}\n n\n"));
}

#[test]
fn many_distant_changes_of_a_large_file_are_told_apart() {
    let old: Vec<String> = (0..30_000).map(|i| format!("line {i}\n")).collect();
    let new: Vec<String> = old.iter().map(|l| l.replace("77\n", "seven\n")).collect();
    let diff = unified_diff("p", old.concat().as_bytes(), new.concat().as_bytes());
    assert_eq!((diff.additions, diff.deletions), (300, 300));
    assert_eq!(diff.patch.matches("@@ -").count(), 300);
}
