//! Where the documents of a file stand: one pass over its bytes, as they come.

mod damage;

use super::repair::{DamagedRange, Repair};
use crate::json::JsonError;
use crate::json::scan::skip_space;
use crate::json::tape::{Node, Tape};
use crate::json::utf8::NO_UTF_8;

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
}
