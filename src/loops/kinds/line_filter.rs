//! What of a text counts when it is looked at for chants: rows of tables and code in fences do not,
//! for they repeat themselves by design. Line by line, as CommonMark and GFM read them.

use memchr::{memchr, memchr2};

/// Where the text stands in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum LineState {
    /// At its beginning: white space, marks of quotes, marks that may become a fence.
    #[default]
    Begins,
    /// It is text.
    Text,
    /// It is a row of a table, or of code.
    Apart,
    /// Behind marks that open a fence, if the line has no more of them.
    Opens,
    /// Behind marks that close the fence, if nothing but white space follows.
    Closes,
    /// Dashes, colons and bars: the row below the head of a table, if that is all.
    Delimits,
}

const LINES: [LineState; 6] = [
    LineState::Begins,
    LineState::Text,
    LineState::Apart,
    LineState::Opens,
    LineState::Closes,
    LineState::Delimits,
];

/// Where a text stands among its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineFilter {
    line: LineState,
    /// How many quotes this line is in, as far as it was read.
    depth: u64,
    /// Marks that it began with, and which: those of a fence, if there are enough.
    marks: u64,
    mark: u8,
    /// It has a bar.
    bar: bool,
    /// Lines with bars are rows of a table.
    table: bool,
    /// The marks of the fence that is open, and how many quotes it is in.
    fence: u64,
    fence_mark: u8,
    fence_depth: u64,
}

/// The beginning of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextSpan {
    pub(crate) length: usize,
    /// It is text.
    pub(crate) counts: bool,
    /// Behind it there is something that is no text.
    pub(crate) parts: bool,
}

const TEXT: TextSpan = TextSpan { length: 0, counts: true, parts: false };
const PARTED: TextSpan = TextSpan { parts: true, ..TEXT };
const APART: TextSpan = TextSpan { counts: false, ..TEXT };

/// The fewest marks of a fence.
const FENCE: u64 = 3;

impl LineFilter {
    /// The next piece of the text: as much as counts, or does not, at once.
    pub(crate) fn take(&mut self, text: &[u8]) -> TextSpan {
        let mut length = 0;
        while let Some(rest) = text.get(length..).filter(|rest| !rest.is_empty()) {
            let before = *self;
            let piece = self.step(rest);
            if !piece.counts && length > 0 {
                *self = before;
                break;
            }
            length += piece.length;
            if !piece.counts || piece.parts {
                return TextSpan { length, ..piece };
            }
        }
        TextSpan { length, ..TEXT }
    }

    /// At most a line. What is read has other rules from here on, or ends.
    fn step(&mut self, text: &[u8]) -> TextSpan {
        match self.line {
            LineState::Begins if self.fence > 0 => self.begins_in_fence(text),
            LineState::Begins => self.begins(text),
            LineState::Text if self.table => match memchr2(b'|', b'\n', text) {
                Some(at) if text.get(at) == Some(&b'|') => self.turn(LineState::Apart, at, PARTED),
                end => {
                    self.table = end.is_none();
                    self.ends(end, text, TEXT)
                }
            },
            LineState::Text => self.ends(memchr(b'\n', text), text, TEXT),
            LineState::Apart => self.ends(memchr(b'\n', text), text, APART),
            LineState::Opens => {
                // What holds such a mark again is code within a line.
                let other = if self.mark == b'`' { b'`' } else { b'\n' };
                match memchr2(other, b'\n', text) {
                    Some(at) if text.get(at) == Some(&b'`') => self.turn(LineState::Text, at, TEXT),
                    end => self.ends(end, text, TEXT),
                }
            }
            LineState::Closes => match text.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'))
            {
                Some(at) if text.get(at) != Some(&b'\n') => self.turn(LineState::Apart, at, APART),
                end => {
                    if end.is_some() {
                        self.fence = 0;
                    }
                    self.ends(end, text, APART)
                }
            },
            LineState::Delimits => {
                let is_one = |b: &u8| matches!(b, b'-' | b':' | b'|' | b' ' | b'\t' | b'\r');
                let end = text.iter().position(|b| !is_one(b));
                self.bar |= text.iter().take(end.unwrap_or(text.len())).any(|b| *b == b'|');
                match end {
                    Some(at) if text.get(at) != Some(&b'\n') => {
                        self.turn(LineState::Text, at, TEXT)
                    }
                    _ => self.ends(end, text, TEXT),
                }
            }
        }
    }

