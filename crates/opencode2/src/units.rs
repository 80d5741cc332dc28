//! Lengths of escaped texts.

/// How many UTF-16 units the text has that is written with these escapes.
#[must_use]
pub fn units(escaped: &str) -> usize {
    split(escaped, usize::MAX).1
}

/// The byte at which an escaped text has `wanted` units, or its end; and how many units there are up to it.
#[must_use]
pub fn split(escaped: &str, wanted: usize) -> (usize, usize) {
    let (mut at, mut count) = (0, 0);
    let bytes = escaped.as_bytes();
    while count < wanted
        && let Some(byte) = bytes.get(at)
    {
        let (length, units) = match byte {
            b'\\' if bytes.get(at + 1) == Some(&b'u') => (6, 1),
            b'\\' => (2, 1),
            0..0x80 => (1, 1),
            0x80..0xe0 => (2, 1),
            0xe0..0xf0 => (3, 1),
            _ => (4, 2),
        };
        at += length;
        count += units;
    }
    (at.min(bytes.len()), count)
}
