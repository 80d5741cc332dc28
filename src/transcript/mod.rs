//! Transcripts: files that someone has, held as bytes and an index. Nothing becomes a value until
//! it is asked for.
//!
//! Read now: `opencode export` (`{info, messages: [{info, parts}]}`), messages with their parts, as
//! a JSON array, a single message, or one a line, and recorded streams ([`WireFormat`]). Damaged
//! files open as far as they go, and [`Transcript::problems`] says what was lost.
//!
//! ```
//! use apex_parts::transcript::{Format, Options, Transcript};
//! let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]},{"info":{"#;
//! let t = Transcript::open(bytes.to_vec(), Options::default())?;
//! assert_eq!(t.format(), Format::WithParts);
//! assert_eq!(t.message_count(), 1);
//! let lost = t.problems();
//! assert_eq!(lost.last().unwrap().offset, Some(71.0));
//! # Ok::<(), apex_parts::model::Error>(())
//! ```

pub mod index;
pub mod json;
mod stats;
mod streams;

use crate::check::{self, Ids};
use crate::loops::{Config, Finder, Loop};
use crate::model::{Error, Key, Kind, Path, Problem, Severity, View};
use crate::wire::scan::skip_space;
use crate::wire::{WireFormat, tell};
use index::{MessageFact, PartFact};
use json::{Fault, Node, Tape};
pub use stats::TranscriptStats;
use std::ops::Range;

/// The kinds of file that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `opencode export`: `{info, messages: [{info, parts}]}`.
    OpenCodeExport,
    /// Messages with their parts: a JSON array, or one a line.
    WithParts,
    /// A recorded stream of deltas or of a provider: a message a response.
    Stream(WireFormat),
}

impl Format {
    /// The names of all formats in the API.
    pub const NAMES: [&str; 9] = [
        "opencode-export",
        "with-parts",
        "deltas",
        "anthropic",
        "openai-chat",
        "openai-responses",
        "gemini",
        "ai-sdk",
        "apex-bridge",
    ];

    /// The format's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::OpenCodeExport => "opencode-export",
            Format::WithParts => "with-parts",
            Format::Stream(WireFormat::Delta) => "deltas",
            Format::Stream(format) => format.as_str(),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Format> {
        match name {
            "opencode-export" => Some(Format::OpenCodeExport),
            "with-parts" => Some(Format::WithParts),
            "deltas" => Some(Format::Stream(WireFormat::Delta)),
            "delta" => None,
            name => WireFormat::parse(name).map(Format::Stream),
        }
    }

    const fn ids(self) -> Ids {
        match self {
            Format::OpenCodeExport => Ids::OpenCode,
            Format::WithParts | Format::Stream(_) => Ids::Apex,
        }
    }
}

/// How to open a transcript.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The format, where it is not to be told from the content.
    pub format: Option<Format>,
    /// Which ids are good ones; by default those that the format uses.
    pub ids: Option<Ids>,
}

/// A transcript.
#[derive(Debug)]
pub struct Transcript {
    bytes: Vec<u8>,
    format: Format,
    ids: Ids,
    session: Option<Range<usize>>,
    messages: Vec<MessageFact>,
    parts: Vec<PartFact>,
    stats: TranscriptStats,
    damage: Vec<Problem>,
}

impl Transcript {
    /// Opens a whole file.
    ///
    /// # Errors
    /// `TranscriptError` where the bytes hold no transcript at all; a damaged one opens as far as
    /// it goes.
    pub fn open(bytes: Vec<u8>, options: Options) -> Result<Transcript, Error> {
        let mut scan = Scan::default();
        let format = scan.file(&bytes, options.format)?;
        Ok(Transcript {
            format,
            ids: options.ids.unwrap_or(format.ids()),
            session: scan.session,
            messages: scan.messages,
            parts: scan.parts,
            stats: scan.stats,
            damage: scan.damage,
            bytes,
        })
    }

