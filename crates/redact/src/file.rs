//! The secrets in a file as it stands: in its messages, and in what no message is made of.

use super::redactor::{Redactor, SecretPlace};
use super::value::{StringUse, each_string, name_of, place, read_whole};
use apex_parts_json::tape::Tape;
use apex_parts_model::{Kind, View};
use std::collections::BTreeSet;

/// What stands before the JSON of an event of a stream.
const DATA: &[u8] = b"data:";
/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

impl Redactor {
    /// Looks through a file as it stands, after its messages: what was not found before is counted and listed, with its
    /// line, or with the pointer in a file that is one JSON value. Returns `false` if the file is not UTF-8 text; nothing
    /// is searched then.
    ///
    /// ```
    /// use apex_parts_redact::Redactor;
    /// let mut redactor = Redactor::default();
    /// redactor.redact_text("ann@acme.io");
    /// assert!(redactor.find_in_file(b"{\"to\":\"ann@acme.io\"}\n{\"cc\":[\"bob@acme.io\"]}\n"));
    /// let place = &redactor.findings().next().unwrap().places[1];
    /// assert_eq!((place.line, place.pointer.as_str()), (Some(2), "/cc/0"));
    /// ```
    pub fn find_in_file(&mut self, file: &[u8]) -> bool {
        let file = file.strip_prefix(MARK).unwrap_or(file);
        if std::str::from_utf8(file).is_err() || memchr::memchr(0, file).is_some() {
            return false;
        }
        self.find_only_new(true);
        if !self.find_in_value(file, None) {
            self.find_in_lines(file);
        }
        self.find_only_new(false);
        true
    }

    /// Looks through a value for what was not found before. It is in the copy, as what a copy says of its file.
    pub fn find_in_note(&mut self, json: &[u8]) {
        self.find_only_new(true);
        // It is read, not changed: only what is listed is of interest.
        let _ = self.redact_json(json);
        self.find_only_new(false);
    }

    /// Looks through the strings of one JSON value; `false` if it is none.
    fn find_in_value(&mut self, json: &[u8], line: Option<usize>) -> bool {
        let mut tape = Tape::default();
        if read_whole(&mut tape, json).is_err() {
            return false;
        }
        each_string(&tape, json, &mut |string, open, _| {
            let Some(text) = string.str() else { return };
            let mut place = || SecretPlace { line, is_beside: true, ..place(open) };
            self.mask_bytes(text.as_bytes(), name_of(open).as_ref(), &mut place);
        });
        true
    }

    fn find_in_lines(&mut self, file: &[u8]) {
        // Lines that are no JSON are one text: a key in PEM has several.
        let mut text: Vec<u8> = Vec::new();
        let mut begun = 0;
        for (number, line) in (1..).zip(file.split(|byte| *byte == b'\n')) {
            let json = line.strip_prefix(DATA).unwrap_or(line).trim_ascii();
            let is_value = matches!(json.first(), Some(b'{' | b'[' | b'"'));
            if is_value && self.find_in_value(json, Some(number)) {
                self.find_in_text(&mut text, begun);
                continue;
            }
            if text.is_empty() {
                begun = number;
            }
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        self.find_in_text(&mut text, begun);
    }

    fn find_in_text(&mut self, text: &mut Vec<u8>, line: usize) {
        if !text.is_empty() {
            let mut place =
                || SecretPlace { line: Some(line), is_beside: true, ..SecretPlace::default() };
            self.mask_bytes(text, None, &mut place);
            text.clear();
        }
    }

    /// Is this one JSON value, with nothing before and behind it, in which no object has a name twice and no string
    /// would be masked? Nothing is counted.
    ///
    /// ```
    /// use apex_parts_redact::Redactor;
    /// let mut redactor = Redactor::default();
    /// assert!(redactor.is_clean(br#"{"text": "nothing here"}"#));
    /// assert!(!redactor.is_clean(br#"{"text": "ann@acme.io"}"#));
    /// assert!(!redactor.is_clean(br#"{"text": "a", "text": "b"}"#));
    /// ```
    pub fn is_clean(&mut self, json: &[u8]) -> bool {
        let mut tape = Tape::default();
        if read_whole(&mut tape, json).is_err() || tape.invalid().is_some() {
            return false;
        }
        let mut is_clean = !has_repeated_name(&tape, json);
        each_string(&tape, json, &mut |string, open, used| {
            let Some(text) = string.str().filter(|_| is_clean) else { return };
            let name = name_of(open).filter(|_| used == StringUse::Value);
            is_clean = !self.masks_any(text.as_bytes(), name.as_ref());
        });
        is_clean
    }
}

/// Does an object have a name twice? `JSON.parse` keeps the last value alone.
fn has_repeated_name(tape: &Tape, json: &[u8]) -> bool {
    let mut names = BTreeSet::new();
    let last = u32::try_from(tape.entries.len()).unwrap_or(u32::MAX);
    (0..last).any(|index| {
        let node = tape.node(json, index);
        if node.kind() != Kind::Object {
            return false;
        }
        names.clear();
        node.fields().any(|(name, _)| name.str().is_some_and(|name| !names.insert(name)))
    })
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
