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
mod find;
mod format;
mod growing;
pub mod index;
pub mod json;
mod list;
mod made;
mod maker;
pub mod names;
mod pick;
mod places;
mod plain_messages;
mod replay;
mod run;
mod scan;
pub mod search;
mod stats;
mod store;
mod streams;
mod tell;
mod together;
mod troubles;

use crate::check::Ids;
use crate::loops::{Config, Finder, Loop};
use crate::model::{Error, Key, Path, Problem, Severity, View};
use crate::wire::{Frame, Framing};
use begin::{Begin, Told};
pub use find::{Found, Tell};
pub use format::Format;
use index::{Index, MessageFact, PartFact, is_message, keep};
use json::{Node, Tape};
use list::List;
pub use maker::Env;
use maker::{Made, Maker, Record, maker};
use scan::{Scan, Sink};
pub use stats::TranscriptStats;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
pub use store::Read;
use store::Store;
use together::Together;
use troubles::problem;

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

/// A session in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The session that began it.
    pub parent_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// A transcript.
#[derive(Debug, Default)]
pub struct Transcript {
    format: Option<Format>,
    ids: Option<Ids>,
    /// What the file is was asked when there were so many bytes.
    looked: usize,
    state: State,
    session: Option<Vec<u8>>,
    /// The file as it is read, and the messages that stand in it as they are.
    list: List,
    /// What was put together of the file, which is shown in the place of its messages.
    together: Together,
    damage: Vec<Problem>,
}

/// How far the file was read.
#[derive(Default)]
enum State {
    /// Its first bytes have not told yet what it is.
    #[default]
    Begins,
    /// By documents: messages, or records for a maker.
    Documents(Scan, Option<Box<dyn Maker>>),
    /// By the frames of a stream, which begins at this byte.
    Frames(Framing, u64, Box<dyn Maker>),
    /// It is no transcript: that is said at its end.
    Refused(Error),
    /// It is over.
    Ended,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Begins => "Begins",
            State::Documents(..) => "Documents",
            State::Frames(..) => "Frames",
            State::Refused(_) => "Refused",
            State::Ended => "Ended",
        })
    }
}

