//! What a diff adds and removes.

/// How many lines a diff adds and removes: a unified diff, or one whose lines have their numbers instead of hunks.
#[must_use]
pub fn count_changes(diff: &str) -> (u32, u32) {
    if diff.lines().all(is_numbered) {
        let begin = |sign| diff.lines().filter(|line| line.starts_with(sign)).count();
        let count = |sign| u32::try_from(begin(sign)).unwrap_or(u32::MAX);
        return (count('+'), count('-'));
    }
    let mut sums = (0, 0);
    let mut in_hunk = false;
    for line in diff.lines() {
        match line.as_bytes().first() {
            Some(b'@') => in_hunk = true,
            Some(b'+') if in_hunk => sums.0 += 1,
            Some(b'-') if in_hunk && !line.starts_with("--- ") => sums.1 += 1,
            Some(b'I' | b'd') => in_hunk = false,
            _ => {}
        }
    }
    sums
}

/// Is it a line of a diff without hunks: `-  1 import`, `+ 12 const`, `   2 export`, or `     ...` where lines
/// are left out?
fn is_numbered(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['+', '-', ' ']).map(str::trim_start) else { return false };
    rest == "..." || rest.starts_with(|char: char| char.is_ascii_digit())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_in_each_form() {
        for (diff, sums) in [
            ("--- a\n+++ a\n@@ -1 +1,3 @@\n-x\n+y\n+z\n+w\n", (3, 1)),
            ("Index: a\n===\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n--- b\n+++ b\n", (2, 1)),
            ("-  1 import\n+  1 import a\n+  2 b\n   3 c\n     ...\n", (2, 1)),
            ("", (0, 0)),
        ] {
            assert_eq!(count_changes(diff), sums, "{diff}");
        }
    }
}
