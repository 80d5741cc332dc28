//! JSON values one after another: with a newline, blanks or nothing between them, or as the elements of an array. A
//! value may span lines. What cannot be JSON is a record up to the end of its first line, and what follows is read
//! again from there.

use super::frame::{Frame, FrameFault};
use super::line_ahead::LineAhead;
use super::lines::HeldBytes;
use super::value_scan::{Scanned, ValueScan};
use crate::foreign::Foreign;
use apex_parts_json::saved::{state, state_choice};
use std::ops::Range;

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ValuesPhase {
    /// Nothing: it stands between values.
    #[default]
    Between,
    /// A bracket: what follows it shows whether an array begins, or a line such as `[DONE]`.
    Bracket,
    /// A value.
    Value,
    /// A line that is not JSON.
    Line,
    /// A page, or compressed bytes: nothing else is a record.
    Foreign,
}

state_choice!(ValuesPhase { Between, Bracket, Value, Line, Foreign });

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonValues {
    phase: ValuesPhase,
    scan: ValueScan,
    /// An array is open, whose elements are the records.
    array: bool,
    /// A record was given.
    begun: bool,
    /// The beginning of a record whose end has not arrived.
    held: HeldBytes,
    /// The number of its bytes, which are not held if they are too many.
    length: u64,
    /// The offset of the next byte in the stream.
    position: u64,
    /// Bytes that are to be read before those of the next chunk.
    again: HeldBytes,
    /// `held` was given as a record and is to be emptied.
    given: bool,
    /// How many bytes of `again` were read.
    read: u64,
    /// How many bytes at the end of `held` are those of a line that was offered.
    offered: usize,
}

state!(JsonValues { phase, scan, array, begun, held, length, position, again, read } skip {
    given: "`settle` comes before a save",
    offered: "`settle` comes before a save",
});

/// A record that was found: its bytes in those that were read, or in `held`, and its offset in the stream.
struct FoundValue {
    range: Option<Range<usize>>,
    offset: u64,
    too_long: bool,
}

fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl JsonValues {
    /// The values of a stream of which `consumed` bytes were read elsewhere; the last of them, `head`,
    /// are read again.
    pub(crate) fn after(consumed: u64, head: Vec<u8>) -> JsonValues {
        let position = consumed.saturating_sub(head.len() as u64);
        JsonValues { position, again: HeldBytes(head), ..JsonValues::default() }
    }

    /// The next record from `at` on, which is moved after it; `None` if the chunk is used up. A
    /// record longer than `max` bytes is given as too long, without its bytes.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        self.settle();
        loop {
            while self.waits() {
                let again = std::mem::take(&mut self.again);
                let mut read = place(self.read);
                let found = self.step(&again.0, &mut read, max);
                self.put_before(again, read);
                if let Some(found) = found {
                    return Some(self.frame(found, None));
                }
                self.settle();
            }
            let found = self.step(chunk, at, max);
            if let Some(found) = found {
                return Some(self.frame(found, Some(chunk)));
            }
            if !self.waits() {
                return None;
            }
        }
    }

    /// The last records, when no more bytes follow; call it until it gives `None`.
    pub fn finish(&mut self, max: usize) -> Option<Frame<'_>> {
        self.settle();
        loop {
            while self.waits() {
                let again = std::mem::take(&mut self.again);
                let mut read = place(self.read);
                let found = self.step(&again.0, &mut read, max);
                self.put_before(again, read);
                if let Some(found) = found {
                    return Some(self.frame(found, None));
                }
                self.settle();
            }
            match self.phase {
                ValuesPhase::Value if self.length <= max as u64 => self.begin_again(&[]),
                ValuesPhase::Value | ValuesPhase::Line => {
                    let found = self.end_of_line(None, max)?;
                    return Some(self.frame(found, None));
                }
                ValuesPhase::Between | ValuesPhase::Bracket | ValuesPhase::Foreign => {
                    return None;
                }
            }
        }
    }

    /// A line that ends in the chunk and that no other record stands before; the value that it begins
    /// with may have begun in an earlier chunk. A caller that can read it whole skips it with
    /// [`JsonValues::skip_line`].
    #[inline(always)]
    pub(crate) fn line<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: usize,
        max: usize,
    ) -> Option<LineAhead<'a>> {
        self.settle();
        if self.array || !self.again.0.is_empty() {
            return None;
        }
        let rest = chunk.get(at..)?;
        let end = memchr::memchr(b'\n', rest)?;
        let text = rest.get(..end).filter(|text| text.len() <= max)?;
        match self.phase {
            ValuesPhase::Between => {
                Some(LineAhead { event: "", text, offset: self.position, used: end + 1 })
            }
            ValuesPhase::Value => self.continued(text, max),
            _ => None,
        }
    }

    /// The line of the value that is held, which ends with these bytes.
    #[inline(never)]
    fn continued(&mut self, rest: &[u8], max: usize) -> Option<LineAhead<'_>> {
        let is_held = self.held.0.len() as u64 == self.length;
        if !is_held || self.held.0.len() + rest.len() > max {
            return None;
        }
        self.held.0.extend_from_slice(rest);
        self.offered = rest.len();
        let offset = self.position - self.length;
        Some(LineAhead { event: "", text: &self.held.0, offset, used: rest.len() + 1 })
    }

    /// Skips the line that was offered, which takes this many bytes of the chunk.
    #[inline(always)]
    pub(crate) fn skip_line(&mut self, used: usize) {
        self.position += used as u64;
        self.begun = true;
        if self.phase == ValuesPhase::Value {
            self.held.clear();
            (self.length, self.offered) = (0, 0);
            self.scan = ValueScan::default();
            self.phase = ValuesPhase::Between;
        }
    }

    /// Are there bytes that are to be read again?
    pub(crate) fn waits(&self) -> bool {
        self.read < self.again.0.len() as u64
    }

    /// Is an array open whose elements are the records?
    pub(crate) fn is_in_array(&self) -> bool {
        self.array
    }

    /// The number of bytes of the stream that were taken.
    pub(crate) fn consumed(&self) -> u64 {
        self.position + (self.again.0.len() as u64).saturating_sub(self.read)
    }

    pub(crate) fn settle(&mut self) {
        if self.offered > 0 {
            self.held.0.truncate(self.held.0.len() - self.offered);
            self.offered = 0;
        }
        if self.given {
            self.given = false;
            self.held.clear();
        }
        if self.read > 0 && !self.waits() {
            self.again.clear();
            self.read = 0;
        }
    }

    /// Puts bytes back of which some were read; what was found to begin again goes before the rest.
    fn put_before(&mut self, mut bytes: HeldBytes, read: usize) {
        if self.again.0.is_empty() {
            self.again = bytes;
            self.read = read as u64;
        } else {
            self.again.0.extend(bytes.0.drain(read..));
        }
    }

    /// Reads bytes until a record has ended.
    fn step(&mut self, bytes: &[u8], at: &mut usize, max: usize) -> Option<FoundValue> {
        let mut start = *at;
        loop {
            match self.phase {
                ValuesPhase::Foreign => {
                    self.position += (bytes.len() - *at) as u64;
                    *at = bytes.len();
                    return None;
                }
                ValuesPhase::Between => {
                    let byte = bytes.get(*at)?;
                    match byte {
                        b'{' => self.phase = ValuesPhase::Value,
                        b'[' if self.array => self.phase = ValuesPhase::Value,
                        b' ' | b'\t' | b'\r' | b'\n' => self.skip(at),
                        b'[' => {
                            self.phase = ValuesPhase::Bracket;
                            self.hold(b"[", max);
                            *at += 1;
                        }
                        b',' if self.array => self.skip(at),
                        b']' if self.array => {
                            self.array = false;
                            self.skip(at);
                        }
                        _ => self.phase = ValuesPhase::Line,
                    }
                    start = *at;
                }
                ValuesPhase::Bracket => {
                    let byte = bytes.get(*at)?;
                    start = *at;
                    if byte.is_ascii_uppercase() {
                        self.phase = ValuesPhase::Line;
                        continue;
                    }
                    self.held.clear();
                    self.length = 0;
                    (self.phase, self.array) = (ValuesPhase::Between, true);
                }
                ValuesPhase::Value => match self.scan.read(bytes, *at) {
                    Scanned::On => {
                        self.hold(bytes.get(*at..).unwrap_or_default(), max);
                        *at = bytes.len();
                        return None;
                    }
                    Scanned::End(end) => {
                        let more = (end - *at) as u64;
                        let length = self.length + more;
                        let offset = self.position - self.length;
                        let whole = self.length == 0;
                        if !whole {
                            self.hold(bytes.get(*at..end).unwrap_or_default(), max);
                        } else {
                            self.position += more;
                        }
                        *at = end;
                        self.length = 0;
                        (self.phase, self.begun) = (ValuesPhase::Between, true);
                        // The end of its line, so that a line begins here.
                        while matches!(bytes.get(*at), Some(b'\r' | b'\n')) {
                            self.skip(at);
                        }
                        let range = whole.then_some(start..end);
                        return Some(FoundValue { range, offset, too_long: length > max as u64 });
                    }
                    Scanned::Broken(end) => {
                        let length = self.length + (end - *at) as u64;
                        let part = bytes.get(*at..end).unwrap_or_default();
                        *at = end;
                        if length > max as u64 {
                            // Its first line is not there any more.
                            self.hold(part, max);
                            self.scan = ValueScan::default();
                            self.phase = ValuesPhase::Line;
                            start = *at;
                            if part.last() == Some(&b'\n') {
                                return self.end_of_line(None, max);
                            }
                            continue;
                        }
                        self.position += part.len() as u64;
                        self.length += part.len() as u64;
                        self.begin_again(part);
                        return None;
                    }
                },
                ValuesPhase::Line => {
                    let rest = bytes.get(*at..).unwrap_or_default();
                    let end = match self.array {
                        true => memchr::memchr3(b'\n', b',', b']', rest),
                        false => memchr::memchr(b'\n', rest),
                    };
                    let Some(end) = end else {
                        self.hold(rest, max);
                        *at = bytes.len();
                        return None;
                    };
                    let whole = self.length == 0;
                    self.hold_unless(whole, rest.get(..end).unwrap_or_default(), max);
                    *at += end;
                    let range = whole.then_some(start..*at);
                    let line = range.clone().and_then(|range| bytes.get(range));
                    let found = self.end_of_line(line, max);
                    // The newline, or the mark in the array, is read between values.
                    if let Some(found) = found {
                        return Some(FoundValue { range, ..found });
                    }
                    start = *at;
                }
            }
        }
    }

    fn skip(&mut self, at: &mut usize) {
        *at += 1;
        self.position += 1;
    }

    /// Counts bytes of a line that lies in the bytes that are read, or holds them.
    fn hold_unless(&mut self, whole: bool, bytes: &[u8], max: usize) {
        if whole {
            (self.position, self.length) =
                (self.position + bytes.len() as u64, self.length + bytes.len() as u64);
        } else {
            self.hold(bytes, max);
        }
    }

    /// Holds more bytes of a record, unless it is too long.
    fn hold(&mut self, bytes: &[u8], max: usize) {
        self.position += bytes.len() as u64;
        self.length += bytes.len() as u64;
        if self.length > max as u64 {
            self.held.clear();
        } else {
            self.held.0.extend_from_slice(bytes);
        }
    }

    /// The value is not JSON: its first line is a record, and the rest is read again. `more` are bytes
    /// of it that are not held.
    fn begin_again(&mut self, more: &[u8]) {
        self.scan = ValueScan::default();
        self.phase = ValuesPhase::Line;
        self.position -= self.length;
        self.length = 0;
        self.again = std::mem::take(&mut self.held);
        self.again.0.extend_from_slice(more);
        self.read = 0;
    }

    /// A line has ended, which is held unless it is given here; `None` if it is blank.
    fn end_of_line(&mut self, line: Option<&[u8]>, max: usize) -> Option<FoundValue> {
        self.phase = ValuesPhase::Between;
        let length = std::mem::take(&mut self.length);
        let offset = self.position - length;
        let too_long = length > max as u64;
        let text = line.unwrap_or(&self.held.0).trim_ascii();
        if text.is_empty() && !too_long {
            self.held.clear();
            return None;
        }
        let begun = std::mem::replace(&mut self.begun, true);
        // One that is too long is not there any more, or only by chance.
        if !begun && !too_long && Foreign::detect(text).is_some_and(|foreign| foreign.is_all(text))
        {
            self.phase = ValuesPhase::Foreign;
        }
        Some(FoundValue { range: None, offset, too_long })
    }

    fn frame<'a>(&'a mut self, found: FoundValue, chunk: Option<&'a [u8]>) -> Frame<'a> {
        let FoundValue { range, offset, too_long } = found;
        self.given |= range.is_none();
        if too_long {
            return Frame { event: "", data: &[], offset, fault: Some(FrameFault::TooLong) };
        }
        let text = match (range, chunk) {
            (Some(range), Some(chunk)) => chunk.get(range).unwrap_or_default(),
            (Some(range), None) => self.again.0.get(range).unwrap_or_default(),
            (None, _) => &self.held.0,
        };
        let data = text.trim_ascii_start();
        let offset = offset + (text.len() - data.len()) as u64;
        Frame { event: "", data: data.trim_ascii_end(), offset, fault: None }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