/// So many of the first bytes are looked at first.
const FIRST_LOOK: usize = 256;
/// So much is scanned at once, while it is near.
const PIECE: usize = 1 << 18;
/// Pieces that are held are at least so long.
const HELD: usize = 4 << 20;
/// A document that is not held is waited for up to this length.
const LONGEST: usize = 512 << 20;

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

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// `TranscriptError` behind the end, and where memory does not suffice; what was taken before
    /// stays.
    pub fn push(&mut self, chunk: &[u8], env: &mut Env<'_>) -> Result<(), Error> {
        self.push_with(
            chunk.len(),
            &mut |at, room| {
                if let Some(piece) = chunk.get(at..at + room.len()) {
                    room.copy_from_slice(piece);
                }
            },
            env,
        )
    }

    /// The same for bytes that `fill` writes, from an offset on, into the room that it is given: they
    /// are scanned piece by piece while they are near.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn push_with(
        &mut self,
        length: usize,
        fill: &mut dyn FnMut(usize, &mut [u8]),
        env: &mut Env<'_>,
    ) -> Result<(), Error> {
        if matches!(self.state, State::Ended) {
            return Err(Error::transcript("push after end: the transcript is open already", 0));
        }
        let mut at = 0;
        while at < length {
            let piece = (length - at).min(PIECE);
            let window = &mut self.list.window;
            let from = window.len();
            window.try_reserve(piece).map_err(|_| {
                let held = self.list.base + from as u64;
                let message =
                    "there is no memory for more of the file: give `read`, and it is not held";
                Error::transcript(message, usize::try_from(held).unwrap_or(usize::MAX))
            })?;
            window.resize(from + piece, 0);
            fill(at, window.get_mut(from..).unwrap_or_default());
            at += piece;
            self.scan(true, env);
            self.settle();
        }
        Ok(())
    }

    /// The file is over.
    ///
    /// # Errors
    /// `TranscriptError` where it holds no transcript at all.
    pub fn end(&mut self, env: &mut Env<'_>) -> Result<(), Error> {
        if matches!(self.state, State::Ended) {
            return Ok(());
        }
        self.scan(false, env);
        if let State::Refused(error) = &self.state {
            let error = error.clone();
            self.state = State::Ended;
            return Err(error);
        }
        let length = self.list.base + self.list.window.len() as u64;
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Documents(_, Some(maker)) | State::Frames(_, _, maker) => {
                self.list.window = Vec::new();
                self.together = Together::default();
                self.show(maker.finish(length, env));
            }
            _ if self.is_held() => self.list.window.shrink_to_fit(),
            _ => self.list.window = Vec::new(),
        }
        let nothing = self.message_count() == 0 && self.session().is_none();
        match self.damage.first().or(self.together.problems.first()) {
            Some(first) if nothing => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an offset
                let at = first.offset.unwrap_or(0.0) as usize;
                Err(Error::transcript(format!("no message could be read: {}", first.message), at))
            }
            _ => Ok(()),
        }
    }

    /// Shows what there is so far, also of a format that is put together: as if the file ended here,
    /// but what is merely cut by that is not yet there, and no problem. The reading goes on. A part,
    /// and a message, has the same id at every refresh, and at the end.
    ///
    /// It costs as much as putting everything together does. Before the format is told, for a file
    /// that is refused, and behind the end it does nothing; nor does it where messages stand in the
    /// file as they are, which are there as soon as they are whole.
    pub fn refresh(&mut self, env: &mut Env<'_>) {
        let length = self.list.base + self.list.window.len() as u64;
        if let State::Documents(_, Some(maker)) | State::Frames(_, _, maker) = &mut self.state {
            self.together = Together::default();
            let made = maker.peek(length, env);
            self.show(made);
        }
    }

    /// Scans what there is.
    fn scan(&mut self, more: bool, env: &mut Env<'_>) {
        if matches!(self.state, State::Begins)
            && let Err(error) = self.begin(!more)
        {
            self.state = State::Refused(error);
        }
        let ids = self.ids.unwrap_or_else(|| self.format.map_or(Ids::Apex, Format::ids));
        match &mut self.state {
            State::Begins | State::Refused(_) | State::Ended => {}
            State::Documents(scan, maker) => {
                let mut taking = Taking {
                    index: &mut self.list.index,
                    session: &mut self.session,
                    damage: &mut self.damage,
                    is_export: self.format == Some(Format::OpenCodeExport),
                    ids,
                    maker: maker.as_deref_mut(),
                    env,
                };
                scan.run(&self.list.window, more, &mut taking);
                let is_host = matches!(self.list.store, Store::Host(_));
                if is_host && self.list.window.len() - scan.done() > LONGEST {
                    let what = "a message of more than 512 MB";
                    scan.give_up(&self.list.window, what, &mut taking);
                }
                self.list.index.settle();
            }
            State::Frames(framing, start, maker) => {
                let mut at = 0;
                while let Some(frame) = framing.next(&self.list.window, &mut at, LONGEST) {
                    frame_to(&mut **maker, frame, *start, env);
                }
                if !more && let Some(frame) = framing.finish(LONGEST) {
                    frame_to(&mut **maker, frame, *start, env);
                }
                self.list.base += self.list.window.len() as u64;
                self.list.window.clear();
            }
        }
    }

    /// Lets go of what was scanned, or puts it away.
    fn settle(&mut self) {
        match &mut self.state {
            State::Begins | State::Frames(..) | State::Ended => {}
            State::Refused(_) => self.list.window = Vec::new(),
            State::Documents(scan, maker) => {
                let done = scan.done();
                let held = maker.is_none() && matches!(self.list.store, Store::Held(_));
                if held && done >= HELD {
                    let mut next = Vec::with_capacity(HELD + 2 * PIECE);
                    next.extend_from_slice(self.list.window.get(done..).unwrap_or_default());
                    let mut piece = std::mem::replace(&mut self.list.window, next);
                    piece.truncate(done);
                    self.list.store.keep(self.list.base, piece);
                } else if !held && done > 0 {
                    self.list.window.drain(..done);
                } else {
                    return;
                }
                scan.forget(done);
                self.list.base += done as u64;
            }
        }
    }

    /// Tells what the file is by its first bytes.
    fn begin(&mut self, over: bool) -> Result<(), Error> {
        // Always the same lengths are looked at, so that it does not matter in which pieces the file
        // comes.
        let Begin { format, shape, start, first } = loop {
            let length = (self.looked * 2).max(FIRST_LOOK);
            let told = match self.list.window.get(..length) {
                Some(head) => begin::told(head, self.format, false)?,
                None if over => begin::told(&self.list.window, self.format, true)?,
                None => return Ok(()),
            };
            match told {
                Told::Is(begin) => break begin,
                Told::More if length > self.list.window.len() => return Ok(()),
                Told::More => self.looked = length,
            }
        };
        if start > first {
            let message = format!("{} bytes of text before the JSON, skipped", start - first);
            damaged(&mut self.damage, "prefix", message, first as u64);
        }
        self.format = Some(format);
        self.state = match (shape, maker(format)) {
            (Some(shape), maker) => {
                let mut scan = Scan::new(shape);
                scan.skip(start);
                State::Documents(scan, maker)
            }
            (None, Some(maker)) => {
                self.list.window.drain(..start);
                self.list.base += start as u64;
                State::Frames(Framing::default(), start as u64, maker)
            }
            (None, None) => State::Begins,
        };
        Ok(())
    }

    /// Shows what was put together, in the place of what was before.
    fn show(&mut self, made: Made) {
        let ids = self.ids.unwrap_or_else(|| self.format.map_or(Ids::Apex, Format::ids));
        self.together = Together::of(made, ids);
    }

    /// The messages that are shown.
    fn shown(&self) -> &List {
        self.together.lists.first().unwrap_or(&self.list)
    }

    /// The same, and those of the other sessions.
    fn lists(&self) -> impl Iterator<Item = &List> {
        let own = self.together.lists.is_empty().then_some(&self.list);
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

    /// The sessions of the file. The messages shown are those of the first, where they were put
    /// together, and else of all.
    #[must_use]
    pub fn sessions(&self) -> Vec<Session> {
        if !self.together.sessions.is_empty() {
            return self.together.sessions.clone();
        }
        let mut tape = Tape::default();
        let info = self.session().unwrap_or_default();
        let own = match tape.read(info, 0) {
            Ok(_) => {
                let info = tape.root(info);
                let text = |key| info.get(key).str().map(Cow::into_owned);
                text(Key::Id).map(|id| Session {
                    id,
                    parent_id: text(Key::ParentID),
                    title: text(Key::Title),
                })
            }
            Err(_) => None,
        };
        let named = self.list.index.sessions.iter().filter(|id| !id.is_empty());
        let others = named
            .filter(|id| own.as_ref().is_none_or(|own| own.id != **id))
            .map(|id| Session { id: id.clone(), ..Session::default() });
        own.clone().into_iter().chain(others).collect()
    }

    /// The JSON of every message of a session, in their order.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn messages_of(&self, session_id: &str) -> Result<Vec<Vec<u8>>, Error> {
        let mut found = Vec::new();
        let mut add = |list: &List, place: Option<u32>| {
            let wanted = |fact: &MessageFact| place.is_none_or(|place| fact.session == place);
            list.each(0..list.index.messages.len(), &wanted, &mut |_, bytes| {
                found.push(bytes.to_vec());
                true
            })
        };
        if !self.together.sessions.is_empty() {
            for (session, list) in self.together.sessions.iter().zip(&self.together.lists) {
                if session.id == session_id {
                    add(list, None)?;
                }
            }
        } else if let Some(place) = self.list.index.sessions.iter().position(|id| id == session_id)
        {
            add(&self.list, u32::try_from(place).ok())?;
        }
        Ok(found)
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
    pub fn messages(&self) -> &[MessageFact] {
        &self.shown().index.messages
    }

    /// What is known of each part.
    #[must_use]
    pub fn parts(&self) -> &[PartFact] {
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

    /// The place of every message's session in [`sessions`](Self::sessions); `u32::MAX` where it
    /// names none of them.
    #[must_use]
    pub fn session_places(&self) -> Vec<u32> {
        if !self.together.sessions.is_empty() {
            return vec![0; self.message_count()];
        }
        let sessions = self.sessions();
        let places: BTreeMap<&str, u32> =
            sessions.iter().map(|session| session.id.as_str()).zip(0..).collect();
        let named = self.list.index.sessions.iter();
        let named: Vec<u32> =
            named.map(|id| places.get(id.as_str()).copied().unwrap_or(u32::MAX)).collect();
        let of = |fact: &MessageFact| named.get(fact.session as usize).copied();
        self.messages().iter().map(|fact| of(fact).unwrap_or(u32::MAX)).collect()
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

    /// The loops in it, session by session, across messages.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn loops(&self, config: &Config) -> Result<Vec<Loop>, Error> {
        let mut finder = Finder::new(config.clone());
        for list in self.lists() {
            list.each_read(&|_| true, &mut |_, message| {
                finder.message(&message, &|node: &Node<'_>| {
                    String::from_utf8_lossy(node.json()).into_owned()
                });
            })?;
        }
        Ok(finder.found())
    }

    /// Everything that is wrong: rules broken, in the order of the file, and then what was lost to
    /// damage, with byte offsets.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let broken = self.lists().flat_map(|list| &list.index.problems).cloned();
        broken.chain(self.lost()).collect()
    }
}

