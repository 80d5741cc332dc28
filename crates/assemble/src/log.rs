//! The deltas that were taken, for a log of the run; consecutive deltas of one part are one entry.
//!
//! Text is not kept twice: an entry holds the range of the part's text that its delta appended.

use super::delta_time::DeltaTime;
use apex_parts_json::text::Text;
use apex_parts_model::delta::Usage;
use apex_parts_model::time;
use std::collections::VecDeque;

/// The number of entries after which all pieces of a part are joined, consecutive or not: a log that
/// nobody takes must not outgrow the message.
pub(crate) const MAX_SEPARATE: usize = 1 << 16;

/// The deltas since the last `take_deltas`.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) entries: Vec<LogEntry>,
    /// Whether entries are kept at all.
    pub(crate) kept: bool,
    /// The number of entries at which pieces are joined next.
    pub(crate) limit: usize,
    /// Counts up with each `take_deltas`, from 1.
    pub(crate) turn: u64,
    /// Entries that were taken, as long as they may have to be written again; `None` if nobody will ask.
    pub(crate) taken: Option<VecDeque<TakenEntry>>,
}

/// An entry that was taken.
#[derive(Debug)]
pub(crate) struct TakenEntry {
    pub(crate) entry: LogEntry,
    /// The high surrogate that waited before it, see [`super::part::StreamedPart::half`].
    pub(crate) half: Option<u16>,
}

#[derive(Debug)]
pub(crate) struct LogEntry {
    pub(crate) what: LogContent,
    /// The `seq` of its last piece.
    pub(crate) seq: i64,
    /// The time of its first piece.
    pub(crate) at: Stamp,
}

/// A delta, without what the assembler holds anyway.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LogContent {
    Start,
    /// A text or reasoning that has a block begins. Its part is added here, even if another part grows first.
    Begin(Grown),
    Grow(Grown),
    /// A call begins. With `state`, it is written with the provider's state that the call has by then.
    Call {
        part: usize,
        state: bool,
    },
    CallEnd {
        part: usize,
        state: bool,
    },
    /// The state of a part grew. With `named`, the delta names the part: by its block, or by the id of its call.
    State {
        part: usize,
        named: bool,
    },
    Custom {
        part: usize,
    },
    /// Parts were taken back; the first `left` of them stay.
    Reset {
        since: i64,
        left: usize,
    },
    /// A delta of a part that was taken back, as it was written.
    Written(Box<str>),
    /// Boxed, because it is rare and three times as large as the others.
    Usage(Box<Usage>),
    Ending,
}

/// The text of a part grew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grown {
    pub(crate) part: usize,
    /// The first byte appended.
    pub(crate) from: usize,
    /// The byte after the last one appended.
    pub(crate) to: usize,
    /// The high surrogate after those bytes, which waits for its low one.
    pub(crate) high: Option<u16>,
    /// Is the delta written with the state of the part?
    pub(crate) state: bool,
}

impl LogContent {
    /// Is it written with the state of its part?
    pub(crate) fn has_state(&self) -> bool {
        matches!(
            self,
            LogContent::Grow(Grown { state: true, .. })
                | LogContent::Begin(Grown { state: true, .. })
                | LogContent::Call { state: true, .. }
                | LogContent::CallEnd { state: true, .. }
                | LogContent::State { .. }
                | LogContent::Custom { .. }
        )
    }

    pub(crate) fn part(&self) -> Option<usize> {
        match self {
            LogContent::Grow(Grown { part, .. })
            | LogContent::Begin(Grown { part, .. })
            | LogContent::Call { part, .. }
            | LogContent::CallEnd { part, .. }
            | LogContent::State { part, .. }
            | LogContent::Custom { part } => Some(*part),
            LogContent::Start
            | LogContent::Usage(_)
            | LogContent::Ending
            | LogContent::Reset { .. }
            | LogContent::Written(_) => None,
        }
    }
}

/// The time of an entry, as it came.
#[derive(Debug)]
pub(crate) enum Stamp {
    Text(Box<str>),
    Ms(i64),
}

impl Stamp {
    pub(crate) fn new(when: DeltaTime<'_>) -> Stamp {
        match when {
            DeltaTime::Text(text) => Stamp::Text(text.into()),
            DeltaTime::Ms(ms) => Stamp::Ms(ms),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Stamp::Text(text) => text.to_string(),
            Stamp::Ms(ms) => time::format(*ms),
        }
    }
}

