//! What compaction asks of a history, and the history that is an array of messages.

use super::config::Estimator;
use super::head::Head;
use super::marks::{is_stray_mark, mark_of};
use super::print::{hash, mixed, part_print};
use super::token_count::MessageTokens;
use crate::model::view::MAX_ELEMENTS;
use crate::model::{Error, Key, Kind, View};
use std::borrow::Cow;

/// The ids that a message names, as hashes; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Links {
    /// `parentID`
    pub(crate) parent: u64,
    /// The `tail_start_id` of its compaction.
    pub(crate) tail: u64,
}

/// Reads a message of a history, whatever kind of value it is.
pub trait MessageReader {
    /// Reads `{info, parts}`.
    fn read<V: View>(&mut self, message: &V);
}

/// Messages with parts, oldest first.
///
/// It is implemented for arrays ([`MessageArray`]) and for transcripts, which answer from their index.
pub trait History {
    /// The number of messages.
    fn len(&self) -> usize;
    /// The facts of a message.
    fn head(&self, index: usize) -> Head;
    /// The hash of its id.
    fn id_hash(&self, index: usize) -> u64;
    /// A hash of its id, of the ids of its parts and of their marks.
    fn print(&self, index: usize) -> u64;
    /// The latest time at which an output of it was cleared; −∞ if none was.
    fn latest_mark(&self, index: usize) -> f64;
    /// Is a call of it marked as cleared that has no output to clear?
    fn has_stray_mark(&self, index: usize) -> bool;
    /// The ids that it names.
    fn links(&self, index: usize) -> Links;
    /// Counts its tokens, into a value that is used again.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error>;
    /// The name of the tool of a part.
    fn tool_name(&self, index: usize, part: usize) -> Option<Cow<'_, str>>;
    /// Shows a message.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error>;
    /// The ids of messages, in this order.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn message_ids(&self, indices: &[u32]) -> Result<Vec<String>, Error>;
    /// The ids of parts, given as the indices of message and part, in this order.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn part_ids(&self, places: &[(u32, u32)]) -> Result<Vec<String>, Error>;

    /// Has it no messages?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hash of all ids and marks: a plan is for the history with this hash.
    fn fingerprint(&self) -> String {
        let all = (0..self.len()).fold(self.len() as u64, |hash, at| mixed(hash, self.print(at)));
        format!("{all:016x}")
    }
}

/// The links of a message.
pub(crate) fn links_of<V: View>(message: &V, head: &Head) -> Links {
    let hash_of = |value: V| value.text().filter(|id| !id.is_empty()).map_or(0, |id| hash(&id));
    let mut links = Links::default();
    if head.is_summary() {
        links.parent = hash_of(message.get(Key::Info).get(Key::ParentID));
    }
    if head.is_compaction() {
        let mut is_first = true;
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            if is_first && part.get_word(Key::Type) == Some(crate::model::Word::Compaction) {
                is_first = false;
                links.tail = hash_of(part.get(Key::TailStart));
            }
        });
    }
    links
}

/// An array of messages with parts, or a JSON export that has it under `messages`. What is no message counts as
/// one that says nothing.
#[derive(Clone, Debug)]
pub struct MessageArray<V> {
    list: V,
    length: usize,
}

impl<V: View> MessageArray<V> {
    /// The messages of an array.
    #[must_use]
    pub fn new(list: V) -> MessageArray<V> {
        let list = if list.kind() == Kind::Object { list.get(Key::Messages) } else { list };
        let length = list.len().min(MAX_ELEMENTS);
        MessageArray { list, length }
    }

    /// Reads a message and frees what the host allocated for that.
    fn with<T>(&self, index: usize, read: impl FnOnce(&V) -> T) -> T {
        let mark = V::mark();
        let made = read(&self.list.at(index));
        V::release(mark);
        made
    }

    pub(super) fn at(&self, index: usize) -> V {
        self.list.at(index)
    }
}

fn id_of<V: View>(of: &V) -> String {
    of.get(Key::Id).text().map_or_else(String::new, Cow::into_owned)
}

impl<V: View> History for MessageArray<V> {
    fn len(&self) -> usize {
        self.length
    }

    fn head(&self, index: usize) -> Head {
        self.with(index, Head::of)
    }

    fn id_hash(&self, index: usize) -> u64 {
        self.with(index, |message| hash(&id_of(&message.get(Key::Info))))
    }

    fn print(&self, index: usize) -> u64 {
        self.with(index, |message| {
            let mut print = hash(&id_of(&message.get(Key::Info)));
            message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                print = mixed(print, part_print(&id_of(part), mark_of(part)));
            });
            print
        })
    }

    fn latest_mark(&self, index: usize) -> f64 {
        self.with(index, |message| {
            let mut latest = f64::NEG_INFINITY;
            message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                latest = latest.max(mark_of(part));
            });
            latest
        })
    }

    fn has_stray_mark(&self, index: usize) -> bool {
        self.with(index, |message| {
            let mut is_stray = false;
            message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                is_stray |= is_stray_mark(part);
            });
            is_stray
        })
    }

    fn links(&self, index: usize) -> Links {
        self.with(index, |message| links_of(message, &Head::of(message)))
    }

    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error> {
        self.with(index, |message| to.read(message, &Head::of(message), by));
        Ok(())
    }

    fn tool_name(&self, index: usize, part: usize) -> Option<Cow<'_, str>> {
        self.with(index, |message| {
            let tool = message.get(Key::Parts).at(part).get(Key::Tool);
            tool.text().map(|name| Cow::Owned(name.into_owned()))
        })
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        self.with(index, |message| reader.read(message));
        Ok(())
    }

    fn message_ids(&self, indices: &[u32]) -> Result<Vec<String>, Error> {
        let id = |index: &u32| self.with(*index as usize, |message| id_of(&message.get(Key::Info)));
        Ok(indices.iter().map(id).collect())
    }

    fn part_ids(&self, places: &[(u32, u32)]) -> Result<Vec<String>, Error> {
        let id = |(message, part): &(u32, u32)| {
            self.with(*message as usize, |m| id_of(&m.get(Key::Parts).at(*part as usize)))
        };
        Ok(places.iter().map(id).collect())
    }
}