    /// Opens a recorded stream of deltas or of a provider: every response in it is a message. Ids
    /// come from `new_id`; `now_ms` is the time for formats that have none.
    ///
    /// # Errors
    /// `TranscriptError` where nothing of it could be assembled.
    pub fn open_stream(
        bytes: &[u8],
        format: WireFormat,
        ids: Option<Ids>,
        now_ms: f64,
        new_id: &mut dyn FnMut() -> String,
    ) -> Result<Transcript, Error> {
        let made = streams::assembled(bytes, format, now_ms, new_id);
        let options = Options { format: Some(Format::WithParts), ids };
        let mut transcript = Transcript::open(made.json, options)?;
        transcript.format = Format::Stream(format);
        if transcript.messages.is_empty()
            && let Some(problem) = made.problems.first()
        {
            let message = format!("nothing could be assembled: {}", problem.message);
            return Err(Error::transcript(message, 0));
        }
        transcript.damage.extend(made.problems);
        Ok(transcript)
    }

    /// The kind of file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The JSON of the session, where the file has it.
    #[must_use]
    pub fn session(&self) -> Option<&[u8]> {
        self.bytes.get(self.session.clone()?)
    }

    /// How many messages there are.
    #[must_use]
    pub fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// How many parts there are.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// What is known of each message.
    #[must_use]
    pub fn messages(&self) -> &[MessageFact] {
        &self.messages
    }

    /// What is known of each part.
    #[must_use]
    pub fn parts(&self) -> &[PartFact] {
        &self.parts
    }

    /// The JSON of a message, as it stands in the file.
    #[must_use]
    pub fn message(&self, index: usize) -> Option<&[u8]> {
        let fact = self.messages.get(index)?;
        self.bytes.get(fact.start..fact.end)
    }

    /// Sums over all messages.
    #[must_use]
    pub fn stats(&self) -> &TranscriptStats {
        &self.stats
    }

    /// The loops in it, session by session, across messages.
    #[must_use]
    pub fn loops(&self, config: &Config) -> Vec<Loop> {
        let mut finder = Finder::new(config.clone());
        let mut tape = Tape::default();
        for fact in &self.messages {
            if tape.read(&self.bytes, fact.start).is_ok() {
                let json = |node: &Node<'_>| {
                    let json = self.bytes.get(node.span()).unwrap_or_default();
                    String::from_utf8_lossy(json).into_owned()
                };
                finder.message(&tape.root(&self.bytes), &json);
            }
        }
        finder.found()
    }

    /// Everything that is wrong: rules broken, in the order of the file, and then what was lost to
    /// damage, with byte offsets.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut tape = Tape::default();
        let root = Path::ROOT;
        let messages = root.key(Key::Messages);
        let list = if self.format == Format::OpenCodeExport { &messages } else { &root };
        for (index, fact) in self.messages.iter().enumerate() {
            if tape.read(&self.bytes, fact.start).is_err() {
                continue; // it was read when the file was opened
            }
            let from = problems.len();
            let message = tape.root(&self.bytes);
            check::message_at(&message, self.ids, &list.index(index), &mut problems);
            if matches!(self.format, Format::Stream(_)) {
                continue; // the message stands nowhere in the file
            }
            for problem in problems.iter_mut().skip(from) {
                #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
                let offset = fact.start as f64;
                problem.offset = Some(offset);
            }
        }
        problems.extend(self.damage.iter().cloned());
        problems
    }
}

#[derive(Default)]
struct Scan {
    tape: Tape,
    session: Option<Range<usize>>,
    messages: Vec<MessageFact>,
    parts: Vec<PartFact>,
    stats: TranscriptStats,
    damage: Vec<Problem>,
}

