//! Runs of similar deltas, read by comparing the bytes around their texts.

use apex_parts_json::scan;
use apex_parts_json::scan::{Span, TokenKind};

/// The bytes around the text of a delta. The next delta usually differs only in its id and its text, and
/// need not be read key by key then.
#[derive(Debug)]
pub(crate) struct DeltaRun {
    /// The bytes before the event's id; empty if it has none.
    head: Box<[u8]>,
    /// The bytes from there to the text of the delta.
    middle: Box<[u8]>,
    /// The bytes after the text.
    tail: Box<[u8]>,
    pub(crate) field: Box<str>,
    /// The number of the part in [`EventState`](super::state::EventState).
    pub(crate) part: usize,
}

impl DeltaRun {
    /// The run that this delta begins; `id` is that of the event.
    pub(crate) fn new(
        json: &str,
        id: Option<Span>,
        delta: Span,
        field: &str,
        part: usize,
    ) -> Option<DeltaRun> {
        let json = json.as_bytes();
        let id = id.filter(|id| matches!(id.kind, TokenKind::String(_)) && id.end < delta.start);
        let from = id.map_or(0, |id| id.end.saturating_sub(1));
        Some(DeltaRun {
            head: id.map_or(Some(&[][..]), |id| json.get(..=id.start))?.into(),
            middle: json.get(from..=delta.start)?.into(),
            tail: json.get(delta.end.saturating_sub(1)..)?.into(),
            field: field.into(),
            part,
        })
    }

    /// The text of the delta, if it is one more of the run.
    pub(crate) fn read<'a>(&self, json: &'a [u8]) -> Option<&'a str> {
        let mut at = 0;
        if !self.head.is_empty() {
            at = self.head.len();
            same_at(json, 0, &self.head)?;
            at = scan::string(json, at).ok()?.0;
        }
        same_at(json, at, &self.middle)?;
        let start = at + self.middle.len();
        let end = scan::string(json, start).ok()?.0;
        same_at(json, end, &self.tail)?;
        if end + self.tail.len() != json.len() {
            return None;
        }
        std::str::from_utf8(json.get(start..end)?).ok()
    }
}

fn same_at(json: &[u8], at: usize, part: &[u8]) -> Option<()> {
    scan::same(json.get(at..at.checked_add(part.len())?)?, part).then_some(())
}
