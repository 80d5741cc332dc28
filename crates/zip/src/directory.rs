//! The directory at the end of an archive.

use super::bytes::{is_at, length, u16_at, u32_at, u64_at};
use super::entry::widen;
use std::ops::Range;

/// What the directory says of an entry.
#[derive(Clone, Debug)]
pub(super) struct DirectoryEntry {
    pub(super) name: Range<usize>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// The offset of the local header.
    pub(super) at: u64,
}

/// The directory.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) entries: Vec<DirectoryEntry>,
    /// Its own offset: the bytes of entries end before it.
    pub(super) start: usize,
    /// How many entries it says it has.
    pub(super) claimed: u64,
    /// Are there more entries than were read?
    pub(super) is_longer: bool,
}

/// Why there are no entries from the directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DirectoryError {
    /// The record at the end of the archive is not there.
    Missing,
    /// What that says is not a directory, or it breaks off at this offset.
    Broken(usize),
}

const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const WIDE_END: &[u8] = b"PK\x06\x06";
const WIDE_END_PLACE: &[u8] = b"PK\x06\x07";
const WIDE_END_PLACE_LENGTH: usize = 20;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_LENGTH: usize = 46;
/// A comment at the end has at most this many bytes.
const LONGEST_COMMENT: usize = 0xffff;

/// Where the directory is, as the end of the archive says.
struct DirectoryPlace {
    start: usize,
    end: usize,
    claimed: u64,
}

/// Reads the directory, but no more than `most` entries.
pub(super) fn read(bytes: &[u8], most: usize) -> Result<Directory, DirectoryError> {
    let record = end_record(bytes).ok_or(DirectoryError::Missing)?;
    let place = place(bytes, record).ok_or(DirectoryError::Broken(record))?;
    let (mut entries, mut at, mut is_longer) = (Vec::new(), place.start, false);
    while at < place.end && !is_longer {
        let (entry, next) = entry(bytes, at).ok_or(DirectoryError::Broken(at))?;
        is_longer = entries.len() >= most;
        if !is_longer {
            entries.push(entry);
        }
        at = next;
    }
    Ok(Directory { entries, start: place.start, claimed: place.claimed, is_longer })
}

/// The offset of the record at the end of the archive: the last one whose comment fits behind it.
fn end_record(bytes: &[u8]) -> Option<usize> {
    let from = bytes.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let mut tail = bytes.get(from..)?;
    while let Some(found) = tail.windows(END.len()).rposition(|bytes| bytes == END) {
        let at = from + found;
        let comment = u16_at(bytes, at + 20).map(usize::from);
        if comment.is_some_and(|comment| at + END_LENGTH + comment <= bytes.len()) {
            return Some(at);
        }
        tail = tail.get(..found)?;
    }
    None
}

fn place(bytes: &[u8], record: usize) -> Option<DirectoryPlace> {
    let mut claimed = u64::from(u16_at(bytes, record + 10)?);
    let mut size = u64::from(u32_at(bytes, record + 12)?);
    let mut start = u64::from(u32_at(bytes, record + 16)?);
    let is_full = claimed == u64::from(u16::MAX)
        || size == u64::from(u32::MAX)
        || start == u64::from(u32::MAX);
    if is_full
        && let Some(at) = record.checked_sub(WIDE_END_PLACE_LENGTH)
        && is_at(bytes, at, WIDE_END_PLACE)
    {
        let wide = length(u64_at(bytes, at + 8)?);
        if !is_at(bytes, wide, WIDE_END) {
            return None;
        }
        claimed = u64_at(bytes, wide.checked_add(32)?)?;
        size = u64_at(bytes, wide.checked_add(40)?)?;
        start = u64_at(bytes, wide.checked_add(48)?)?;
    }
    let (start, size) = (length(start), length(size));
    let end = start.checked_add(size).filter(|end| *end <= record)?;
    Some(DirectoryPlace { start, end, claimed })
}

/// The entry at an offset, and the offset after it.
fn entry(bytes: &[u8], at: usize) -> Option<(DirectoryEntry, usize)> {
    if !is_at(bytes, at, ENTRY) {
        return None;
    }
    let name = at + ENTRY_LENGTH;
    let extra = name + usize::from(u16_at(bytes, at + 28)?);
    let comment = extra + usize::from(u16_at(bytes, at + 30)?);
    let next = comment + usize::from(u16_at(bytes, at + 32)?);
    let mut packed = u64::from(u32_at(bytes, at + 20)?);
    let mut size = u64::from(u32_at(bytes, at + 24)?);
    let mut header = u64::from(u32_at(bytes, at + 42)?);
    widen(bytes.get(extra..comment)?, &mut [&mut size, &mut packed, &mut header]);
    let entry = DirectoryEntry {
        name: name..extra,
        flags: u16_at(bytes, at + 8)?,
        method: u16_at(bytes, at + 10)?,
        crc: u32_at(bytes, at + 16)?,
        packed,
        size,
        at: header,
    };
    (next <= bytes.len()).then_some((entry, next))
}
