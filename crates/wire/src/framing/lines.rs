//! Lines out of chunks, which end with LF, CR or CRLF: the boundaries of the chunks do not matter. A line that lies within one
//! chunk is not copied.

use apex_parts_json::saved;
use apex_parts_json::saved::{Saved, state};
use serde_json::{Map, Value};
use std::ops::Range;

/// Bytes that wait for the rest of their line. In a snapshot they are text as far as they are
/// UTF-8; the bytes after that (usually half a character) are saved one character each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldBytes(pub Vec<u8>);

impl Saved for HeldBytes {
    fn save(&self) -> Value {
        let text = match std::str::from_utf8(&self.0) {
            Ok(text) => text,
            Err(error) => {
                let valid = self.0.get(..error.valid_up_to()).unwrap_or_default();
                std::str::from_utf8(valid).unwrap_or_default()
            }
        };
        let rest: String = self.0.iter().skip(text.len()).map(|byte| char::from(*byte)).collect();
        let mut map = Map::new();
        saved::put(&mut map, "text", text.to_owned().save());
        saved::put(&mut map, "bytes", rest.save());
        saved::object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let (mut text, mut rest) = (String::new(), String::new());
        let fields: &mut [&mut dyn Saved] = &mut [&mut text, &mut rest];
        let loaded = saved::put_back_fields(saved, &["text", "bytes"], fields);
        self.0 = text.into_bytes();
        loaded && rest.chars().all(|byte| u8::try_from(byte).map(|byte| self.0.push(byte)).is_ok())
    }
}

impl HeldBytes {
    /// Empties it and frees a large buffer: a single long line must not cost its memory forever.
    pub(crate) fn clear(&mut self) {
        const KEEP: usize = 1 << 16;
        if self.0.capacity() > KEEP {
            self.0 = Vec::new();
        } else {
            self.0.clear();
        }
    }
}

/// Where the bytes of a line are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinePlace {
    /// In the chunk.
    Chunk(Range<usize>),
    /// In [`Lines::held`], until the next call.
    Held,
    /// Nowhere: it was longer than the limit.
    TooLong,
}

/// A line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) place: LinePlace,
    /// The offset of its first byte in the stream.
    pub(crate) offset: u64,
}

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lines {
    /// The beginning of a line whose end has not arrived.
    held: HeldBytes,
    /// The offset of its first byte in the stream.
    start: u64,
    /// The number of bytes of the stream that were taken.
    consumed: u64,
    /// The line is too long: its rest is dropped.
    skipping: bool,
    /// The last chunk ended with a CR: an LF that follows belongs to it.
    after_cr: bool,
    /// `held` was given as a line and is to be emptied.
    given: bool,
}

state!(Lines { held, start, consumed, skipping, after_cr } skip { given: "`settle` comes before a save" });

impl Lines {
    /// Lines of a stream of which `consumed` bytes were read elsewhere; the last of them, `held`,
    /// begin the first line.
    pub(crate) fn after(consumed: u64, held: Vec<u8>) -> Lines {
        let start = consumed.saturating_sub(held.len() as u64);
        Lines { held: HeldBytes(held), start, consumed, ..Lines::default() }
    }

    /// The next line, from `at` on, which is moved after it; `None` if the chunk is used up.
    pub(crate) fn next(&mut self, chunk: &[u8], at: &mut usize, max: usize) -> Option<Line> {
        self.settle();
        if self.after_cr && *at < chunk.len() {
            self.after_cr = false;
            if chunk.get(*at) == Some(&b'\n') {
                *at += 1;
                self.consumed += 1;
            }
        }
        let rest = chunk.get(*at..).unwrap_or_default();
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest);
        let empty = self.held.0.is_empty() && !self.skipping;
        if empty {
            self.start = self.consumed;
        }
        let Some(length) = end else {
            self.hold(rest, max);
            self.consumed += rest.len() as u64;
            *at = chunk.len();
            return None;
        };
        let line = *at..*at + length;
        let mut used = length + 1;
        if rest.get(length) == Some(&b'\r') {
            match rest.get(used) {
                Some(b'\n') => used += 1,
                Some(_) => {}
                None => self.after_cr = true,
            }
        }
        *at += used;
        self.consumed += used as u64;
        let place = if empty && length <= max {
            LinePlace::Chunk(line)
        } else {
            self.hold(rest.get(..length).unwrap_or_default(), max);
            self.given = true;
            if self.skipping { LinePlace::TooLong } else { LinePlace::Held }
        };
        Some(Line { place, offset: self.start })
    }

    /// The last line, which lacks its end, when no more bytes follow.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        self.settle();
        if self.held.0.is_empty() && !self.skipping {
            return None;
        }
        self.given = true;
        let place = if self.skipping { LinePlace::TooLong } else { LinePlace::Held };
        Some(Line { place, offset: self.start })
    }

    /// The line that was given as [`LinePlace::Held`].
    pub(crate) fn held(&self) -> &[u8] {
        &self.held.0
    }

    /// Does a line begin here?
    pub(crate) fn is_between(&self) -> bool {
        self.held.0.is_empty() && !self.skipping && !self.after_cr
    }

    /// Skips whole lines of this many bytes, the last of them blank.
    pub(crate) fn skip(&mut self, used: usize) {
        self.consumed += used as u64;
        self.start = self.consumed - 1;
    }

    /// The number of bytes of the stream that were taken.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Forgets the line that was given last.
    pub(crate) fn settle(&mut self) {
        if self.given {
            self.given = false;
            self.skipping = false;
            self.held.clear();
        }
    }

    fn hold(&mut self, bytes: &[u8], max: usize) {
        if self.skipping {
        } else if self.held.0.len() + bytes.len() > max {
            self.skipping = true;
            self.held.clear();
        } else {
            self.held.0.extend_from_slice(bytes);
        }
    }
}
