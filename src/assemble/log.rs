//! What a log of the run stores: the deltas that were taken, neighbours of one part as one.
//!
//! The text of a part is not kept twice: an entry says where in it its piece begins.

use super::assembler::Assembler;
use super::deltas::{self, Head};
use super::json::{Object, escape};
use super::message::write_usage;
use super::part::{Body, Part};
use super::rules::When;
use super::text::Text;
use super::time;
use crate::model::delta::Usage;

/// So many entries may wait before all pieces of a part become one, neighbours or not: what nobody
/// takes must not outgrow the message.
const MANY: usize = 1 << 16;

/// The deltas since the last [`Assembler::take_deltas`].
#[derive(Debug)]
pub(super) struct Log {
    entries: Vec<Entry>,
    /// Somebody may want them.
    kept: bool,
    /// How many may wait.
    room: usize,
}

#[derive(Debug)]
struct Entry {
    what: What,
    /// That of its last piece.
    seq: i64,
    /// That of its first piece.
    at: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Start,
    /// The part's text grew, from this byte on.
    Grow {
        part: usize,
        from: usize,
    },
    Call {
        part: usize,
    },
    CallEnd {
        part: usize,
    },
    Usage(Usage),
    Ending,
}

impl What {
    fn part(&self) -> Option<usize> {
        match self {
            What::Grow { part, .. } | What::Call { part } | What::CallEnd { part } => Some(*part),
            What::Start | What::Usage(_) | What::Ending => None,
        }
    }
}

#[derive(Debug)]
enum Stamp {
    Text(Box<str>),
    Ms(i64),
}

