//! NDJSON: one record a line. Blank lines are no records.

use super::Frame;
use super::lines::{Ends, Line, Lines, Place};
use crate::model::state::state;

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NdJson {
    lines: Lines,
}

state!(NdJson { lines });

impl NdJson {
    pub(super) fn new(lines: Lines) -> NdJson {
        NdJson { lines }
    }

    /// The next record from `at` on, which is moved behind it; `None` where the chunk is used up.
    /// A record longer than `max` bytes comes as one that is too long, without its bytes.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        let line = loop {
            let line = self.lines.next(chunk, at, Ends::Lf, max)?;
            if !self.text(&line, chunk).is_some_and(|t| t.trim_ascii().is_empty()) {
                break line;
            }
        };
        Some(self.frame(line, chunk))
    }

    /// The last record, which lacks the end of its line.
    pub fn finish(&mut self) -> Option<Frame<'_>> {
        let line = self.lines.finish()?;
        if self.text(&line, &[]).is_some_and(|t| t.trim_ascii().is_empty()) {
            return None;
        }
        Some(self.frame(line, &[]))
    }

    pub(super) fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }

    fn text<'a>(&'a self, line: &Line, chunk: &'a [u8]) -> Option<&'a [u8]> {
        match &line.place {
            Place::Chunk(range) => chunk.get(range.clone()),
            Place::Held => Some(self.lines.held()),
            Place::TooLong => None,
        }
    }

    fn frame<'a>(&'a self, line: Line, chunk: &'a [u8]) -> Frame<'a> {
        let Some(text) = self.text(&line, chunk) else {
            return Frame { event: "", data: &[], offset: line.offset, too_long: true };
        };
        let data = text.trim_ascii_start();
        let offset = line.offset + (text.len() - data.len()) as u64;
        Frame { event: "", data: data.trim_ascii_end(), offset, too_long: false }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
#[path = "ndjson_tests.rs"]
mod tests;
