//! Bytes as text, and whether they are UTF-8. Plain ASCII, as most of a transcript is, is skipped sixteen bytes at a time:
//! the standard library's check takes eight in WebAssembly.

use super::block;
use std::borrow::Cow;

/// The problem of a record that is read all the same.
pub const NO_UTF_8: &str = "bytes that are not UTF-8; they are shown as U+FFFD";

/// The bytes as text; `None` if they are not UTF-8. For long ones: it looks at many bytes at a time.
#[inline]
#[must_use]
pub fn whole_text(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// The bytes as text; invalid UTF-8 becomes U+FFFD. Nearly all are UTF-8, which is faster to check
/// than to repair.
#[inline]
pub fn to_text(raw: &[u8]) -> Cow<'_, str> {
    const LONG: usize = 64;
    let text = if raw.len() < LONG { std::str::from_utf8(raw).ok() } else { whole_text(raw) };
    text.map_or_else(|| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// The offset of the first bytes that are not UTF-8.
pub(crate) fn invalid(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            match block::beyond(block) {
                0 => at += block::WIDTH,
                beyond => {
                    at += beyond.trailing_zeros() as usize;
                    break;
                }
            }
        }
        match bytes.get(at) {
            None => return None,
            Some(0..0x80) => at += 1,
            Some(_) => {
                let width = width(bytes.get(at..).unwrap_or_default());
                if width == 0 {
                    return Some(at);
                }
                at += width;
            }
        }
    }
}

/// The length in bytes of the character outside ASCII at their beginning; 0 if there is none.
pub(crate) fn width(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2..=0xdf, 0x80..=0xbf, ..] => 2,
        [0xe0, 0xa0..=0xbf, 0x80..=0xbf, ..]
        | [0xed, 0x80..=0x9f, 0x80..=0xbf, ..]
        | [0xe1..=0xec | 0xee..=0xef, 0x80..=0xbf, 0x80..=0xbf, ..] => 3,
        [0xf0, 0x90..=0xbf, 0x80..=0xbf, 0x80..=0xbf, ..]
        | [0xf1..=0xf3, 0x80..=0xbf, 0x80..=0xbf, 0x80..=0xbf, ..]
        | [0xf4, 0x80..=0x8f, 0x80..=0xbf, 0x80..=0xbf, ..] => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8]) {
        let expected = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
        assert_eq!(invalid(bytes), expected, "{bytes:x?}");
    }

    /// All pairs of bytes, and what may follow them, before and after plain text.
    #[test]
    fn it_agrees_with_the_standard_library() {
        let edges = [0, b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
        for first in 0..=255 {
            for second in 0..=255 {
                check(&[first, second]);
                for third in edges {
                    check(&[b'a', first, second, third]);
                    for fourth in edges {
                        check(&[first, second, third, fourth, b'a']);
                    }
                }
            }
        }
    }

    #[test]
    fn invalid_bytes_are_found_at_any_offset() {
        for middle in ["é", "漢字", "🦀", "é🦀 a漢", ""] {
            for before in 0..40 {
                for after in [0, 1, 15, 16, 40] {
                    let text = format!("{}{middle}{}", "x".repeat(before), "y".repeat(after));
                    for cut in 0..=text.len() {
                        check(&text.as_bytes()[..cut]);
                        let mut broken = text.clone().into_bytes();
                        broken.insert(cut, 0xff);
                        check(&broken);
                    }
                }
            }
        }
    }
}
