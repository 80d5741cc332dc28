//! An open transcript, and what it is asked.

use crate::model::problem_list::ProblemList;
use crate::model::{Error, Problem};
use crate::transcript::detect::guess::Guess;
use crate::transcript::formats::reader::Env;
use crate::transcript::formats::registry::Format;
use crate::transcript::index::entry::{MessageFact, PartFact};
use crate::transcript::index::facts::Facts;
use crate::transcript::index::stats::TranscriptStats;
use crate::transcript::load_state::LoadState;
use crate::transcript::message_list::MessageList;
use crate::transcript::session_set::SessionSet;
use crate::transcript::source::ByteSource;
use crate::transcript::source::Read;
use crate::validate::Ids;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// How to open a transcript.
#[derive(Default)]
pub struct TranscriptOptions {
    /// The format, where it is not to be told from the content.
    pub format: Option<Format>,
    /// Which ids are good ones; by default those that the format uses.
    pub ids: Option<Ids>,
    /// Reads the file again: nothing of it is held then but the index. Messages that had to be put
    /// together are held all the same.
    pub read: Option<Read>,
}

impl fmt::Debug for TranscriptOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Options");
        all.field("format", &self.format).field("ids", &self.ids);
        all.field("read", &self.read.is_some()).finish()
    }
}

/// A transcript.
#[derive(Debug, Default)]
pub struct Transcript {
    pub(crate) format: Option<Format>,
    pub(crate) ids: Option<Ids>,
    /// What the file is was asked when there were so many bytes.
    pub(crate) looked: usize,
    /// What it is taken for until there are enough bytes to be sure.
    pub(crate) guess: Option<Guess>,
    pub(crate) state: LoadState,
    pub(crate) session: Option<Vec<u8>>,
    /// The file as it is read, and the messages that stand in it as they are.
    pub(crate) list: MessageList,
    /// What was put together of the file, which is shown in the place of its messages.
    pub(crate) session_set: SessionSet,
    pub(crate) damage: ProblemList,
    /// The file ended before its JSON did.
    pub(crate) cut: bool,
}

impl Transcript {
    /// A transcript of which the bytes are still to come.
    #[must_use]
    pub fn new(options: TranscriptOptions) -> Transcript {
        let TranscriptOptions { format, ids, read } = options;
        let mut transcript = Transcript { format, ids, ..Transcript::default() };
        if let Some(read) = read {
            transcript.list.store = ByteSource::Host(read);
        }
        transcript
    }

    /// Opens a whole file.
    ///
    /// # Errors
    /// `TranscriptError` where the bytes hold no transcript at all; a damaged one opens as far as
    /// it goes.
    pub fn open(
        bytes: &[u8],
        options: TranscriptOptions,
        env: &mut Env<'_>,
    ) -> Result<Transcript, Error> {
        let mut transcript = Transcript::new(options);
        transcript.push(bytes, env)?;
        transcript.end(env)?;
        Ok(transcript)
    }

    /// The messages that are shown.
    pub(crate) fn shown(&self) -> &MessageList {
        self.session_set.lists.first().unwrap_or(&self.list)
    }

    /// Are the messages those of the file? Else they were put together.
    pub(crate) fn stands_in_file(&self) -> bool {
        self.session_set.lists.is_empty()
    }

    /// The same, and those of the other sessions.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &MessageList> {
        let own = self.stands_in_file().then_some(&self.list);
        own.into_iter().chain(&self.session_set.lists)
    }

    /// What was lost to damage.
    pub(crate) fn lost(&self) -> ProblemList {
        self.damage.iter().chain(&self.session_set.problems).cloned().collect()
    }

    /// The kind of file; `None` until it is told.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The JSON of the session, where the file has it.
    #[must_use]
    pub fn session(&self) -> Option<&[u8]> {
        self.session_set.info.as_deref().or(self.session.as_deref())
    }

    /// How many messages there are.
    #[must_use]
    pub fn message_count(&self) -> usize {
        self.shown().index.messages.len()
    }

    /// How many parts there are.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.shown().index.parts.len()
    }

    /// What is known of each message.
    #[must_use]
    pub fn messages(&self) -> &Facts<MessageFact> {
        &self.shown().index.messages
    }

    /// What is known of each part.
    #[must_use]
    pub fn parts(&self) -> &Facts<PartFact> {
        &self.shown().index.parts
    }

    /// The names of tools: a part's number is one more than the place of its tool here.
    #[must_use]
    pub fn tool_names(&self) -> &[Box<str>] {
        self.shown().index.tools.list()
    }

    /// The names of agents: a message's number is one more than the place of its agent here.
    #[must_use]
    pub fn agent_names(&self) -> &[Box<str>] {
        self.shown().index.agents.list()
    }

    /// The JSON of a message; `None` where there is no such message.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn message(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.shown().message(index)
    }

    /// Shows the JSON of the messages of a range, one after another, until `look` says `false`.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn each(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Error> {
        self.shown().each(range, &|_| true, look)
    }

    /// Are the bytes held?
    #[must_use]
    pub fn is_held(&self) -> bool {
        matches!(self.shown().store, ByteSource::Held(_))
    }

    /// Sums over all messages.
    #[must_use]
    pub fn stats(&self) -> &TranscriptStats {
        &self.shown().index.stats
    }

    /// Everything that is wrong: rules broken, in the order of the file, and then what was lost to
    /// damage, with byte offsets.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let broken = self.lists().flat_map(|list| list.index.problems.iter()).cloned();
        broken.chain(self.lost()).collect()
    }
}

#[cfg(test)]
mod tests;
