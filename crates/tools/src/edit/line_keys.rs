//! Lines as a level compares them.

use super::normal::{is_blank, split_indent, trim_end};
use super::rewrite::write_plain;
use crate::lines::span::LineSpan;

/// What is ignored within lines, besides blanks at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ignored {
    Nothing,
    /// How many blanks stand between words.
    Blanks,
    /// That, and typographic characters.
    Typography,
}

/// The lines of a text, without what is ignored.
#[derive(Debug)]
pub(super) struct LineKeys {
    bytes: Vec<u8>,
    lines: Vec<KeyPlace>,
}

#[derive(Clone, Copy, Debug)]
struct KeyPlace {
    start: usize,
    end: usize,
    /// The columns of the indentation.
    indent: usize,
}

impl LineKeys {
    /// The keys of lines; a tab of their indentation counts as `tab` columns.
    pub(super) fn new(text: &[u8], spans: &[LineSpan], ignored: Ignored, tab: usize) -> LineKeys {
        let mut bytes = Vec::with_capacity(text.len());
        let mut plain = Vec::new();
        let mut lines = Vec::with_capacity(spans.len());
        for span in spans {
            let mut line = span.content(text);
            if ignored == Ignored::Typography {
                plain.clear();
                write_plain(&mut plain, line);
                line = &plain;
            }
            let (blanks, rest) = split_indent(line);
            let indent = blanks.iter().map(|b| if *b == b'\t' { tab } else { 1 }).sum();
            let rest = trim_end(rest);
            let start = bytes.len();
            if ignored == Ignored::Nothing {
                bytes.extend_from_slice(rest);
            } else {
                write_single_blanks(&mut bytes, rest);
            }
            lines.push(KeyPlace { start, end: bytes.len(), indent });
        }
        LineKeys { bytes, lines }
    }

    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// A line's key; empty for a blank line.
    pub(super) fn key(&self, line: usize) -> &[u8] {
        let place = self.lines.get(line).map_or(0..0, |place| place.start..place.end);
        self.bytes.get(place).unwrap_or_default()
    }

    pub(super) fn indent(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |place| place.indent)
    }
}

fn write_single_blanks(out: &mut Vec<u8>, line: &[u8]) {
    let mut after_blank = false;
    for byte in line {
        let blank = is_blank(*byte);
        if !blank {
            out.push(*byte);
        } else if !after_blank {
            out.push(b' ');
        }
        after_blank = blank;
    }
}
