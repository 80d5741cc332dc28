//! What a log of the run stores: the deltas that were taken, neighbours of one part as one.
//!
//! The text of a part is not kept twice: an entry says where in it its piece begins.

use super::assembler::{Assembler, Ending};
use super::part::{Body, StreamedPart};
use crate::assemble::contract::DeltaTime;
use crate::assemble::read_deltas::Envelope;
use crate::json::text::Text;
use crate::model::delta::{Payload, Piece, Usage};
use crate::model::time;

/// So many entries may wait before all pieces of a part become one, neighbours or not: what nobody
/// takes must not outgrow the message.
const MANY: usize = 1 << 16;

/// The deltas since the last [`Assembler::take_deltas`].
#[derive(Debug)]
pub(crate) struct Log {
    entries: Vec<LogEntry>,
    /// Somebody may want them.
    kept: bool,
    /// How many may wait.
    room: usize,
}

#[derive(Debug)]
struct LogEntry {
    what: LogContent,
    /// That of its last piece.
    seq: i64,
    /// That of its first piece.
    at: Stamp,
}

/// A delta, as far as the assembler does not know it anyway.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LogContent {
    Start,
    Grow(Grown),
    Call { part: usize },
    CallEnd { part: usize },
    Usage(Usage),
    Ending,
}

/// A part's text grew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grown {
    part: usize,
    /// From this byte on,
    from: usize,
    /// to this one;
    to: usize,
    /// and the first half of a surrogate pair waits behind them.
    high: Option<u16>,
}

impl LogContent {
    fn part(&self) -> Option<usize> {
        match self {
            LogContent::Grow(Grown { part, .. })
            | LogContent::Call { part }
            | LogContent::CallEnd { part } => Some(*part),
            LogContent::Start | LogContent::Usage(_) | LogContent::Ending => None,
        }
    }
}

#[derive(Debug)]
enum Stamp {
    Text(Box<str>),
    Ms(i64),
}

impl Stamp {
    fn of(when: DeltaTime<'_>) -> Stamp {
        match when {
            DeltaTime::Text(text) => Stamp::Text(text.into()),
            DeltaTime::Ms(ms) => Stamp::Ms(ms),
        }
    }

    fn text(&self) -> String {
        match self {
            Stamp::Text(text) => text.to_string(),
            Stamp::Ms(ms) => time::format(*ms),
        }
    }
}

impl Default for Log {
    fn default() -> Log {
        Log { entries: Vec::new(), kept: false, room: MANY }
    }
}

impl Log {
    pub(crate) fn add(&mut self, what: LogContent, seq: i64, when: DeltaTime<'_>) {
        if !self.kept {
            return;
        }
        if self.entries.len() >= self.room {
            let parts = self.entries.iter().filter_map(|entry| entry.what.part()).max();
            self.join(parts.map_or(0, |last| last + 1));
        }
        self.entries.push(LogEntry { what, seq, at: Stamp::of(when) });
    }

    /// The part's text grew from this byte on.
    #[inline]
    pub(crate) fn grow(
        &mut self,
        part: usize,
        from: usize,
        text: &Text,
        seq: i64,
        when: DeltaTime<'_>,
    ) {
        let now = Grown { part, from, to: text.len(), high: text.high() };
        match self.entries.last_mut() {
            Some(LogEntry { what: LogContent::Grow(before), seq: known, .. })
                if before.part == part =>
            {
                *before = Grown { from: before.from, ..now };
                *known = seq;
            }
            _ => self.add(LogContent::Grow(now), seq, when),
        }
    }

