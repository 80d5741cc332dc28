//! Leaves out table rows and fenced code before text is checked for chanting, because they repeat
//! themselves by design. Lines are read as CommonMark and GFM define them.

use memchr::{memchr, memchr2};

/// What the current line is, as far as it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum LineState {
    /// Its start: white space, quote markers, characters that may become a fence.
    #[default]
    Start,
    /// Text.
    Text,
    /// A table row, or code.
    Skipped,
    /// After fence characters that open a fence, unless the line has more of them.
    OpensFence,
    /// After fence characters that close the fence if only white space follows.
    ClosesFence,
    /// Dashes, colons and bars: a table's delimiter row if the line has nothing else.
    DelimiterRow,
}

const LINE_STATES: [LineState; 6] = [
    LineState::Start,
    LineState::Text,
    LineState::Skipped,
    LineState::OpensFence,
    LineState::ClosesFence,
    LineState::DelimiterRow,
];

/// The state of the filter: which line it is in, and which fence or table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineFilter {
    line: LineState,
    /// How many quote markers this line began with.
    depth: u64,
    /// How many fence characters it began with, and which character.
    marks: u64,
    mark: u8,
    /// The line has a bar.
    bar: bool,
    /// After a delimiter row: lines with bars are table rows.
    table: bool,
    /// The open fence: its length (0 if none is open), its character and its quote depth.
    fence: u64,
    fence_mark: u8,
    fence_depth: u64,
}

/// The first bytes of a text, which are all treated alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextSpan {
    pub(crate) length: usize,
    /// They are text; otherwise they are skipped.
    pub(crate) counts: bool,
    /// Skipped content follows, so that no chant extends across their end.
    pub(crate) boundary: bool,
}

const TEXT: TextSpan = TextSpan { length: 0, counts: true, boundary: false };
const TEXT_TO_BOUNDARY: TextSpan = TextSpan { boundary: true, ..TEXT };
const SKIPPED: TextSpan = TextSpan { counts: false, ..TEXT };

/// The fewest characters of a fence.
const FENCE: u64 = 3;

impl LineFilter {
    /// Reads the beginning of the text, as far as all of it counts or none of it does.
    pub(crate) fn take(&mut self, text: &[u8]) -> TextSpan {
        // Most pieces of a stream lie within a line of text.
        if self.line == LineState::Text && !self.table && memchr(b'\n', text).is_none() {
            return TextSpan { length: text.len(), ..TEXT };
        }
        let mut length = 0;
        while let Some(rest) = text.get(length..).filter(|rest| !rest.is_empty()) {
            let before = *self;
            let piece = self.step(rest);
            if !piece.counts && length > 0 {
                *self = before;
                break;
            }
            length += piece.length;
            if !piece.counts || piece.boundary {
                return TextSpan { length, ..piece };
            }
        }
        TextSpan { length, ..TEXT }
    }

