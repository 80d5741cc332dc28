//! [`AssembledList`]: the messages of a session that the reader of a format has assembled.

use crate::index::file_rules::FileRules;
use crate::index::stats::TranscriptStats;
use crate::index::sums::IndexSums;
use crate::message_list::{ListPath, MessageList};
use apex_parts_agents::LoadedMessages;
use apex_parts_agents::log::{GlanceScratch, MessageGlance};
use apex_parts_model::Error;
use apex_parts_model::problem_list::ProblemList;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;

/// Messages that were assembled from records. They are written, and indexed, when they are asked for.
#[derive(Debug)]
pub(crate) struct AssembledList {
    messages: RefCell<LoadedMessages>,
    rules: FileRules,
    pub(crate) path: ListPath,
    list: OnceCell<MessageList>,
    /// The sums over the messages, if these were asked for before they were written.
    stats: OnceCell<TranscriptStats>,
}

impl AssembledList {
    /// The messages of a session.
    pub(crate) fn new(messages: LoadedMessages, rules: FileRules, path: ListPath) -> AssembledList {
        let (messages, list, stats) = (RefCell::new(messages), OnceCell::new(), OnceCell::new());
        AssembledList { messages, rules, path, list, stats }
    }

    /// How many messages there are.
    pub(crate) fn count(&self) -> usize {
        let known = self.messages.borrow().count();
        known.unwrap_or_else(|| self.list().index.messages.len())
    }

    /// The messages.
    pub(crate) fn list(&self) -> &MessageList {
        self.list_with(None)
    }

    /// Sums over the messages.
    pub(crate) fn stats(&self) -> &TranscriptStats {
        if let Some(list) = self.list.get() {
            return &list.index.sums.stats;
        }
        if let Some(stats) = self.stats.get() {
            return stats;
        }
        let mut sums = IndexSums::of(Some(self.rules.made_up));
        let mut scratch = GlanceScratch::default();
        let all = 0..self.count();
        let is_glanced = self.messages.borrow().glance(all, &mut |_, message| {
            sums.add_glance(message, &mut scratch);
        });
        if !is_glanced {
            return &self.list().index.sums.stats;
        }
        sums.settle();
        self.stats.get_or_init(|| sums.stats)
    }

    /// Calls `look` with the index of each message of a range and a glance at it. Returns false, and calls it for none, if
    /// the messages are written.
    pub(crate) fn glance(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, MessageGlance<'_>),
    ) -> bool {
        self.list.get().is_none() && self.messages.borrow().glance(range, look)
    }

    /// The JSON of a message, if they are not written yet, and can be one by one.
    fn unwritten(&self, index: usize) -> Option<Vec<u8>> {
        if self.list.get().is_some() { None } else { self.messages.borrow().message(index) }
    }

    /// The rules that they break.
    pub(crate) fn problems(&self) -> ProblemList {
        self.list_with(Some(&self.path)).problems(self.rules, &self.path, false)
    }

    /// The messages, which are judged while they are indexed, if their path is given.
    fn list_with(&self, path: Option<&ListPath>) -> &MessageList {
        let made = || MessageList::assembled(self.messages.borrow_mut().take(), self.rules, path);
        self.list.get_or_init(made)
    }
}

/// Messages of a file, or those that were assembled of its records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListSource<'a> {
    InFile(&'a MessageList),
    Assembled(&'a AssembledList),
}

impl<'a> ListSource<'a> {
    /// How many messages there are.
    pub(crate) fn count(self) -> usize {
        match self {
            ListSource::InFile(list) => list.index.messages.len(),
            ListSource::Assembled(list) => list.count(),
        }
    }

    /// The messages. Assembled ones are written, if they are not yet.
    pub(crate) fn list(self) -> &'a MessageList {
        match self {
            ListSource::InFile(list) => list,
            ListSource::Assembled(list) => list.list(),
        }
    }

    /// The JSON of a message; `None` if there is no such message. Only this message is written, if its format allows it.
    pub(crate) fn message(self, index: usize) -> Result<Option<Cow<'a, [u8]>>, Error> {
        if index >= self.count() {
            return Ok(None);
        }
        let unwritten = match self {
            ListSource::InFile(_) => None,
            ListSource::Assembled(list) => list.unwritten(index),
        };
        unwritten.map_or_else(|| self.list().message(index), |json| Ok(Some(json.into())))
    }

    /// Calls `look` with the index and the JSON of each message of a range, until it returns `false`.
    pub(crate) fn each(
        self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Error> {
        let mut range = range.start..range.end.min(self.count());
        if let ListSource::Assembled(list) = self {
            while let Some(json) = list.unwritten(range.start).filter(|_| !range.is_empty()) {
                if !look(range.start, &json) {
                    return Ok(());
                }
                range.start += 1;
            }
        }
        if range.is_empty() { Ok(()) } else { self.list().each(range, &|_| true, look) }
    }

    /// Sums over the messages.
    pub(crate) fn stats(self) -> &'a TranscriptStats {
        match self {
            ListSource::InFile(list) => &list.index.sums.stats,
            ListSource::Assembled(list) => list.stats(),
        }
    }

    /// Like [`AssembledList::glance`]: false for messages of a file.
    pub(crate) fn glance(
        self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, MessageGlance<'_>),
    ) -> bool {
        match self {
            ListSource::InFile(_) => false,
            ListSource::Assembled(list) => list.glance(range, look),
        }
    }
}
