//! Loads a file as its bytes arrive: detects the format, scans the bytes, and keeps or drops them.

use super::transcript::Transcript;
use crate::copy::note::{CopyNote, note_in};
use crate::detect::structure;
use crate::documents::splitter::DocumentSink;
use crate::formats::registry::Format;
use crate::index::broken_rules::BrokenRules;
use crate::index::contexts::{ContextTokens, Contexts};
use crate::index::file_rules::FileRules;
use crate::index::message_index::{Index, is_message};
use crate::load_state::{LoadState, whole_to};
use crate::message_list::{ListPath, MessageList};
use crate::session_set::SessionSet;
use crate::source::ByteSource;
use apex_parts_agents::fields::pick;
use apex_parts_agents::{Env, FormatReader, LoadedSessions, ObjectReader, Record, RecordCount};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::utf8::whole_text;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Error, Kind, Problem, Severity, View};
use apex_parts_wire::{Frame, Framing};

/// The error when memory is full. What a user can do about it depends on why the file is held in memory.
fn no_memory(is_read: bool, format: Option<Format>) -> String {
    const FULL: &str = "there is no memory for more of the file";
    match format.filter(|_| is_read) {
        Some(format) => format!(
            "{FULL}: of {} the messages have to be put together, so all of it is held, though it can be \
             read again; it goes in parts only",
            format.as_str()
        ),
        None if is_read => format!("{FULL}: what it is has not been told by now"),
        None => {
            format!("{FULL}, which is kept in memory: pass `read`, and it is read again instead")
        }
    }
}

/// The number of bytes that are scanned at once, while they are in the processor's cache.
const PIECE: usize = 1 << 18;
/// The least number of bytes in a slice of the file that is held.
pub(crate) const HELD: usize = 4 << 20;
/// A window that reaches this length is at once given the capacity for a whole held slice.
const LONG: usize = 1 << 20;
/// The most bytes of one document, if the file is not held.
const LONGEST: usize = 512 << 20;

impl Transcript {
    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// `TranscriptError` after [`end`](Self::end), or if memory is full; what was read before stays.
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