    /// So much was read, and the line turns out to be another one.
    fn turn(&mut self, line: LineState, length: usize, piece: TextSpan) -> TextSpan {
        self.line = line;
        TextSpan { length, ..piece }
    }

    /// The rest of the line, which ends here if it does.
    fn ends(&mut self, end: Option<usize>, text: &[u8], piece: TextSpan) -> TextSpan {
        let Some(end) = end else { return TextSpan { length: text.len(), ..piece } };
        let mut parts = false;
        if self.line == LineState::Opens {
            (self.fence, self.fence_mark, self.fence_depth) = (self.marks, self.mark, self.depth);
            (self.table, parts) = (false, true);
        } else if self.line == LineState::Delimits && self.bar {
            (self.table, parts) = (true, true);
        }
        (self.line, self.depth, self.marks, self.bar) = (LineState::Begins, 0, 0, false);
        TextSpan { length: end + 1, parts, ..piece }
    }

    fn begins(&mut self, text: &[u8]) -> TextSpan {
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t' | b'\r' if self.marks == 0 => {}
                b'>' if self.marks == 0 => self.depth += 1,
                b'`' | b'~' if self.marks == 0 || self.mark == *byte => {
                    self.mark = *byte;
                    self.marks += 1;
                }
                _ if self.marks >= FENCE => return self.turn(LineState::Opens, at, TEXT),
                b'|' if self.marks == 0 => return self.turn(LineState::Apart, at, PARTED),
                b'-' | b':' if self.marks == 0 && !self.table => {
                    return self.turn(LineState::Delimits, at, TEXT);
                }
                b'\n' => {
                    self.table = false;
                    return self.ends(Some(at), text, TEXT);
                }
                _ => return self.turn(LineState::Text, at, TEXT),
            }
        }
        TextSpan { length: text.len(), ..TEXT }
    }

    fn begins_in_fence(&mut self, text: &[u8]) -> TextSpan {
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t' | b'\r' if self.marks == 0 => {}
                b'>' if self.marks == 0 && self.depth < self.fence_depth => self.depth += 1,
                // The quote that the fence is in ends, and so does the fence.
                _ if self.depth < self.fence_depth => {
                    self.fence = 0;
                    return TextSpan { length: at, ..APART };
                }
                b'\n' if self.marks < self.fence => return self.ends(Some(at), text, APART),
                _ if *byte == self.fence_mark => self.marks += 1,
                _ if self.marks >= self.fence => return self.turn(LineState::Closes, at, APART),
                _ => return self.turn(LineState::Apart, at, APART),
            }
        }
        TextSpan { length: text.len(), ..APART }
    }

    /// As numbers, for a snapshot.
    pub(crate) fn numbers(&self) -> [u64; 9] {
        let line = LINES.iter().position(|line| *line == self.line).unwrap_or_default();
        [
            line as u64,
            self.depth,
            self.marks,
            u64::from(self.mark),
            u64::from(self.bar),
            u64::from(self.table),
            self.fence,
            u64::from(self.fence_mark),
            self.fence_depth,
        ]
    }

    /// From such numbers.
    pub(crate) fn of(numbers: [u64; 9]) -> Option<LineFilter> {
        let [line, depth, marks, mark, bar, table, fence, fence_mark, fence_depth] = numbers;
        Some(LineFilter {
            line: LINES.get(usize::try_from(line).ok()?).copied()?,
            // No text has so many that one more would not fit.
            depth: depth.min(MOST),
            marks: marks.min(MOST),
            mark: u8::try_from(mark).ok()?,
            bar: bar > 0,
            table: table > 0,
            fence,
            fence_mark: u8::try_from(fence_mark).ok()?,
            fence_depth,
        })
    }
}

const MOST: u64 = 1 << 48;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
