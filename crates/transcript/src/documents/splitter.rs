//! Finds the JSON documents of a file in one pass over its bytes, as they arrive.

mod damage;

use super::repair::{DamagedRange, Repair};
use apex_parts_agents::DocumentLayout;
use apex_parts_json::JsonError;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::utf8::NO_UTF_8;

/// Receives what the splitter finds.
pub(crate) trait DocumentSink {
    /// An element of the list: a message or a record. `offset` is its first byte in the file.
    fn document(&mut self, document: Node<'_>, bytes: &[u8], offset: u64);
    /// Can this document be an element of the list? Asked where a list continues after damage.
    fn is_element(&self, document: Node<'_>) -> bool;
    /// The file ends within this document, which begins at `offset`. Was it read as far as it goes?
    fn cut_off(&mut self, _document: &[u8], _offset: u64) -> bool {
        false
    }
    /// The list begins, in the field with this name.
    fn list(&mut self, _key: &str) {}
    /// A field of an export other than `messages`; `value` is its JSON.
    fn field(&mut self, key: &str, value: &[u8]);
    /// The file is damaged at `offset`.
    fn damaged(&mut self, rule: &'static str, message: String, offset: u64);
}

/// What a document is in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentRole {
    /// A key of an export, or its value.
    Key,
    Field,
    /// An element of the list.
    Element,
    /// Found by a search after damage: it may be an element.
    Salvaged,
    Line,
}

/// What the splitter expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitState {
    /// The first byte of a document, or the end of its container.
    Before(DocumentRole),
    /// The rest of the document that began at `from`.
    Inside(DocumentRole),
    Colon,
    /// A comma, or the end of the document's container.
    After(DocumentRole),
    /// The rest of a bad line.
    Line,
    /// The next complete part of a broken message.
    Repair(DocumentRole),
    /// The next message of a damaged list.
    Salvage,
    /// Nothing: the JSON has ended.
    End,
}

/// Damage in the list that has not been reported yet.
#[derive(Clone, Copy, Debug)]
struct Damage {
    what: &'static str,
    /// Where the error was found.
    offset: u64,
    /// The first lost byte.
    from: u64,
}

/// The state between two chunks. Positions are counted from the start of the window (the bytes that
/// the caller still holds) unless they are `u64`: those are offsets in the file.
#[derive(Debug)]
pub(crate) struct DocumentSplitter {
    layout: DocumentLayout,
    state: SplitState,
    tape: Tape,
    /// The bytes before this one have been processed.
    from: usize,
    /// The key of the current field of an export.
    key: String,
    /// How many elements of the list have been found.
    count: usize,
    /// The array of an export has been read, or the end of it.
    has_list: bool,
    damage: Option<Damage>,
    /// Bad lines have been read up to here.
    tried: u64,
    /// The offset of the window in the file.
    base: u64,
    /// Bytes after the end have been reported.
    reported_rest: bool,
    /// The repair of the current message, if it is broken.
    repair: Option<Box<(Repair, Damage)>>,
    /// How often the current message has been repaired.
    repairs: usize,
    /// The repair has shown that no message follows the current one.
    is_last: bool,
    /// The blanked ranges since [`DocumentSplitter::take_holes`].
    holes: Vec<DamagedRange>,
    /// How many ranges of the file have been blanked.
    filled: usize,
    /// The file ended before its JSON did.
    cut: bool,
    /// The message in which the file is cut off, closed, and where it begins in the window.
    mended: Option<(usize, Vec<u8>)>,
}

impl DocumentSplitter {
    pub(crate) fn new(layout: DocumentLayout) -> DocumentSplitter {
        let first = match layout {
            DocumentLayout::Export | DocumentLayout::Records => {
                SplitState::Before(DocumentRole::Key)
            }
            DocumentLayout::List => SplitState::Before(DocumentRole::Element),
            DocumentLayout::Lines => SplitState::Before(DocumentRole::Line),
        };
        DocumentSplitter {
            layout,
            state: first,
            tape: Tape::default(),
            // After the opening bracket of an export or a list.
            from: usize::from(layout != DocumentLayout::Lines),
            key: String::new(),
            count: 0,
            has_list: false,
            damage: None,
            tried: 0,
            base: 0,
            reported_rest: false,
            repair: None,
            repairs: 0,
            is_last: false,
            holes: Vec::new(),
            filled: 0,
            cut: false,
            mended: None,
        }
    }

