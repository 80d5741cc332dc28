//! Where the documents of a file stand: one pass over its bytes, as they come.

use super::repair::{BACK, DamagedRange, Repair, RepairOutcome};
use crate::json::JsonError;
use crate::json::scan::skip_space;
use crate::json::tape::{Node, Tape};
use crate::json::utf8::NO_UTF_8;
use crate::transcript::documents::truncated::{ClosedMessage, mend};

/// What the documents are for.
pub(crate) trait DocumentSink {
    /// A document of the list: a message, or a record.
    fn document(&mut self, document: Node<'_>, bytes: &[u8], offset: u64);
    /// Is it one of the list? Asked where a list goes on behind damage.
    fn is_one(&self, document: Node<'_>) -> bool;
    /// A field of an export, beside its messages.
    fn field(&mut self, key: &str, value: &[u8]);
    /// Something is wrong here.
    fn damaged(&mut self, rule: &'static str, message: String, offset: u64);
}

/// How the documents stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentLayout {
    /// In the array `messages` of an object.
    Export,
    /// In an array.
    List,
    /// One after another, as a rule one a line.
    Lines,
}

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentRole {
    /// A key of an export, or its value.
    Key,
    Field,
    /// An element of the list.
    Element,
    /// The same, behind damage: perhaps it is one.
    Salvaged,
    Line,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitState {
    /// A document begins, or what it stands in ends.
    Before(DocumentRole),
    /// A document has begun at `from`.
    Inside(DocumentRole),
    Colon,
    /// A comma, or the end of what the document stands in.
    Behind(DocumentRole),
    /// The rest of a bad line.
    Line,
    /// The next whole part of a message that is broken.
    Repair(DocumentRole),
    /// The next message of a list that is damaged.
    Salvage,
    Over,
}

/// The list is damaged.
#[derive(Clone, Copy, Debug)]
struct Damage {
    what: &'static str,
    /// Where it was found, and from where on bytes are lost.
    offset: u64,
    from: u64,
}

/// The state between two chunks.
#[derive(Debug)]
pub(crate) struct DocumentSplitter {
    shape: DocumentLayout,
    step: SplitState,
    tape: Tape,
    /// The bytes before this one are done with.
    from: usize,
    /// The key of the field at hand.
    key: String,
    /// How many documents of the list there were.
    count: usize,
    damage: Option<Damage>,
    /// Up to here lines were read that were bad.
    tried: u64,
    /// Where the window begins in the file.
    base: u64,
    /// What follows the end was told.
    told_rest: bool,
    /// The message at hand is broken.
    repair: Option<Box<(Repair, Damage)>>,
    /// How often it was.
    repairs: usize,
    /// It is the last one.
    is_last: bool,
    /// Where broken messages were blanked, and in how many places.
    holes: Vec<DamagedRange>,
    filled: usize,
    /// The file ended before its JSON did.
    cut: bool,
    /// The message that the file is cut off in, and where it begins in the window.
    mended: Option<(usize, Vec<u8>)>,
}

/// A message that is broken in more places loses what is behind them.
const MOST_REPAIRS: usize = 16;
/// So many damaged places of a file are kept in mind.
const MOST_HOLES: usize = 100_000;
/// So much white space may stand between the brace of a message and its first key.
const INDENT: usize = 64;

impl DocumentSplitter {
    pub(crate) fn new(shape: DocumentLayout) -> DocumentSplitter {
        let first = match shape {
            DocumentLayout::Export => SplitState::Before(DocumentRole::Key),
            DocumentLayout::List => SplitState::Before(DocumentRole::Element),
            DocumentLayout::Lines => SplitState::Before(DocumentRole::Line),
        };
        DocumentSplitter {
            shape,
            step: first,
            tape: Tape::default(),
            // The bracket of an export or a list.
            from: usize::from(shape != DocumentLayout::Lines),
            key: String::new(),
            count: 0,
            damage: None,
            tried: 0,
            base: 0,
            told_rest: false,
            repair: None,
            repairs: 0,
            is_last: false,
            holes: Vec::new(),
            filled: 0,
            cut: false,
            mended: None,
        }
    }

    /// How many bytes of the window are done with.
    pub(crate) fn done(&self) -> usize {
        self.from
    }

    /// So many bytes, which are done with, are no longer in the window.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.from -= bytes;
        self.base += bytes as u64;
    }

    /// Where broken messages were blanked since the last call, in the order of the file.
    pub(crate) fn take_holes(&mut self) -> Vec<DamagedRange> {
        std::mem::take(&mut self.holes)
    }

    /// Did the file end before its JSON did?
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The message that the file was cut off in, as far as it goes, and where it begins in the window.
    pub(crate) fn take_mended(&mut self) -> Option<(usize, Vec<u8>)> {
        self.mended.take()
    }

    /// The first bytes of the window, so many, are none of it.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.from += bytes;
    }

    /// The document at hand is too long to be waited for.
    pub(crate) fn give_up(
        &mut self,
        bytes: &[u8],
        what: &'static str,
        sink: &mut impl DocumentSink,
    ) {
        let place = match self.step {
            SplitState::Inside(place) | SplitState::Before(place) | SplitState::Behind(place) => {
                place
            }
            SplitState::Colon => DocumentRole::Key,
            SplitState::Repair(_) => return self.lose(bytes, sink),
            SplitState::Line | SplitState::Salvage | SplitState::Over => return,
        };
        self.error(bytes, place, JsonError::syntax(what, bytes.len()), sink);
    }

    /// Takes what the window has; `more` says that it may get more. What is damaged in it is blanked
    /// where that saves the rest of a message.
    pub(crate) fn run(&mut self, bytes: &mut [u8], more: bool, sink: &mut impl DocumentSink) {
        while self.step(bytes, more, sink) {}
        if !more && self.step != SplitState::Over {
            self.cut(bytes, sink);
            self.step = SplitState::Over;
        }
    }

    /// One step; false where there are not bytes enough.
    fn step(&mut self, bytes: &mut [u8], more: bool, sink: &mut impl DocumentSink) -> bool {
        match self.step {
            SplitState::Before(place) => {
                let Some(byte) = self.next(bytes) else { return false };
                self.before(place, byte, bytes, sink);
            }
            SplitState::Inside(place) => {
                let document = bytes.get(self.from..).unwrap_or_default();
                match self.tape.go_on(document, more) {
                    Ok(end) => self.take(place, bytes, end, sink),
                    Err(error) if error.is_cut() => return false,
                    Err(error) => {
                        let offset = error.offset + self.from;
                        self.error(bytes, place, JsonError { offset, ..error }, sink);
                    }
                }
            }
            SplitState::Colon => match self.next(bytes) {
                Some(b':') => {
                    self.from += 1;
                    self.step = SplitState::Before(DocumentRole::Field);
                }
                Some(_) => self.wrong(bytes, DocumentRole::Key, "expected `:`", sink),
                None => return false,
            },
            SplitState::Behind(place) => match (self.next(bytes), place) {
                (Some(b','), _) => {
                    self.from += 1;
                    self.step = SplitState::Before(place);
                }
                (Some(b'}'), DocumentRole::Key) => self.export_ends(),
                (Some(b']'), DocumentRole::Element) => self.list_ends(),
                (Some(_), DocumentRole::Key) => {
                    self.wrong(bytes, place, "expected `,` or `}`", sink)
                }
                (Some(_), _) => self.wrong(bytes, place, "expected `,` or `]`", sink),
                (None, _) => return false,
            },
            SplitState::Line => {
                let rest = bytes.get(self.from..).unwrap_or_default();
                let Some(end) = memchr::memchr(b'\n', rest) else {
                    self.from = bytes.len();
                    if !more {
                        self.step = SplitState::Over;
                    }
                    return false;
                };
                self.from += end;
                self.step = SplitState::Before(DocumentRole::Line);
            }
            SplitState::Repair(place) => return self.repair(place, bytes, more, sink),
            SplitState::Salvage => return self.salvage(bytes, more),
            SplitState::Over => {
                if self.next(bytes).is_some() && !self.told_rest {
                    self.told_rest = true;
                    let message = "something follows the end of the JSON; it is left out";
                    sink.damaged("json", message.to_owned(), self.base + self.from as u64);
                }
                self.from = bytes.len();
                return false;
            }
        }
        true
    }

    /// The next byte that is no white space; those before it are done with.
    fn next(&mut self, bytes: &[u8]) -> Option<u8> {
        self.from = skip_space(bytes, self.from);
        bytes.get(self.from).copied()
    }

    fn before(
        &mut self,
        place: DocumentRole,
        byte: u8,
        bytes: &[u8],
        sink: &mut impl DocumentSink,
    ) {
        match (place, byte) {
            (DocumentRole::Key, b'}') => self.export_ends(),
            (DocumentRole::Element, b']') => {
                if self.count > 0 {
                    let message = "a comma behind the last message".to_owned();
                    sink.damaged("json", message, self.base + self.from as u64);
                }
                self.list_ends();
            }
            (DocumentRole::Field, b'[') if self.key == "messages" => {
                self.from += 1;
                self.step = SplitState::Before(DocumentRole::Element);
            }
            (DocumentRole::Line, byte) if byte != b'{' => {
                self.wrong(bytes, place, "expected an object", sink);
            }
            _ => self.begin(place),
        }
    }

    fn begin(&mut self, place: DocumentRole) {
        self.tape.begin(0);
        self.step = SplitState::Inside(place);
    }

    fn export_ends(&mut self) {
        self.from += 1;
        self.step = SplitState::Over;
    }

    fn list_ends(&mut self) {
        self.from += 1;
        let is_export = self.shape == DocumentLayout::Export;
        self.step =
            if is_export { SplitState::Behind(DocumentRole::Key) } else { SplitState::Over };
    }

    /// A document is whole: it ends so many bytes behind `from`.
    fn take(
        &mut self,
        place: DocumentRole,
        bytes: &[u8],
        end: usize,
        sink: &mut impl DocumentSink,
    ) {
        let start = self.from;
        let document = bytes.get(start..start + end).unwrap_or_default();
        let offset = self.base + start as u64;
        let node = self.tape.root(document);
        match place {
            DocumentRole::Key => {
                self.key = node.str().unwrap_or_default().into_owned();
                self.step = SplitState::Colon;
            }
            DocumentRole::Field => {
                sink.field(&self.key, document);
                self.step = SplitState::Behind(DocumentRole::Key);
            }
            DocumentRole::Salvaged if !sink.is_one(node) => self.step = SplitState::Salvage,
            DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line => {
                if place == DocumentRole::Salvaged {
                    self.say_damage(Some(offset), sink);
                }
                let node = self.tape.root(document);
                if let Some(invalid) = self.tape.invalid() {
                    sink.damaged("encoding", NO_UTF_8.to_owned(), offset + invalid as u64);
                }
                sink.document(node, document, offset);
                self.count += 1;
                self.repairs = 0;
                self.step = match place {
                    DocumentRole::Line => SplitState::Before(DocumentRole::Line),
                    _ if self.is_last => SplitState::Over,
                    _ => SplitState::Behind(DocumentRole::Element),
                };
            }
        }
        self.from = start + end;
    }

    fn wrong(
        &mut self,
        bytes: &[u8],
        place: DocumentRole,
        what: &'static str,
        sink: &mut impl DocumentSink,
    ) {
        self.error(bytes, place, JsonError::syntax(what, self.from), sink);
    }

    fn error(
        &mut self,
        bytes: &[u8],
        place: DocumentRole,
        error: JsonError,
        sink: &mut impl DocumentSink,
    ) {
        if self.is_broken(bytes, place, error) {
            return;
        }
        self.skip_broken(bytes, place, error, sink);
    }

    /// Is it a message with parts that is broken? Then the next whole part is looked for. (What is more
    /// than is read is left out as a whole.)
    fn is_broken(&mut self, bytes: &[u8], place: DocumentRole, error: JsonError) -> bool {
        let is_inside = self.step == SplitState::Inside(place);
        let is_message =
            matches!(place, DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line);
        if !is_inside || !is_message || error.is_limit() || self.filled == MOST_HOLES {
            return false;
        }
        let message = bytes.get(self.from..).unwrap_or_default();
        let at = error.offset.saturating_sub(self.from);
        // Of a line that lacks its end, what follows is another message's.
        if place == DocumentRole::Line && memchr::memchr(b'\n', message).is_some_and(|end| end < at)
        {
            return false;
        }
        let ends = self.repairs >= MOST_REPAIRS;
        let Some(repair) = Repair::of(message, at, ends) else { return false };
        let offset = self.base + error.offset as u64;
        let from = self.base + self.from as u64;
        self.repair = Some(Box::new((repair, Damage { what: error.message, offset, from })));
        self.step = SplitState::Repair(place);
        true
    }

    /// Looks for the next whole part of the message at hand; false where there are not bytes enough.
    fn repair(
        &mut self,
        place: DocumentRole,
        bytes: &mut [u8],
        more: bool,
        sink: &mut impl DocumentSink,
    ) -> bool {
        let Some((repair, damage)) = self.repair.as_deref_mut() else { return false };
        let start = self.base + self.from as u64;
        let message = bytes.get(self.from..).unwrap_or_default();
        let line = if place == DocumentRole::Line { memchr::memchr(b'\n', message) } else { None };
        let (message, more) = match line {
            Some(end) => (message.get(..end).unwrap_or_default(), false),
            None => (message, more),
        };
        let (hole, ends) = match repair.look(message, start, more) {
            RepairOutcome::More => return false,
            RepairOutcome::GoesOn(hole) => (hole, None),
            RepairOutcome::Ends(hole, next) => (hole, Some(next)),
            RepairOutcome::Lost => {
                self.lose(bytes, sink);
                return true;
            }
        };
        let count = self.count;
        let Damage { what, offset, .. } = *damage;
        let lost = hole.length;
        sink.damaged(
            "json",
            format!(
                "{what}; {lost} bytes of message {count} are left out, its whole parts are there"
            ),
            offset,
        );
        hole.fill(bytes, self.base);
        self.holes.push(hole);
        self.filled += 1;
        self.repairs += 1;
        self.repair = None;
        self.is_last = ends == Some(false) && place != DocumentRole::Line;
        self.begin(place);
        true
    }

    /// There is nothing of the broken message to be kept.
    fn lose(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) {
        let (Some(broken), SplitState::Repair(place)) = (self.repair.take(), self.step) else {
            return;
        };
        let (_, damage) = *broken;
        let offset = usize::try_from(damage.offset - self.base).unwrap_or(usize::MAX);
        self.skip_broken(bytes, place, JsonError::syntax(damage.what, offset), sink);
    }

    fn skip_broken(
        &mut self,
        bytes: &[u8],
        place: DocumentRole,
        error: JsonError,
        sink: &mut impl DocumentSink,
    ) {
        let offset = self.base + error.offset as u64;
        if place == DocumentRole::Line {
            sink.damaged("json", format!("{}; the line is skipped", error.message), offset);
            let end = error.offset.min(bytes.len());
            // A line that lacks its end is seen to be bad in one behind it: go back, but not twice
            // over the same bytes.
            let tried = bytes.get(self.from + 1..(end + 1).min(bytes.len())).unwrap_or_default();
            let next = if self.base + self.from as u64 >= self.tried {
                memchr::memmem::find(tried, b"\n{")
            } else {
                None
            };
            self.tried = offset;
            (self.from, self.step) = match next {
                Some(newline) => (self.from + newline + 2, SplitState::Before(place)),
                None => (end, SplitState::Line),
            };
            return;
        }
        let from = self.base + self.from as u64;
        self.damage.get_or_insert(Damage { what: error.message, offset, from });
        let again = usize::from(place == DocumentRole::Salvaged);
        self.from = error.offset.saturating_sub(BACK).max(self.from + again).min(bytes.len());
        self.step = SplitState::Salvage;
    }

    /// Looks for the next object whose first key is that of a message.
    fn salvage(&mut self, bytes: &[u8], more: bool) -> bool {
        let rest = bytes.get(self.from..).unwrap_or_default();
        for quote in memchr::memchr_iter(b'"', rest) {
            let key = rest.get(quote..).unwrap_or_default();
            if !key.starts_with(b"\"info\"") && !key.starts_with(b"\"parts\"") {
                continue;
            }
            let before = rest.get(quote.saturating_sub(INDENT)..quote).unwrap_or_default();
            let before = before.trim_ascii_end();
            if before.ends_with(b"{") {
                self.from += quote.saturating_sub(INDENT) + before.len() - 1;
                self.begin(DocumentRole::Salvaged);
                return true;
            }
        }
        // A key and the white space before it may be cut by the end of the window.
        let kept = if more { INDENT + b"\"parts\"".len() } else { 0 };
        self.from = bytes.len().saturating_sub(kept).max(self.from);
        false
    }

    /// What was lost to damage, up to here; `None` is the end of the file.
    fn say_damage(&mut self, up_to: Option<u64>, sink: &mut impl DocumentSink) {
        let Some(Damage { what, offset, from }) = self.damage.take() else { return };
        let count = self.count;
        let message = match up_to {
            Some(end) => {
                let lost = end.saturating_sub(from);
                format!("{what}; {lost} bytes before message {count} are left out")
            }
            None => format!("{what}; message {count} and all that is behind it is left out"),
        };
        sink.damaged("json", message, offset);
    }

    /// The file ends before its list does.
    fn cut(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) {
        let count = self.count;
        if self.damage.is_some() {
            return self.say_damage(None, sink);
        }
        let end = self.base + bytes.len() as u64;
        let parts = self.take_cut(bytes, sink);
        let message = match self.step {
            SplitState::Before(DocumentRole::Line) | SplitState::Line | SplitState::Over => return,
            SplitState::Inside(_) if let Some(parts) = parts => {
                format!("the file is cut off: of message {count} the first {parts} parts are there")
            }
            SplitState::Before(DocumentRole::Element | DocumentRole::Salvaged)
            | SplitState::Inside(_) => {
                format!("the file is cut off: message {count} is not whole and is left out")
            }
            SplitState::Behind(DocumentRole::Element) => {
                format!("the file is cut off behind message {}", count.saturating_sub(1))
            }
            _ => "the file is cut off".to_owned(),
        };
        self.cut = true;
        sink.damaged("json", message, end);
    }

    /// The document at hand is cut off: a message is taken as far as it goes. Gives the number of its
    /// parts.
    fn take_cut(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) -> Option<usize> {
        if !matches!(
            self.step,
            SplitState::Inside(DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line)
        ) {
            return None;
        }
        let ClosedMessage { json, parts } = mend(bytes.get(self.from..)?)?;
        self.tape.read(&json, 0).ok()?;
        let node = self.tape.root(&json);
        if !sink.is_one(node) {
            return None;
        }
        sink.document(node, &json, self.base + self.from as u64);
        self.count += 1;
        self.mended = Some((self.from, json));
        Some(parts)
    }
}
