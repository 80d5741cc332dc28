//! Where whole lines are, at the levels that compare lines.

use super::indent::{IndentPair, IndentStyle, fitted};
use super::level::MatchLevel;
use super::line_keys::{Ignored, LineKeys};
use super::normal::split_indent;
use super::rewrite::{unescaped, without_any_numbers, without_numbers};
use crate::lines::span::{LineSpan, line_spans};
use std::borrow::Cow;
use std::ops::Range;

/// At least one line must have so many letters, digits or underscores.
const FEWEST_WORD_CHARACTERS: usize = 3;

/// Looks for the lines of the old text in those of the file.
pub(super) struct LineMatcher<'t> {
    text: &'t [u8],
    spans: Vec<LineSpan>,
    old: &'t [u8],
    new: &'t [u8],
    compose: Compose<'t>,
}

/// A text in the Unicode form C.
pub type Compose<'c> = &'c dyn Fn(&str) -> String;

/// Lines that match, at least at one place.
#[derive(Debug)]
pub(super) struct MatchedLines<'m> {
    text: &'m [u8],
    spans: &'m [LineSpan],
    old: Cow<'m, [u8]>,
    new: Cow<'m, [u8]>,
    old_spans: Vec<LineSpan>,
    style: IndentStyle,
    /// The index of the first line of each place.
    pub(super) starts: Vec<usize>,
}

impl<'t> LineMatcher<'t> {
    pub(super) fn new(
        text: &'t [u8],
        old: &'t [u8],
        new: &'t [u8],
        compose: Compose<'t>,
    ) -> LineMatcher<'t> {
        LineMatcher { text, spans: line_spans(text), old, new, compose }
    }

    /// A text in the form in which level 9 compares it; `None` if it is not UTF-8, or has only one form.
    fn composed(&self, text: &[u8]) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(text).ok().filter(|text| !text.is_ascii())?;
        Some((self.compose)(text).into_bytes())
    }

    /// The places at a level; `None` if there is none.
    pub(super) fn find(&self, level: MatchLevel) -> Option<MatchedLines<'_>> {
        let (old, new) = match level {
            MatchLevel::Escapes => {
                let old = Cow::Owned(unescaped(self.old)?);
                (old, unescaped(self.new).map_or(Cow::Borrowed(self.new), Cow::Owned))
            }
            MatchLevel::LineNumbers => {
                (Cow::Owned(without_numbers(self.old)?), without_any_numbers(self.new)?)
            }
            MatchLevel::UnicodeForm => {
                (Cow::Owned(self.composed(self.old)?), Cow::Borrowed(self.new))
            }
            _ => (Cow::Borrowed(self.old), Cow::Borrowed(self.new)),
        };
        let composed = match level {
            MatchLevel::UnicodeForm => Some(self.composed(self.text)?),
            _ => None,
        };
        let composed_spans = composed.as_deref().map(line_spans);
        let text = composed.as_deref().unwrap_or(self.text);
        let spans = composed_spans.as_deref().unwrap_or(&self.spans);
        let old_spans = line_spans(&old);
        if !old_spans.iter().any(|span| has_words(span.content(&old))) {
            return None;
        }
        let ignored = match level {
            MatchLevel::Blanks => Ignored::Blanks,
            MatchLevel::Typography => Ignored::Typography,
            _ => Ignored::Nothing,
        };
        let style = IndentStyle::detect(self.text, &old, &new);
        let file_keys = LineKeys::new(text, spans, ignored, style.tab);
        let old_keys = LineKeys::new(&old, &old_spans, ignored, style.tab);
        let mut starts = places(&file_keys, &old_keys);
        // The old text ends with a line end: so must the last line.
        if old_spans.last().is_some_and(LineSpan::has_end) {
            let length = old_spans.len();
            starts
                .retain(|start| self.spans.get(start + length - 1).is_some_and(LineSpan::has_end));
        }
        let (text, spans) = (self.text, self.spans.as_slice());
        (!starts.is_empty()).then_some(MatchedLines {
            text,
            spans,
            old,
            new,
            old_spans,
            style,
            starts,
        })
    }
}