    /// Reads up to where the state of the line changes, or the line or the text ends.
    fn step(&mut self, text: &[u8]) -> TextSpan {
        match self.line {
            LineState::Start if self.fence > 0 => self.start_in_fence(text),
            LineState::Start => self.start(text),
            LineState::Text if self.table => match memchr2(b'|', b'\n', text) {
                Some(at) if text.get(at) == Some(&b'|') => {
                    self.switch(LineState::Skipped, at, TEXT_TO_BOUNDARY)
                }
                end => {
                    self.table = end.is_none();
                    self.end_line(end, text, TEXT)
                }
            },
            LineState::Text => self.end_line(memchr(b'\n', text), text, TEXT),
            LineState::Skipped => self.end_line(memchr(b'\n', text), text, SKIPPED),
            LineState::OpensFence => {
                // With another backtick in the line it is inline code.
                let other = if self.mark == b'`' { b'`' } else { b'\n' };
                match memchr2(other, b'\n', text) {
                    Some(at) if text.get(at) == Some(&b'`') => {
                        self.switch(LineState::Text, at, TEXT)
                    }
                    end => self.end_line(end, text, TEXT),
                }
            }
            LineState::ClosesFence => {
                match text.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r')) {
                    Some(at) if text.get(at) != Some(&b'\n') => {
                        self.switch(LineState::Skipped, at, SKIPPED)
                    }
                    end => {
                        if end.is_some() {
                            self.fence = 0;
                        }
                        self.end_line(end, text, SKIPPED)
                    }
                }
            }
            LineState::DelimiterRow => {
                let is_delimiter = |b: &u8| matches!(b, b'-' | b':' | b'|' | b' ' | b'\t' | b'\r');
                let end = text.iter().position(|b| !is_delimiter(b));
                self.bar |= text.iter().take(end.unwrap_or(text.len())).any(|b| *b == b'|');
                match end {
                    Some(at) if text.get(at) != Some(&b'\n') => {
                        self.switch(LineState::Text, at, TEXT)
                    }
                    _ => self.end_line(end, text, TEXT),
                }
            }
        }
    }

    /// Changes the state of the line after `length` bytes.
    fn switch(&mut self, line: LineState, length: usize, piece: TextSpan) -> TextSpan {
        self.line = line;
        TextSpan { length, ..piece }
    }

    /// Reads the rest of the line: up to the line feed at `end`, or all of the text without one.
    fn end_line(&mut self, end: Option<usize>, text: &[u8], piece: TextSpan) -> TextSpan {
        let Some(end) = end else { return TextSpan { length: text.len(), ..piece } };
        let mut boundary = false;
        if self.line == LineState::OpensFence {
            (self.fence, self.fence_mark, self.fence_depth) = (self.marks, self.mark, self.depth);
            (self.table, boundary) = (false, true);
        } else if self.line == LineState::DelimiterRow && self.bar {
            (self.table, boundary) = (true, true);
        }
        (self.line, self.depth, self.marks, self.bar) = (LineState::Start, 0, 0, false);
        TextSpan { length: end + 1, boundary, ..piece }
    }

    fn start(&mut self, text: &[u8]) -> TextSpan {
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t' | b'\r' if self.marks == 0 => {}
                b'>' if self.marks == 0 => self.depth += 1,
                b'`' | b'~' if self.marks == 0 || self.mark == *byte => {
                    self.mark = *byte;
                    self.marks += 1;
                }
                _ if self.marks >= FENCE => return self.switch(LineState::OpensFence, at, TEXT),
                b'|' if self.marks == 0 => {
                    return self.switch(LineState::Skipped, at, TEXT_TO_BOUNDARY);
                }
                b'-' | b':' if self.marks == 0 && !self.table => {
                    return self.switch(LineState::DelimiterRow, at, TEXT);
                }
                b'\n' => {
                    self.table = false;
                    return self.end_line(Some(at), text, TEXT);
                }
                _ => return self.switch(LineState::Text, at, TEXT),
            }
        }
        TextSpan { length: text.len(), ..TEXT }
    }

    fn start_in_fence(&mut self, text: &[u8]) -> TextSpan {
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t' | b'\r' if self.marks == 0 => {}
                b'>' if self.marks == 0 && self.depth < self.fence_depth => self.depth += 1,
                // The quote that contains the fence has ended, and the fence with it.
                _ if self.depth < self.fence_depth => {
                    self.fence = 0;
                    return TextSpan { length: at, ..SKIPPED };
                }
                b'\n' if self.marks < self.fence => return self.end_line(Some(at), text, SKIPPED),
                _ if *byte == self.fence_mark => self.marks += 1,
                _ if self.marks >= self.fence => {
                    return self.switch(LineState::ClosesFence, at, SKIPPED);
                }
                _ => return self.switch(LineState::Skipped, at, SKIPPED),
            }
        }
        TextSpan { length: text.len(), ..SKIPPED }
    }

    /// The state as numbers, for a snapshot.
    pub(crate) fn numbers(&self) -> [u64; 9] {
        let LineFilter { line, depth, marks, mark, bar, table, fence, fence_mark, fence_depth } =
            *self;
        let line = LINE_STATES.iter().position(|state| *state == line).unwrap_or_default();
        [
            line as u64,
            depth,
            marks,
            u64::from(mark),
            u64::from(bar),
            u64::from(table),
            fence,
            u64::from(fence_mark),
            fence_depth,
        ]
    }

    /// The state from the numbers of a snapshot.
    pub(crate) fn from_numbers(numbers: [u64; 9]) -> Option<LineFilter> {
        let [line, depth, marks, mark, bar, table, fence, fence_mark, fence_depth] = numbers;
        Some(LineFilter {
            line: LINE_STATES.get(usize::try_from(line).ok()?).copied()?,
            // Bounded, so that adding to them cannot overflow.
            depth: depth.min(MAX_COUNT),
            marks: marks.min(MAX_COUNT),
            mark: u8::try_from(mark).ok()?,
            bar: bar > 0,
            table: table > 0,
            fence,
            fence_mark: u8::try_from(fence_mark).ok()?,
            fence_depth,
        })
    }
}

/// No text has this many of one character.
const MAX_COUNT: u64 = 1 << 48;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
