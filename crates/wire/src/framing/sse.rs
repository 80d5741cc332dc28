//! Server-sent events, as defined by the WHATWG's HTML standard (§9.2.6): lines end with LF, CR or
//! CRLF; the `data` lines of one event are joined by LF; a blank line ends the event. Fields
//! without a meaning here (`id`, `retry`, unknown ones) and comments are skipped.
//!
//! Servers that end each event with one newline are read as well: a `data` line after data that is whole begins
//! another record. A line `error: {…}` is a record of its own.

use super::frame::{Frame, FrameFault};
use super::line_ahead::LineAhead;
use super::lines::{HeldBytes, LinePlace, Lines};
use crate::json_scan::JsonScan;
use apex_parts_json::saved::state;
use apex_parts_json::utf8::to_text;
use std::ops::Range;

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sse {
    lines: Lines,
    /// The event's type.
    event: String,
    /// Its data, except for a single line that lies within the chunk.
    data: HeldBytes,
    /// The number of its data lines.
    count: u64,
    /// The offset of the first byte of its data.
    offset: u64,
    /// It is longer than the limit.
    too_long: bool,
    /// How far its data are, once there is a second line of them.
    scan: JsonScan,
    /// The type of the next event, if it came after data.
    next_event: Option<String>,
    /// The data line that begins the next event, if there is one, and the offset of its first byte.
    next: HeldBytes,
    has_next: bool,
    next_offset: u64,
    /// The event was given.
    given: bool,
}

state!(Sse {
    lines,
    event,
    data,
    count,
    offset,
    too_long,
    scan,
    next_event,
    next,
    has_next,
    next_offset
} skip { given: "`settle` comes before a save" });

impl Sse {
    pub(crate) fn new(lines: Lines) -> Sse {
        Sse { lines, ..Sse::default() }
    }

