//! A transcript and its questions: messages, parts, sessions, statistics, problems.

use crate::assembled_list::{AssembledList, ListSource};
use crate::carried_part::restored;
use crate::copy::note::CopyNote;
use crate::detect::guess::{Guess, GuessedIds};
use crate::formats::registry::Format;
use crate::index::entry::{MessageFact, PartFact};
use crate::index::facts::Facts;
use crate::load_state::LoadState;
use crate::message_list::{ListPath, MessageList};
use crate::session_set::SessionSet;
use crate::source::ByteSource;
use crate::source::Read;
use apex_parts_agents::{Env, RecordCount};
use apex_parts_json::tape::Tape;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Error, Key, Path, Problem};
use apex_parts_validate::Ids;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// How to open a transcript.
#[derive(Default)]
pub struct TranscriptOptions {
    /// The format; if it is not given, it is detected from the content.
    pub format: Option<Format>,
    /// Which ids are valid; by default those that the format uses.
    pub ids: Option<Ids>,
    /// Reads bytes of the file again: then only the index is held in memory. Messages that had to be
    /// assembled from records are held nevertheless.
    pub read: Option<Read>,
}

impl fmt::Debug for TranscriptOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Options");
        all.field("format", &self.format).field("ids", &self.ids);
        all.field("read", &self.read.is_some()).finish()
    }
}

/// A file of messages: its index, and its bytes in memory or with the host.
#[derive(Debug, Default)]
pub struct Transcript {
    pub(crate) format: Option<Format>,
    pub(crate) ids: Option<Ids>,
    /// The number of bytes that the last attempt to detect the format had.
    pub(crate) looked: usize,
    /// The likely format, under which the file is read until there are enough bytes to be sure.
    pub(crate) guess: Option<Guess>,
    pub(crate) guessed_ids: GuessedIds,
    pub(crate) state: LoadState,
    /// The values of the line that is read.
    pub(crate) tape: Tape,
    pub(crate) session: Option<Vec<u8>>,
    /// The bytes of the file, and the messages that the file contains in their final form.
    pub(crate) list: MessageList,
    /// The sessions that were assembled from records; they are shown instead of `list`.
    pub(crate) session_set: SessionSet,
    pub(crate) damage: ProblemList,
    /// How many records are of its format, unless that was given.
    pub(crate) records: RecordCount,
    pub(crate) is_given: bool,
    /// The file ended before its JSON did.
    pub(crate) cut: bool,
    /// What the file looks like, if it is recognised but not read.
    pub(crate) looks_like: Option<&'static str>,
    /// The time that messages without one were given.
    pub(crate) made_up: f64,
    /// Too many records are of other programs.
    pub(crate) is_foreign: bool,
    /// Of a copy: what it says of the transcript that it was made of.
    pub(crate) copied: Option<CopyNote>,
}

impl Transcript {
    /// A transcript whose bytes are still to be pushed.
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
    /// `TranscriptError` if no transcript can be read from the bytes at all. A damaged one opens with what
    /// can be read.
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
    pub(crate) fn visible(&self) -> &MessageList {
        self.session_set.lists.first().map_or(&self.list, AssembledList::list)
    }

    /// The messages at a place among the assembled lists; those of the file if there is none.
    pub(crate) fn list_at(&self, place: usize) -> &MessageList {
        self.session_set.lists.get(place).map_or(&self.list, AssembledList::list)
    }

