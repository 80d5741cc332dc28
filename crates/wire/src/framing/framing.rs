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
use apex_parts_json::saved::{Saved, state};
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
}

state!(StreamHead { head, consumed });

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

impl StreamHead {
    /// Takes a byte, unless it does not count it as consumed; gives the framing once it is clear.
    fn take(&mut self, byte: u8) -> Option<Framing> {
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