    /// The next event from `at` on, which is moved after it; `None` if the chunk is used up. An
    /// event longer than `max` bytes is given as too long, without its data.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        self.settle();
        // The only data line so far, if it lies in this chunk: it need not be copied.
        let mut only = None;
        loop {
            let Some(line) = self.lines.next(chunk, at, max) else {
                self.copy(chunk, &mut only);
                return None;
            };
            if self.take_line(line.place, line.offset, chunk, &mut only, max) {
                break;
            }
        }
        Some(self.frame(chunk, only))
    }

    /// The last event, which lacks its blank line. (The standard would drop it.)
    pub fn finish(&mut self, max: usize) -> Option<Frame<'_>> {
        self.settle();
        let ended = match self.lines.finish() {
            Some(line) => self.take_line(line.place, line.offset, &[], &mut None, max),
            None => false,
        };
        if self.count == 0 && !self.too_long {
            return None;
        }
        // As at a blank line: a name that comes after the data is that of the event.
        if !ended && let Some(event) = self.next_event.take() {
            self.event = event;
        }
        Some(self.frame(&[], None))
    }

    /// The data of the next event, if they are one line and the whole event lies in the chunk. A caller
    /// that can read them skips the event with [`Sse::skip_line`].
    #[inline(never)]
    pub(crate) fn line<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: usize,
        max: usize,
    ) -> Option<LineAhead<'a>> {
        self.settle();
        if self.count > 0 || self.too_long || !self.lines.is_between() {
            return None;
        }
        let mut from = at;
        let mut event = self.event.as_str();
        if let Some(name) = chunk.get(from..)?.strip_prefix(b"event: ") {
            let end = end_of_line(name).filter(|end| *end <= max)?;
            event = std::str::from_utf8(name.get(..end)?).ok()?;
            from += b"event: ".len() + end + 1;
        }
        let data = chunk.get(from..)?.strip_prefix(b"data: ")?;
        let end = end_of_line(data).filter(|end| b"data: ".len() + end <= max)?;
        if data.get(end + 1) != Some(&b'\n') {
            return None;
        }
        from += b"data: ".len();
        let offset = self.lines.consumed() + (from - at) as u64;
        Some(LineAhead { event, text: data.get(..end)?, offset, used: from + end + 2 - at })
    }

    /// Skips the event that was offered, which takes this many bytes of the chunk.
    #[inline(always)]
    pub(crate) fn skip_line(&mut self, used: usize) {
        self.event.clear();
        self.lines.skip(used);
    }

    pub(crate) fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }

    /// Forgets the event that was given last.
    pub(crate) fn settle(&mut self) {
        self.lines.settle();
        if self.given {
            self.given = false;
            self.data.clear();
            (self.count, self.offset) = (0, 0);
            self.too_long = false;
            self.event = self.next_event.take().unwrap_or_default();
            self.scan = JsonScan::default();
            if std::mem::take(&mut self.has_next) {
                std::mem::swap(&mut self.data, &mut self.next);
                (self.count, self.offset) = (1, self.next_offset);
            }
        }
    }

    /// Takes a line; true if it ends an event that has data.
    fn take_line(
        &mut self,
        place: LinePlace,
        offset: u64,
        chunk: &[u8],
        only: &mut Option<Range<usize>>,
        max: usize,
    ) -> bool {
        let (line, within) = match place {
            LinePlace::Chunk(range) => {
                (chunk.get(range.clone()).unwrap_or_default(), Some(range.start))
            }
            LinePlace::Held => (self.lines.held(), None),
            LinePlace::TooLong => {
                if self.count == 0 {
                    self.offset = offset;
                }
                self.too_long = true;
                return false;
            }
        };
        if line.is_empty() {
            if self.count > 0 || self.too_long {
                if let Some(event) = self.next_event.take() {
                    self.event = event;
                }
                return true;
            }
            self.event.clear();
            return false;
        }
        // Not by memchr: names are short.
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, from) = match colon {
            Some(colon) => {
                let space = line.get(colon + 1) == Some(&b' ');
                (line.get(..colon).unwrap_or_default(), colon + 1 + usize::from(space))
            }
            None => (line, line.len()),
        };
        match name {
            b"data" if self.count == 0 => {
                self.count = 1;
                if !self.too_long {
                    self.offset = offset + from as u64;
                }
                match within {
                    Some(start) => *only = Some(start + from..start + line.len()),
                    None => self.data.0.extend_from_slice(line.get(from..).unwrap_or_default()),
                }
            }
            b"data" | b"error" => {
                let more = line.get(from..).unwrap_or_default();
                let is_error = name == b"error";
                if is_error && more.trim_ascii_start().first() != Some(&b'{') {
                    return false;
                }
                let first = only.clone().and_then(|range| chunk.get(range)).unwrap_or_default();
                if self.count == 1 {
                    self.scan = JsonScan::default();
                    self.scan.read(&self.data.0);
                    self.scan.read(first);
                }
                let text = if first.is_empty() { &self.data.0 } else { first };
                let is_whole = self.scan.is_object() || text.trim_ascii() == b"[DONE]";
                if self.count > 0 && is_whole && !self.too_long {
                    let held = &mut self.next.0;
                    put_line(held, more, is_error);
                    (self.has_next, self.next_offset) = (true, offset + from as u64);
                    return true;
                }
                if is_error {
                    if self.count == 0 {
                        put_line(&mut self.data.0, more, true);
                        (self.count, self.offset) = (1, offset + from as u64);
                    }
                    return false;
                }
                self.count += 1;
                if first.len() + self.data.0.len() + 1 + more.len() > max {
                    self.too_long = true;
                    self.data.clear();
                } else {
                    self.scan.read(more);
                    self.data.0.extend_from_slice(first);
                    self.data.0.push(b'\n');
                    self.data.0.extend_from_slice(more);
                }
                *only = None;
            }
            b"event" => {
                let name = to_text(line.get(from..).unwrap_or_default());
                if self.count > 0 {
                    self.next_event = Some(name.into_owned());
                } else {
                    self.event.clear();
                    self.event.push_str(&name);
                }
            }
            _ => {}
        }
        false
    }

    fn copy(&mut self, chunk: &[u8], only: &mut Option<Range<usize>>) {
        if let Some(line) = only.take().and_then(|range| chunk.get(range)) {
            self.data.0.extend_from_slice(line);
        }
    }

    fn frame<'a>(&'a mut self, chunk: &'a [u8], only: Option<Range<usize>>) -> Frame<'a> {
        self.given = true;
        let data = match only {
            _ if self.too_long => &[],
            Some(range) => chunk.get(range).unwrap_or_default(),
            None => &self.data.0,
        };
        Frame {
            event: &self.event,
            data,
            offset: self.offset,
            fault: self.too_long.then_some(FrameFault::TooLong),
        }
    }
}

/// Where the line ends that these bytes begin with, if LF alone ends it.
fn end_of_line(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'\n', b'\r', bytes)?;
    (bytes.get(end) == Some(&b'\n')).then_some(end)
}

/// Puts a line into the data of an event, an error as the record that it stands for.
fn put_line(data: &mut Vec<u8>, line: &[u8], is_error: bool) {
    data.clear();
    let (head, tail): (&[u8], &[u8]) = if is_error { (b"{\"error\":", b"}") } else { (b"", b"") };
    for part in [head, line, tail] {
        data.extend_from_slice(part);
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
