//! What can be wrong with the compactions of a history: CP-1 … CP-5.

use super::config::Estimator;
use super::history::{History, MessageReader};
use super::marks::{STRAY_MARK, is_stray_mark};
use super::token_count::MessageTokens;
use super::view::{FinishedCompaction, finished_compactions};
use crate::model::view::MAX_ELEMENTS;
use crate::model::{Error, Key, Kind, Path, Problem, Report, Severity, View, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Finds the place of a part.
struct FirstPart<F> {
    is: F,
    found: usize,
}

/// What is asked of a part.
trait PartTest {
    fn is<V: View>(&self, part: &V) -> bool;
}

struct IsCompaction;
impl PartTest for IsCompaction {
    fn is<V: View>(&self, part: &V) -> bool {
        part.get_word(Key::Type) == Some(Word::Compaction)
    }
}

struct HasStrayMark;
impl PartTest for HasStrayMark {
    fn is<V: View>(&self, part: &V) -> bool {
        is_stray_mark(part)
    }
}

impl<F: PartTest> MessageReader for FirstPart<F> {
    fn read<V: View>(&mut self, message: &V) {
        let mut found = None;
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |at, part| {
            if found.is_none() && self.is.is(part) {
                found = Some(at);
            }
        });
        self.found = found.unwrap_or(0);
    }
}

fn place_of(history: &impl History, index: usize, is: impl PartTest) -> Result<usize, Error> {
    let mut reader = FirstPart { is, found: 0 };
    history.show(index, &mut reader)?;
    Ok(reader.found)
}

/// Reports every problem of the compactions of a history, also CP-5; `path` is that of the list of messages.
///
/// # Errors
/// `TranscriptError` if the host cannot read the bytes of a transcript.
pub(crate) fn report(
    history: &impl History,
    path: &Path<'_>,
    to: &mut impl Report,
) -> Result<(), Error> {
    let finished = links(history, path, to)?;
    gains(history, &finished, path, to)?;
    for index in 0..history.len() {
        if history.has_stray_mark(index) {
            let part = place_of(history, index, HasStrayMark)?;
            let (message, parts) = (path.index(index), Key::Parts);
            let (parts, state) = (message.key(parts), Key::State);
            let part = parts.index(part);
            to.report(Problem::new(Severity::Warning, "CP-5", &part.key(state), STRAY_MARK));
        }
    }
    Ok(())
}

/// CP-1 … CP-4: all but the marks.
pub(crate) fn report_links(
    history: &impl History,
    path: &Path<'_>,
    to: &mut impl Report,
) -> Result<(), Error> {
    let finished = links(history, path, to)?;
    gains(history, &finished, path, to)
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
    path: &Path<'_>,
    to: &mut impl Report,
) -> Result<Vec<FinishedCompaction>, Error> {
    let finished = finished_compactions(history);
    let by_message: BTreeMap<usize, &FinishedCompaction> =
        finished.iter().map(|one| (one.message, one)).collect();
    let mut compactions = BTreeSet::new();
    let mut summaries = Vec::new();
    for index in 0..history.len() {
        let head = history.head(index);
        if head.is_summary() {
            summaries.push(index);
        }
        if !head.is_compaction() {
            continue;
        }
        compactions.insert(history.id_hash(index));
        let message = path.index(index);
        match by_message.get(&index) {
            Some(one) if one.lost_tail => {
                let part = place_of(history, index, IsCompaction)?;
                let parts = message.key(Key::Parts);
                to.report(Problem::new(
                    Severity::Warning,
                    "CP-1",
                    &parts.index(part).key(Key::TailStart),
                    "no earlier message has this id: it counts as absent, nothing stays verbatim",
                ));
            }
            None if index + 1 < history.len() && !tells_itself(history, index)? => {
                to.report(Problem::new(
                    Severity::Warning,
                    "CP-3",
                    &message,
                    "this compaction has no summary that ended well: it hides nothing",
                ))
            }
            _ => {}
        }
    }
    for index in summaries {
        if !compactions.contains(&history.links(index).parent) {
            let (message, info) = (path.index(index), Key::Info);
            to.report(Problem::new(
                Severity::Error,
                "CP-4",
                &message.key(info).key(Key::ParentID),
                "a summary's `parentID` is the message of a compaction; this is none",
            ));
        }
    }
    Ok(finished)
}

/// CP-2: a summary is shorter than what it replaces.
fn gains(
    history: &impl History,
    finished: &[FinishedCompaction],
    path: &Path<'_>,
    to: &mut impl Report,
) -> Result<(), Error> {
    const BY: Estimator = Estimator::Chars;
    if finished.is_empty() {
        return Ok(());
    }
    // The tokens of all messages before each one.
    let (mut before, mut message) = (vec![0_u64], MessageTokens::default());
    for index in 0..history.len() {
        history.tokens(index, BY, &mut message)?;
        before.push(before.last().copied().unwrap_or_default() + message.sent(BY));
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
            to.report(Problem::new(Severity::Warning, "CP-2", &path.index(one.summary), message));
        }
        last = Some(one);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
