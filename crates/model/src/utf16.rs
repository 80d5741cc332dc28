//! Lengths in UTF-16 units, as JavaScript measures strings.

/// The length of a text.
pub fn utf16_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}