impl Scan {
    fn file(&mut self, bytes: &[u8], format: Option<Format>) -> Result<Format, Error> {
        if let Err(invalid) = std::str::from_utf8(bytes) {
            refuse_other_encodings(bytes)?;
            let at = invalid.valid_up_to();
            let message = "bytes that are no UTF-8; they show as U+FFFD";
            self.damaged("encoding", message.to_owned(), at);
        }
        let at = self.start(bytes)?;
        let found = match bytes.get(at) {
            Some(b'[') => Format::WithParts,
            _ if is_export(bytes, at) => Format::OpenCodeExport,
            _ => Format::WithParts,
        };
        let format = format.unwrap_or(found);
        let outcome = match (format, bytes.get(at)) {
            (Format::OpenCodeExport, _) => self.export(bytes, at),
            (_, Some(b'[')) => self.list(bytes, at + 1).map(|_| ()),
            _ => self.lines(bytes, at),
        };
        if let Err(fault) = outcome {
            self.lost(bytes, fault);
        }
        if self.messages.is_empty() && self.session.is_none() && !self.damage.is_empty() {
            let first = self.damage.first();
            let why = first.map_or("", |p| p.message.as_str());
            return Err(Error::transcript(format!("no message could be read: {why}"), at));
        }
        Ok(format)
    }

    /// Where the JSON starts: a byte order mark and status text before it are skipped.
    fn start(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let first = skip_space(bytes, mark);
        match bytes.get(first) {
            Some(b'{' | b'[') => return Ok(first),
            Some(b'<') => {
                return Err(Error::transcript("this is HTML or XML, not a transcript", first));
            }
            None => return Err(Error::transcript("the file is empty", 0)),
            Some(_) => {}
        }
        let rest = bytes.get(first..).unwrap_or_default();
        let Some(skip) = rest.iter().position(|b| matches!(b, b'{' | b'[')) else {
            let message = "this is no transcript: there is no JSON in it";
            return Err(Error::transcript(message, first));
        };
        self.damaged("prefix", format!("{skip} bytes of text before the JSON, skipped"), first);
        Ok(first + skip)
    }

    fn export(&mut self, bytes: &[u8], at: usize) -> Result<(), Fault> {
        let mut at = skip_space(bytes, at + 1);
        loop {
            if bytes.get(at) == Some(&b'}') {
                return Ok(());
            }
            at = self.tape.read(bytes, at)?;
            let key = self.tape.root(bytes).str().unwrap_or_default().into_owned();
            at = skip_space(bytes, at);
            if bytes.get(at) != Some(&b':') {
                return Err(expected("expected `:`", bytes, at));
            }
            at = skip_space(bytes, at + 1);
            if key == "messages" && bytes.get(at) == Some(&b'[') {
                at = self.list(bytes, at + 1)?;
            } else {
                let start = at;
                at = self.tape.read(bytes, at)?;
                if key == "info" && self.tape.root(bytes).kind() == Kind::Object {
                    self.session = Some(start..at);
                }
            }
            at = skip_space(bytes, at);
            match bytes.get(at) {
                Some(b',') => at = skip_space(bytes, at + 1),
                Some(b'}') => return Ok(()),
                _ => return Err(expected("expected `,` or `}`", bytes, at)),
            }
        }
    }

    /// The messages of an array, from behind its `[`; gives the offset behind its `]`.
    fn list(&mut self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        let mut at = skip_space(bytes, at);
        if bytes.get(at) == Some(&b']') {
            return Ok(at + 1);
        }
        loop {
            at = self.tape.read(bytes, at)?;
            self.take(bytes);
            at = skip_space(bytes, at);
            match bytes.get(at) {
                Some(b',') => at = skip_space(bytes, at + 1),
                Some(b']') => return Ok(at + 1),
                _ => return Err(expected("expected `,` or `]`", bytes, at)),
            }
        }
    }

