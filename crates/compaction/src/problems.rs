//! What can be wrong with the compactions of a history: CP-1 … CP-5; CP-6 is that of a plan.

use super::config::Estimator;
use super::history::{History, MessageReader};
use super::marks::{STRAY_MARK, is_stray_mark};
use super::note::Note;
use super::view::{FinishedCompaction, finished_among};
use apex_parts_model::order;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, Kind, Path, Problem, Severity, View, Word};

/// What is looked for among the parts of a message.
#[derive(Clone, Copy)]
enum Wanted {
    Compaction,
    StrayMark,
}

/// The place of the first part that is wanted.
struct FirstPart {
    wanted: Wanted,
    found: Option<usize>,
}

impl MessageReader for FirstPart {
    fn read<V: View>(&mut self, message: &V) {
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |at, part| {
            let is_it = match self.wanted {
                Wanted::Compaction => part.get_word(Key::Type) == Some(Word::Compaction),
                Wanted::StrayMark => is_stray_mark(part),
            };
            if is_it {
                self.found.get_or_insert(at);
            }
        });
    }
}

fn place_of(history: &impl History, index: usize, wanted: Wanted) -> Result<usize, Error> {
    let mut reader = FirstPart { wanted, found: None };
    history.show(index, &mut reader)?;
    Ok(reader.found.unwrap_or(0))
}

/// Takes problems, each with the index of its message.
type Take<'a> = dyn FnMut(usize, Problem) + 'a;

/// Reports every problem of the compactions of a history, also CP-5; `path` is that of the list of messages.
///
/// # Errors
/// `TranscriptError` if the host cannot read the bytes of a transcript.
pub(super) fn report(
    history: &impl History,
    notes: &[Note],
    finished: &[FinishedCompaction],
    path: &Path<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    links(history, notes, finished, path, take)?;
    gains(history, finished, path, take)?;
    for note in notes.iter().filter(|note| note.marks.has_stray) {
        let index = note.index as usize;
        let place = place_of(history, index, Wanted::StrayMark)?;
        let message = path.index(index);
        let parts = message.key(Key::Parts);
        let part = parts.index(place);
        let state = part.key(Key::State);
        take(index, Problem::new(Severity::Warning, "CP-5", &state, STRAY_MARK));
    }
    Ok(())
}

/// CP-1 … CP-4: all but the marks.
pub fn report_links(
    history: &impl History,
    path: &Path<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    let notes = history.notes();
    let finished = finished_among(history, &notes);
    links(history, &notes, &finished, path, take)?;
    gains(history, &finished, path, take)
}

/// Whether the message of a compaction has the summary in itself, as sessions of other agents do.
fn tells_itself(history: &impl History, index: usize) -> Result<bool, Error> {
    struct HasText(bool);
    impl MessageReader for HasText {
        fn read<V: View>(&mut self, message: &V) {
            message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                let is_made = part.get(Key::Synthetic).kind() == Kind::True;
                self.0 |= is_made && part.get(Key::Text).kind() == Kind::String;
            });
        }
    }
    let mut reader = HasText(false);
    if !history.head(index).is_bare_compaction() {
        history.show(index, &mut reader)?;
    }
    Ok(reader.0)
}

/// CP-1, CP-3, CP-4: what names another message.
fn links(
    history: &impl History,
    notes: &[Note],
    finished: &[FinishedCompaction],
    path: &Path<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    let by_message: SortedMap<usize, &FinishedCompaction> =
        order::inserted(finished.iter().map(|one| (one.message, one)));
    let mut compactions = SortedSet::new();
    for note in notes.iter().filter(|note| note.head.is_compaction()) {
        let index = note.index as usize;
        compactions.insert(history.id_hash(index));
        let message = path.index(index);
        match by_message.get(&index) {
            Some(one) if one.lost_tail => {
                let part = place_of(history, index, Wanted::Compaction)?;
                let parts = message.key(Key::Parts);
                take(
                    index,
                    Problem::new(
                        Severity::Warning,
                        "CP-1",
                        &parts.index(part).key(Key::TailStart),
                        "no earlier message has this id: it counts as absent, and nothing stays verbatim",
                    ),
                );
            }
            None if index + 1 < history.len() && !tells_itself(history, index)? => take(
                index,
                Problem::new(
                    Severity::Warning,
                    "CP-3",
                    &message,
                    "this compaction has no summary that ended well: it hides nothing",
                ),
            ),
            _ => {}
        }
    }
    for note in notes.iter().filter(|note| note.head.is_summary()) {
        if !compactions.contains(&note.links.parent) {
            let index = note.index as usize;
            let (message, info) = (path.index(index), Key::Info);
            take(
                index,
                Problem::new(
                    Severity::Error,
                    "CP-4",
                    &message.key(info).key(Key::ParentID),
                    "a summary's `parentID` must be a message with a compaction; this message has none",
                ),
            );
        }
    }
    Ok(())
}

/// CP-2: a summary is shorter than what it replaces.
fn gains(
    history: &impl History,
    finished: &[FinishedCompaction],
    path: &Path<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    const BY: Estimator = Estimator::Chars;
    if finished.is_empty() {
        return Ok(());
    }
    // The tokens of all messages before each one.
    let mut before = vec![0_u64];
    for index in 0..history.len() {
        let own = history.sums(index, BY)?.sent(BY);
        before.push(before.last().copied().unwrap_or_default() + own);
    }
    let between = |from: usize, to: usize| {
        let at = |index: usize| before.get(index).copied().unwrap_or_default();
        at(to).saturating_sub(at(from))
    };
    let mut last: Option<&FinishedCompaction> = None;
    for one in finished {
        // What was seen before, without what stayed.
        let seen = last.map_or(0, |last| last.tail.unwrap_or(last.message));
        let end = one.tail.unwrap_or(one.message);
        let mut replaced = between(seen.min(end), end);
        if let Some(last) = last.filter(|last| last.message >= end || last.message < seen) {
            replaced += between(last.message, last.summary + 1);
        }
        let own = between(one.summary, one.summary + 1);
        if own > replaced {
            let message =
                format!("the summary is longer than what it replaces: {own} tokens for {replaced}");
            take(
                one.summary,
                Problem::new(Severity::Warning, "CP-2", &path.index(one.summary), message),
            );
        }
        last = Some(one);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
