//! Lengths in UTF-16 units of the strings of JSON text, without resolving their escapes first.

use super::string::unescape_bytes;
use crate::model::utf16::{json_units, utf16_of};

/// The length of a string, given the bytes between its quotes.
pub(crate) fn utf16_of_raw(raw: &[u8]) -> usize {
    utf16_of(&unescape_bytes(raw))
}

/// Its length as `JSON.stringify` writes it, without the quotes.
pub(crate) fn json_units_of_raw(raw: &[u8]) -> usize {
    json_units(&unescape_bytes(raw))
}
