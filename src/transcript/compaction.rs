//! A transcript as a history to compact: it answers from its index, without making values of messages.

use super::index::entry::LONG_ID;
use super::index::message_index::RareFacts;
use super::message_list::MessageList;
use super::transcript::Transcript;
use crate::compaction::{Estimator, Head, History, Links, MessageReader, MessageTokens};
use crate::json::string::unescape_bytes;
use crate::json::tape::Tape;
use crate::model::{Error, Key, View};
use std::borrow::Cow;

impl MessageList {
    fn rare(&self, index: usize) -> Option<&RareFacts> {
        self.index.rare.get(&u32::try_from(index).ok()?)
    }

    /// The parts of a message: the index of the first, and of the one after the last.
    fn parts_of(&self, index: usize) -> std::ops::Range<usize> {
        let first = |index: usize| {
            let message = self.index.messages.get(index);
            message.map_or(self.index.parts.len(), |message| message.first_part as usize)
        };
        first(index)..first(index + 1)
    }

    /// Text of a message, given its range from the beginning of the message.
    fn text_at(&self, index: usize, start: u32, length: usize) -> Result<String, Error> {
        let Some(message) = self.index.messages.get(index) else { return Ok(String::new()) };
        let raw = self.bytes(message.start + u64::from(start), length)?;
        Ok(unescape_bytes(&raw).into_owned())
    }
}

impl History for Transcript {
    fn len(&self) -> usize {
        self.message_count()
    }

    fn head(&self, index: usize) -> Head {
        self.messages().get(index).map_or_else(Head::default, |message| message.head)
    }

    fn id_hash(&self, index: usize) -> u64 {
        self.messages().get(index).map_or(0, |message| message.id_hash)
    }

    fn print(&self, index: usize) -> u64 {
        self.messages().get(index).map_or(0, |message| message.print)
    }

    fn latest_mark(&self, index: usize) -> f64 {
        self.shown().rare(index).map_or(f64::NEG_INFINITY, |rare| rare.latest_mark)
    }

    fn has_stray_mark(&self, index: usize) -> bool {
        self.shown().rare(index).is_some_and(|rare| rare.has_stray_mark)
    }

    fn links(&self, index: usize) -> Links {
        self.shown().rare(index).map_or_else(Links::default, |rare| rare.links)
    }

    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error> {
        let list = self.shown();
        let head = self.head(index);
        to.parts.clear();
        let facts = list.index.parts.range(list.parts_of(index));
        to.parts.extend(facts.map(|fact| fact.token_count()));
        if by == Estimator::Chars && !to.parts.iter().any(|part| part.has_files()) {
            to.join(head.has_failed());
            return Ok(());
        }
        // Files, and the classes of characters, are looked at once.
        let key = (u32::try_from(index).unwrap_or(u32::MAX), by == Estimator::Classes);
        if let Some(counted) = list.index.counted.borrow().get(&key) {
            to.parts.clear();
            to.parts.extend_from_slice(counted);
            to.join(head.has_failed());
            return Ok(());
        }
        let mut reader = Counting { to, head, by };
        self.show(index, &mut reader)?;
        list.index.counted.borrow_mut().insert(key, to.parts.as_slice().into());
        Ok(())
    }

    fn tool_name(&self, index: usize, part: usize) -> Option<Cow<'_, str>> {
        let list = self.shown();
        let fact = list.index.parts.get(list.parts_of(index).start + part)?;
        let number = usize::from(fact.tool).checked_sub(1)?;
        list.index.tools.list().get(number).map(|name| Cow::Borrowed(&**name))
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        let Some(bytes) = self.message(index)? else { return Ok(()) };
        let mut tape = Tape::default();
        if tape.read(&bytes, 0).is_ok() {
            reader.read(&tape.root(&bytes));
        }
        Ok(())
    }

    fn message_ids(&self, indices: &[u32]) -> Result<Vec<String>, Error> {
        let list = self.shown();
        let id = |index: &u32| {
            let index = *index as usize;
            let (start, end) = list.index.messages.get(index).map_or((0, 0), |message| message.id);
            list.text_at(index, start, end.saturating_sub(start) as usize)
        };
        indices.iter().map(id).collect()
    }

    fn part_ids(&self, places: &[(u32, u32)]) -> Result<Vec<String>, Error> {
        let list = self.shown();
        let mut ids = Vec::with_capacity(places.len());
        for (message, part) in places {
            let (message, part) = (*message as usize, *part as usize);
            let Some(fact) = list.index.parts.get(list.parts_of(message).start + part) else {
                ids.push(String::new());
                continue;
            };
            if fact.id_length == LONG_ID {
                let mut reader = PartId { part, id: String::new() };
                self.show(message, &mut reader)?;
                ids.push(reader.id);
            } else {
                ids.push(list.text_at(message, fact.id_start, usize::from(fact.id_length))?);
            }
        }
        Ok(ids)
    }
}

/// Counts a message.
struct Counting<'a> {
    to: &'a mut MessageTokens,
    head: Head,
    by: Estimator,
}

impl MessageReader for Counting<'_> {
    fn read<V: View>(&mut self, message: &V) {
        self.to.read(message, &self.head, self.by);
    }
}

/// Reads the id of a part.
struct PartId {
    part: usize,
    id: String,
}

impl MessageReader for PartId {
    fn read<V: View>(&mut self, message: &V) {
        let id = message.get(Key::Parts).at(self.part).get(Key::Id);
        self.id = id.text().map_or_else(String::new, Cow::into_owned);
    }
}
