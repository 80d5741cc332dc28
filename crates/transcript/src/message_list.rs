//! A list of messages: their bytes and their index.

use crate::documents::repair::DamagedRange;
use crate::documents::splitter::{DocumentSink, DocumentSplitter};
use crate::index::broken_rules::BrokenRules;
use crate::index::contexts::{ContextTokens, Contexts};
use crate::index::entry::MessageFact;
use crate::index::file_rules::FileRules;
use crate::index::message_index::{Index, is_message};
use crate::source::ByteSource;
use apex_parts_agents::DocumentLayout;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Error, Key, Path, Problem, Severity, Word};
use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::ops::Range;

/// Messages: their index, and where their bytes are.
#[derive(Debug, Default)]
pub(crate) struct MessageList {
    pub(crate) store: ByteSource,
    pub(crate) index: Index,
    /// The bytes that are not in the store yet, and their offset in the file.
    pub(crate) window: Vec<u8>,
    pub(crate) base: u64,
    /// The blanked ranges, in the order of the file: they apply to what a host reads.
    pub(crate) holes: Vec<DamagedRange>,
    /// The rules that they break, and what compaction knows of them, as far as that was asked for. A host reads no byte
    /// again for these: of its file they are found while it is read.
    pub(crate) broken: RefCell<BrokenRules>,
    pub(crate) contexts: RefCell<Contexts>,
    pub(crate) tokens: RefCell<ContextTokens>,
    /// What could not be indexed, each with the number of messages before it.
    pub(crate) lost: Vec<(usize, Problem)>,
}

/// Where a list of messages stands, for the paths of problems.
#[derive(Clone, Debug)]
pub(crate) enum ListPath {
    /// It is all there is.
    Root,
    /// It is in `messages`.
    Messages,
    /// It is of the session with this id, which is not the main one.
    Session(String),
}

impl ListPath {
    /// Calls `with` with the path.
    pub(crate) fn with<T>(&self, with: impl FnOnce(&Path<'_>) -> T) -> T {
        let root = Path::ROOT;
        match self {
            ListPath::Root => with(&root),
            ListPath::Messages => with(&root.key(Key::Messages)),
            ListPath::Session(id) => with(&root.name("sessions").name(id)),
        }
    }
}

/// The most bytes that are read at once from a host's file for several messages.
const BLOCK: u64 = 4 << 20;
/// The most bytes that are read beside what is wanted, to read two ranges at once.
const NEAR: u64 = 16 << 10;

impl MessageList {
    /// The messages of a JSON array that the reader of a format has written.
    /// They are judged at once if their path is given.
    pub(crate) fn assembled(
        mut json: Vec<u8>,
        rules: FileRules,
        path: Option<&ListPath>,
    ) -> MessageList {
        let mut index = Index::of(Some(rules.made_up));
        let (mut broken, mut lost) = (BrokenRules::default(), Vec::new());
        ListPath::with(path.unwrap_or(&ListPath::Root), |place| {
            let judge = path.map(|_| (&mut broken, rules, place));
            let mut taking = AssembledMessages { index: &mut index, judge, lost: &mut lost };
            DocumentSplitter::new(DocumentLayout::List).run(&mut json, false, &mut taking);
        });
        index.sums.settle();
        let broken = RefCell::new(broken);
        MessageList { index, broken, lost, window: json, ..MessageList::default() }
    }

    /// The rules that the messages break, in the order of the file. `is_in_file` says that offsets are those of the file.
    pub(crate) fn problems(
        &self,
        rules: FileRules,
        path: &ListPath,
        is_in_file: bool,
    ) -> ProblemList {
        let mut broken = self.broken.borrow_mut();
        let (mut contexts, mut tokens) = (self.contexts.borrow_mut(), self.tokens.borrow_mut());
        let has_compactions = is_in_file && self.index.has(Word::Compaction);
        path.with(|path| {
            self.each_held(broken.count, &mut |index, message| {
                broken.lose(&self.lost, index);
                let fact = self.index.messages.get(index).filter(|_| is_in_file);
                broken.add(message, rules, path, fact.map(|fact| fact.start));
                // Compactions in a file are judged too, by what messages are to them and take.
                if is_in_file && contexts.messages.len() == index {
                    contexts.add(message, &self.index);
                }
                if has_compactions && tokens.messages.len() == index {
                    tokens.add(message);
                }
            });
        });
        broken.lose(&self.lost, self.index.messages.len());
        broken.problems.clone()
    }

