//! Lengths in UTF-16 units, as JavaScript measures strings.

/// The length of a text.
pub(crate) fn utf16_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// The length of a text within the quotes that `JSON.stringify` puts around it.
pub(crate) fn json_units(text: &str) -> usize {
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | 0x08 | b'\t' | b'\n' | 0x0c | b'\r' => 1,
        0..0x20 => 5,
        _ => 0,
    };
    utf16_of(text) + text.as_bytes().iter().map(more).sum::<usize>()
}
