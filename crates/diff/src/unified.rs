//! Unified diffs.
//!
//! Lines are compared with their ends, so that a changed line end is a change; ends are not shown, except
//! that the last one is missing. A byte order mark is compared and not shown either.

use crate::changes::{ChangedLines, changed_lines};
use std::ops::Range;

const BOM: &[u8] = "\u{feff}".as_bytes();
/// Lines that are shown around changes.
const CONTEXT: usize = 3;

/// A unified diff of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnifiedDiff {
    /// The patch: `Index:`, a rule, `---`, `+++`, then hunks with three lines of context.
    pub patch: String,
    /// Lines that were added.
    pub additions: usize,
    /// Lines that were removed.
    pub deletions: usize,
}

/// The difference between two versions of a file, as a patch that names `path` on both sides.
///
/// Bytes that are not UTF-8 show as U+FFFD; a missing end of the last line as `\ No newline at end of file`.
/// The work is bounded: of files that differ in very many places, parts are shown as replaced as a whole.
///
/// ```
/// use apex_parts_diff::unified_diff;
///
/// let diff = unified_diff("a.txt", b"one\ntwo\n", b"one\n2\n");
/// assert_eq!((diff.additions, diff.deletions), (1, 1));
/// assert!(diff.patch.ends_with("+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"));
/// ```
pub fn unified_diff(path: &str, old: &[u8], new: &[u8]) -> UnifiedDiff {
    let (old, new) = (lines_of(old), lines_of(new));
    let changes = changed_lines(&old, &new);
    let mut patch = String::from("Index: ");
    patch.push_str(path);
    patch.push('\n');
    patch.push_str(&"=".repeat(67));
    for mark in ["\n--- ", "\n+++ "] {
        patch.push_str(mark);
        patch.push_str(path);
    }
    patch.push('\n');
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        // A hunk goes on as long as its changes share lines of context.
        let pairs = rest.iter().zip(rest.iter().skip(1));
        let count = 1 + pairs.take_while(|(a, b)| b.old.start - a.old.end <= 2 * CONTEXT).count();
        let (hunk, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        write_hunk(&mut patch, hunk, &old, &new);
        rest = after;
    }
    let additions = changes.iter().map(|change| change.new.len()).sum();
    let deletions = changes.iter().map(|change| change.old.len()).sum();
    UnifiedDiff { patch, additions, deletions }
}

/// The lines of a text, each with its line feed.
pub fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        lines.extend(text.get(from..=at));
        from = at + 1;
    }
    lines.extend(text.get(from..).filter(|rest| !rest.is_empty()));
    lines
}

/// Writes a line without its end, after its mark; `\ No newline at end of file` if it has none.
pub fn write_line(out: &mut String, mark: char, line: &[u8]) {
    out.push(mark);
    let text = line.strip_suffix(b"\n");
    let shown = text.map_or(line, |text| text.strip_suffix(b"\r").unwrap_or(text));
    out.push_str(&String::from_utf8_lossy(shown));
    out.push('\n');
    if text.is_none() {
        out.push_str("\\ No newline at end of file\n");
    }
}

fn write_hunk(out: &mut String, hunk: &[ChangedLines], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let before = first.old.start.min(CONTEXT);
    let after = (old.len() - last.old.end).min(CONTEXT);
    let old_range = first.old.start - before..last.old.end + after;
    let new_range = first.new.start - before..last.new.end + after;
    out.push_str("@@ -");
    write_range(out, &old_range);
    out.push_str(" +");
    write_range(out, &new_range);
    out.push_str(" @@\n");
    let mut at = old_range.start;
    for change in hunk {
        write_lines(out, ' ', old, at..change.old.start);
        write_lines(out, '-', old, change.old.clone());
        write_lines(out, '+', new, change.new.clone());
        at = change.old.end;
    }
    write_lines(out, ' ', old, at..old_range.end);
}

fn write_lines(out: &mut String, mark: char, lines: &[&[u8]], range: Range<usize>) {
    let is_first = range.start == 0;
    for (index, line) in lines.get(range).unwrap_or_default().iter().enumerate() {
        let shown = line.strip_prefix(BOM).filter(|_| is_first && index == 0);
        write_line(out, mark, shown.unwrap_or(line));
    }
}

/// The first line, from 1, and the number of lines; of no lines, the line before them.
fn write_range(out: &mut String, range: &Range<usize>) {
    let first = range.start + usize::from(!range.is_empty());
    out.push_str(&first.to_string());
    out.push(',');
    out.push_str(&range.len().to_string());
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
