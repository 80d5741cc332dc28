//! The view of a history: what is sent of it after compactions.

use super::head::Speaker;
use super::history::{History, MessageArray};
use crate::model::Build;
use std::collections::{BTreeMap, BTreeSet};

/// A compaction that ended well, by the indices of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedCompaction {
    /// The message of the user with the compaction part.
    pub message: usize,
    /// The summary.
    pub summary: usize,
    /// The message with which the part begins that stayed verbatim.
    pub tail: Option<usize>,
    /// Its `tail_start_id` names no earlier message (CP-1).
    pub(crate) lost_tail: bool,
}

/// What a model sees of a history, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryView {
    /// The indices of the messages.
    pub order: Vec<u32>,
    /// The newest compaction that ended well, by which the view begins.
    pub cut: Option<FinishedCompaction>,
}

impl HistoryView {
    /// Finds the view, from the newest message back.
    pub fn of(history: &impl History) -> HistoryView {
        let length = history.len();
        let Some(cut) = newest_compaction(history) else {
            return HistoryView { order: range(0..length), cut: None };
        };
        let FinishedCompaction { message, summary, tail, .. } = cut;
        let order = match tail {
            None => range(message..length),
            // The compaction and its summary stand before the tail that they continue.
            Some(tail) => {
                let mut order = range(message..summary + 1);
                order.extend(range(tail..message));
                order.extend(range(summary + 1..length));
                order
            }
        };
        HistoryView { order, cut: Some(cut) }
    }

    /// The index after the newest summary: from there on messages stand in their own order.
    pub(super) fn since_cut(&self) -> usize {
        self.cut.map_or(0, |cut| cut.summary + 1)
    }

    /// The finished compactions within the view: the indices of message and summary.
    pub(super) fn compactions(&self, history: &impl History) -> Vec<(u32, u32)> {
        let shown: BTreeSet<usize> = self.order.iter().map(|index| *index as usize).collect();
        let finished = finished_compactions(history).into_iter();
        let finished = finished.filter(|one| shown.contains(&one.summary));
        let summaries: BTreeMap<usize, usize> =
            finished.map(|one| (one.message, one.summary)).collect();
        let of = |index: &u32| {
            let summary = summaries.get(&(*index as usize))?;
            Some((*index, u32::try_from(*summary).ok()?))
        };
        self.order.iter().filter_map(of).collect()
    }
}

fn range(range: std::ops::Range<usize>) -> Vec<u32> {
    // No history has 2^32 messages.
    range.map(|index| u32::try_from(index).unwrap_or(u32::MAX)).collect()
}

/// The newest compaction whose summary is good.
fn newest_compaction(history: &impl History) -> Option<FinishedCompaction> {
    // The good summaries that were passed, by the message that they belong to.
    let mut summaries = BTreeMap::new();
    for message in (0..history.len()).rev() {
        let head = history.head(message);
        if head.is_good_summary() {
            summaries.insert(history.links(message).parent, message);
        }
        if head.speaker != Speaker::User || !head.is_compaction() || summaries.is_empty() {
            continue;
        }
        let Some(summary) = summaries.get(&history.id_hash(message)) else { continue };
        let wanted = history.links(message).tail;
        let tail = (wanted != 0)
            .then(|| (0..message).rev().find(|earlier| history.id_hash(*earlier) == wanted))
            .flatten();
        let lost_tail = wanted != 0 && tail.is_none();
        return Some(FinishedCompaction { message, summary: *summary, tail, lost_tail });
    }
    None
}

/// Every compaction that ended well, oldest first.
pub fn finished_compactions(history: &impl History) -> Vec<FinishedCompaction> {
    let (mut compactions, mut summaries) = (Vec::new(), BTreeMap::new());
    for index in 0..history.len() {
        let head = history.head(index);
        if head.is_compaction() {
            compactions.push((index, history.id_hash(index), history.links(index).tail));
        } else if head.is_good_summary() {
            summaries.entry(history.links(index).parent).or_insert(index);
        }
    }
    // The first message with each id that a tail names.
    let wanted: BTreeSet<u64> = compactions.iter().map(|(.., tail)| *tail).collect();
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    if wanted.iter().any(|tail| *tail != 0) {
        for index in 0..history.len() {
            let id = history.id_hash(index);
            if wanted.contains(&id) {
                places.entry(id).or_insert(index);
            }
        }
    }
    let mut finished = Vec::new();
    for (message, id, wanted) in compactions {
        let Some(summary) = summaries.get(&id).filter(|summary| **summary > message) else {
            continue;
        };
        let tail = places.get(&wanted).copied().filter(|at| wanted != 0 && *at < message);
        let lost_tail = wanted != 0 && tail.is_none();
        finished.push(FinishedCompaction { message, summary: *summary, tail, lost_tail });
    }
    finished
}

/// The messages that are sent: the caller's own, in their order.
///
/// ```
/// use apex_parts::compaction::filter_compacted;
/// use apex_parts::model::{Owned, View};
/// let messages = Owned::from(serde_json::json!([
///     {"info": {"id": "a", "role": "user"}, "parts": []},
///     {"info": {"id": "b", "role": "user"}, "parts": [{"type": "compaction", "auto": true}]},
///     {"info": {"id": "c", "role": "assistant", "parentID": "b", "summary": true, "finish": "stop"}, "parts": []}
/// ]));
/// assert_eq!(filter_compacted(&messages).len(), 2);
/// ```
pub fn filter_compacted<V: Build>(messages: &V) -> V {
    let history = MessageArray::new(messages.clone());
    let view = HistoryView::of(&history);
    let mut list = V::list();
    for index in view.order {
        let mark = V::mark();
        list.push(&history.at(index as usize));
        V::release(mark);
    }
    list
}

#[cfg(test)]
mod tests;