    /// The same for `length` bytes that the caller writes: `fill(at, buffer)` fills the buffer with the bytes
    /// from the offset `at` of the chunk on. Each piece is scanned while it is in the processor's cache.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn push_with(
        &mut self,
        length: usize,
        fill: &mut dyn FnMut(usize, &mut [u8]),
        env: &mut Env<'_>,
    ) -> Result<(), Error> {
        self.made_up = env.now_ms;
        if matches!(self.state, LoadState::Ended) {
            return Err(Error::transcript(
                "schema",
                "push after end: the transcript is already open",
                0,
            ));
        }
        let mut at = 0;
        while at < length {
            let piece = (length - at).min(PIECE);
            let window = &mut self.list.window;
            let from = window.len();
            let is_full = window.capacity() - from < piece;
            let room = if is_full { room_for(window, piece) } else { piece };
            window.try_reserve_exact(room).map_err(|_| {
                let held = self.list.base + from as u64;
                let is_read = matches!(self.list.store, ByteSource::Host(_));
                let at = usize::try_from(held).unwrap_or(usize::MAX);
                Error::transcript("limit", no_memory(is_read, self.format), at)
            })?;
            window.resize(from + piece, 0);
            fill(at, window.get_mut(from..).unwrap_or_default());
            at += piece;
            self.check_guess(from);
            self.scan(true, env);
            self.settle();
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// `TranscriptError` if no transcript could be read from it at all.
    pub fn end(&mut self, env: &mut Env<'_>) -> Result<(), Error> {
        self.made_up = env.now_ms;
        if matches!(self.state, LoadState::Ended) {
            return Ok(());
        }
        self.check_guess_at_end();
        self.scan(false, env);
        if let LoadState::Refused(error) = &self.state {
            let error = error.clone();
            self.state = LoadState::Ended;
            return Err(error);
        }
        if matches!(self.state, LoadState::Unread) {
            self.settle();
            self.state = LoadState::Ended;
            return Ok(());
        }
        let length = self.list.base + self.list.window.len() as u64;
        let now_ms = env.now_ms;
        let mut new_id = || self.guessed_ids.next(false, env);
        let env = &mut Env { now_ms, new_id: &mut new_id };
        match std::mem::replace(&mut self.state, LoadState::Ended) {
            LoadState::Documents(_, Some(reader)) | LoadState::Frames(_, _, reader) => {
                self.list.window = Vec::new();
                self.session_set = SessionSet::default();
                let result = reader.finish(length, env);
                self.show(result);
            }
            LoadState::Whole(start, mut reader) => {
                self.session_set = SessionSet::default();
                whole_to(&mut *reader, &self.list.window, start, env);
                self.list.window = Vec::new();
                let result = reader.finish(length, env);
                if let Some(error) = result.refused {
                    self.format = None;
                    return Err(error);
                }
                self.cut = result.is_cut;
                self.show(result);
            }
            LoadState::Documents(mut scan, None) => self.keep_rest(scan.take_mended()),
            LoadState::Detecting => {
                self.cut = true;
                self.list.window = Vec::new();
                let message = "the file is cut off before it shows what it is".to_owned();
                damaged(&mut self.damage, "json", message, length);
            }
            _ => self.list.window = Vec::new(),
        }
        self.tell_foreign();
        // A file that is cut off opens with what is before the cut, even if that is nothing.
        let nothing = self.message_count() == 0 && self.session().is_none() && !self.cut;
        // A file with nothing but warnings is an empty transcript.
        let is_error = |problem: &&Problem| problem.severity == Severity::Error;
        match self.damage.iter().chain(self.session_set.problems.iter()).find(is_error) {
            Some(first) if nothing => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an offset
                let at = first.offset.unwrap_or(0.0) as usize;
                let message = format!("no message could be read: {}", first.message);
                Err(Error::transcript(&first.rule, message, at))
            }
            None if self.total_messages() == 0 && !self.cut => {
                self.tell_empty();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A file with too many records of other programs is not one of its format.
    fn tell_foreign(&mut self) {
        let (Some(format), Some(first)) = (self.format, self.records.first) else { return };
        if self.is_given && format.is_messages() {
            return;
        }
        let RecordCount { foreign, .. } = self.records;
        let all = self.records.total();
        let title = format.title();
        let message = format!("{foreign} of {all} records are not of {title}: they are left out");
        self.is_foreign = self.records.is_above(format.share());
        if self.is_foreign {
            self.damage.error("schema", message, first);
        } else if format.is_messages() {
            self.damage.warning("schema", message, first);
        }
    }

    /// A file of which no message was read is no success, even if it says itself that it has none.
    fn tell_empty(&mut self) {
        let mut message = "the session holds no messages".to_owned();
        if let Some(first) = self.session_set.problems.first() {
            message = format!("{message}: {}", first.message);
        }
        self.damage.error("no-messages", message, 0);
    }

    /// Stores the rest of the window. `mended` is the message in which the file was cut off, closed, and where
    /// it begins: the file does not contain it in that form.
    fn keep_rest(&mut self, mended: Option<(usize, Vec<u8>)>) {
        let MessageList { store, window, base, .. } = &mut self.list;
        let is_held = matches!(store, ByteSource::Held(_));
        if let Some((at, json)) = mended {
            let before = if is_held { window.get(..at).unwrap_or_default() } else { &[] };
            if !is_held {
                *base += at as u64;
            }
            *window = [before, &json].concat();
        } else if is_held {
            window.shrink_to_fit();
        } else {
            *window = Vec::new();
        }
    }

    /// Shows what has been read so far, as if the file ended here; but what is only incomplete yet is not
    /// shown and is not a problem. More bytes may be pushed afterwards. Messages and parts keep their ids
    /// from refresh to refresh, and at the end.
    ///
    /// It costs as much as assembling all messages. It does nothing for a file that is refused, after the
    /// end, or if the file contains messages as they are: those are shown as soon as they are complete. If
    /// there are too few bytes to be sure of the format, the likely one is used, as for a file that ends
    /// there; if later bytes show another format, the file is read again from its beginning.
    pub fn refresh(&mut self, env: &mut Env<'_>) {
        self.renew_guess(env);
        let length = self.list.base + self.list.window.len() as u64;
        let (is_guess, now_ms) = (self.guess.is_some(), env.now_ms);
        let mut new_id = || self.guessed_ids.next(is_guess, env);
        let env = &mut Env { now_ms, new_id: &mut new_id };
        let result = match &mut self.state {
            LoadState::Documents(_, Some(reader)) | LoadState::Frames(_, _, reader) => {
                self.session_set = SessionSet::default();
                reader.peek(length, env)
            }
            // Such a reader takes a file once.
            LoadState::Whole(start, _) => {
                let Some(mut reader) = self.format.and_then(Format::reader) else { return };
                whole_to(&mut *reader, &self.list.window, *start, env);
                self.session_set = SessionSet::default();
                reader.peek(length, env)
            }
            _ => return,
        };
        self.show(result);
    }

    /// Scans the window; `more` says that further bytes may follow.
    pub(crate) fn scan(&mut self, more: bool, env: &mut Env<'_>) {
        if matches!(self.state, LoadState::Detecting)
            && let Err(error) = self.detect(!more)
        {
            self.state = LoadState::Refused(error);
        }
        let rules = self.rules();
        let (is_guess, now_ms) = (self.guess.is_some(), env.now_ms);
        let mut new_id = || self.guessed_ids.next(is_guess, env);
        let env = &mut Env { now_ms, new_id: &mut new_id };
        match &mut self.state {
            LoadState::Detecting
            | LoadState::Whole(..)
            | LoadState::Unread
            | LoadState::Refused(_)
            | LoadState::Ended => {}
            LoadState::Documents(scan, reader) => {
                // A host reads no byte again for these.
                let is_host = matches!(self.list.store, ByteSource::Host(_));
                let MessageList { index, broken, contexts, tokens, window, holes, .. } =
                    &mut self.list;
                let at_once = is_host.then(|| AtOnce {
                    broken: broken.get_mut(),
                    contexts: contexts.get_mut(),
                    tokens: tokens.get_mut(),
                });
                let mut taking = DocumentTarget {
                    index,
                    at_once,
                    session: &mut self.session,
                    copied: &mut self.copied,
                    damage: &mut self.damage,
                    is_export: self.format == Some(Format::OpenCodeExport),
                    rules,
                    reader: reader.as_deref_mut(),
                    format: self.format,
                    records: &mut self.records,
                    env,
                };
                scan.run(window, more, &mut taking);
                self.cut |= scan.is_cut();
                holes.extend(scan.take_holes());
                if is_host && window.len() - scan.done() > LONGEST {
                    let what = "a message of more than 512 MB";
                    scan.give_up(window, what, &mut taking);
                }
                self.list.index.sums.settle();
            }
            LoadState::Frames(framing, start, reader) => {
                let mut lines = ObjectLines {
                    tape: &mut self.tape,
                    window: &self.list.window,
                    start: *start,
                    at: 0,
                };
                loop {
                    if let Some(reader) = reader.objects() {
                        lines.give(framing, reader, env);
                    }
                    let next = framing.next(lines.window, &mut lines.at, LONGEST);
                    let Some(frame) = next else { break };
                    frame_to(&mut **reader, frame, *start, env);
                }
                while !more && let Some(frame) = framing.finish(LONGEST) {
                    self.cut |= structure::is_cut_json(frame.data);
                    frame_to(&mut **reader, frame, *start, env);
                }
                self.list.base += self.list.window.len() as u64;
                self.list.window.clear();
            }
        }
    }

    /// Drops the scanned bytes of the window, or stores them if the file is held.
    pub(crate) fn settle(&mut self) {
        match &mut self.state {
            LoadState::Detecting
            | LoadState::Frames(..)
            | LoadState::Whole(..)
            | LoadState::Ended => {}
            LoadState::Unread | LoadState::Refused(_) => self.list.window = Vec::new(),
            LoadState::Documents(scan, reader) => {
                let done = scan.done();
                let held = reader.is_none() && matches!(self.list.store, ByteSource::Held(_));
                if held && done >= HELD {
                    let rest = self.list.window.get(done..).unwrap_or_default().to_vec();
                    let mut piece = std::mem::replace(&mut self.list.window, rest);
                    piece.truncate(done);
                    piece.shrink_to_fit();
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

    /// Shows these sessions in place of those before.
    fn show(&mut self, made: LoadedSessions) {
        self.format = made.format.as_deref().and_then(Format::parse).or(self.format);
        if made.records.total() > 0 {
            self.records = made.records;
        }
        self.copied = made.note.as_ref().and_then(|note| CopyNote::read(note.as_bytes()));
        self.session_set = SessionSet::new(made, self.rules());
        let noted = self.copied.iter().flat_map(|note| &note.sessions);
        for (session, noted) in self.session_set.sessions.iter_mut().zip(noted) {
            session.agent.clone_from(&noted.agent);
            session.file.clone_from(&noted.file);
        }
    }
}

/// How many bytes of capacity to add to a window before a piece. Doubling each time, as `Vec` does, would
/// leave freed blocks that are too small for the next window.
fn room_for(window: &[u8], piece: usize) -> usize {
    const WHOLE: usize = HELD + 2 * PIECE;
    let least = window.len() + piece;
    let wanted = match least {
        ..LONG => 2 * least,
        LONG..WHOLE => WHOLE,
        _ => least + least / 4,
    };
    wanted - window.len()
}

fn frame_to(reader: &mut dyn FormatReader, frame: Frame<'_>, start: u64, env: &mut Env<'_>) {
    let json = frame.data.trim_ascii();
    if !json.is_empty() {
        reader.record(Record { json, event: frame.event, offset: start + frame.offset }, env);
    }
}

/// The lines of a window that are each one object: where one ends, its line does, so that its bytes are read once.
struct ObjectLines<'a> {
    tape: &'a mut Tape,
    window: &'a [u8],
    /// The offset of the stream in the file.
    start: u64,
    /// Where the next line begins in the window.
    at: usize,
}

impl ObjectLines<'_> {
    /// Gives them to a reader, up to a line that is another record, or several, or not whole.
    fn give(&mut self, framing: &mut Framing, reader: &mut dyn ObjectReader, env: &mut Env<'_>) {
        while let Some(line) = framing.line(self.window, self.at, LONGEST) {
            let json = line.text.trim_ascii_end();
            if json.first() != Some(&b'{') {
                return;
            }
            let Some(text) = whole_text(json) else { return };
            if self.tape.read_foreign(text) != Ok(json.len()) {
                return;
            }
            let record = Record { json, event: line.event, offset: self.start + line.offset };
            reader.object(record, text, self.tape.root_of(text), env);
            let used = line.used;
            framing.skip_line(used, &mut self.at);
        }
    }
}

fn damaged(damage: &mut ProblemList, rule: &'static str, message: String, offset: u64) {
    damage.error(rule, message, offset);
}

/// What is found of messages while they are read, if they are not held.
struct AtOnce<'a> {
    broken: &'a mut BrokenRules,
    contexts: &'a mut Contexts,
    tokens: &'a mut ContextTokens,
}

/// Receives the documents of a file: for the index, or for the reader of its format.
struct DocumentTarget<'a, 'e> {
    index: &'a mut Index,
    at_once: Option<AtOnce<'a>>,
    session: &'a mut Option<Vec<u8>>,
    copied: &'a mut Option<CopyNote>,
    damage: &'a mut ProblemList,
    is_export: bool,
    rules: FileRules,
    reader: Option<&'a mut (dyn FormatReader + 'static)>,
    format: Option<Format>,
    records: &'a mut RecordCount,
    env: &'a mut Env<'e>,
}

impl DocumentSink for DocumentTarget<'_, '_> {
    fn document(&mut self, document: Node<'_>, bytes: &[u8], offset: u64) {
        if let Some(reader) = &mut self.reader {
            if document.kind() == Kind::Object
                && let Some(is_own) = self.format.and_then(|format| format.is_own(document))
            {
                self.records.add(is_own, offset);
            }
            let json = bytes.get(document.span()).unwrap_or_default();
            let record = Record { json, event: "", offset };
            let objects = reader.objects().filter(|_| document.kind() == Kind::Object);
            match objects.zip(whole_text(json)) {
                Some((objects, text)) => objects.object(record, text, document, self.env),
                None => reader.record(record, self.env),
            }
        } else if is_message(document) {
            self.index.add(document, offset);
            let Some(AtOnce { broken, contexts, tokens }) = &mut self.at_once else { return };
            contexts.add(document, self.index);
            tokens.add(document);
            let path = if self.is_export { ListPath::Messages } else { ListPath::Root };
            path.with(|path| broken.add(document, self.rules, path, Some(offset)));
        } else {
            let is_like_one = || pick(document, ["info", "parts"]).iter().all(Option::is_some);
            let message = if self.index.messages.is_empty() && !is_like_one() {
                "this is JSON, but not a session in any format that is read; skipped"
            } else {
                "expected a message `{info, parts}`; skipped"
            };
            self.damaged("schema", message.to_owned(), offset);
        }
    }
    fn cut_off(&mut self, document: &[u8], offset: u64) -> bool {
        let Some(reader) = &mut self.reader else { return false };
        reader.cut_off(Record { json: document, event: "", offset }, self.env)
    }
    fn is_element(&self, document: Node<'_>) -> bool {
        match &self.reader {
            Some(reader) => reader.is_record(document),
            None => is_message(document),
        }
    }
    fn list(&mut self, key: &str) {
        if let Some(reader) = &mut self.reader {
            reader.list(key);
        }
    }
    fn field(&mut self, key: &str, value: &[u8]) {
        if let Some(reader) = &mut self.reader {
            return reader.field(key, value);
        }
        if key == "info" && value.first() == Some(&b'{') {
            let mut info = value.to_vec();
            let mut tape = Tape::default();
            if tape.read(value, 0).is_ok()
                && let Some((note, range)) = note_in(tape.root(value))
            {
                info.drain(range);
                *self.copied = Some(note);
            }
            *self.session = Some(info);
        }
    }
    fn damaged(&mut self, rule: &'static str, message: String, offset: u64) {
        // The reader of a record reports this itself.
        if rule != "encoding" || self.reader.is_none() {
            damaged(self.damage, rule, message, offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_to_give_read_is_only_for_who_did_not() {
        assert!(no_memory(false, None).contains("pass `read`"));
        assert!(no_memory(false, Some(Format::ClaudeCode)).contains("pass `read`"));
        for format in [None, Some(Format::ClaudeCode)] {
            let why = no_memory(true, format);
            assert!(!why.contains("pass `read`"), "{why}");
        }
        assert!(no_memory(true, Some(Format::ClaudeCode)).contains("of claude-code the messages"));
    }
}
