//! [`Attachments`]: texts that a sample has once and refers to by their hashes.

use crate::fields::{of_kind, token};
use apex_parts_json::tape::Node;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View};
use memchr::memmem;
use std::borrow::Cow;
use std::cell::Cell;

/// How a reference begins; the second is that of older logs.
const PROTOCOLS: [&str; 2] = ["attachment://", "tc://"];

/// The most bytes by which repeated references make the messages of a file longer than the file.
pub(super) const MOST_REPEATED: usize = 256 << 20;

/// The attachments of a sample. A text that is a reference to one stands for its text; one that refers to none is
/// left as it is.
pub(super) struct Attachments<'a> {
    texts: Vec<Attachment<'a>>,
    /// Where that with a hash is.
    places: TextMap,
    /// How many bytes may still be repeated.
    left: Cell<usize>,
    /// Was a reference left because there were too many?
    is_over: Cell<bool>,
}

struct Attachment<'a> {
    /// As it stands in the file, escaped.
    raw: &'a str,
    is_used: Cell<bool>,
}

impl<'a> Attachments<'a> {
    /// Reads the object `{HASH: TEXT}`; `left` bytes may be repeated.
    pub(super) fn read(node: Option<Node<'a>>, json: &'a str, left: usize) -> Attachments<'a> {
        let (mut texts, mut places) = (Vec::new(), TextMap::default());
        for (hash, text) in of_kind(node, Kind::Object).into_iter().flat_map(Node::fields) {
            if let Some(hash) = hash.str().filter(|_| text.kind().is_string()) {
                let raw = token(text, json);
                places.insert(&hash, texts.len());
                texts.push(Attachment { raw, is_used: Cell::new(false) });
            }
        }
        Attachments { texts, places, left: Cell::new(left), is_over: Cell::new(false) }
    }

    /// How many bytes may still be repeated.
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    /// Were there more references than may be followed?
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// The escaped text of a string, or of the attachment that it refers to; empty if it is not a string.
    pub(super) fn text(&self, node: Node<'a>, json: &'a str) -> &'a str {
        self.resolved(token(node, json))
    }

    fn resolved<'t>(&self, raw: &'t str) -> &'t str
    where
        'a: 't,
    {
        let hash = PROTOCOLS.iter().find_map(|protocol| raw.strip_prefix(protocol));
        hash.and_then(|hash| self.find(hash)).unwrap_or(raw)
    }

    fn find(&self, hash: &str) -> Option<&'a str> {
        let attachment = self.texts.get(self.places.get(hash)?)?;
        if attachment.is_used.replace(true) {
            let Some(left) = self.left.get().checked_sub(attachment.raw.len()) else {
                self.is_over.set(true);
                return None;
            };
            self.left.set(left);
        }
        Some(attachment.raw)
    }

    /// JSON with the attachments in place of the strings in it that refer to them.
    pub(super) fn within<'t>(&self, json: &'t str) -> Cow<'t, str> {
        let mut out = String::new();
        let mut copied = 0;
        if !self.texts.is_empty() {
            for found in memmem::find_iter(json.as_bytes(), b"\"attachment://") {
                let start = found + 1;
                // After a backslash it is a quote inside a text, not the beginning of one.
                let is_inside = json.as_bytes().get(..found).and_then(<[u8]>::last) == Some(&b'\\');
                let rest = json.get(start..).unwrap_or_default();
                let Some(length) = memchr::memchr(b'"', rest.as_bytes()) else { continue };
                let after = rest.get(length + 1..).unwrap_or_default().trim_ascii_start();
                if is_inside || start < copied || after.starts_with(':') {
                    continue;
                }
                let raw = rest.get(..length).unwrap_or_default();
                out.push_str(json.get(copied..start).unwrap_or_default());
                out.push_str(self.resolved(raw));
                copied = start + length;
            }
        }
        if copied == 0 {
            return Cow::Borrowed(json);
        }
        out.push_str(json.get(copied..).unwrap_or_default());
        Cow::Owned(out)
    }
}
