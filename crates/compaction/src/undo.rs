//! A compaction, or marks on outputs, taken back.

use super::history::{History, MessageArray};
use super::marking::{changed, copy_of, first_part_with_tail};
use super::note::Note;
use super::print::hash;
use apex_parts_model::order;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, View};

/// What to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoTarget<'a> {
    /// The compaction of the message with this id.
    Compaction(&'a str),
    /// The marks of the parts with these ids.
    Parts(&'a [String]),
}

fn unknown(id: &str, what: &str) -> Error {
    Error::compaction("unknown_target", id, format!("{what}: nothing was changed"))
}

/// The messages without a compaction, or with these outputs as they were. Everything else is the very same object.
///
/// # Errors
/// `CompactionError` (`unknown_target`) if there is no such compaction, or no part with one of the ids.
pub fn undo<V: Build>(messages: &V, target: UndoTarget<'_>) -> Result<V, Error> {
    let history = MessageArray::new(messages.clone());
    match target {
        UndoTarget::Compaction(id) => without_compaction(&history, id),
        UndoTarget::Parts(ids) => without_marks(&history, ids),
    }
}

fn without_marks<V: Build>(history: &MessageArray<V>, ids: &[String]) -> Result<V, Error> {
    let wanted: SortedSet<&str> = order::inserted(ids.iter().map(String::as_str));
    let mut missing = wanted.clone();
    let result = changed(history, &mut |part| {
        let id = part.get(Key::Id);
        let id = id.text()?;
        if !wanted.contains(id.as_ref()) {
            return None;
        }
        missing.remove(id.as_ref());
        let state = part.get(Key::State);
        let time = state.get(Key::Time);
        if time.get(Key::Compacted).kind() == Kind::Missing {
            return None;
        }
        let mut open = V::object();
        open.carry(&time, &[Key::Compacted]);
        Some(copy_of(part).with(Key::State, &copy_of(&state).with(Key::Time, &open)))
    });
    match missing.first() {
        None => Ok(result),
        Some(id) => {
            Err(unknown(id, &format!("no part has the id {:?}", apex_parts_model::shorten(id))))
        }
    }
}

fn without_compaction<V: Build>(history: &MessageArray<V>, id: &str) -> Result<V, Error> {
    let wanted = hash(id);
    let length = history.len();
    let notes = history.notes();
    let is_it =
        |note: &&Note| note.head.is_compaction() && history.id_hash(note.index as usize) == wanted;
    let Some(compaction) = notes.iter().find(is_it).map(|note| note.index as usize) else {
        let what =
            format!("no message with a compaction has the id {:?}", apex_parts_model::shorten(id));
        return Err(unknown(id, &what));
    };
    let summaries = notes.iter().filter(|note| {
        note.head.is_summary() && note.links.parent == wanted && note.index as usize > compaction
    });
    let summaries: Vec<usize> = summaries.map(|note| note.index as usize).collect();
    // A compaction that had been there before its summary stays.
    let reused = summaries.iter().find_map(|at| {
        let tail = history.at(*at).get(Key::Info).get(Key::Reused);
        tail.text().map(std::borrow::Cow::into_owned)
    });
    let mut removed: SortedSet<usize> = order::inserted(summaries.iter().copied());
    if let Some(after) = summaries.last().map(|last| last + 1).filter(|after| *after < length)
        && is_going_on(&history.at(after))
        && !is_answered(history, after)
    {
        removed.insert(after);
    }
    if reused.is_none() {
        removed.insert(compaction);
    }
    let mut list = V::list();
    for index in (0..length).filter(|index| !removed.contains(index)) {
        let mark = V::mark();
        let message = history.at(index);
        match &reused {
            Some(tail) if index == compaction => {
                let tail = Some(tail.as_str()).filter(|tail| !tail.is_empty());
                list.push(&first_part_with_tail(&message, tail));
            }
            _ => list.push(&message),
        }
        V::release(mark);
    }
    Ok(list)
}

/// A message that was added to go on after a compaction.
fn is_going_on<V: View>(message: &V) -> bool {
    let mut is = false;
    message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
        let metadata = part.get(Key::Metadata);
        is |= metadata.get(Key::CompactionContinue).kind() == Kind::True
            || metadata.get(Key::CompactionReplay).kind() == Kind::True;
    });
    is
}

/// Does a message that follows belong to it?
fn is_answered<V: View>(history: &MessageArray<V>, index: usize) -> bool {
    let id = history.at(index).get(Key::Info).get(Key::Id);
    (index + 1..history.len()).any(|at| {
        let mark = V::mark();
        let is = history.at(at).get(Key::Info).get(Key::ParentID).same(&id);
        V::release(mark);
        is
    })
}
