//! The first lines of a stream: a provider may answer with an error, one JSON value over several
//! lines, a proxy with a page. After the first record every line is a record.

use super::lines::HeldBytes;
use crate::foreign::Foreign;
use apex_parts_json::saved::{state, state_choice};
use std::ops::Range;

/// How a line is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineUse {
    /// It is a record.
    Record,
    /// It is not a record by itself.
    Skip,
    /// It completes a record with the lines before it: [`Opening::text`].
    Whole,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OpeningPhase {
    /// No line that could be a record has arrived.
    #[default]
    Before,
    /// A value continues over several lines.
    Joins,
    /// It turned out not to: its lines are records, one by one.
    Splits,
    /// Every line is a record.
    Over,
    /// The stream has no records: it is a page, or compressed.
    Foreign,
}

state_choice!(OpeningPhase { Before, Joins, Splits, Over, Foreign });

/// The state between two lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Opening {
    phase: OpeningPhase,
    /// The joined lines, with their ends.
    text: HeldBytes,
    /// The offset of their first byte in the stream.
    offset: u64,
    /// The number of their bytes that were given one line at a time.
    given: u64,
    /// The offset of a line after them that was too long.
    too_long: Option<u64>,
    open: OpenBrackets,
    /// `text` was given as a whole and is to be emptied.
    whole: bool,
}

state!(Opening { phase, text, offset, given, too_long, open });

/// What is open in a JSON text. It only counts brackets: whether it is JSON shows when the record
/// is read.
#[derive(Clone, Debug, Default, PartialEq)]
struct OpenBrackets {
    /// The number of open objects and arrays.
    depth: u64,
    string: bool,
    escape: bool,
    /// The last byte that is not white space.
    last: u64,
}

state!(OpenBrackets { depth, string, escape, last });

impl OpenBrackets {
    fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.string {
                match byte {
                    _ if self.escape => self.escape = false,
                    b'\\' => self.escape = true,
                    b'"' => self.string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                self.last = u64::from(*byte);
            }
        }
    }

    /// Can the value continue with a line that begins like this one?
    fn goes_on(&self, line: &[u8]) -> bool {
        let begins = line.trim_ascii_start().first() == Some(&b'{');
        !begins || b"[,:".iter().any(|byte| u64::from(*byte) == self.last)
    }
}

impl Opening {
    /// Takes the next line, `None` if it was longer than `max` bytes.
    pub(crate) fn step(&mut self, line: Option<&[u8]>, offset: u64, max: usize) -> LineUse {
        let blank = line.is_some_and(|line| line.trim_ascii().is_empty());
        match self.phase {
            OpeningPhase::Joins => return self.join(line, offset, max),
            OpeningPhase::Foreign => return LineUse::Skip,
            _ if blank => return LineUse::Skip,
            OpeningPhase::Over | OpeningPhase::Splits => return LineUse::Record,
            OpeningPhase::Before => {}
        }
        let line = line.unwrap_or_default();
        let text = line.trim_ascii_start();
        if Foreign::detect(text).is_some_and(|foreign| foreign.is_all(text)) {
            self.phase = OpeningPhase::Foreign;
            return LineUse::Record;
        }
        if !matches!(text.first(), Some(b'{' | b'[')) {
            return LineUse::Record;
        }
        self.phase = OpeningPhase::Over;
        // Pretty-printed JSON breaks its first line after a bracket; a record that is cut is
        // reported at once.
        if !matches!(text.trim_ascii_end().last(), Some(b'{' | b'[')) {
            return LineUse::Record;
        }
        self.open.read(line);
        if self.open.string {
            return LineUse::Record;
        }
        self.phase = OpeningPhase::Joins;
        self.offset = offset;
        self.add(line);
        LineUse::Skip
    }

    fn join(&mut self, line: Option<&[u8]>, offset: u64, max: usize) -> LineUse {
        let Some(line) = line else {
            self.too_long = Some(offset);
            self.split();
            return LineUse::Skip;
        };
        let fits = self.text.0.len() + line.len() <= max;
        let goes_on = fits && self.open.goes_on(line);
        self.add(line);
        if goes_on {
            self.open.read(line);
        }
        if !goes_on || self.open.string {
            self.split();
            return LineUse::Skip;
        }
        if self.open.depth > 0 {
            return LineUse::Skip;
        }
        self.phase = OpeningPhase::Over;
        self.whole = true;
        LineUse::Whole
    }

    fn add(&mut self, line: &[u8]) {
        self.text.0.extend_from_slice(line);
        self.text.0.push(b'\n');
    }

    fn split(&mut self) {
        self.phase = OpeningPhase::Splits;
        self.open = OpenBrackets::default();
    }

    /// The stream has ended: a value that is incomplete is given line by line.
    pub(crate) fn end(&mut self) {
        if self.phase == OpeningPhase::Joins {
            self.split();
        }
    }

    /// Are there lines to be given one by one?
    pub(crate) fn waits(&self) -> bool {
        self.phase == OpeningPhase::Splits
    }

    /// The next of them: its range in [`Opening::text`], `None` for one that was too long, and the
    /// offset of its first byte in the stream.
    pub(crate) fn next(&mut self) -> Option<(Option<Range<usize>>, u64)> {
        while self.phase == OpeningPhase::Splits {
            let start = usize::try_from(self.given).unwrap_or(usize::MAX);
            let rest = self.text.0.get(start..).unwrap_or_default();
            if let Some(length) = memchr::memchr(b'\n', rest) {
                let blank = rest.get(..length).is_none_or(|line| line.trim_ascii().is_empty());
                self.given += length as u64 + 1;
                if !blank {
                    return Some((Some(start..start + length), self.offset + start as u64));
                }
                continue;
            }
            let too_long = self.too_long;
            *self = Opening { phase: OpeningPhase::Over, ..Opening::default() };
            return too_long.map(|offset| (None, offset));
        }
        None
    }

    /// The lines that are held.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text.0
    }

    /// The offset of their first byte in the stream.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Forgets the record that was given last.
    pub(crate) fn settle(&mut self) {
        if self.whole {
            *self = Opening { phase: self.phase, ..Opening::default() };
        }
    }
}
