//! Deltas that come in rows, read by the bytes around them.

use crate::json::scan;
use crate::json::scan::{Span, TokenKind};

/// The text around a delta: the next one, as a rule, differs in nothing but its own id and what is
/// added, and need not be read key by key.
#[derive(Debug)]
pub(crate) struct DeltaRun {
    /// Up to the text of the event's id; empty where it has none.
    head: Box<[u8]>,
    /// From behind it, or from the beginning, up to the text of the delta.
    middle: Box<[u8]>,
    /// What follows it.
    tail: Box<[u8]>,
    pub(crate) field: Box<str>,
    /// The part, as [`EventState`](super::state::EventState) numbers it.
    pub(crate) part: usize,
}

impl DeltaRun {
    /// The row that this delta begins; `id` is that of the event.
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

    /// What the delta adds, if this is one more of the row.
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
