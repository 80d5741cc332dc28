//! The buffer of the fast paths: js/fast-path.mjs writes a timestamp and a text, or a chunk of bytes,
//! into it and then calls with nothing but lengths.

use std::cell::RefCell;

/// Its length.
const LENGTH: usize = 1 << 16;
/// How many of its first bytes are for the timestamp; texts and chunks come after it.
const TIMESTAMP: usize = 256;

thread_local! {
    // One for all, which never moves.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; LENGTH]);
}

/// Its first byte, its length, and how many of its first bytes are for the timestamp.
pub(crate) fn layout() -> [usize; 3] {
    [BUFFER.with_borrow(|buffer| buffer.as_ptr() as usize), LENGTH, TIMESTAMP]
}

/// Shows this number of bytes after the timestamp.
pub(crate) fn bytes<T>(length: u32, look: impl FnOnce(&[u8]) -> T) -> T {
    BUFFER.with_borrow(|buffer| look(part(buffer, TIMESTAMP, length)))
}

/// Shows a timestamp and a text of these lengths in bytes.
pub(crate) fn timestamp_and_text<T>(
    timestamp: u32,
    text: u32,
    look: impl FnOnce(&str, &str) -> T,
) -> T {
    BUFFER.with_borrow(|buffer| {
        let read =
            |from, length| std::str::from_utf8(part(buffer, from, length)).unwrap_or_default();
        look(read(0, timestamp), read(TIMESTAMP, text))
    })
}

fn part(buffer: &[u8], from: usize, length: u32) -> &[u8] {
    buffer.get(from..).and_then(|rest| rest.get(..length as usize)).unwrap_or_default()
}
