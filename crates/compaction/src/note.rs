//! What few messages of a history have: a compaction, a summary, marks of cleared outputs.

use super::head::Head;
use super::marks::{is_stray_mark, mark_of};
use super::print::hash;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, View, Word};

/// The ids that a message names, as hashes; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Links {
    /// `parentID`
    pub(crate) parent: u64,
    /// The `tail_start_id` of its compaction.
    pub(crate) tail: u64,
}

/// What is noted of a message with a compaction, of a summary, and of a message with marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// The index of the message.
    pub(crate) index: u32,
    pub(crate) head: Head,
    /// The ids that it names.
    pub(crate) links: Links,
    /// The marks of its calls.
    pub(crate) marks: ClearMarks,
}

/// The marks of cleared outputs in a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearMarks {
    /// The latest time at which an output was cleared; −∞ if none was.
    pub(crate) latest: f64,
    /// Is there a mark on a call that has no output to clear?
    pub(crate) has_stray: bool,
}

impl Default for ClearMarks {
    fn default() -> ClearMarks {
        ClearMarks { latest: f64::NEG_INFINITY, has_stray: false }
    }
}

impl ClearMarks {
    /// Adds those of a part.
    pub fn add<V: View>(&mut self, part: &V) {
        let mark = mark_of(part);
        if !mark.is_nan() {
            self.latest = self.latest.max(mark);
            self.has_stray |= is_stray_mark(part);
        }
    }

    fn read<V: View>(message: &V) -> ClearMarks {
        let mut marks = ClearMarks::default();
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| marks.add(part));
        marks
    }
}

impl Note {
    /// What is noted of a message, given its index; `None` if it has nothing of that.
    pub(crate) fn read<V: View>(message: &V, index: usize) -> Option<Note> {
        Note::with(message, index, Head::read(message), ClearMarks::read(message))
    }

    /// The same for a message whose facts are known.
    pub fn with<V: View>(message: &V, index: usize, head: Head, marks: ClearMarks) -> Option<Note> {
        let is_linked = head.is_compaction() || head.is_summary();
        if !is_linked && marks == ClearMarks::default() {
            return None;
        }
        let index = u32::try_from(index).ok()?;
        Some(Note { index, head, links: Links::read(message, head), marks })
    }
}

impl Links {
    fn read<V: View>(message: &V, head: Head) -> Links {
        let hash_of = |value: V| value.text().filter(|id| !id.is_empty()).map_or(0, |id| hash(&id));
        let mut links = Links::default();
        if head.is_summary() {
            links.parent = hash_of(message.get(Key::Info).get(Key::ParentID));
        }
        if head.is_compaction() {
            let mut is_first = true;
            message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                if is_first && part.get_word(Key::Type) == Some(Word::Compaction) {
                    is_first = false;
                    links.tail = hash_of(part.get(Key::TailStart));
                }
            });
        }
        links
    }
}

/// The notes of some messages, in their order.
pub(crate) trait Notes {
    /// The marks of a message.
    fn marks(&self, index: usize) -> ClearMarks;
}

impl Notes for [Note] {
    fn marks(&self, index: usize) -> ClearMarks {
        let position = self.binary_search_by_key(&index, |note| note.index as usize);
        let note = position.ok().and_then(|place| self.get(place));
        note.map_or_else(ClearMarks::default, |note| note.marks)
    }
}
