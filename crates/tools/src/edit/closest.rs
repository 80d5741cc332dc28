//! The text of a file that is most like one that it does not have, for a message. Nothing is replaced by it.
//!
//! Likeness is the share of pairs of neighbouring bytes that two texts have in common, blanks aside (Dice's
//! coefficient). The work is linear in the file.

use super::line_keys::{Ignored, LineKeys};
use crate::lines::span::{LineSpan, line_spans};
use apex_parts_diff::{changed_lines, write_line};

/// Text that is less alike, in percent, is not shown.
const LEAST_PERCENT: usize = 60;
/// The most lines of the difference.
const MOST_DIFF_LINES: usize = 12;
/// The most lines of either side that are shown of one change.
const MOST_OF_A_CHANGE: usize = 5;
/// The most characters that are shown of a line.
const MOST_SHOWN: usize = 200;
/// Places are looked for with so many of the old text's longest lines.
const ANCHORS: usize = 3;
/// What counts of a long line, in bytes.
const MOST_COUNTED: usize = 400;

/// Lines of a file that are like the text that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosestText {
    /// The first line, from 1.
    pub line: usize,
    /// The last line.
    pub end_line: usize,
    /// How much they are alike, from 60 to 99.
    pub percent: usize,
    /// How they differ, in at most 12 lines: `-` what was looked for, `+` what the file has.
    pub diff: String,
}

/// The closest text, if any is at least 60 % alike.
pub(super) fn closest(text: &[u8], old: &[u8]) -> Option<ClosestText> {
    let (spans, old_spans) = (line_spans(text), line_spans(old));
    let file_keys = LineKeys::new(text, &spans, Ignored::Blanks, 1);
    let old_keys = LineKeys::new(old, &old_spans, Ignored::Blanks, 1);
    let mut pairs = PairCounts { counts: vec![0; 1 << 16], total: 0 };
    let starts = likely_starts(&mut pairs, &file_keys, &old_keys);
    pairs.clear();
    for line in 0..old_keys.count() {
        pairs.add(old_keys.key(line));
    }
    let mut best = (0, 0);
    for start in starts {
        let window = start..(start + old_keys.count()).min(file_keys.count());
        let likeness = pairs.likeness(window.map(|line| file_keys.key(line)));
        if likeness > best.0 {
            best = (likeness, start);
        }
    }
    let (percent, start) = best;
    if percent < LEAST_PERCENT {
        return None;
    }
    let end = (start + old_spans.len()).min(spans.len());
    let diff = difference((old, &old_spans), (text, spans.get(start..end)?));
    Some(ClosestText { line: start + 1, end_line: end, percent: percent.min(99), diff })
}

/// Where the old text's lines would begin if a long one of them were the line of the file that it is most like.
fn likely_starts(pairs: &mut PairCounts, file: &LineKeys, old: &LineKeys) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut anchors: Vec<usize> = Vec::new();
    for _ in 0..ANCHORS {
        // The longest line that is not an anchor yet; the first of several.
        let others = (0..old.count()).rev().filter(|line| !anchors.contains(line));
        let Some(anchor) = others.max_by_key(|line| old.key(*line).len()) else { break };
        anchors.push(anchor);
        pairs.clear();
        pairs.add(old.key(anchor));
        if pairs.total == 0 {
            continue;
        }
        // The best two, each with its likeness.
        let mut best = [(0, 0); 2];
        for line in 0..file.count() {
            let key = file.key(line);
            let [_, (least, _)] = best;
            if pairs.most_likeness(key) <= least {
                continue;
            }
            let likeness = pairs.likeness(std::iter::once(key));
            let [first, second] = best;
            if likeness > first.0 {
                best = [(likeness, line), first];
            } else if likeness > second.0 {
                best = [first, (likeness, line)];
            }
        }
        for (likeness, line) in best {
            // The file may have fewer lines before it than the old text.
            let start = line.saturating_sub(anchor);
            if likeness > 0 && !starts.contains(&start) {
                starts.push(start);
            }
        }
    }
    starts
}

