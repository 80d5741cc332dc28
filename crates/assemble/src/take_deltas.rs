//! Writes the deltas of the log.

use super::delta_json::Envelope;
use super::ending::Ending;
use super::log::{Grown, Log, LogContent, LogEntry, MAX_SEPARATE, TakenEntry};
use super::part::{Body, StreamedPart};
use super::provider_state::ProviderState;
use super::state::Assembler;
use apex_parts_json::text::Text;
use apex_parts_model::delta::{Payload, Piece};

impl Assembler {
    /// Logs deltas for [`Assembler::take_deltas`] from now on; drops those logged before.
    pub(crate) fn keep_deltas(&mut self) {
        self.log = Log { kept: true, turn: self.log.turn + 1, ..Log::default() };
        for part in &mut self.parts {
            part.half = part.text().high();
        }
    }

    /// The deltas since the last call, as NDJSON. Consecutive deltas of one part are joined into
    /// one, with the `seq` of the last and the timestamp of the first.
    pub(crate) fn take_deltas(&mut self) -> String {
        let entries = std::mem::take(&mut self.log.entries);
        self.log.limit = MAX_SEPARATE;
        self.log.turn += 1;
        let mut out = String::new();
        for entry in entries {
            let half = self.part_of(&entry).and_then(|part| part.half);
            let from = out.len();
            let left = self.write_entry(&entry, half, &mut out);
            if let Some(part) = entry.what.part().and_then(|index| self.parts.get_mut(index)) {
                part.half = left;
            }
            if let LogContent::Reset { left, .. } = entry.what
                && let Some(last) = left.checked_sub(1).and_then(|last| self.parts.get_mut(last))
                && last.closes()
            {
                // It is closed: no half waits any more.
                last.half = None;
            }
            if let Some(taken) = &mut self.log.taken {
                let mut entry = entry;
                if entry.what.has_state() {
                    // The state may be another one when it is written again.
                    let line = out.get(from..).unwrap_or_default();
                    entry.what = LogContent::Written(line.into());
                }
                taken.push_back(TakenEntry { entry, half });
            }
        }
        out
    }

    /// Forgets what was taken up to this `seq`; what is taken after it can be written again.
    pub(crate) fn forget_deltas(&mut self, seq: i64) {
        let taken = self.log.taken.get_or_insert_default();
        let count = taken.partition_point(|taken| taken.entry.seq <= seq);
        taken.drain(..count);
        taken.shrink_to(2 * taken.len());
    }

    /// What was taken with a `seq` above `from` and at most `to`, byte for byte.
    pub(crate) fn deltas_again(&self, from: i64, to: i64) -> String {
        let mut out = String::new();
        for TakenEntry { entry, half } in self.log.taken.iter().flatten() {
            if entry.seq > from && entry.seq <= to {
                self.write_entry(entry, *half, &mut out);
            }
        }
        out
    }

    fn part_of(&self, entry: &LogEntry) -> Option<&StreamedPart> {
        entry.what.part().and_then(|index| self.parts.get(index))
    }

    /// Writes an entry, before which the first half of a pair waits; returns the half that waits after it.
    pub(crate) fn write_entry(
        &self,
        entry: &LogEntry,
        half: Option<u16>,
        out: &mut String,
    ) -> Option<u16> {
        let Assembler { run_id, start, ending, end_meta, .. } = self;
        let mut left = half;
        let provider;
        let payload = match (&entry.what, self.part_of(entry)) {
            (LogContent::Grow(grown) | LogContent::Begin(grown), Some(part)) => {
                let piece;
                (piece, left) = piece_of(part.text(), *grown, half);
                match &part.body {
                    Body::Call(call) => {
                        Payload::ToolCallArgs { id: (&*call.id).into(), text: piece }
                    }
                    _ => {
                        provider = part.state().filter(|_| grown.state).map(ProviderState::to_json);
                        match part.said(piece, provider.as_deref()) {
                            Some(payload) => payload,
                            None => return left,
                        }
                    }
                }
            }
            (LogContent::Call { state, .. }, Some(part)) => match part.call() {
                Some(call) => {
                    provider = part.state().filter(|_| *state).map(ProviderState::to_json);
                    call.start_payload(provider.as_deref())
                }
                None => return left,
            },
            (LogContent::CallEnd { state, .. }, Some(part)) => match part.call() {
                Some(call) => {
                    provider = part.state().filter(|_| *state).map(ProviderState::to_json);
                    call.end_payload(provider.as_deref())
                }
                None => return left,
            },
            (LogContent::State { .. }, Some(part)) => {
                provider = part.state().map(ProviderState::to_json);
                let said = match part.call() {
                    Some(call) => Some(call.end_payload(provider.as_deref())),
                    None => part.said(Piece::default(), provider.as_deref()),
                };
                match said {
                    Some(payload) => payload,
                    None => return left,
                }
            }
            (LogContent::Custom { .. }, Some(part)) => match part.custom_payload() {
                Some(payload) => payload,
                None => return left,
            },
            (LogContent::Reset { since, .. }, _) => Payload::Reset { since: *since },
            (LogContent::Written(line), _) => {
                out.push_str(line);
                return left;
            }
            (LogContent::Usage(usage), _) => Payload::Usage(**usage),
            (LogContent::Start, _) => match start {
                Some(start) => start.payload(),
                None => return left,
            },
            (LogContent::Ending, _) => match ending.as_ref().and_then(Ending::payload) {
                Some(payload) => payload,
                None => return left,
            },
            _ => return left,
        };
        let (run_id, timestamp) = (run_id.as_deref().unwrap_or_default(), entry.at.text());
        let envelope = Envelope { run_id, seq: entry.seq, timestamp: &timestamp };
        envelope.write(&payload, end_meta, out);
        out.push('\n');
        left
    }
}

/// The piece of a part's text that an entry appended, and the high surrogate that waits after it.
///
/// If the piece before it ended with a high surrogate, `half`, this text begins with the character that it
/// became: of a whole pair only the low surrogate is left to write, and of a lone half (U+FFFD)
/// nothing, because the reader of the deltas replaces it too.
fn piece_of(whole: &Text, grown: Grown, half: Option<u16>) -> (Piece<'static>, Option<u16>) {
    let Grown { from, to, high, .. } = grown;
    let mut text = String::with_capacity(to.saturating_sub(from));
    whole.each_between(from, to, |block| text.push_str(block));
    if text.is_empty() && half.is_some() {
        // The other half has not come yet.
        return (Piece::from(text), half);
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
    (Piece { low, text: text.into(), high }, high)
}
