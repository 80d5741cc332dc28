//! What the splitter does where the JSON of a file is broken or cut off: it blanks what is damaged in a
//! message, or skips to the next message or line.

use super::{Damage, DocumentRole, DocumentSink, DocumentSplitter, SplitState};
use crate::documents::repair::{BACK, Repair, RepairOutcome};
use crate::documents::truncated::{ClosedMessage, mend};
use apex_parts_agents::DocumentLayout;
use apex_parts_json::JsonError;

/// The most repairs of one message; what follows a further error in it is lost.
const MOST_REPAIRS: usize = 16;
/// The most damaged ranges of a file that are remembered.
const MOST_HOLES: usize = 100_000;
/// The most bytes of white space between the brace of a message and its first key.
const INDENT: usize = 64;
/// The length of the longest key that a message or a record begins with.
const LONGEST_KEY: usize = b"\"metadata\"".len();

impl DocumentSplitter {
    pub(super) fn wrong(
        &mut self,
        bytes: &[u8],
        role: DocumentRole,
        what: &'static str,
        sink: &mut impl DocumentSink,
    ) {
        self.error(bytes, role, JsonError::syntax(what, self.from), sink);
    }

    pub(super) fn error(
        &mut self,
        bytes: &[u8],
        role: DocumentRole,
        error: JsonError,
        sink: &mut impl DocumentSink,
    ) {
        if self.is_broken(bytes, role, error) {
            return;
        }
        self.skip_broken(bytes, role, error, sink);
    }

    /// Starts the repair of a message if the error is in it and after the start of its parts; false if it
    /// cannot be repaired. (A message that exceeds a limit is left out as a whole.)
    fn is_broken(&mut self, bytes: &[u8], role: DocumentRole, error: JsonError) -> bool {
        let is_inside = self.state == SplitState::Inside(role);
        let is_message =
            matches!(role, DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line);
        if !is_inside || !is_message || error.is_limit() || self.filled == MOST_HOLES {
            return false;
        }
        let message = bytes.get(self.from..).unwrap_or_default();
        let at = error.offset.saturating_sub(self.from);
        // A line that lacks its end: the error is in a later line, which has a message of its own.
        if role == DocumentRole::Line && memchr::memchr(b'\n', message).is_some_and(|end| end < at)
        {
            return false;
        }
        let ends = self.repairs >= MOST_REPAIRS;
        let Some(repair) = Repair::find(message, at, ends) else { return false };
        let offset = self.base + error.offset as u64;
        let from = self.base + self.from as u64;
        self.repair = Some(Box::new((repair, Damage { what: error.message, offset, from })));
        self.state = SplitState::Repair(role);
        true
    }

    /// Looks for the next complete part of the current message; false if it needs more bytes.
    pub(super) fn repair(
        &mut self,
        role: DocumentRole,
        bytes: &mut [u8],
        more: bool,
        sink: &mut impl DocumentSink,
    ) -> bool {
        let Some((repair, damage)) = self.repair.as_deref_mut() else { return false };
        let start = self.base + self.from as u64;
        let message = bytes.get(self.from..).unwrap_or_default();
        let line = if role == DocumentRole::Line { memchr::memchr(b'\n', message) } else { None };
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
        self.is_last = ends == Some(false) && role != DocumentRole::Line;
        self.begin(role);
        true
    }

    /// Nothing of the broken message can be kept.
    pub(super) fn lose(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) {
        let (Some(broken), SplitState::Repair(role)) = (self.repair.take(), self.state) else {
            return;
        };
        let (_, damage) = *broken;
        let offset = usize::try_from(damage.offset - self.base).unwrap_or(usize::MAX);
        self.skip_broken(bytes, role, JsonError::syntax(damage.what, offset), sink);
    }

