//! How a stream of lines opens: a provider refuses with one JSON value over several lines, a proxy
//! with a page. After the first record every line is a record.

use super::lines::Held;
use crate::json::saved::{state, state_choice};
use crate::wire::foreign::Foreign;
use std::ops::Range;

/// What is done with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is a record.
    Record,
    /// It is none by itself.
    Skip,
    /// With the lines before it, it is a record: [`Opening::text`].
    Whole,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// No line that could be a record has come.
    #[default]
    Before,
    /// A value goes on over several lines.
    Joins,
    /// It did not: its lines are records, one by one.
    Splits,
    /// Every line is a record.
    Over,
    /// Nothing that comes is a record: it is a page, or compressed.
    Foreign,
}

state_choice!(Phase { Before, Joins, Splits, Over, Foreign });

/// The state between two lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Opening {
    phase: Phase,
    /// The lines that are joined, with their ends.
    text: Held,
    /// The first byte of them in the stream.
    offset: u64,
    /// How many of them were given one by one.
    given: u64,
    /// A line that followed them was too long, and began here.
    too_long: Option<u64>,
    open: Open,
    /// `text` was given as a whole and is to be emptied.
    whole: bool,
}

state!(Opening { phase, text, offset, given, too_long, open });

/// What of a JSON text is open.
#[derive(Clone, Debug, Default, PartialEq)]
struct Open {
    /// Objects and arrays.
    depth: u64,
    string: bool,
    escape: bool,
    /// The last byte that is no white space.
    last: u64,
}

state!(Open { depth, string, escape, last });

impl Open {
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

    /// May a line follow that begins like this one?
    fn goes_on(&self, line: &[u8]) -> bool {
        let begins = line.trim_ascii_start().first() == Some(&b'{');
        !begins || b"[,:".iter().any(|byte| u64::from(*byte) == self.last)
    }
}

impl Opening {
    /// Takes the next line, `None` where it was longer than `max` bytes.
    pub(crate) fn step(&mut self, line: Option<&[u8]>, offset: u64, max: usize) -> Step {
        let blank = line.is_some_and(|line| line.trim_ascii().is_empty());
        match self.phase {
            Phase::Joins => return self.join(line, offset, max),
            Phase::Foreign => return Step::Skip,
            _ if blank => return Step::Skip,
            Phase::Over | Phase::Splits => return Step::Record,
            Phase::Before => {}
        }
        let line = line.unwrap_or_default();
        let text = line.trim_ascii_start();
        if Foreign::of(text).is_some_and(|foreign| foreign.is_all(text)) {
            self.phase = Phase::Foreign;
            return Step::Record;
        }
        if !matches!(text.first(), Some(b'{' | b'[')) {
            return Step::Record;
        }
        self.phase = Phase::Over;
        // Whoever breaks lines does so behind a bracket; a record that is cut is said at once.
        if !matches!(text.trim_ascii_end().last(), Some(b'{' | b'[')) {
            return Step::Record;
        }
        self.open.read(line);
        if self.open.string {
            return Step::Record;
        }
        self.phase = Phase::Joins;
        self.offset = offset;
        self.add(line);
        Step::Skip
    }

    fn join(&mut self, line: Option<&[u8]>, offset: u64, max: usize) -> Step {
        let Some(line) = line else {
            self.too_long = Some(offset);
            self.split();
            return Step::Skip;
        };
        let fits = self.text.0.len() + line.len() <= max;
        let goes_on = fits && self.open.goes_on(line);
        self.add(line);
        if goes_on {
            self.open.read(line);
        }
        if !goes_on || self.open.string {
            self.split();
            return Step::Skip;
        }
        if self.open.depth > 0 {
            return Step::Skip;
        }
        self.phase = Phase::Over;
        self.whole = true;
        Step::Whole
    }

    fn add(&mut self, line: &[u8]) {
        self.text.0.extend_from_slice(line);
        self.text.0.push(b'\n');
    }

    fn split(&mut self) {
        self.phase = Phase::Splits;
        self.open = Open::default();
    }

    /// Nothing more comes: what is not whole is lines.
    pub(crate) fn end(&mut self) {
        if self.phase == Phase::Joins {
            self.split();
        }
    }

    /// Lines wait to be given one by one.
    pub(crate) fn waits(&self) -> bool {
        self.phase == Phase::Splits
    }

    /// The next of them: where it stands in [`Opening::text`], `None` for one that was too long,
    /// and its first byte in the stream.
    pub(crate) fn next(&mut self) -> Option<(Option<Range<usize>>, u64)> {
        while self.phase == Phase::Splits {
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
            *self = Opening { phase: Phase::Over, ..Opening::default() };
            return too_long.map(|offset| (None, offset));
        }
        None
    }

    /// The lines that are held.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text.0
    }

    /// Their first byte in the stream.
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
