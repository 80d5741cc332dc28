//! NDJSON: one record a line. Blank lines are not records. The first record may be a JSON value of
//! several lines.

use super::frame::Frame;
use super::lines::{Ends, Line, LinePlace, Lines};
use super::opening::{LineUse, Opening};
use apex_parts_json::saved::state;

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NdJson {
    lines: Lines,
    opening: Opening,
}

state!(NdJson { lines, opening });

#[inline(always)]
fn text_of<'a>(lines: &'a Lines, line: &Line, chunk: &'a [u8]) -> Option<&'a [u8]> {
    match &line.place {
        LinePlace::Chunk(range) => chunk.get(range.clone()),
        LinePlace::Held => Some(lines.held()),
        LinePlace::TooLong => None,
    }
}

/// A record that begins at `offset` in the stream; `None` is one that is too long.
fn frame(text: Option<&[u8]>, offset: u64) -> Frame<'_> {
    let Some(text) = text else {
        return Frame { event: "", data: &[], offset, too_long: true };
    };
    let data = text.trim_ascii_start();
    let offset = offset + (text.len() - data.len()) as u64;
    Frame { event: "", data: data.trim_ascii_end(), offset, too_long: false }
}

impl NdJson {
    pub(crate) fn new(lines: Lines) -> NdJson {
        NdJson { lines, opening: Opening::default() }
    }

    /// The next record from `at` on, which is moved after it; `None` if the chunk is used up. A
    /// record longer than `max` bytes is given as too long, without its bytes.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        self.opening.settle();
        loop {
            if let Some((range, offset)) = self.opening.next() {
                return Some(self.waiting(range, offset));
            }
            let line = self.lines.next(chunk, at, Ends::Lf, max)?;
            match self.step(&line, chunk, max) {
                LineUse::Skip => {}
                LineUse::Record => {
                    return Some(frame(text_of(&self.lines, &line, chunk), line.offset));
                }
                LineUse::Whole => {
                    return Some(frame(Some(self.opening.text()), self.opening.offset()));
                }
            }
        }
    }

    /// The last records, which lack the end of their line; call it until it gives `None`.
    pub fn finish(&mut self, max: usize) -> Option<Frame<'_>> {
        self.opening.settle();
        loop {
            if let Some((range, offset)) = self.opening.next() {
                return Some(self.waiting(range, offset));
            }
            let line = self.lines.finish();
            let step = line.as_ref().map(|line| self.step(line, &[], max));
            match (step, line) {
                (Some(LineUse::Record), Some(line)) => {
                    return Some(frame(text_of(&self.lines, &line, &[]), line.offset));
                }
                (Some(LineUse::Whole), _) => {
                    return Some(frame(Some(self.opening.text()), self.opening.offset()));
                }
                _ => {
                    self.opening.end();
                    if !self.opening.waits() {
                        return None;
                    }
                }
            }
        }
    }

    /// Are there records that need no more bytes?
    pub(crate) fn waits(&self) -> bool {
        self.opening.waits()
    }

    pub(crate) fn consumed(&self) -> u64 {
        self.lines.consumed()
    }

    pub(crate) fn settle(&mut self) {
        self.lines.settle();
        self.opening.settle();
    }

    fn step(&mut self, line: &Line, chunk: &[u8], max: usize) -> LineUse {
        self.opening.step(text_of(&self.lines, line, chunk), line.offset, max)
    }

    #[inline(always)]
    fn waiting(&self, range: Option<std::ops::Range<usize>>, offset: u64) -> Frame<'_> {
        frame(range.and_then(|range| self.opening.text().get(range)), offset)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
