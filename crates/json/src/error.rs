//! Why bytes are not JSON.

use std::fmt;

/// Why bytes are not JSON, or are refused, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What was expected or is wrong.
    pub message: &'static str,
    /// The offset of the byte, from the beginning of the text.
    pub offset: usize,
    /// Whether more bytes or a higher limit would help.
    pub kind: JsonErrorKind,
}

/// Whether more bytes or a higher limit would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// Neither: the bytes are not JSON, whatever follows.
    Syntax,
    /// The bytes end before the value does.
    Cut,
    /// A limit was exceeded (nesting, number of values, length); it may be JSON.
    Limit,
}

impl JsonError {
    /// The bytes are not JSON at an offset.
    #[must_use]
    pub const fn syntax(message: &'static str, offset: usize) -> JsonError {
        JsonError { message, offset, kind: JsonErrorKind::Syntax }
    }

    pub(crate) const fn cut(message: &'static str, offset: usize) -> JsonError {
        JsonError { message, offset, kind: JsonErrorKind::Cut }
    }

    /// The text ends before its value does.
    pub(crate) const fn cut_off(offset: usize) -> JsonError {
        JsonError::cut("the text is cut off", offset)
    }

    pub(crate) const fn limit(message: &'static str, offset: usize) -> JsonError {
        JsonError { message, offset, kind: JsonErrorKind::Limit }
    }

    /// Whether the bytes ended before the value did.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        matches!(self.kind, JsonErrorKind::Cut)
    }

    /// Whether a limit was exceeded.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        matches!(self.kind, JsonErrorKind::Limit)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.offset)
    }
}

impl std::error::Error for JsonError {}
