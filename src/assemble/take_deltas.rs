//! Writes the deltas of the log.

use super::delta_json::Envelope;
use super::ending::Ending;
use super::log::{Grown, Log, LogContent, LogEntry, MAX_SEPARATE};
use super::part::{Body, StreamedPart};
use super::state::Assembler;
use crate::model::delta::{Payload, Piece};

impl Assembler {
    /// Logs deltas for [`Assembler::take_deltas`] from now on; drops those logged before.
    pub(crate) fn keep_deltas(&mut self) {
        self.log = Log { kept: true, ..Log::default() };
        for part in &mut self.parts {
            part.half = part.text().high();
        }
    }

    /// The deltas since the last call, as NDJSON. Consecutive deltas of one part are joined into
    /// one, with the `seq` of the last and the timestamp of the first.
    pub(crate) fn take_deltas(&mut self) -> String {
        let entries = std::mem::take(&mut self.log.entries);
        self.log.limit = MAX_SEPARATE;
        let mut out = String::new();
        for entry in &entries {
            self.write_entry(entry, &mut out);
        }
        out
    }

    fn write_entry(&mut self, entry: &LogEntry, out: &mut String) {
        let Assembler { parts, run_id, start, ending, end_meta, .. } = self;
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
        envelope.write(&payload, end_meta, out);
        out.push('\n');
    }
}

/// The piece of a part's text that an entry appended.
///
/// If the last piece taken ended with a high surrogate, this text begins with the character that it
/// became: of a whole pair only the low surrogate is left to write, and of a lone half (U+FFFD)
/// nothing, because the reader of the deltas replaces it too.
fn piece(part: &mut StreamedPart, grown: Grown) -> Piece<'static> {
    let Grown { from, to, high, .. } = grown;
    let half = part.half.take();
    let mut text = String::with_capacity(to.saturating_sub(from));
    part.text().each_between(from, to, |block| text.push_str(block));
    if text.is_empty() && half.is_some() {
        // The other half has not come yet.
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
