//! From chunks to records: server-sent events, JSON values or a binary event stream, distinguished by the first bytes.

#[cfg(any(feature = "providers", test))]
use super::event_records::EventRecords;
use super::event_stream::PRELUDE;
use super::frame::Frame;
use super::line_ahead::LineAhead;
use super::lines::{HeldBytes, Lines};
#[cfg(not(any(feature = "providers", test)))]
use super::no_event_records::NoEventRecords as EventRecords;
use super::sse::Sse;
use super::values::JsonValues;
use apex_parts_json::saved;
use apex_parts_json::saved::{Saved, state, state_choice};
use serde_json::{Map, Value};

/// The state between two chunks.
#[derive(Clone, Debug, PartialEq)]
pub enum Framing {
    /// The first bytes do not show the framing yet.
    Unknown(StreamHead),
    /// Server-sent events.
    Sse(Sse),
    /// JSON values, mostly one a line.
    Json(JsonValues),
    /// A binary event stream.
    Events(EventRecords),
}

/// The first bytes of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamHead {
    head: HeldBytes,
    consumed: u64,
    /// The head of an HTTP response, as `curl -i` prints it.
    http: HttpHead,
}

state!(StreamHead { head, consumed, http });

/// What has been read of heads of HTTP responses before a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum HttpHead {
    /// Nothing.
    #[default]
    None,
    /// A part of one, which is held.
    Open,
    /// One that is whole: another may follow.
    Whole,
}

state_choice!(HttpHead { None, Open, Whole });

impl Saved for Framing {
    fn save(&self) -> Value {
        let mut map = Map::new();
        let (name, state) = match self {
            Framing::Unknown(start) => ("unknown", start.save()),
            Framing::Sse(sse) => ("sse", sse.save()),
            Framing::Json(values) => ("json", values.save()),
            Framing::Events(events) => ("events", events.save()),
        };
        map.insert(name.to_owned(), state);
        Value::Object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let Some(saved) = saved::fields(saved) else { return false };
        let (name, state) = saved.into_iter().next().unwrap_or_default();
        *self = match name.as_str() {
            "sse" => Framing::Sse(Sse::default()),
            "json" => Framing::Json(JsonValues::default()),
            "events" => match EventRecords::begin(Vec::new()) {
                Some(events) => Framing::Events(events),
                None => return false,
            },
            _ => Framing::default(),
        };
        let state_of: &mut dyn Saved = match self {
            Framing::Unknown(head) => head,
            Framing::Sse(sse) => sse,
            Framing::Json(values) => values,
            Framing::Events(events) => events,
        };
        // No stream is so long: later offsets would overflow.
        state_of.put_back(state) && self.consumed() < 1 << 60
    }
}

