//! The last 64 calls, from which verdicts take their evidence.

use super::verdict::{LoopKind, Verdict, advice, clip, pattern};
use crate::core::exact_cycles::{MAX_KEPT, ResultStatus};
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A call that was checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EvidenceEntry {
    /// Its number: how many calls were checked before it.
    pub(crate) call: u64,
    /// Its number in the sequence of `ExactCycles`; equal calls of one round share a number.
    pub(crate) number: u64,
    /// The number of the first call of its round; 0 if it is in none.
    pub(crate) round: u64,
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    /// Its arguments as JSON text, truncated if they are long.
    pub(crate) args: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) words: Vec<u32>,
    pub(crate) outcome: ResultStatus,
    pub(crate) poll: bool,
    pub(crate) reads: bool,
    /// Its check said to interrupt the run.
    pub(crate) stopped: bool,
    /// It was refused, so the result of the last identical call counts as its own.
    pub(crate) assumed: bool,
    pub(crate) time: f64,
    /// False for calls of ignored tools and of boundary tools, which are not counted.
    pub(crate) counts: bool,
    /// How many calls had been counted when it was checked, itself included.
    pub(crate) counted: u64,
}

/// An id in bounded length: a long one is truncated, with a fingerprint of the whole id appended to
/// keep it distinct.
pub(crate) fn kept_id(id: &str) -> String {
    if id.len() <= 200 {
        return id.to_owned();
    }
    format!("{}{:032x}", clip(id, 160), fingerprint::of(id.as_bytes(), 0))
}

/// The last calls that were checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecentCalls {
    pub(crate) entries: VecDeque<EvidenceEntry>,
    /// How many calls were checked so far.
    pub(crate) checked: u64,
}

impl EvidenceEntry {
    /// Is it in the same round as this call? A call without a round is one by itself.
    pub(crate) fn is_in_round_of(&self, other: &EvidenceEntry) -> bool {
        self.call == other.call || self.round > 0 && self.round == other.round
    }
}

impl RecentCalls {
    pub(crate) fn push(&mut self, entry: EvidenceEntry) {
        if self.entries.len() == MAX_KEPT {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
        self.checked += 1;
    }

    /// The index of the entry with this id.
    pub(crate) fn by_id(&self, id: &str) -> Option<usize> {
        let id = kept_id(id);
        self.last_index(|e| e.id.as_ref() == Some(&id))
    }

    /// The index of the entry with this call number.
    pub(crate) fn by_call(&self, call: u64) -> Option<usize> {
        self.last_index(|e| e.call == call)
    }

    #[inline(always)]
    fn last_index(&self, matches: impl Fn(&EvidenceEntry) -> bool) -> Option<usize> {
        let mut index = self.entries.len();
        while index > 0 {
            index -= 1;
            if self.entries.get(index).is_some_and(&matches) {
                return Some(index);
            }
        }
        None
    }

    /// A verdict whose evidence is the counted calls for which `belongs` is true; the first `period` of
    /// them form its pattern.
    pub(crate) fn verdict(
        &self,
        kind: LoopKind,
        (period, repeats): (u64, u64),
        belongs: &dyn Fn(&EvidenceEntry) -> bool,
    ) -> Verdict {
        let named: Vec<&EvidenceEntry> =
            self.entries.iter().filter(|e| e.counts && belongs(e)).collect();
        let first = named.iter().take(usize::try_from(period).unwrap_or(MAX_KEPT).max(1));
        let pattern = pattern(first.map(|e| (e.tool.as_str(), e.args.as_str())));
        let poll = named.iter().any(|e| e.poll);
        // A sum over the distinct calls, so that their order does not matter.
        let mut set: Vec<Fingerprint> = Vec::new();
        for entry in &named {
            if !set.contains(&entry.fingerprint) {
                set.push(entry.fingerprint);
            }
        }
        let sum =
            |sum: Fingerprint, fingerprint| sum.wrapping_add(fingerprint::join(fingerprint, 0));
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