    /// What compaction knows of the messages.
    pub(crate) fn contexts(&self) -> Ref<'_, Contexts> {
        let from = self.contexts.borrow().messages.len();
        if from < self.index.messages.len() {
            let mut contexts = self.contexts.borrow_mut();
            self.each_held(from, &mut |_, message| contexts.add(message, &self.index));
        }
        self.contexts.borrow()
    }

    /// What the messages take in a model's context.
    pub(crate) fn tokens(&self) -> Ref<'_, ContextTokens> {
        let from = self.tokens.borrow().messages.len();
        if from < self.index.messages.len() {
            let mut tokens = self.tokens.borrow_mut();
            self.each_held(from, &mut |_, message| tokens.add(message));
        }
        self.tokens.borrow()
    }

    /// Calls `look` with the index and the value of each message from an index on, of a list that is in memory.
    fn each_held(&self, from: usize, look: &mut dyn FnMut(usize, Node<'_>)) {
        let mut tape = Tape::default();
        // What is in memory can be read, and was JSON when it was indexed; of what is not, the value is missing.
        let _ = self.each(from..self.index.messages.len(), &|_| true, &mut |index, bytes| {
            let _ = tape.read(bytes, 0);
            look(index, tape.root(bytes));
            true
        });
    }

    /// The JSON of a message; `None` if there is no such message.
    pub(crate) fn message(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        match self.index.messages.get(index) {
            Some(fact) => self.bytes(fact.start, fact.size as usize).map(Some),
            None => Ok(None),
        }
    }

    /// `length` bytes of the file, from the offset `start` on.
    pub(super) fn bytes(&self, start: u64, length: usize) -> Result<Cow<'_, [u8]>, Error> {
        let near = start.checked_sub(self.base).and_then(|from| {
            let from = usize::try_from(from).ok()?;
            self.window.get(from..from.checked_add(length)?)
        });
        if let Some(bytes) = near {
            return Ok(Cow::Borrowed(bytes));
        }
        let bytes = self.store.get(start, length)?;
        let is_host = matches!(self.store, ByteSource::Host(_));
        Ok(if is_host { self.blanked(bytes, start) } else { bytes })
    }

    /// Bytes of the host's file, with the damaged ranges blanked as they were when the file was scanned.
    fn blanked<'a>(&self, bytes: Cow<'a, [u8]>, start: u64) -> Cow<'a, [u8]> {
        let end = start + bytes.len() as u64;
        let first = self.holes.partition_point(|hole| hole.end() <= start);
        let mut holes =
            self.holes.iter().skip(first).take_while(|hole| hole.offset < end).peekable();
        if holes.peek().is_none() {
            return bytes;
        }
        let mut own = bytes.into_owned();
        holes.for_each(|hole| hole.fill(&mut own, start));
        Cow::Owned(own)
    }

    /// Is there a boundary between the store and the window from `start` to this message? They cannot be read
    /// together then: the host does not know the window.
    fn is_split(&self, start: u64, message: &MessageFact) -> bool {
        start < self.base && message.start >= self.base
    }

    /// Calls `look` with the index and the JSON of each `wanted` message of a range, until it returns `false`.
    pub(crate) fn each(
        &self,
        range: Range<usize>,
        wanted: &dyn Fn(&MessageFact) -> bool,
        look: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Error> {
        let facts = self.index.messages.range(range.clone());
        let mut wanted = facts.enumerate().filter(|(_, fact)| wanted(fact)).peekable();
        let mut group: Vec<(usize, MessageFact)> = Vec::new();
        while let Some((i, fact)) = wanted.next() {
            group.push((range.start + i, *fact));
            let start = group.first().map_or(0, |(_, first)| first.start);
            if let Some((_, next)) = wanted.peek()
                && end_of(next).saturating_sub(start) <= BLOCK
                && !self.is_split(start, next)
                && matches!(self.store, ByteSource::Host(_))
            {
                continue;
            }
            let length = usize::try_from(end_of(fact).saturating_sub(start)).unwrap_or(usize::MAX);
            let bytes = self.bytes(start, length)?;
            for (index, fact) in group.drain(..) {
                let from = usize::try_from(fact.start - start).unwrap_or(usize::MAX);
                let message = bytes.get(from..from.saturating_add(fact.size as usize));
                if !look(index, message.unwrap_or_default()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Calls `look` with the bytes of the messages of a range, in blocks as large as they are stored, until
    /// it returns `false`. Its first argument is the offset of the block. No message spans two blocks.
    pub(crate) fn blocks(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(u64, &[u8]) -> bool,
    ) -> Result<(), Error> {
        let messages = &self.index.messages;
        let last = range.end.min(messages.len()).checked_sub(1);
        let ends = (messages.get(range.start), last.and_then(|last| messages.get(last)));
        let (Some(first), Some(last)) = ends else { return Ok(()) };
        if let ByteSource::Held(pieces) = &self.store {
            let held = pieces.iter().map(|piece| (piece.start, piece.bytes.as_slice()));
            let mut all = held.chain([(self.base, self.window.as_slice())]);
            all.all(|(start, bytes)| {
                let place =
                    |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
                let (from, to) = (place(first.start), place(end_of(last)).min(bytes.len()));
                bytes.get(from..to).is_none_or(|part| look(start + from as u64, part))
            });
            return Ok(());
        }
        let mut facts = messages.range(range).peekable();
        while let Some(first) = facts.next() {
            let mut end = end_of(first);
            let is_near = |next: &&MessageFact| {
                end_of(next) - first.start <= BLOCK && !self.is_split(first.start, next)
            };
            while let Some(next) = facts.next_if(is_near) {
                end = end_of(next);
            }
            let length = usize::try_from(end - first.start).unwrap_or(usize::MAX);
            if !look(first.start, &self.bytes(first.start, length)?) {
                break;
            }
        }
        Ok(())
    }

    /// Calls `look` with the bytes of each of these ranges of the file, given as offset and length.
    pub(crate) fn each_range(
        &self,
        ranges: &mut dyn Iterator<Item = (u64, usize)>,
        look: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        if matches!(self.store, ByteSource::Held(_)) {
            for (start, length) in ranges {
                look(&self.bytes(start, length)?);
            }
            return Ok(());
        }
        // To ask the host costs more than to read what is between ranges that are near to each other.
        let mut ranges = ranges.peekable();
        let mut group: Vec<(u64, usize)> = Vec::new();
        let mut end = 0;
        while let Some((start, length)) = ranges.next() {
            if group.is_empty() {
                end = start;
            }
            group.push((start, length));
            let first = group.first().map_or(start, |(first, _)| *first);
            end = end.max(start + length as u64);
            if let Some((next, more)) = ranges.peek()
                && *next >= first
                && next.saturating_sub(end) <= NEAR
                && next + *more as u64 - first <= BLOCK
                && (*next < self.base) == (first < self.base)
            {
                continue;
            }
            let whole = usize::try_from(end - first).unwrap_or(usize::MAX);
            let bytes = self.bytes(first, whole)?;
            for (start, length) in group.drain(..) {
                let from = usize::try_from(start - first).unwrap_or(usize::MAX);
                look(bytes.get(from..from.saturating_add(length)).unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Calls `look` with the index and the value of each message of a range.
    pub(crate) fn each_read(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, Node<'_>),
    ) -> Result<(), Error> {
        let mut tape = Tape::default();
        self.each(range, &|_| true, &mut |index, bytes| {
            if tape.read(bytes, 0).is_ok() {
                look(index, tape.root(bytes));
            }
            true
        })
    }
}

fn end_of(fact: &MessageFact) -> u64 {
    fact.start + u64::from(fact.size)
}

/// Indexes assembled messages: their offsets are not offsets in the file.
struct AssembledMessages<'a> {
    index: &'a mut Index,
    judge: Option<(&'a mut BrokenRules, FileRules, &'a Path<'a>)>,
    lost: &'a mut Vec<(usize, Problem)>,
}

impl DocumentSink for AssembledMessages<'_> {
    fn document(&mut self, document: Node<'_>, _bytes: &[u8], offset: u64) {
        if is_message(document) {
            if let Some((broken, rules, path)) = &mut self.judge {
                broken.lose(self.lost, self.index.messages.len());
                broken.add(document, *rules, path, None);
            }
            self.index.add(document, offset);
        }
    }
    fn is_element(&self, document: Node<'_>) -> bool {
        is_message(document)
    }
    fn field(&mut self, _key: &str, _value: &[u8]) {}
    fn damaged(&mut self, rule: &'static str, message: String, _offset: u64) {
        let problem = Problem::new(Severity::Error, rule, &Path::ROOT, message);
        self.lost.push((self.index.messages.len(), problem));
    }
}