impl Stamp {
    fn of(when: When<'_>) -> Stamp {
        match when {
            When::Text(text) => Stamp::Text(text.into()),
            When::Ms(ms) => Stamp::Ms(ms),
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
    fn add(&mut self, what: What, seq: i64, when: When<'_>) {
        if !self.kept {
            return;
        }
        if self.entries.len() >= self.room {
            let parts = self.entries.iter().filter_map(|entry| entry.what.part()).max();
            self.join(parts.map_or(0, |last| last + 1));
        }
        self.entries.push(Entry { what, seq, at: Stamp::of(when) });
    }

    pub(super) fn start(&mut self, seq: i64, when: When<'_>) {
        self.add(What::Start, seq, when);
    }

    /// The part's text grew from this byte on.
    #[inline]
    pub(super) fn grow(&mut self, part: usize, from: usize, seq: i64, when: When<'_>) {
        match self.entries.last_mut() {
            Some(Entry { what: What::Grow { part: last, .. }, seq: known, .. })
                if *last == part =>
            {
                *known = seq;
            }
            _ => self.add(What::Grow { part, from }, seq, when),
        }
    }

    pub(super) fn call(&mut self, part: usize, seq: i64, when: When<'_>) {
        self.add(What::Call { part }, seq, when);
    }

    pub(super) fn call_end(&mut self, part: usize, seq: i64, when: When<'_>) {
        self.add(What::CallEnd { part }, seq, when);
    }

    pub(super) fn usage(&mut self, usage: Usage, seq: i64, when: When<'_>) {
        self.add(What::Usage(usage), seq, when);
    }

    pub(super) fn ending(&mut self, seq: i64, when: When<'_>) {
        self.add(What::Ending, seq, when);
    }

    /// All pieces of a part become one, where the last of them stands: nothing that came between
    /// them can tell. Usage becomes one too. There are so many parts.
    fn join(&mut self, parts: usize) {
        // The place of a part, and behind them that of usage.
        let place = |what: &What| match what {
            What::Grow { part, .. } => Some(*part),
            What::Usage(_) => Some(parts),
            _ => None,
        };
        let mut last = vec![0; parts + 1];
        for (index, entry) in self.entries.iter().enumerate() {
            if let Some(slot) = place(&entry.what).and_then(|place| last.get_mut(place)) {
                *slot = index;
            }
        }
        let mut waiting: Vec<Option<Entry>> = (0..=parts).map(|_| None).collect();
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
                    (What::Usage(a), What::Usage(b)) => What::Usage(a.plus(b)),
                    (what, _) => what,
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
    pub(super) fn keep_deltas(&mut self) {
        self.log = Log { kept: true, ..Log::default() };
        for part in &mut self.parts {
            part.half = part.text().high();
        }
    }

    /// The deltas since the last call, as NDJSON; neighbours of one part are one delta, which has
    /// the `seq` of its last piece and the timestamp of its first.
    pub(super) fn take_deltas(&mut self) -> String {
        let entries = std::mem::take(&mut self.log.entries);
        self.log.room = MANY;
        // A piece goes up to where the next one of its part begins.
        let mut ends: Vec<usize> = Vec::with_capacity(entries.len());
        let mut next = vec![usize::MAX; self.parts.len()];
        for entry in entries.iter().rev() {
            let slot = match entry.what {
                What::Grow { part, from } => next.get_mut(part).map(|next| (next, from)),
                _ => None,
            };
            ends.push(slot.map_or(0, |(next, from)| std::mem::replace(next, from)));
        }
        let mut out = String::new();
        for (entry, end) in entries.iter().zip(ends.into_iter().rev()) {
            self.write_entry(entry, end, &mut out);
        }
        out
    }

    fn write_entry(&mut self, entry: &Entry, end: usize, out: &mut String) {
        let Assembler { parts, run_id, start, ending, beside, .. } = self;
        let (run_id, seq) = (run_id.as_deref().unwrap_or_default(), entry.seq);
        let mut write = |kind: &'static str, payload: &dyn Fn(&mut Object<'_>)| {
            let head = Head { run_id, seq, kind, timestamp: &entry.at.text() };
            deltas::write_delta(out, &head, payload, None);
            out.push('\n');
        };
        let part = entry.what.part().and_then(|index| parts.get_mut(index));
        match (entry.what, part) {
            (What::Grow { from, .. }, Some(part)) => {
                let (mut piece, half) = (String::new(), part.half.take());
                part.half = write_piece(&mut piece, part.text(), from, end, half);
                let (kind, name, id) = match &part.body {
                    Body::Text(_) => ("text", "textDelta", None),
                    Body::Thinking(_) => ("thinking", "textDelta", None),
                    Body::Call(call) => ("tool_call_args", "argsTextDelta", Some(&call.id)),
                };
                write(kind, &|out| {
                    if let Some(id) = id {
                        out.string("toolCallId", id);
                    }
                    out.key(name).push_str(&piece);
                });
            }
            (what, Some(Part { body: Body::Call(call), .. })) => {
                let begins = matches!(what, What::Call { .. });
                write(if begins { "tool_call_start" } else { "tool_call_end" }, &|out| {
                    out.string("toolCallId", &call.id);
                    if begins {
                        out.string("toolName", &call.name);
                    }
                });
            }
            (What::Usage(usage), _) => write("usage", &|out| write_usage(&usage, out)),
            (What::Start, _) => {
                if let Some(start) = start {
                    write("start", &|out| deltas::write_start(start, out));
                }
            }
            (What::Ending, _) => {
                if let Some(ending) = ending {
                    write(ending.kind(), &|out| deltas::write_ending(ending, beside, out));
                }
            }
            _ => {}
        }
    }
}

/// A piece of a text as a string, up to `end` (`usize::MAX`: it is the last one). `half` is the first
/// half of a pair that the reader has already. Gives the half that the reader then waits with.
fn write_piece(
    out: &mut String,
    text: &Text,
    from: usize,
    end: usize,
    mut half: Option<u16>,
) -> Option<u16> {
    out.push('"');
    text.each_between(from, end, |block| {
        let mut block = block;
        if let Some(high) = half.take()
            && let Some(first) = block.chars().next()
        {
            // The half has become a character, with its other half, which is due; or without, as it
            // does at the reader's.
            let mut units = [0; 2];
            if let [begin, low] = first.encode_utf16(&mut units)
                && *begin == high
            {
                out.push_str(&format!("\\u{low:04x}"));
            }
            block = block.get(first.len_utf8()..).unwrap_or_default();
        }
        escape(out, block);
    });
    if half.is_none() && end == usize::MAX {
        half = text.high();
        if let Some(high) = half {
            out.push_str(&format!("\\u{high:04x}"));
        }
    }
    out.push('"');
    half
}