    /// Messages one after another; a bad line is skipped.
    fn lines(&mut self, bytes: &[u8], at: usize) -> Result<(), Fault> {
        let mut at = skip_space(bytes, at);
        while at < bytes.len() {
            match self.tape.read(bytes, at) {
                Ok(end) => {
                    self.take(bytes);
                    at = end;
                }
                Err(fault) if fault.cut => return Err(fault),
                Err(fault) => {
                    let rest = bytes.get(fault.offset..).unwrap_or_default();
                    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    let message = format!("{}; the line is skipped", fault.what);
                    self.damaged("json", message, fault.offset);
                    at = fault.offset + line;
                }
            }
            at = skip_space(bytes, at);
        }
        Ok(())
    }

    fn take(&mut self, bytes: &[u8]) {
        let message = self.tape.root(bytes);
        let parts = message.get(Key::Parts);
        if message.get(Key::Info).kind() != Kind::Object || parts.kind() != Kind::Array {
            let at = message.span().start;
            let message = "expected a message `{info, parts}`; skipped".to_owned();
            self.damaged("schema", message, at);
            return;
        }
        self.messages.push(MessageFact::of(message, self.parts.len()));
        self.parts.extend(parts.children().map(PartFact::of));
        self.stats.add(message);
    }

    fn lost(&mut self, bytes: &[u8], fault: Fault) {
        let read = self.messages.len();
        let after = bytes.len().saturating_sub(fault.offset);
        let message = if fault.cut {
            format!("the file is cut off: message {read} is not whole and is left out")
        } else {
            format!("{}: message {read} and the {after} bytes behind it are left out", fault.what)
        };
        self.damaged("json", message, fault.offset);
    }

    fn damaged(&mut self, rule: &str, message: String, at: usize) {
        let mut problem = Problem::new(Severity::Error, rule, &Path::ROOT, message);
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        let offset = at as f64;
        problem.offset = Some(offset);
        self.damage.push(problem);
    }
}

fn expected(what: &'static str, bytes: &[u8], at: usize) -> Fault {
    Fault { what, offset: at, cut: at >= bytes.len() }
}

/// The format of a recorded stream, told from how the file begins; `None` where it is none. For
/// that, a session of many megabytes on a single line is not read.
#[must_use]
pub fn stream_format(bytes: &[u8]) -> Option<WireFormat> {
    const HEAD: usize = 1 << 20;
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let told = tell(head);
    if told.is_some() || head.len() == bytes.len() || is_document(head) {
        return told;
    }
    // Its first record is longer than that.
    tell(bytes)
}

/// Does the file begin as messages with their parts do, in whichever form?
fn is_document(head: &[u8]) -> bool {
    let Some(at) = head.iter().position(|b| matches!(b, b'{' | b'[')) else { return true };
    let first = head.get(skip_space(head, at + 1)..).unwrap_or_default();
    head.get(at) == Some(&b'[')
        || [&br#""info""#[..], br#""parts""#, br#""messages""#]
            .iter()
            .any(|key| first.starts_with(key))
}

/// An object is an export where `messages` is among its first keys; else it is a message.
fn is_export(bytes: &[u8], at: usize) -> bool {
    let mut tape = Tape::default();
    let mut at = skip_space(bytes, at + 1);
    loop {
        let Ok(end) = tape.read(bytes, at) else {
            return false;
        };
        let key = tape.root(bytes).str().unwrap_or_default().into_owned();
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return false;
        }
        at = skip_space(bytes, at + 1);
        if key == "messages" {
            return bytes.get(at) == Some(&b'[');
        }
        if key == "parts" {
            return false;
        }
        let Ok(end) = tape.read(bytes, at) else {
            // Cut off in the session: only an export begins with something that has a directory.
            return key == "info";
        };
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b',') {
            return false;
        }
        at = skip_space(bytes, at + 1);
    }
}

fn refuse_other_encodings(bytes: &[u8]) -> Result<(), Error> {
    let what = match bytes {
        [0x1f, 0x8b, ..] => "the file is compressed (gzip): unpack it first",
        [0x50, 0x4b, 3, 4, ..] => "the file is a ZIP archive: unpack it first",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is UTF-16: save it as UTF-8",
        _ => return Ok(()),
    };
    Err(Error::transcript(what, 0))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
