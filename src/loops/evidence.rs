//! The calls that a verdict can name: the last 64.

use super::verdict::{LoopKind, Verdict, advice, clip, pattern};
use crate::loops::core::exact_cycles::{KEPT, ResultStatus};
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A call that was checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EvidenceEntry {
    /// Its number: how many calls were checked before it.
    pub(crate) call: u64,
    /// Where it stands in the sequence; calls that a round had before share theirs.
    pub(crate) number: u64,
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    /// Its arguments as JSON text, cut where they are long.
    pub(crate) args: String,
    pub(crate) print: Fingerprint,
    pub(crate) words: Vec<u32>,
    pub(crate) outcome: ResultStatus,
    pub(crate) poll: bool,
    pub(crate) reads: bool,
    pub(crate) time: f64,
    /// It counts: it is no call of a tool that is ignored or parts others.
    pub(crate) counts: bool,
    /// How many calls counted when it was made, this one included.
    pub(crate) counted: u64,
}

/// An id as it is kept. A long one is cut, and what was cut off still tells it from others.
pub(crate) fn kept_id(id: &str) -> String {
    if id.len() <= 200 {
        return id.to_owned();
    }
    format!("{}{:032x}", clip(id, 160), fingerprint::of(id.as_bytes(), 0))
}

/// The last calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecentCalls {
    pub(crate) entries: VecDeque<EvidenceEntry>,
    /// How many calls were checked.
    pub(crate) checked: u64,
}

impl RecentCalls {
    pub(crate) fn push(&mut self, entry: EvidenceEntry) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
        self.checked += 1;
    }

    /// The call of this id.
    pub(crate) fn by_id(&self, id: &str) -> Option<usize> {
        let id = kept_id(id);
        self.entries.iter().rposition(|e| e.id.as_ref() == Some(&id))
    }

    /// The call of this number.
    pub(crate) fn by_call(&self, call: u64) -> Option<usize> {
        self.entries.iter().rposition(|e| e.call == call)
    }

    /// A verdict about those of the calls that count and that `is` names; the first `period` of
    /// them are its pattern.
    pub(crate) fn verdict(
        &self,
        kind: LoopKind,
        (period, repeats): (u64, u64),
        is: &dyn Fn(&EvidenceEntry) -> bool,
    ) -> Verdict {
        let named: Vec<&EvidenceEntry> =
            self.entries.iter().filter(|e| e.counts && is(e)).collect();
        let first = named.iter().take(usize::try_from(period).unwrap_or(KEPT).max(1));
        let pattern = pattern(first.map(|e| (e.tool.as_str(), e.args.as_str())));
        let poll = named.iter().any(|e| e.poll);
        // A sum over the set of them: they are few, and in any order.
        let mut set: Vec<Fingerprint> = Vec::new();
        for entry in &named {
            if !set.contains(&entry.print) {
                set.push(entry.print);
            }
        }
        let sum = |sum: Fingerprint, print| sum.wrapping_add(fingerprint::join(print, 0));
        Verdict {
            kind: Some(kind),
            message: advice(kind, &pattern, repeats, poll),
            pattern,
            period,
            repeats,
            calls: named.iter().map(|e| e.call).collect(),
            call_ids: named.iter().filter_map(|e| e.id.clone()).collect(),
            loop_of: set.into_iter().fold(0, sum),
            ..Verdict::default()
        }
    }
}
