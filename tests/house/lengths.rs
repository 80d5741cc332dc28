//! Files with more lines than most need give the reason at their head.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file without a reason. The viewer's sources have the same rule
/// (`tests/viewer/unit/house.mjs`).
const LONGEST: usize = 700;
const REASON: &str = "Long because";
/// The reason must be within this number of lines.
const HEAD: usize = 15;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| ["rs", "js", "mjs", "cjs", "ts"].iter().any(|k| e == *k))
        {
            found.push(path);
        }
    }
}

/// Does a comment at the head of a file give the reason for its length?
fn has_reason(text: &str) -> bool {
    let comments = text.lines().take(HEAD).map(str::trim_start);
    let mut comments =
        comments.filter(|line| ["//", "/*", "*"].iter().any(|mark| line.starts_with(mark)));
    comments.any(|line| line.contains(REASON))
}

fn is_too_long(text: &str) -> bool {
    text.lines().count() > LONGEST && !has_reason(text)
}

#[test]
fn a_long_file_says_why() {
    let root = crate::root();
    let mut found = Vec::new();
    for folder in ["src", "crates", "js", "ts"] {
        files(&root.join(folder), &mut found);
    }
    assert!(found.len() > 150, "{}", found.len());
    let mut long = Vec::new();
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        if is_too_long(&text) {
            let name = path.strip_prefix(&root).unwrap().display();
            long.push(format!("{name} has {} lines", text.lines().count()));
        }
    }
    long.sort_unstable();
    assert!(
        long.is_empty(),
        "over {LONGEST} lines, and no comment in the first {HEAD} says \"{REASON} …\":\n{}",
        long.join("\n")
    );
}

#[test]
fn a_reason_counts_only_in_a_comment_at_the_head() {
    let lines = |count: usize| "void();\n".repeat(count);
    for (text, expected) in [
        (lines(LONGEST), false),
        (lines(LONGEST + 1), true),
        (format!("//! Long because it is a table.\n{}", lines(LONGEST)), false),
        (format!("/**\n * All of it. Long because it is one.\n */\n{}", lines(LONGEST)), false),
        (format!("let x = \"Long because\";\n{}", lines(LONGEST)), true),
        (format!("{}// Long because …\n{}", lines(HEAD), lines(LONGEST)), true),
    ] {
        assert_eq!(is_too_long(&text), expected, "{}", text.get(..40).unwrap());
    }
}