fn frame_to(maker: &mut dyn Maker, frame: Frame<'_>, start: u64, env: &mut Env<'_>) {
    let json = frame.data.trim_ascii();
    if !json.is_empty() {
        maker.record(Record { json, event: frame.event, offset: start + frame.offset }, env);
    }
}

fn damaged(damage: &mut Vec<Problem>, rule: &'static str, message: String, offset: u64) {
    keep(damage, problem(Severity::Error, rule, message, offset));
}

/// Takes the documents of a file.
struct Taking<'a, 'e> {
    index: &'a mut Index,
    session: &'a mut Option<Vec<u8>>,
    damage: &'a mut Vec<Problem>,
    is_export: bool,
    ids: Ids,
    maker: Option<&'a mut (dyn Maker + 'static)>,
    env: &'a mut Env<'e>,
}

impl Sink for Taking<'_, '_> {
    fn document(&mut self, document: Node<'_>, bytes: &[u8], offset: u64) {
        if let Some(maker) = &mut self.maker {
            let json = bytes.get(document.span()).unwrap_or_default();
            maker.record(Record { json, event: "", offset }, self.env);
        } else if is_message(document) {
            self.index.add(document, offset);
            let root = Path::ROOT;
            let messages = root.key(Key::Messages);
            let list = if self.is_export { &messages } else { &root };
            self.index.check(document, self.ids, list, Some(offset));
        } else {
            let message = "expected a message `{info, parts}`; skipped".to_owned();
            self.damaged("schema", message, offset);
        }
    }
    fn is_one(&self, document: Node<'_>) -> bool {
        self.maker.is_some() || is_message(document)
    }
    fn field(&mut self, key: &str, value: &[u8]) {
        if key == "info" && value.first() == Some(&b'{') {
            *self.session = Some(value.to_vec());
        }
    }
    fn damaged(&mut self, rule: &'static str, message: String, offset: u64) {
        damaged(self.damage, rule, message, offset);
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod pieces_tests;