    /// How many bytes of the window have been processed.
    pub(crate) fn done(&self) -> usize {
        self.from
    }

    /// The caller has removed this number of processed bytes from the window.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.from -= bytes;
        self.base += bytes as u64;
    }

    /// The ranges that were blanked since the last call, in the order of the file.
    pub(crate) fn take_holes(&mut self) -> Vec<DamagedRange> {
        std::mem::take(&mut self.holes)
    }

    /// Did the file end before its JSON did?
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The message in which the file was cut off, closed after its last complete part, and where it begins
    /// in the window.
    pub(crate) fn take_mended(&mut self) -> Option<(usize, Vec<u8>)> {
        self.mended.take()
    }

    /// Skips bytes before the JSON.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.from += bytes;
    }

    /// Gives the current document up: the caller does not wait for its end any longer.
    pub(crate) fn give_up(
        &mut self,
        bytes: &[u8],
        what: &'static str,
        sink: &mut impl DocumentSink,
    ) {
        let role = match self.state {
            SplitState::Inside(role) | SplitState::Before(role) | SplitState::After(role) => role,
            SplitState::Colon => DocumentRole::Key,
            SplitState::Repair(_) => return self.lose(bytes, sink),
            SplitState::Line | SplitState::Salvage | SplitState::End => return,
        };
        self.error(bytes, role, JsonError::syntax(what, bytes.len()), sink);
    }

    /// Processes the window; `more` says that further bytes may follow. Damaged ranges are blanked if that
    /// saves the rest of a message.
    pub(crate) fn run(&mut self, bytes: &mut [u8], more: bool, sink: &mut impl DocumentSink) {
        while self.step(bytes, more, sink) {}
        if !more && self.state != SplitState::End {
            self.cut(bytes, sink);
            self.state = SplitState::End;
        }
    }

    /// One step; false if it needs more bytes.
    fn step(&mut self, bytes: &mut [u8], more: bool, sink: &mut impl DocumentSink) -> bool {
        match self.state {
            SplitState::Before(role) => {
                let Some(byte) = self.next(bytes) else { return false };
                self.before(role, byte, bytes, sink);
            }
            SplitState::Inside(role) => {
                let document = bytes.get(self.from..).unwrap_or_default();
                match self.tape.go_on(document, more) {
                    Ok(end) => self.take(role, bytes, end, sink),
                    Err(error) if error.is_cut() => return false,
                    Err(error) => {
                        let offset = error.offset + self.from;
                        self.error(bytes, role, JsonError { offset, ..error }, sink);
                    }
                }
            }
            SplitState::Colon => match self.next(bytes) {
                Some(b':') => {
                    self.from += 1;
                    self.state = SplitState::Before(DocumentRole::Field);
                }
                Some(_) => self.wrong(bytes, DocumentRole::Key, "expected `:`", sink),
                None => return false,
            },
            SplitState::After(role) => match (self.next(bytes), role) {
                (Some(b','), _) => {
                    self.from += 1;
                    self.state = SplitState::Before(role);
                }
                (Some(b'}'), DocumentRole::Key) => self.export_ends(sink),
                (Some(b']'), DocumentRole::Element) => self.list_ends(),
                (Some(_), DocumentRole::Key) => {
                    self.wrong(bytes, role, "expected `,` or `}`", sink)
                }
                (Some(_), _) => self.wrong(bytes, role, "expected `,` or `]`", sink),
                (None, _) => return false,
            },
            SplitState::Line => {
                let rest = bytes.get(self.from..).unwrap_or_default();
                let Some(end) = memchr::memchr(b'\n', rest) else {
                    self.from = bytes.len();
                    if !more {
                        self.state = SplitState::End;
                    }
                    return false;
                };
                self.from += end;
                self.state = SplitState::Before(DocumentRole::Line);
            }
            SplitState::Repair(role) => return self.repair(role, bytes, more, sink),
            SplitState::Salvage => return self.salvage(bytes, more),
            SplitState::End => {
                if self.next(bytes).is_some() && !self.reported_rest {
                    self.reported_rest = true;
                    let message = "something follows the end of the JSON; it is left out";
                    sink.damaged("json", message.to_owned(), self.base + self.from as u64);
                }
                self.from = bytes.len();
                return false;
            }
        }
        true
    }

    /// The next byte that is not white space; `from` moves there.
    fn next(&mut self, bytes: &[u8]) -> Option<u8> {
        self.from = skip_space(bytes, self.from);
        bytes.get(self.from).copied()
    }

    fn before(&mut self, role: DocumentRole, byte: u8, bytes: &[u8], sink: &mut impl DocumentSink) {
        match (role, byte) {
            (DocumentRole::Key, b'}') => self.export_ends(sink),
            (DocumentRole::Element, b']') => {
                if self.count > 0 {
                    let message = "a comma behind the last message".to_owned();
                    sink.damaged("json", message, self.base + self.from as u64);
                }
                self.list_ends();
            }
            (DocumentRole::Field, b'[') if self.is_list() => {
                sink.list(&self.key);
                self.from += 1;
                self.state = SplitState::Before(DocumentRole::Element);
            }
            (DocumentRole::Line, byte) if byte != b'{' => {
                self.wrong(bytes, role, "expected an object", sink);
            }
            _ => self.begin(role),
        }
    }

    /// Is the array of this field the list?
    fn is_list(&self) -> bool {
        let is_page = self.layout == DocumentLayout::Records && self.key == "data";
        self.key == "messages" || is_page
    }

    fn begin(&mut self, role: DocumentRole) {
        self.tape.begin(0);
        self.state = SplitState::Inside(role);
    }

    fn export_ends(&mut self, sink: &mut impl DocumentSink) {
        if !self.has_list {
            let message = "the array `messages` is missing".to_owned();
            sink.damaged("schema", message, self.base + self.from as u64);
        }
        self.from += 1;
        self.state = SplitState::End;
    }

    fn list_ends(&mut self) {
        self.has_list = true;
        self.from += 1;
        let is_export = matches!(self.layout, DocumentLayout::Export | DocumentLayout::Records);
        self.state = if is_export { SplitState::After(DocumentRole::Key) } else { SplitState::End };
    }

    /// A document is complete: `end` is its length.
    fn take(&mut self, role: DocumentRole, bytes: &[u8], end: usize, sink: &mut impl DocumentSink) {
        let start = self.from;
        let document = bytes.get(start..start + end).unwrap_or_default();
        let offset = self.base + start as u64;
        let node = self.tape.root(document);
        match role {
            DocumentRole::Key => {
                self.key = node.str().unwrap_or_default().into_owned();
                self.state = SplitState::Colon;
            }
            DocumentRole::Field => {
                sink.field(&self.key, document);
                self.state = SplitState::After(DocumentRole::Key);
            }
            DocumentRole::Salvaged if !sink.is_element(node) => self.state = SplitState::Salvage,
            DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line => {
                if role == DocumentRole::Salvaged {
                    self.report_damage(Some(offset), sink);
                }
                let node = self.tape.root(document);
                if let Some(invalid) = self.tape.invalid() {
                    sink.damaged("encoding", NO_UTF_8.to_owned(), offset + invalid as u64);
                }
                sink.document(node, document, offset);
                self.count += 1;
                self.repairs = 0;
                self.state = match role {
                    DocumentRole::Line => SplitState::Before(DocumentRole::Line),
                    _ if self.is_last => SplitState::End,
                    _ => SplitState::After(DocumentRole::Element),
                };
            }
        }
        self.from = start + end;
    }
}