impl Default for Framing {
    fn default() -> Self {
        Framing::Unknown(StreamHead::default())
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";
/// No field name of an SSE stream is longer.
const LONGEST_NAME: usize = 64;
/// No head of an HTTP response is longer.
const LONGEST_HEAD: usize = 1 << 16;

/// Is this a line of the head of an HTTP response: its first, or `Name: value`?
fn is_http_line(line: &[u8], is_first: bool) -> bool {
    if is_first {
        return matches!(line, [b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', ..]);
    }
    let name = line.iter().position(|byte| *byte == b':').and_then(|at| line.get(..at));
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    name.is_some_and(|name| !name.is_empty() && name.iter().all(is_name))
}

/// Where the content begins behind the heads of HTTP responses, as `curl -i` prints them before it; 0 without one.
/// `None` if more bytes may belong to them.
#[must_use]
pub fn after_http_heads(bytes: &[u8]) -> Option<usize> {
    let mut content = 0;
    loop {
        let rest = bytes.get(content..).unwrap_or_default();
        // Blank lines may stand before another head.
        let rest = if content == 0 { rest } else { rest.trim_ascii_start() };
        if !rest.starts_with(b"HTTP/") {
            let is_cut = !rest.is_empty() && b"HTTP/".starts_with(rest);
            return if is_cut { None } else { Some(content) };
        }
        let mut at = 0;
        loop {
            let line = rest.get(at..).unwrap_or_default();
            let Some(end) = line.iter().take(LONGEST_HEAD).position(|byte| *byte == b'\n') else {
                return if rest.len() <= LONGEST_HEAD { None } else { Some(content) };
            };
            let line = line.get(..end).unwrap_or_default();
            if matches!(line, b"" | b"\r") {
                content = bytes.len() - rest.len() + at + end + 1;
                break;
            }
            if !is_http_line(line.trim_ascii_end(), at == 0) || at > LONGEST_HEAD {
                return Some(content);
            }
            at += end + 1;
        }
    }
}

impl StreamHead {
    /// Does the next byte follow the word with which an HTTP response begins?
    fn begins_http(&self) -> bool {
        let is_first = self.consumed == self.head.0.len() as u64;
        self.head.0 == b"HTTP" && (is_first || self.http == HttpHead::Whole)
    }

    /// Takes a byte of the head of an HTTP response, which is skipped (W-76); gives the framing if it is none.
    fn take_http(&mut self, byte: u8) -> Option<Framing> {
        let head = &mut self.head.0;
        self.http = HttpHead::Open;
        head.push(byte);
        self.consumed += 1;
        let mut is_head = head.len() <= LONGEST_HEAD;
        if byte == b'\n' {
            let line = head.trim_ascii_end();
            let start = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if head.ends_with(b"\n\n") || head.ends_with(b"\n\r\n") {
                head.clear();
                self.http = HttpHead::Whole;
                return None;
            }
            is_head &= is_http_line(line.get(start..).unwrap_or_default(), start == 0);
        }
        if is_head {
            return None;
        }
        Some(Framing::Json(JsonValues::after(self.consumed, std::mem::take(head))))
    }

    /// Takes a byte, unless it does not count it as consumed; gives the framing once it is clear.
    fn take(&mut self, byte: u8) -> Option<Framing> {
        if self.http == HttpHead::Open || byte == b'/' && self.begins_http() {
            return self.take_http(byte);
        }
        let head = &mut self.head.0;
        let first = self.consumed == head.len() as u64;
        if (BOM.starts_with(head) && BOM.get(head.len()) == Some(&byte)) && first {
            head.push(byte);
            self.consumed += 1;
            if head.as_slice() == BOM {
                head.clear();
            }
            return None;
        }
        // Numbers: the highest byte of a frame's length is 0 or 1, which begins no text.
        if first && matches!(head.first().unwrap_or(&byte), 0 | 1) && head.len() < PRELUDE {
            head.push(byte);
            self.consumed += 1;
            return (head.len() == PRELUDE).then(|| match EventRecords::begin(head.clone()) {
                Some(events) => Framing::Events(events),
                None => Framing::Json(JsonValues::after(self.consumed, std::mem::take(head))),
            });
        }
        let lines = || Lines::after(self.consumed, head.clone());
        let values = || Framing::Json(JsonValues::after(self.consumed, head.clone()));
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        match byte {
            // Leading blanks have no meaning in either.
            b'\r' | b'\n' | b' ' | b'\t' if head.is_empty() => {
                self.consumed += 1;
                None
            }
            // No field has such a name: these are the lines of a data stream (`0:"text"`).
            b':' if matches!(head.as_slice(), [b'0'..=b'9' | b'a'..=b'k']) => Some(values()),
            b':' if head.iter().all(is_name) => Some(Framing::Sse(Sse::new(lines()))),
            // A field name alone in its line is a field without a value.
            b'\r' | b'\n' if matches!(head.as_slice(), b"data" | b"event" | b"id" | b"retry") => {
                Some(Framing::Sse(Sse::new(lines())))
            }
            byte if is_name(&byte) && head.iter().all(is_name) => {
                if head.len() >= LONGEST_NAME {
                    return Some(values());
                }
                head.push(byte);
                self.consumed += 1;
                None
            }
            _ => Some(values()),
        }
    }
}

impl Framing {
    /// The next record from `at` on, which is moved after it; `None` if the chunk is used up.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        while let Framing::Unknown(start) = self {
            let byte = chunk.get(*at)?;
            let before = start.consumed;
            let framing = start.take(*byte);
            *at += usize::from(start.consumed > before);
            if let Some(framing) = framing {
                *self = framing;
            }
        }
        match self {
            Framing::Sse(sse) => sse.next(chunk, at, max),
            Framing::Json(values) => values.next(chunk, at, max),
            Framing::Events(events) => events.next(chunk, at, max),
            Framing::Unknown(_) => None,
        }
    }

    /// A line of at most `max` bytes that ends in the chunk, if it is all of the next record: a JSON value,
    /// or the data of an event. A caller that can read it whole skips it with [`Framing::skip_line`], which
    /// saves looking for its end.
    #[inline(always)]
    pub fn line<'a>(&'a mut self, chunk: &'a [u8], at: usize, max: usize) -> Option<LineAhead<'a>> {
        match self {
            Framing::Json(values) => values.line(chunk, at, max),
            // Without the formats of providers, which mostly come so, it is not worth its bytes.
            Framing::Sse(sse) if crate::READS_PROVIDERS => sse.line(chunk, at, max),
            _ => None,
        }
    }

    /// Skips the line that [`Framing::line`] gave, whose record takes this many bytes of the chunk.
    #[inline(always)]
    pub fn skip_line(&mut self, used: usize, at: &mut usize) {
        *at += used;
        match self {
            Framing::Json(values) => values.skip_line(used),
            Framing::Sse(sse) if crate::READS_PROVIDERS => sse.skip_line(used),
            _ => {}
        }
    }

    /// The last records, when no more bytes follow: they may lack their end. Call it until it gives
    /// `None`.
    pub fn finish(&mut self, max: usize) -> Option<Frame<'_>> {
        if let Framing::Unknown(start) = self {
            // A word that could have been a field's name: it is not a record in either framing.
            let head = std::mem::take(&mut start.head.0);
            *self = Framing::Json(JsonValues::after(start.consumed, head));
        }
        match self {
            Framing::Sse(sse) => sse.finish(max),
            Framing::Json(values) => values.finish(max),
            Framing::Events(events) => events.finish(),
            Framing::Unknown(_) => None,
        }
    }

    /// Are there records that need no more bytes?
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self, Framing::Json(values) if values.waits())
    }

    /// Does the stream end within an array, which has lost its rest?
    #[must_use]
    pub fn is_cut(&self) -> bool {
        matches!(self, Framing::Json(values) if values.is_in_array())
    }

    /// The state as JSON, without the record that was given last.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let mut settled = self.clone();
        settled.settle();
        settled.save()
    }

    /// The framing that continues from this state; `None` if it is not one.
    #[must_use]
    pub fn restore(state: Value) -> Option<Framing> {
        Framing::load(state)
    }

    /// The number of bytes of the stream that were taken.
    #[must_use]
    pub fn consumed(&mut self) -> u64 {
        match self {
            Framing::Unknown(start) => start.consumed,
            Framing::Sse(sse) => sse.lines().consumed(),
            Framing::Json(values) => values.consumed(),
            Framing::Events(events) => events.consumed(),
        }
    }

    /// Forgets the record that was given last; [`Saved::save`] expects it, [`Framing::snapshot`] does not.
    pub fn settle(&mut self) {
        match self {
            Framing::Unknown(_) => {}
            Framing::Sse(sse) => sse.settle(),
            Framing::Json(values) => values.settle(),
            Framing::Events(events) => events.settle(),
        }
    }

    /// Are the records server-sent events?
    #[must_use]
    pub fn is_sse(&self) -> bool {
        matches!(self, Framing::Sse(_))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod tests;
