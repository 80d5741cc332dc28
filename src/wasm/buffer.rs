//! The shared buffer of the fast paths: ts/module/fast-path.ts writes a timestamp and a text, or a chunk of
//! bytes, into it and then calls the module with their lengths only.

use std::cell::RefCell;

/// The length of the buffer, in bytes.
const LENGTH: usize = 1 << 16;
/// The number of bytes at its start that are reserved for the timestamp; texts and chunks follow.
const TIMESTAMP: usize = 256;

thread_local! {
    // One buffer for all objects; it never moves.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; LENGTH]);
}

/// The address of the buffer, its length, and the number of bytes reserved for the timestamp.
pub(crate) fn layout() -> [usize; 3] {
    [BUFFER.with_borrow(|buffer| buffer.as_ptr() as usize), LENGTH, TIMESTAMP]
}

/// Passes this number of bytes, from those after the timestamp, to `look`.
pub(crate) fn bytes<T>(length: u32, look: impl FnOnce(&[u8]) -> T) -> T {
    BUFFER.with_borrow(|buffer| look(part(buffer, TIMESTAMP, length)))
}

/// Passes a timestamp and a text, whose lengths in bytes are given, to `look`.
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
