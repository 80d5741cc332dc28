//! What compaction asks of a history, and the history that is an array of messages.

use super::config::Estimator;
use super::head::{Head, Times};
use super::id_list::IdList;
use super::note::Note;
use super::print::{fingerprint_of, hash, id_of, message_print, mixed};
use super::token_count::{MessageSums, MessageTokens, ResultSums};
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, Kind, View};
use std::borrow::Cow;
use std::ops::Range;

/// Tools by their numbers, of which several may share a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolSet(u64);

impl ToolSet {
    /// Adds the tool with a number.
    pub fn add(&mut self, number: u16) {
        self.0 |= 1 << (number % 64);
    }

    /// Can a tool be in both?
    pub fn may_share(self, other: ToolSet) -> bool {
        self.0 & other.0 != 0
    }
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
    /// When it was created and completed.
    fn times(&self, index: usize) -> Times;
    /// The hash of its id.
    fn id_hash(&self, index: usize) -> u64;
    /// A hash of all ids of messages and parts and of all marks.
    fn print(&self) -> u64;
    /// The messages that have a compaction, are a summary, or have marks, in their order.
    fn notes(&self) -> Cow<'_, [Note]>;
    /// Counts its tokens, into a value that is used again.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error>;
    /// What a message takes, by "chars" or "classes".
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn sums(&self, index: usize, by: Estimator) -> Result<MessageSums, Error> {
        let mut tokens = MessageTokens::default();
        self.tokens(index, by, &mut tokens)?;
        Ok(tokens.sums(by))
    }
    /// What the messages of a range take together.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn sent(&self, range: Range<usize>, by: Estimator) -> Result<u64, Error> {
        let mut all = 0;
        for index in range {
            all += self.sums(index, by)?.sent(by);
        }
        Ok(all)
    }
    /// These tools in a form that [`History::results`] takes.
    fn tool_set(&self, _names: &[String]) -> ToolSet {
        ToolSet::default()
    }
    /// What the completed calls of a message returned, if that is known without a look at each of them: not if one is
    /// cleared, or of one of these tools.
    fn results(&self, _index: usize, _by: Estimator, _but: ToolSet) -> Option<ResultSums> {
        None
    }
    /// The name of the tool of a part.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn tool_name(&self, index: usize, part: usize) -> Result<Option<Cow<'_, str>>, Error>;
    /// Shows a message.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error>;
    /// The id of a message.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn message_id(&self, index: usize) -> Result<String, Error>;
    /// Writes the ids of messages, in this order.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn message_ids(&self, indices: &[u32], to: &mut IdList) -> Result<(), Error>;
    /// Writes the ids of parts, given by the indices of message and part, in this order.
    ///
    /// # Errors
    /// As [`History::tokens`].
    fn part_ids(&self, places: &[(u32, u32)], to: &mut IdList) -> Result<(), Error>;

    /// Has it no messages?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hash of all ids and marks: a plan is for the history with this hash.
    fn fingerprint(&self) -> String {
        fingerprint_of(self.print(), self.len())
    }
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
        let result = read(&self.list.at(index));
        V::release(mark);
        result
    }

    pub(super) fn at(&self, index: usize) -> V {
        self.list.at(index)
    }

    /// The share of a message in [`History::print`].
    pub fn message_print(&self, index: usize) -> u64 {
        self.with(index, |message| message_print(message, &|_, mark| mark))
    }

    /// What is noted of a message; `None` if it has nothing of that.
    pub fn note(&self, index: usize) -> Option<Note> {
        self.with(index, |message| Note::read(message, index))
    }
}

impl<V: View> History for MessageArray<V> {
    fn len(&self) -> usize {
        self.length
    }

    fn head(&self, index: usize) -> Head {
        self.with(index, Head::read)
    }

    fn times(&self, index: usize) -> Times {
        self.with(index, Times::read)
    }

    fn id_hash(&self, index: usize) -> u64 {
        self.with(index, |message| hash(&id_of(&message.get(Key::Info))))
    }

    fn print(&self) -> u64 {
        (0..self.length).fold(0, |all, index| mixed(all, self.message_print(index)))
    }

    fn notes(&self) -> Cow<'_, [Note]> {
        (0..self.length).filter_map(|index| self.note(index)).collect()
    }

    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error> {
        self.with(index, |message| to.read(message, &Head::read(message), by));
        Ok(())
    }

    fn tool_name(&self, index: usize, part: usize) -> Result<Option<Cow<'_, str>>, Error> {
        Ok(self.with(index, |message| {
            let tool = message.get(Key::Parts).at(part).get(Key::Tool);
            tool.text().map(|name| Cow::Owned(name.into_owned()))
        }))
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        self.with(index, |message| reader.read(message));
        Ok(())
    }

    fn message_id(&self, index: usize) -> Result<String, Error> {
        Ok(self.with(index, |message| id_of(&message.get(Key::Info))))
    }

    fn message_ids(&self, indices: &[u32], to: &mut IdList) -> Result<(), Error> {
        for index in indices {
            self.with(*index as usize, |message| to.push(&id_of(&message.get(Key::Info))));
        }
        Ok(())
    }

    fn part_ids(&self, places: &[(u32, u32)], to: &mut IdList) -> Result<(), Error> {
        for (message, part) in places {
            self.with(*message as usize, |message| {
                to.push(&id_of(&message.get(Key::Parts).at(*part as usize)));
            });
        }
        Ok(())
    }
}