impl MatchedLines<'_> {
    /// The numbers of the lines at which the places begin, from 1.
    pub(super) fn lines(&self) -> Vec<usize> {
        self.starts.iter().map(|start| start + 1).collect()
    }

    fn matched(&self) -> Option<&[LineSpan]> {
        let start = *self.starts.first()?;
        self.spans.get(start..start + self.old_spans.len())
    }

    /// The bytes of the first place. The end of its last line is one of them if the old text has it.
    pub(super) fn place(&self) -> Option<Range<usize>> {
        let matched = self.matched()?;
        let (first, last) = (matched.first()?, matched.last()?);
        let has_end = self.old_spans.last().is_some_and(LineSpan::has_end);
        Some(first.start..if has_end { last.next } else { last.end })
    }

    /// The new text for the first place, and whether its indentation was changed.
    pub(super) fn fit(&self) -> (Cow<'_, [u8]>, bool) {
        let mut pairs: Vec<IndentPair<'_>> = Vec::new();
        for (old, file) in self.old_spans.iter().zip(self.matched().unwrap_or_default()) {
            let (old, rest) = split_indent(old.content(&self.old));
            if !rest.is_empty() {
                pairs.push((old, split_indent(file.content(self.text)).0));
            }
        }
        fitted(&self.new, &pairs, self.style)
    }
}

fn has_words(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let words = text.chars().filter(|c| c.is_alphanumeric() || *c == '_');
    words.take(FEWEST_WORD_CHARACTERS).count() == FEWEST_WORD_CHARACTERS
}

/// A line as it is compared: which of the old text's lines it is, and how much more than the last line that is
/// not blank it is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symbol {
    id: usize,
    step: isize,
}

const BLANK: usize = usize::MAX;
const UNKNOWN: usize = usize::MAX - 1;

/// The lines of the file at which the old text's begin: same keys, and all indentations differ by the same.
fn places(file: &LineKeys, old: &LineKeys) -> Vec<usize> {
    let mut keys: Vec<&[u8]> = (0..old.count()).map(|line| old.key(line)).collect();
    keys.sort_unstable();
    keys.dedup();
    let pattern = symbols(old, &keys);
    let text = symbols(file, &keys);
    // The indentation of the first line that is not blank is free: it tells the distance. What follows it is
    // searched for as a whole; the blank lines before it are counted.
    let Some(first) = pattern.iter().position(|symbol| symbol.id != BLANK) else { return vec![] };
    let (before, rest) = pattern.split_at_checked(first + 1).unwrap_or((&pattern, &[]));
    let first_id = before.last().map_or(UNKNOWN, |symbol| symbol.id);
    let failures = failures(rest);
    let mut ranges = Vec::new();
    let mut blanks = 0;
    // Where lines begin that match so far: the line, whether it and those before it do, for each line of text.
    let heads: Vec<bool> = text
        .iter()
        .map(|symbol| {
            let is_head = symbol.id == first_id && blanks >= first;
            blanks = if symbol.id == BLANK { blanks + 1 } else { 0 };
            is_head
        })
        .collect();
    if rest.is_empty() {
        ranges.extend(heads.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at - first));
        return ranges;
    }
    let mut matched = 0;
    for (at, symbol) in text.iter().enumerate() {
        while matched > 0 && rest.get(matched) != Some(symbol) {
            matched = failures.get(matched - 1).copied().unwrap_or(0);
        }
        if rest.get(matched) == Some(symbol) {
            matched += 1;
        }
        if matched == rest.len() {
            let start = (at + 1).checked_sub(rest.len() + 1);
            if let Some(head) = start
                && heads.get(head) == Some(&true)
            {
                ranges.push(head - first);
            }
            matched = failures.last().copied().unwrap_or(0);
        }
    }
    ranges
}

fn symbols(lines: &LineKeys, keys: &[&[u8]]) -> Vec<Symbol> {
    let mut last = 0;
    let symbol = |line| {
        let key = lines.key(line);
        if key.is_empty() {
            return Symbol { id: BLANK, step: 0 };
        }
        let id = keys.binary_search(&key).unwrap_or(UNKNOWN);
        let indent = lines.indent(line);
        let step = indent as isize - last as isize;
        last = indent;
        Symbol { id, step }
    };
    (0..lines.count()).map(symbol).collect()
}

/// For each beginning of a pattern, the length of the longest shorter one that it ends with (Knuth, Morris and
/// Pratt).
fn failures(pattern: &[Symbol]) -> Vec<usize> {
    let mut found = vec![0; pattern.len().min(1)];
    let mut length = 0;
    for symbol in pattern.iter().skip(1) {
        while length > 0 && pattern.get(length) != Some(symbol) {
            length = found.get(length - 1).copied().unwrap_or(0);
        }
        if pattern.get(length) == Some(symbol) {
            length += 1;
        }
        found.push(length);
    }
    found
}
