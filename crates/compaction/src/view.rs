//! The view of a history: what is sent of it after compactions.

use super::history::{History, MessageArray};
use super::note::Note;
use apex_parts_json::slots::Slots;
use apex_parts_model::Build;
use apex_parts_model::order;
use std::borrow::Cow;
use std::ops::Range;

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
#[derive(Clone, Debug)]
pub struct HistoryView<'a> {
    /// Runs of messages, by their indices; some may be empty.
    runs: [Range<u32>; 3],
    /// The newest compaction that ended well, by which the view begins.
    pub cut: Option<FinishedCompaction>,
    /// What is noted of the messages of the whole history.
    pub(super) notes: Cow<'a, [Note]>,
}

impl<'a> HistoryView<'a> {
    /// Finds the view, from the newest message back.
    pub fn new(history: &'a impl History) -> HistoryView<'a> {
        let length = history.len();
        let notes = history.notes();
        let cut = newest_compaction(history, &notes);
        // No history has 2^32 messages.
        let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let run = |run: Range<usize>| place(run.start)..place(run.end);
        let runs = match cut {
            None => [run(0..length), 0..0, 0..0],
            Some(FinishedCompaction { message, tail: None, .. }) => {
                [run(message..length), 0..0, 0..0]
            }
            // The compaction and its summary stand before the tail that they continue.
            Some(FinishedCompaction { message, summary, tail: Some(tail), .. }) => {
                [run(message..summary + 1), run(tail..message), run(summary + 1..length)]
            }
        };
        HistoryView { runs, cut, notes }
    }

    /// The runs of messages of which it consists, by their indices.
    pub fn runs(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.runs.iter().filter(|run| !run.is_empty()).cloned()
    }

    /// The indices of the messages.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().cloned().flatten()
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.iter().map(ExactSizeIterator::len).sum()
    }

    /// Has it no messages?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The last message.
    pub(super) fn last(&self) -> Option<u32> {
        self.runs.iter().rev().find(|run| !run.is_empty()).map(|run| run.end - 1)
    }

    /// Is this message in it?
    pub(super) fn contains(&self, index: u32) -> bool {
        self.runs.iter().any(|run| run.contains(&index))
    }

    /// The index after the newest summary: from there on messages stand in their own order.
    pub(super) fn since_cut(&self) -> usize {
        self.cut.map_or(0, |cut| cut.summary + 1)
    }

    /// The finished compactions within the view, in its order.
    pub(super) fn compactions(&self, finished: &[FinishedCompaction]) -> Vec<FinishedCompaction> {
        let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let is_shown = |one: &&FinishedCompaction| {
            self.contains(place(one.message)) && self.contains(place(one.summary))
        };
        let mut shown: Vec<_> = finished.iter().filter(is_shown).copied().collect();
        // The newest one stands before its tail.
        let place = |one: &FinishedCompaction| {
            (self.cut.is_none_or(|cut| cut.message != one.message), one.message)
        };
        order::sort_by(&mut shown, |a, b| place(a).cmp(&place(b)));
        shown
    }
}

/// The newest compaction whose summary is good.
fn newest_compaction(history: &impl History, notes: &[Note]) -> Option<FinishedCompaction> {
    // The good summaries that were passed, by the message that they belong to.
    let mut summaries = Slots::default();
    for note in notes.iter().rev() {
        let message = note.index as usize;
        if note.head.is_good_summary() {
            summaries.insert(note.links.parent, message);
        }
        if !note.head.is_compaction() || summaries.first().is_none() {
            continue;
        }
        let Some(summary) = summaries.get(history.id_hash(message)) else { continue };
        let wanted = note.links.tail;
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
    finished_among(history, &history.notes())
}

/// The same, given what is noted of the messages.
pub(super) fn finished_among(history: &impl History, notes: &[Note]) -> Vec<FinishedCompaction> {
    let mut summaries: Slots<Vec<usize>> = Slots::default();
    for note in notes.iter().filter(|note| note.head.is_good_summary()) {
        if let Some(summaries) = summaries.or_default(note.links.parent) {
            summaries.push(note.index as usize);
        }
    }
    let compactions = || notes.iter().filter(|note| note.head.is_compaction());
    // The messages with each id that a tail names.
    let mut places: Slots<Vec<usize>> = Slots::default();
    for tail in compactions().map(|note| note.links.tail).filter(|tail| *tail != 0) {
        places.insert(tail, Vec::new());
    }
    if places.first().is_some() {
        for index in 0..history.len() {
            if let Some(places) = places.get_mut(history.id_hash(index)) {
                places.push(index);
            }
        }
    }
    let mut finished = Vec::new();
    for note in compactions() {
        let (message, wanted) = (note.index as usize, note.links.tail);
        let after = summaries.get(history.id_hash(message)).and_then(|summaries| {
            summaries.get(summaries.partition_point(|summary| *summary < message))
        });
        let Some(summary) = after.copied() else { continue };
        let tail = places.get(wanted).and_then(|places| {
            let before = places.partition_point(|place| *place < message);
            places.get(before.checked_sub(1)?).copied()
        });
        let lost_tail = wanted != 0 && tail.is_none();
        finished.push(FinishedCompaction { message, summary, tail, lost_tail });
    }
    finished
}

/// The messages that are sent: the caller's own, in their order.
///
/// ```
/// use apex_parts_compaction::filter_compacted;
/// use apex_parts_model::{Owned, View};
/// let messages = Owned::from(serde_json::json!([
///     {"info": {"id": "a", "role": "user"}, "parts": []},
///     {"info": {"id": "b", "role": "user"}, "parts": [{"type": "compaction", "auto": true}]},
///     {"info": {"id": "c", "role": "assistant", "parentID": "b", "summary": true, "finish": "stop"}, "parts": []}
/// ]));
/// assert_eq!(filter_compacted(&messages).len(), 2);
/// ```
pub fn filter_compacted<V: Build>(messages: &V) -> V {
    let history = MessageArray::new(messages.clone());
    let view = HistoryView::new(&history);
    let mut list = V::list();
    for index in view.indices() {
        let mark = V::mark();
        list.push(&history.at(index as usize));
        V::release(mark);
    }
    list
}

#[cfg(test)]
mod tests;
