//! A transcript as a history to compact: it answers from its index, without making values of messages.

use super::message_list::MessageList;
use super::transcript::Transcript;
use apex_parts_compaction::{
    Estimator, Head, History, IdList, MessageReader, MessageSums, MessageTokens, Note, ResultSums,
    Times, ToolSet,
};
use apex_parts_json::string::unescape_bytes;
use apex_parts_json::tape::Tape;
use apex_parts_model::{Error, Key, View};
use std::borrow::Cow;
use std::ops::Range;

impl MessageList {
    /// The parts of a message: the index of the first, and of the one after the last.
    fn parts_of(&self, index: usize) -> Range<usize> {
        let first = |index: usize| {
            let message = self.index.messages.get(index);
            message.map_or(self.index.parts.len(), |message| message.first_part as usize)
        };
        first(index)..first(index + 1)
    }

    /// Where the text of a message's id is in the file: offset and length.
    fn message_id_place(&self, index: usize) -> (u64, usize) {
        let message = self.index.messages.get(index);
        message.map_or((0, 0), |message| place(message.start, message.id))
    }

    /// The same of a part's id.
    fn part_id_place(&self, message: usize, part: usize) -> (u64, usize) {
        let part = self.index.parts.get(self.parts_of(message).start + part);
        let start = self.index.messages.get(message).map(|message| message.start);
        start.zip(part).map_or((0, 0), |(start, part)| place(start, part.id))
    }
}

/// Offset and length of a range from the beginning of a message.
fn place(message: u64, (start, end): (u32, u32)) -> (u64, usize) {
    (message + u64::from(start), end.saturating_sub(start) as usize)
}

impl History for Transcript {
    fn len(&self) -> usize {
        self.message_count()
    }

    fn head(&self, index: usize) -> Head {
        let contexts = self.visible().contexts();
        contexts.messages.get(index).map_or_else(Head::default, |fact| fact.head)
    }

    fn times(&self, index: usize) -> Times {
        let message = self.messages().get(index);
        message.map_or(Times { created: f64::NAN, completed: f64::NAN }, |message| Times {
            created: message.created,
            completed: message.completed,
        })
    }

    fn id_hash(&self, index: usize) -> u64 {
        self.messages().get(index).map_or(0, |message| message.id_hash)
    }

    fn print(&self) -> u64 {
        self.visible().contexts().print
    }

    fn notes(&self) -> Cow<'_, [Note]> {
        Cow::Owned(self.visible().contexts().notes.clone())
    }

    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error> {
        let list = self.visible();
        to.parts.clear();
        let contexts = list.contexts();
        let Some(head) = contexts.messages.get(index).map(|message| message.head) else {
            return Ok(());
        };
        to.has_failed = head.has_failed();
        if by == Estimator::Chars {
            let tokens = list.tokens();
            if tokens.messages.get(index).is_some_and(|sums| !sums.has_files()) {
                for tokens in tokens.parts.slices(list.parts_of(index)) {
                    to.parts.extend_from_slice(tokens);
                }
                return Ok(());
            }
        }
        // Files, and the classes of characters, are looked at once.
        let key = (u32::try_from(index).unwrap_or(u32::MAX), by == Estimator::Classes);
        if let Some(counted) = list.index.counted.borrow().get(&key) {
            to.parts.extend_from_slice(counted);
            return Ok(());
        }
        let mut reader = Counting { to, head, by };
        self.show(index, &mut reader)?;
        list.index.counted.borrow_mut().insert(key, to.parts.as_slice().into());
        Ok(())
    }

    fn sums(&self, index: usize, by: Estimator) -> Result<MessageSums, Error> {
        let known = match by {
            Estimator::Chars => self.visible().tokens().messages.get(index).copied(),
            Estimator::Classes => None,
        };
        match known {
            Some(sums) if !sums.has_files() => Ok(sums),
            _ => {
                let mut tokens = MessageTokens::default();
                self.tokens(index, by, &mut tokens)?;
                Ok(tokens.sums(by))
            }
        }
    }

    fn sent(&self, range: Range<usize>, by: Estimator) -> Result<u64, Error> {
        let (mut all, mut index) = (0, range.start);
        let list = self.visible();
        let end = range.end.min(list.index.messages.len());
        if by == Estimator::Chars {
            for sums in list.tokens().messages.slices(range) {
                for sums in sums {
                    let has_files = sums.has_files();
                    all += if has_files { self.sums(index, by)?.sent(by) } else { sums.sent(by) };
                    index += 1;
                }
            }
        }
        for index in index..end {
            all += self.sums(index, by)?.sent(by);
        }
        Ok(all)
    }

    fn tool_set(&self, names: &[String]) -> ToolSet {
        let mut set = ToolSet::default();
        // A tool without a number may be any of them.
        set.add(0);
        for (name, number) in self.tool_names().iter().zip(1..) {
            if names.iter().any(|wanted| **wanted == **name) {
                set.add(number);
            }
        }
        set
    }

    fn results(&self, index: usize, by: Estimator, but: ToolSet) -> Option<ResultSums> {
        if by != Estimator::Chars {
            return None;
        }
        let list = self.visible();
        let tools = list.contexts().messages.get(index)?.tools;
        let sums = *list.tokens().messages.get(index)?;
        if sums.has_files() || tools.may_share(but) { None } else { sums.results() }
    }

    fn tool_name(&self, index: usize, part: usize) -> Result<Option<Cow<'_, str>>, Error> {
        let list = self.visible();
        let fact = list.index.parts.get(list.parts_of(index).start + part);
        if let Some(number) = fact.and_then(|fact| usize::from(fact.tool).checked_sub(1)) {
            return Ok(list.index.tools.list().get(number).map(|name| Cow::Borrowed(&**name)));
        }
        let mut reader = ToolName { part, name: None };
        self.show(index, &mut reader)?;
        Ok(reader.name.map(Cow::Owned))
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        let Some(bytes) = self.message(index)? else { return Ok(()) };
        let mut tape = Tape::default();
        if tape.read(&bytes, 0).is_ok() {
            reader.read(&tape.root(&bytes));
        }
        Ok(())
    }

    fn message_id(&self, index: usize) -> Result<String, Error> {
        let (start, length) = self.visible().message_id_place(index);
        let raw = self.visible().bytes(start, length)?;
        Ok(unescape_bytes(&raw).into_owned())
    }

    fn message_ids(&self, indices: &[u32], to: &mut IdList) -> Result<(), Error> {
        let list = self.visible();
        let mut places = indices.iter().map(|index| list.message_id_place(*index as usize));
        list.each_range(&mut places, &mut |raw| to.push_raw(raw))
    }

    fn part_ids(&self, places: &[(u32, u32)], to: &mut IdList) -> Result<(), Error> {
        let list = self.visible();
        let place =
            |(message, part): &(u32, u32)| list.part_id_place(*message as usize, *part as usize);
        list.each_range(&mut places.iter().map(place), &mut |raw| to.push_raw(raw))
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

/// Reads the name of a tool to which the index gave no number.
struct ToolName {
    part: usize,
    name: Option<String>,
}

impl MessageReader for ToolName {
    fn read<V: View>(&mut self, message: &V) {
        let name = message.get(Key::Parts).at(self.part).get(Key::Tool);
        self.name = name.text().map(Cow::into_owned);
    }
}
