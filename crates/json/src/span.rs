//! Where a value is in a JSON text, and what kind of value it is.

use super::string::{unescape, unescaped};
use apex_parts_model::delta::Piece;
use std::borrow::Cow;

/// The kind of a value, as far as its first byte shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `"…"`; true if there is an escape in it.
    String(bool),
    /// A number.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

impl TokenKind {
    /// The kind in words, for messages: "not …".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            TokenKind::String(_) => "a string",
            TokenKind::Number => "a number",
            TokenKind::Bool => "a boolean",
            TokenKind::Null => "null",
            TokenKind::Array => "an array",
            TokenKind::Object => "an object",
        }
    }
}

/// Where a value is in its text, quotes and brackets included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The kind of the value.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Span {
    /// The JSON text of the value.
    #[must_use]
    pub fn text(self, json: &str) -> &str {
        json.get(self.start..self.end).unwrap_or_default()
    }

    /// The text of a string, as a piece of a longer text: halves of surrogate pairs at its edges are
    /// kept.
    #[must_use]
    pub fn piece(self, json: &str) -> Option<Piece<'_>> {
        let (raw, escaped) = self.raw(json)?;
        if !escaped {
            return Some(raw.into());
        }
        let mut text = String::with_capacity(raw.len());
        let (low, high) = unescape(raw, &mut text);
        Some(Piece { low, text: Cow::Owned(text), high })
    }

    /// The text of a string. Unpaired halves of surrogate pairs become U+FFFD.
    #[must_use]
    pub fn string(self, json: &str) -> Option<Cow<'_, str>> {
        let (raw, escaped) = self.raw(json)?;
        Some(if escaped { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) })
    }

    /// What is between the quotes of a string, and whether it has escapes.
    fn raw(self, json: &str) -> Option<(&str, bool)> {
        let TokenKind::String(escaped) = self.kind else { return None };
        Some((json.get(self.start + 1..self.end.checked_sub(1)?)?, escaped))
    }
}