/// How often each pair of neighbouring bytes occurs in a text.
struct PairCounts {
    counts: Vec<u32>,
    total: usize,
}

impl PairCounts {
    fn clear(&mut self) {
        self.counts.fill(0);
        self.total = 0;
    }

    fn add(&mut self, line: &[u8]) {
        for pair in pairs_of(line) {
            if let Some(count) = self.counts.get_mut(pair) {
                *count += 1;
                self.total += 1;
            }
        }
    }

    /// The share of common pairs, in percent.
    fn likeness<'l>(&mut self, lines: impl Iterator<Item = &'l [u8]> + Clone) -> usize {
        let (mut common, mut total) = (0, self.total);
        // Each pair is taken out once, and put back afterwards.
        for pair in lines.clone().flat_map(pairs_of) {
            total += 1;
            if let Some(count) = self.counts.get_mut(pair) {
                common += usize::from((*count as i32) > 0);
                *count = count.wrapping_sub(1);
            }
        }
        for pair in lines.flat_map(pairs_of) {
            if let Some(count) = self.counts.get_mut(pair) {
                *count = count.wrapping_add(1);
            }
        }
        (200 * common).checked_div(total).unwrap_or(0)
    }

    /// No line of this length has more.
    fn most_likeness(&self, line: &[u8]) -> usize {
        let length = line.len().min(MOST_COUNTED).saturating_sub(1);
        (200 * length.min(self.total)).checked_div(length + self.total).unwrap_or(0)
    }
}

/// Pairs of neighbouring bytes, as numbers.
fn pairs_of(line: &[u8]) -> impl Iterator<Item = usize> + Clone {
    let line = line.get(..MOST_COUNTED).unwrap_or(line);
    line.iter().zip(line.iter().skip(1)).map(|(a, b)| usize::from(*a) << 8 | usize::from(*b))
}

type TextLines<'l> = (&'l [u8], &'l [LineSpan]);

/// How the lines of the file differ from those that were looked for.
fn difference((old, old_spans): TextLines<'_>, (text, spans): TextLines<'_>) -> String {
    let wanted: Vec<&[u8]> = old_spans.iter().map(|span| span.content(old)).collect();
    let found: Vec<&[u8]> = spans.iter().map(|span| span.content(text)).collect();
    let changes = changed_lines(&wanted, &found);
    let mut shown: Vec<(char, &[u8])> = Vec::new();
    let mut at = 0;
    for change in &changes {
        // One line before it, if it was not shown with the change before.
        let before = change.old.start.saturating_sub(1).max(at);
        shown.extend(wanted.get(before..change.old.start).into_iter().flatten().map(|l| (' ', *l)));
        for (mark, lines, range) in [('-', &wanted, &change.old), ('+', &found, &change.new)] {
            let lines = lines.get(range.clone()).unwrap_or_default();
            shown.extend(lines.iter().take(MOST_OF_A_CHANGE).map(|line| (mark, *line)));
            if lines.len() > MOST_OF_A_CHANGE {
                shown.push((mark, "…".as_bytes()));
            }
        }
        at = change.old.end;
    }
    let mut out = String::new();
    if changes.is_empty() {
        // Only line ends differ: the file's last line has none.
        write_line(&mut out, '+', found.last().copied().unwrap_or_default());
    }
    let is_cut = shown.len() > MOST_DIFF_LINES;
    let count = if is_cut { MOST_DIFF_LINES - 1 } else { shown.len() };
    for (mark, line) in shown.into_iter().take(count) {
        out.push(mark);
        let text = String::from_utf8_lossy(line.get(..4 * MOST_SHOWN).unwrap_or(line));
        out.extend(text.chars().take(MOST_SHOWN));
        if line.len() > 4 * MOST_SHOWN || text.chars().nth(MOST_SHOWN).is_some() {
            out.push('…');
        }
        out.push('\n');
    }
    if is_cut {
        out.push('…');
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}