    fn skip_broken(
        &mut self,
        bytes: &[u8],
        role: DocumentRole,
        error: JsonError,
        sink: &mut impl DocumentSink,
    ) {
        let offset = self.base + error.offset as u64;
        if role == DocumentRole::Line {
            sink.damaged("json", format!("{}; the line is skipped", error.message), offset);
            let end = error.offset.min(bytes.len());
            // In a line that lacks its end the error is found in a later line: go back to the line after
            // it, but not twice over the same bytes.
            let tried = bytes.get(self.from + 1..(end + 1).min(bytes.len())).unwrap_or_default();
            let next = if self.base + self.from as u64 >= self.tried {
                memchr::memmem::find(tried, b"\n{")
            } else {
                None
            };
            self.tried = offset;
            (self.from, self.state) = match next {
                Some(newline) => (self.from + newline + 2, SplitState::Before(role)),
                None => (end, SplitState::Line),
            };
            return;
        }
        let from = self.base + self.from as u64;
        self.damage.get_or_insert(Damage { what: error.message, offset, from });
        let again = usize::from(role == DocumentRole::Salvaged);
        self.from = error.offset.saturating_sub(BACK).max(self.from + again).min(bytes.len());
        self.state = SplitState::Salvage;
    }

    /// The keys that a message, or a record, begins with.
    fn first_keys(&self) -> &'static [&'static [u8]] {
        match self.layout {
            DocumentLayout::Records => {
                &[b"\"id\"", b"\"type\"", b"\"time\"", b"\"metadata\"", b"\"text\""]
            }
            _ => &[b"\"info\"", b"\"parts\""],
        }
    }

    /// Looks for the next object that begins with a key of messages.
    pub(super) fn salvage(&mut self, bytes: &[u8], more: bool) -> bool {
        let rest = bytes.get(self.from..).unwrap_or_default();
        let firsts = self.first_keys();
        for quote in memchr::memchr_iter(b'"', rest) {
            let key = rest.get(quote..).unwrap_or_default();
            if !firsts.iter().any(|first| key.starts_with(first)) {
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
        let kept = if more { INDENT + LONGEST_KEY } else { 0 };
        self.from = bytes.len().saturating_sub(kept).max(self.from);
        false
    }

    /// Reports the bytes lost to damage before the offset `up_to`; `None` is the end of the file.
    pub(super) fn report_damage(&mut self, up_to: Option<u64>, sink: &mut impl DocumentSink) {
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
    pub(super) fn cut(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) {
        let count = self.count;
        if self.damage.is_some() {
            return self.report_damage(None, sink);
        }
        let end = self.base + bytes.len() as u64;
        let parts = self.take_cut(bytes, sink);
        let is_read = parts.is_none()
            && matches!(self.state, SplitState::Inside(DocumentRole::Element | DocumentRole::Line))
            && sink
                .cut_off(bytes.get(self.from..).unwrap_or_default(), self.base + self.from as u64);
        let message = match self.state {
            SplitState::Before(DocumentRole::Line) | SplitState::Line | SplitState::End => return,
            SplitState::Inside(_) if let Some(parts) = parts => {
                format!("the file is cut off: of message {count} the first {parts} parts are there")
            }
            SplitState::Inside(_) if is_read => {
                "the file is cut off; what follows the last complete value is lost".to_owned()
            }
            SplitState::Before(DocumentRole::Element | DocumentRole::Salvaged)
            | SplitState::Inside(_) => {
                format!("the file is cut off: message {count} is not whole and is left out")
            }
            SplitState::After(DocumentRole::Element) => {
                format!("the file is cut off behind message {}", count.saturating_sub(1))
            }
            _ => "the file is cut off".to_owned(),
        };
        self.cut = true;
        sink.damaged("json", message, end);
    }

    /// If the cut is in a message, passes the message on with the parts before the cut. Returns how many
    /// parts those are.
    fn take_cut(&mut self, bytes: &[u8], sink: &mut impl DocumentSink) -> Option<usize> {
        if !matches!(
            self.state,
            SplitState::Inside(DocumentRole::Element | DocumentRole::Salvaged | DocumentRole::Line)
        ) {
            return None;
        }
        let ClosedMessage { json, parts } = mend(bytes.get(self.from..)?)?;
        self.tape.read(&json, 0).ok()?;
        let node = self.tape.root(&json);
        if !sink.is_element(node) {
            return None;
        }
        sink.document(node, &json, self.base + self.from as u64);
        self.count += 1;
        self.mended = Some((self.from, json));
        Some(parts)
    }
}