    /// The same, not written for it.
    pub(crate) fn source_at(&self, place: usize) -> ListSource<'_> {
        let assembled = self.session_set.lists.get(place);
        assembled.map_or(ListSource::InFile(&self.list), ListSource::Assembled)
    }

    /// Are the messages contained in the file as they are? Otherwise they were assembled.
    pub(crate) fn is_in_file(&self) -> bool {
        self.session_set.lists.is_empty()
    }

    /// The messages that are shown, and those of the other sessions. They are not written for it.
    pub(crate) fn sources(&self) -> impl Iterator<Item = ListSource<'_>> {
        let own = self.is_in_file().then_some(ListSource::InFile(&self.list));
        own.into_iter().chain(self.session_set.lists.iter().map(ListSource::Assembled))
    }

    /// The same, written.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &MessageList> {
        self.sources().map(ListSource::list)
    }

    /// What was lost to damage.
    pub fn lost(&self) -> ProblemList {
        self.damage.iter().chain(&self.session_set.problems).cloned().collect()
    }

    /// Are so many records of the file of other programs that it is hardly one of its format? What is shown is only a part
    /// of it, and an error says so.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// The format; `None` until it is detected.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// What the file looks like, if it is recognised but not read.
    #[must_use]
    pub fn looks_like(&self) -> Option<&'static str> {
        self.looks_like
    }

    /// The JSON object of the session; `None` if the file does not have it.
    #[must_use]
    pub fn session(&self) -> Option<&[u8]> {
        let first = self.session_set.infos.first().and_then(Option::as_deref);
        first.or(self.session.as_deref())
    }

    /// How many messages there are.
    #[must_use]
    pub fn message_count(&self) -> usize {
        let assembled = self.session_set.lists.first();
        assembled.map_or_else(|| self.list.index.messages.len(), AssembledList::count)
    }

    /// How many parts there are.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.visible().index.parts.len()
    }

    /// The index entry of each message.
    #[must_use]
    pub fn messages(&self) -> &Facts<MessageFact> {
        &self.visible().index.messages
    }

    /// The index entry of each part.
    #[must_use]
    pub fn parts(&self) -> &Facts<PartFact> {
        &self.visible().index.parts
    }

    /// The names of tools. [`PartFact::tool`] is one more than the index of the name in this list.
    #[must_use]
    pub fn tool_names(&self) -> &[Box<str>] {
        self.visible().index.tools.list()
    }

    /// The names of agents. [`MessageFact::agent`] is one more than the index of the name in this list.
    #[must_use]
    pub fn agent_names(&self) -> &[Box<str>] {
        self.visible().index.agents.list()
    }

    /// The JSON of a message; `None` if there is no such message. Parts of types that OpenCode does not have, which
    /// the file carries in texts, are what they were.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn message(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(self.message_in_file(index)?.map(restored))
    }

    /// The same as it stands in the file.
    ///
    /// # Errors
    /// As for [`message`](Self::message).
    pub fn message_in_file(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.source_at(0).message(index)
    }

    /// Calls `look` with the index and the JSON of each message of a range, until it returns `false`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Error> {
        self.source_at(0).each(range, &mut |index, json| look(index, &restored(json.into())))
    }

    /// Are the bytes held in memory?
    #[must_use]
    pub fn is_held(&self) -> bool {
        matches!(self.visible().store, ByteSource::Held(_))
    }

    /// All problems: first the violations of rules in the order of the file, then the losses to damage, with
    /// byte offsets.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let own = self.is_in_file().then(|| {
            let is_export = self.format == Some(Format::OpenCodeExport);
            let path = if is_export { ListPath::Messages } else { ListPath::Root };
            self.list.problems(self.rules(), &path, true)
        });
        let assembled = self.session_set.lists.iter().map(AssembledList::problems);
        let broken = own.into_iter().chain(assembled).flatten();
        broken.chain(self.compaction_problems()).chain(self.lost()).collect()
    }

    /// What is wrong between messages with compactions: CP-1 to CP-4. Other agents than OpenCode write summaries
    /// in other ways, so sessions that were assembled of their records are not judged.
    fn compaction_problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        if !self.is_in_file() {
            return problems;
        }
        let root = Path::ROOT;
        let messages = root.key(Key::Messages);
        let is_export = self.format == Some(Format::OpenCodeExport);
        let list = if is_export { &messages } else { &root };
        let mut take = |index: usize, mut problem: Problem| {
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let offset = self.messages().get(index).map(|message| message.start as f64);
            problem.offset = offset;
            problems.push(problem);
        };
        // What the host cannot read again is told when it is asked for.
        let _ = apex_parts_compaction::report_links(self, list, &mut take);
        problems
    }
}

#[cfg(test)]
mod tests;