impl Default for Log {
    fn default() -> Log {
        Log { entries: Vec::new(), kept: false, limit: MAX_SEPARATE, turn: 1, taken: None }
    }
}

impl Log {
    pub(crate) fn add(&mut self, what: LogContent, seq: i64, when: DeltaTime<'_>) {
        if !self.kept {
            return;
        }
        if matches!(what, LogContent::State { .. })
            && let Some(last) = self.entries.last_mut()
            && last.what == what
        {
            // The later one is written with the state that both give.
            last.seq = seq;
            return;
        }
        if self.entries.len() >= self.limit {
            let parts = self.entries.iter().filter_map(|entry| entry.what.part()).max();
            self.join(parts.map_or(0, |last| last + 1));
        }
        self.entries.push(LogEntry { what, seq, at: Stamp::new(when) });
    }

    /// The part's text grew from the byte `from` to its end.
    #[inline(always)]
    pub(crate) fn grow(
        &mut self,
        part: usize,
        from: usize,
        text: &Text,
        seq: i64,
        when: DeltaTime<'_>,
    ) {
        let now = Grown { part, from, to: text.len(), high: text.high(), state: false };
        match self.entries.last_mut() {
            Some(LogEntry {
                what: LogContent::Grow(last) | LogContent::Begin(last),
                seq: last_seq,
                ..
            }) if last.part == part => {
                *last = Grown { from: last.from, state: last.state, ..now };
                *last_seq = seq;
            }
            // One delta can have both, the state that the part has by then and the text.
            Some(LogEntry { what: what @ LogContent::State { .. }, seq: last_seq, .. })
                if what.part() == Some(part) =>
            {
                *what = LogContent::Grow(Grown { state: true, ..now });
                *last_seq = seq;
            }
            _ => self.add(LogContent::Grow(now), seq, when),
        }
    }

    /// The state of a text grew. `named`: the delta names the part, by its block.
    pub(crate) fn note_state(&mut self, part: usize, named: bool, seq: i64, when: DeltaTime<'_>) {
        match self.entries.last_mut() {
            Some(LogEntry {
                what: LogContent::Grow(last) | LogContent::Begin(last),
                seq: last_seq,
                ..
            }) if last.part == part => {
                last.state = true;
                *last_seq = seq;
            }
            _ => self.add(LogContent::State { part, named }, seq, when),
        }
    }

    /// The parts from this one on were taken back: what was not taken of them is forgotten.
    pub(crate) fn cut(&mut self, from: usize) {
        self.entries.retain(|entry| entry.what.part().is_none_or(|part| part < from));
    }

    /// Joins all pieces of each part at the place of its last piece, and all usage likewise: the
    /// message that the deltas give stays the same. `parts` is the number of parts.
    fn join(&mut self, parts: usize) {
        // A slot for each part, after them one for usage, and one for the state of each part.
        let slot_of = |what: &LogContent| match what {
            LogContent::Grow(Grown { part, .. }) => Some(*part),
            LogContent::Usage(_) => Some(parts),
            LogContent::State { part, named: true } => Some(parts + 1 + part),
            _ => None,
        };
        // The index of the last entry of each slot.
        let mut last = vec![0; 2 * parts + 1];
        for (index, entry) in self.entries.iter().enumerate() {
            if let Some(slot) = slot_of(&entry.what).and_then(|slot| last.get_mut(slot)) {
                *slot = index;
            }
        }
        let mut waiting: Vec<Option<LogEntry>> = last.iter().map(|_| None).collect();
        let mut joined = Vec::new();
        for (index, mut entry) in std::mem::take(&mut self.entries).into_iter().enumerate() {
            let Some(number) = slot_of(&entry.what) else {
                joined.push(entry);
                continue;
            };
            let Some(slot) = waiting.get_mut(number) else { continue };
            if let Some(earlier) = slot.take() {
                entry.at = earlier.at;
                entry.what = match (earlier.what, entry.what) {
                    (LogContent::Usage(a), LogContent::Usage(b)) => {
                        LogContent::Usage(Box::new(a.plus(*b)))
                    }
                    (LogContent::Grow(a), LogContent::Grow(b)) => {
                        LogContent::Grow(Grown { from: a.from, state: a.state || b.state, ..b })
                    }
                    (_, what) => what,
                };
            }
            if last.get(number) == Some(&index) {
                joined.push(entry);
            } else {
                *slot = Some(entry);
            }
        }
        self.limit = (joined.len() * 2).max(MAX_SEPARATE);
        self.entries = joined;
    }
}
