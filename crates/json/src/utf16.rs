//! Lengths in UTF-16 units, as JavaScript measures strings, of JSON strings as they stand in a file: their escapes need
//! not be resolved for it.
//!
//! These run over every text of a file while it is loaded. Plain text is passed sixteen bytes at a time; so are
//! the escapes that nearly all strings have (`\n`, `\"`, `\\`, `\r`, `\t`).

use super::block::{self, Masks, WIDTH};
use super::utf8;

/// The UTF-16 units that a byte of valid UTF-8 stands for: 0 where a character goes on.
const fn units(byte: u8) -> usize {
    match byte {
        0x80..=0xbf => 0,
        0xf0.. => 2,
        _ => 1,
    }
}

/// The same for the text as `JSON.stringify` writes it.
const fn written_units(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | 8 | b'\t' | b'\n' | 0xc | b'\r' => 2,
        ..0x20 => 6,
        _ => units(byte),
    }
}

/// The length in UTF-16 units of the text of a JSON string, given the bytes between its quotes. Bytes
/// that are not UTF-8 count as the U+FFFD that they are read as.
#[must_use]
pub fn utf16_of_raw(raw: &[u8]) -> usize {
    of_raw::<false>(raw)
}

/// The length in UTF-16 units that `JSON.stringify` gives the text of a JSON string, without quotes, given the bytes
/// between its quotes. They may have escapes that it would not write, such as `\/`.
#[must_use]
pub fn json_units_of_raw(raw: &[u8]) -> usize {
    of_raw::<true>(raw)
}

/// The same as [`utf16_of_raw`] for a string of a document that has been read, of ASCII and without `\u`: every
/// escape is of two bytes and one unit.
pub(crate) fn utf16_of_ascii(raw: &[u8]) -> usize {
    let (mut at, mut escapes) = (0, 0);
    while let Some(block) = raw.get(at..).and_then(|rest| rest.first_chunk()) {
        let begun = block::escapes(block::slashes(block).into());
        escapes += begun.count_ones() as usize;
        // An escape that the block cuts has been counted: its second byte is passed too.
        at += WIDTH + (begun >> (WIDTH - 1) & 1) as usize;
    }
    let mut rest = raw.get(at..).unwrap_or_default();
    while let [first, after @ ..] = rest {
        let is_escape = *first == b'\\';
        escapes += usize::from(is_escape);
        rest = if is_escape { after.get(1..).unwrap_or_default() } else { after };
    }
    raw.len() - escapes
}

/// `WRITTEN`: of the text as `JSON.stringify` writes it; otherwise of the text.
fn of_raw<const WRITTEN: bool>(raw: &[u8]) -> usize {
    let (mut at, mut sum) = (0, 0);
    loop {
        while let Some(block) = raw.get(at..).and_then(|rest| rest.first_chunk()) {
            let (bytes, units) = plain::<WRITTEN>(block);
            at += bytes;
            sum += units;
            if bytes == 0 {
                break;
            }
        }
        let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) else { return sum };
        let (bytes, units) = first::<WRITTEN>(rest);
        at += bytes;
        sum += units;
        // Where one character is outside ASCII, the next one often is as well, perhaps after a blank.
        while let Some(rest) = raw.get(at..) {
            let (bytes, units) = match rest {
                [0x80..=0xff, ..] => beyond(rest),
                [b' ', 0x80..=0xff, ..] => (1, 1),
                _ => break,
            };
            at += bytes;
            sum += units;
        }
    }
}

/// The bytes at the beginning of a block that are plain ASCII or one of the usual escapes, and their units.
#[inline]
fn plain<const WRITTEN: bool>(block: &[u8; WIDTH]) -> (usize, usize) {
    if block::stops(block) == 0 {
        return (WIDTH, WIDTH);
    }
    let Masks { quotes, slashes, controls, beyond } = block::masks(block);
    let masks = [quotes, slashes, controls, beyond, block::letters(block)];
    let [quotes, slashes, controls, beyond, letters] = masks.map(u64::from);
    // The backslashes that begin an escape: see `block::string`.
    let escapes = block::escapes(slashes);
    let escaped = escapes << 1;
    let unusual = escaped & !(quotes | slashes | letters);
    // An escape is taken whole: one that the block cuts is the next block's.
    let mut stops = beyond | (unusual >> 1) | (escapes & (1 << (WIDTH - 1)));
    if WRITTEN {
        stops |= controls | (quotes & !escaped);
    }
    let bytes = (stops | 1 << WIDTH).trailing_zeros();
    let taken = escapes & ((1 << bytes) - 1);
    let bytes = bytes as usize;
    // What is escaped here is escaped by `JSON.stringify` too, in as many characters.
    (bytes, if WRITTEN { bytes } else { bytes - taken.count_ones() as usize })
}

/// The length of the character or escape at the beginning, which is not empty, in bytes and in units.
fn first<const WRITTEN: bool>(rest: &[u8]) -> (usize, usize) {
    let of = |byte: u8| if WRITTEN { written_units(byte) } else { 1 };
    match rest {
        [b'\\', b'u', ..] => unicode::<WRITTEN>(rest),
        [b'\\', b'b' | b'f' | b'n' | b'r' | b't', ..] => (2, of(b'\n')),
        [b'\\', byte @ 0..=0x7f, ..] => (2, of(*byte)),
        // No escape, which is read as U+FFFD.
        [b'\\', ..] => (1, 1),
        [byte @ 0..=0x7f, ..] => (1, of(*byte)),
        _ => beyond(rest),
    }
}

/// The same for `\u` and its digits. Of a pair of surrogates, both are taken at once.
fn unicode<const WRITTEN: bool>(rest: &[u8]) -> (usize, usize) {
    let bytes = rest.len().min(6);
    let units = match hex4(rest) {
        _ if !WRITTEN => 1,
        Some(0xd800..=0xdbff) => {
            let low = rest.get(6..).filter(|rest| rest.starts_with(br"\u")).and_then(hex4);
            match low {
                Some(0xdc00..=0xdfff) => return (12, 2),
                _ => 6,
            }
        }
        Some(0xdc00..=0xdfff) => 6,
        Some(unit @ ..0x80) => u8::try_from(unit).map_or(1, written_units),
        _ => 1,
    };
    (bytes, units)
}

/// The value of the four digits after `\u`.
fn hex4(rest: &[u8]) -> Option<u16> {
    rest.get(2..6)?.iter().try_fold(0, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(value << 4 | u16::try_from(digit).ok()?)
    })
}

/// The same for a character outside ASCII. Bytes that are none are read as one U+FFFD as far as they could have
/// been the beginning of one.
#[inline]
fn beyond(rest: &[u8]) -> (usize, usize) {
    match utf8::width(rest) {
        0 => {
            let start = rest.get(..4).unwrap_or(rest);
            let wrong = std::str::from_utf8(start).err().and_then(|error| error.error_len());
            (wrong.unwrap_or(start.len()).max(1), 1)
        }
        4 => (4, 2),
        width => (width, 1),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
