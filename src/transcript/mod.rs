//! Transcripts: files that someone has, held as bytes and an index. Nothing becomes a value until
//! it is asked for.
//!
//! A file is scanned once, as its bytes come: [`Transcript::push`] each piece, then
//! [`Transcript::end`]. What stands in it as messages with their parts stays as it is, in memory or
//! with the host ([`Options::read`]); formats that have messages in pieces are put together into that
//! form. Damaged files open as far as they go, and [`Transcript::problems`] says what was lost.
//!
//! ```
//! use apex_parts::transcript::{Env, Format, Options, Transcript};
//! let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]},{"info":{"#;
//! let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
//! let t = Transcript::open(bytes, Options::default(), &mut env)?;
//! assert_eq!(t.format(), Some(Format::WithParts));
//! assert_eq!(t.message_count(), 1);
//! let lost = t.problems();
//! assert_eq!(lost.last().unwrap().offset, Some(71.0));
//! # Ok::<(), apex_parts::model::Error>(())
//! ```

mod begin;
mod claude_blocks;
mod claude_code;
mod claude_sessions;
mod conversation;
mod event_row;
mod events;
mod facts;
mod find;
mod format;
mod growing;
mod guess;
pub mod index;
pub mod json;
mod list;
mod loop_search;
mod made;
mod maker;
mod mend;
pub mod names;
mod pick;
mod places;
mod plain_messages;
mod reading;
mod repair;
mod replay;
mod run;
mod scan;
pub mod search;
mod sessions;
mod stats;
mod store;
mod streams;
mod tell;
mod together;
mod troubles;

use crate::check::Ids;
use crate::model::{Error, Problem};
pub use facts::Facts;
pub use find::{Found, Tell};
pub use format::Format;
use guess::Guess;
use index::{MessageFact, PartFact, keep};
use list::List;
pub use loop_search::LoopSearch;
pub use maker::Env;
use reading::State;
pub use sessions::Session;
pub use stats::TranscriptStats;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
pub use store::Read;
use store::Store;
use together::Together;

/// How to open a transcript.
#[derive(Default)]
pub struct Options {
    /// The format, where it is not to be told from the content.
    pub format: Option<Format>,
    /// Which ids are good ones; by default those that the format uses.
    pub ids: Option<Ids>,
    /// Reads the file again: nothing of it is held then but the index. Messages that had to be put
    /// together are held all the same.
    pub read: Option<Read>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Options");
        all.field("format", &self.format).field("ids", &self.ids);
        all.field("read", &self.read.is_some()).finish()
    }
}

/// A transcript.
#[derive(Debug, Default)]
pub struct Transcript {
    format: Option<Format>,
    ids: Option<Ids>,
    /// What the file is was asked when there were so many bytes.
    looked: usize,
    /// What it is taken for until there are enough bytes to be sure.
    guess: Option<Guess>,
    state: State,
    session: Option<Vec<u8>>,
    /// The file as it is read, and the messages that stand in it as they are.
    list: List,
    /// What was put together of the file, which is shown in the place of its messages.
    together: Together,
    damage: Vec<Problem>,
    /// The file ended before its JSON did.
    cut: bool,
}

impl Transcript {
    /// A transcript of which the bytes are still to come.
    #[must_use]
    pub fn new(options: Options) -> Transcript {
        let Options { format, ids, read } = options;
        let mut transcript = Transcript { format, ids, ..Transcript::default() };
        if let Some(read) = read {
            transcript.list.store = Store::Host(read);
        }
        transcript
    }

    /// Opens a whole file.
    ///
    /// # Errors
    /// `TranscriptError` where the bytes hold no transcript at all; a damaged one opens as far as
    /// it goes.
    pub fn open(bytes: &[u8], options: Options, env: &mut Env<'_>) -> Result<Transcript, Error> {
        let mut transcript = Transcript::new(options);
        transcript.push(bytes, env)?;
        transcript.end(env)?;
        Ok(transcript)
    }

    /// The messages that are shown.
    fn shown(&self) -> &List {
        self.together.lists.first().unwrap_or(&self.list)
    }

    /// Are the messages those of the file? Else they were put together.
    fn stands_in_file(&self) -> bool {
        self.together.lists.is_empty()
    }

    /// The same, and those of the other sessions.
    fn lists(&self) -> impl Iterator<Item = &List> {
        let own = self.stands_in_file().then_some(&self.list);
        own.into_iter().chain(&self.together.lists)
    }

    /// What was lost to damage.
    fn lost(&self) -> Vec<Problem> {
        let mut lost = self.damage.clone();
        for problem in &self.together.problems {
            keep(&mut lost, problem.clone());
        }
        lost
    }

    /// The kind of file; `None` until it is told.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The JSON of the session, where the file has it.
    #[must_use]
    pub fn session(&self) -> Option<&[u8]> {
        self.together.info.as_deref().or(self.session.as_deref())
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
        matches!(self.shown().store, Store::Held(_))
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
        let broken = self.lists().flat_map(|list| &list.index.problems).cloned();
        broken.chain(self.lost()).collect()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod pieces_tests;