    /// All pieces of a part become one, where the last of them stands: nothing that came between
    /// them can tell. Usage becomes one too. There are so many parts.
    fn join(&mut self, parts: usize) {
        // The place of a part, and behind them that of usage.
        let place = |what: &LogContent| match what {
            LogContent::Grow(Grown { part, .. }) => Some(*part),
            LogContent::Usage(_) => Some(parts),
            _ => None,
        };
        let mut last = vec![0; parts + 1];
        for (index, entry) in self.entries.iter().enumerate() {
            if let Some(slot) = place(&entry.what).and_then(|place| last.get_mut(place)) {
                *slot = index;
            }
        }
        let mut waiting: Vec<Option<LogEntry>> = (0..=parts).map(|_| None).collect();
        let mut joined = Vec::new();
        for (index, mut entry) in std::mem::take(&mut self.entries).into_iter().enumerate() {
            let Some(place) = place(&entry.what) else {
                joined.push(entry);
                continue;
            };
            let Some(slot) = waiting.get_mut(place) else { continue };
            if let Some(earlier) = slot.take() {
                entry.at = earlier.at;
                entry.what = match (earlier.what, entry.what) {
                    (LogContent::Usage(a), LogContent::Usage(b)) => LogContent::Usage(a.plus(b)),
                    (LogContent::Grow(a), LogContent::Grow(b)) => {
                        LogContent::Grow(Grown { from: a.from, ..b })
                    }
                    (_, what) => what,
                };
            }
            if last.get(place) == Some(&index) {
                joined.push(entry);
            } else {
                *slot = Some(entry);
            }
        }
        self.room = (joined.len() * 2).max(MANY);
        self.entries = joined;
    }
}

impl Assembler {
    /// Keeps deltas for [`Assembler::take_deltas`] from here on; none of those before.
    pub(crate) fn keep_deltas(&mut self) {
        self.log = Log { kept: true, ..Log::default() };
        for part in &mut self.parts {
            part.half = part.text().high();
        }
    }

    /// The deltas since the last call, as NDJSON; neighbours of one part are one delta, which has
    /// the `seq` of its last piece and the timestamp of its first.
    pub(crate) fn take_deltas(&mut self) -> String {
        let entries = std::mem::take(&mut self.log.entries);
        self.log.room = MANY;
        let mut out = String::new();
        for entry in &entries {
            self.write_entry(entry, &mut out);
        }
        out
    }

    fn write_entry(&mut self, entry: &LogEntry, out: &mut String) {
        let Assembler { parts, run_id, start, ending, beside, .. } = self;
        let part = entry.what.part().and_then(|index| parts.get_mut(index));
        let payload = match (entry.what, part) {
            (LogContent::Grow(grown), Some(part)) => {
                let piece = piece(part, grown);
                match &part.body {
                    Body::Text(_) => Payload::Text(piece),
                    Body::Thinking(_) => Payload::Thinking(piece),
                    Body::Call(call) => {
                        Payload::ToolCallArgs { id: (&*call.id).into(), text: piece }
                    }
                }
            }
            (LogContent::Call { .. }, Some(StreamedPart { body: Body::Call(call), .. })) => {
                call.start_payload()
            }
            (LogContent::CallEnd { .. }, Some(StreamedPart { body: Body::Call(call), .. })) => {
                call.end_payload()
            }
            (LogContent::Usage(usage), _) => Payload::Usage(usage),
            (LogContent::Start, _) => match start {
                Some(start) => start.payload(),
                None => return,
            },
            (LogContent::Ending, _) => match ending.as_ref().and_then(Ending::payload) {
                Some(payload) => payload,
                None => return,
            },
            _ => return,
        };
        let (run_id, timestamp) = (run_id.as_deref().unwrap_or_default(), entry.at.text());
        let envelope = Envelope { run_id, seq: entry.seq, timestamp: &timestamp };
        envelope.write(&payload, beside, out);
        out.push('\n');
    }
}

/// A piece of the part's text. The half of a pair that its taker has already has become a character
/// by then, with its other half, which is due; or without, as it does at the taker's.
fn piece(part: &mut StreamedPart, grown: Grown) -> Piece<'static> {
    let Grown { from, to, high, .. } = grown;
    let half = part.half.take();
    let mut text = String::with_capacity(to.saturating_sub(from));
    part.text().each_between(from, to, |block| text.push_str(block));
    if text.is_empty() && half.is_some() {
        // It goes on waiting.
        part.half = half;
        return Piece::from(text);
    }
    let mut low = None;
    if half.is_some()
        && let Some(first) = text.chars().next()
    {
        let mut units = [0; 2];
        if let [_, second] = first.encode_utf16(&mut units) {
            low = Some(*second);
        }
        text.drain(..first.len_utf8());
    }
    part.half = high;
    Piece { low, text: text.into(), high }
}
