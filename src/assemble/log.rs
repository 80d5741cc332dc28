//! What a log of the run stores: the deltas that were taken, neighbours of one part as one.
//!
//! The text of a part is not kept twice: an entry says where in it its piece begins.

use super::delta_time::DeltaTime;
use crate::json::text::Text;
use crate::model::delta::Usage;
use crate::model::time;

/// So many entries may wait before all pieces of a part become one, neighbours or not: what nobody
/// takes must not outgrow the message.
pub(crate) const MANY: usize = 1 << 16;

/// The deltas since the last [`Assembler::take_deltas`].
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) entries: Vec<LogEntry>,
    /// Somebody may want them.
    pub(crate) kept: bool,
    /// How many may wait.
    pub(crate) room: usize,
}

#[derive(Debug)]
pub(crate) struct LogEntry {
    pub(crate) what: LogContent,
    /// That of its last piece.
    pub(crate) seq: i64,
    /// That of its first piece.
    pub(crate) at: Stamp,
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
    pub(crate) part: usize,
    /// From this byte on,
    pub(crate) from: usize,
    /// to this one;
    pub(crate) to: usize,
    /// and the first half of a surrogate pair waits behind them.
    pub(crate) high: Option<u16>,
}

impl LogContent {
    pub(crate) fn part(&self) -> Option<usize> {
        match self {
            LogContent::Grow(Grown { part, .. })
            | LogContent::Call { part }
            | LogContent::CallEnd { part } => Some(*part),
            LogContent::Start | LogContent::Usage(_) | LogContent::Ending => None,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Stamp {
    Text(Box<str>),
    Ms(i64),
}

impl Stamp {
    pub(crate) fn of(when: DeltaTime<'_>) -> Stamp {
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
