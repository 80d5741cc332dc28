//! From chunks to records: SSE or NDJSON, distinguished by the first bytes.

use super::frame::Frame;
use super::lines::{HeldBytes, Lines};
use super::ndjson::NdJson;
use super::sse::Sse;
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
    /// One record a line.
    NdJson(NdJson),
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
            Framing::NdJson(ndjson) => ("ndjson", ndjson.save()),
        };
        map.insert(name.to_owned(), state);
        Value::Object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let Some(saved) = saved::fields(saved) else { return false };
        let (name, state) = saved.into_iter().next().unwrap_or_default();
        *self = match name.as_str() {
            "sse" => Framing::Sse(Sse::default()),
            "ndjson" => Framing::NdJson(NdJson::default()),
            _ => Framing::default(),
        };
        let state_of: &mut dyn Saved = match self {
            Framing::Unknown(head) => head,
            Framing::Sse(sse) => sse,
            Framing::NdJson(ndjson) => ndjson,
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
    /// Takes a byte; gives the framing, which has not read the byte, once it is clear.
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
        let lines = || Lines::after(self.consumed, head.clone());
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        match byte {
            // Leading blank lines have no meaning in either.
            b'\r' | b'\n' if head.is_empty() => {
                self.consumed += 1;
                None
            }
            b':' if head.iter().all(is_name) => Some(Framing::Sse(Sse::new(lines()))),
            // A field name alone in its line is a field without a value.
            b'\r' | b'\n' if matches!(head.as_slice(), b"data" | b"event" | b"id" | b"retry") => {
                Some(Framing::Sse(Sse::new(lines())))
            }
            byte if is_name(&byte) && head.iter().all(is_name) => {
                if head.len() >= LONGEST_NAME {
                    return Some(Framing::NdJson(NdJson::new(lines())));
                }
                head.push(byte);
                self.consumed += 1;
                None
            }
            _ => Some(Framing::NdJson(NdJson::new(lines()))),
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
            match start.take(*byte) {
                Some(framing) => *self = framing,
                None => *at += 1,
            }
        }
        match self {
            Framing::Sse(sse) => sse.next(chunk, at, max),
            Framing::NdJson(ndjson) => ndjson.next(chunk, at, max),
            Framing::Unknown(_) => None,
        }
    }

    /// The last records, when no more bytes follow: they may lack their end. Call it until it gives
    /// `None`.
    pub fn finish(&mut self, max: usize) -> Option<Frame<'_>> {
        if let Framing::Unknown(start) = self {
            // A word that could have been a field's name: it is not a record in either framing.
            let head = std::mem::take(&mut start.head.0);
            *self = Framing::NdJson(NdJson::new(Lines::after(start.consumed, head)));
        }
        match self {
            Framing::Sse(sse) => sse.finish(max),
            Framing::NdJson(ndjson) => ndjson.finish(max),
            Framing::Unknown(_) => None,
        }
    }

    /// Are there records that need no more bytes?
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self, Framing::NdJson(ndjson) if ndjson.waits())
    }

    /// The state as JSON.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        self.save()
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
            Framing::NdJson(ndjson) => ndjson.consumed(),
        }
    }

    /// Forgets the record that was given last; call it before the state is saved.
    pub fn settle(&mut self) {
        match self {
            Framing::Unknown(_) => {}
            Framing::Sse(sse) => sse.settle(),
            Framing::NdJson(ndjson) => ndjson.settle(),
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
