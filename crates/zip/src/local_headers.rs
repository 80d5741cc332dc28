//! The entries of an archive whose directory is lost, by the header before each: up to where it is cut off.

use super::bytes::{is_at, length, u16_at, u32_at, u64_at};
use super::entry::{
    DEFLATED, DESCRIBED_AFTER, ENCRYPTED, LOCAL, LOCAL_LENGTH, LocalHeader, STORED, ZipEntry,
};
use super::inflate::{InflateError, measure};
use super::zip_problems::ZipProblems;
use memchr::memmem;
use std::ops::Range;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct LocalEntries {
    pub(super) entries: Vec<ZipEntry>,
    /// The names of entries that are cut off; the name itself may be.
    pub(super) cut_names: Vec<Range<usize>>,
    /// Are there more entries than were read?
    pub(super) is_longer: bool,
}

/// What comes after the last entry: records of the directory.
const AFTER: [&[u8]; 4] = [b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"];
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
const LONGEST_DESCRIPTOR: usize = 24;

/// Reads the headers, but no more than `most`; entries of unknown length are unpacked to find their ends, up to
/// `unpacked` bytes in all.
pub(super) fn read(
    bytes: &[u8],
    most: usize,
    unpacked: usize,
    problems: &mut ZipProblems,
) -> LocalEntries {
    let mut found = LocalEntries::default();
    let (mut at, mut left) = (0, unpacked);
    while at < bytes.len() && !AFTER.iter().any(|record| is_at(bytes, at, record)) {
        if found.entries.len() >= most {
            found.is_longer = true;
            break;
        }
        let Some(header) = LocalHeader::at(bytes, at) else {
            if is_at(bytes, at, LOCAL) && has_version(bytes, at) {
                found.cut_names.push(cut_name(bytes, at));
                let what = "the archive is cut off in the header of an entry";
                problems.at_end.error("zip", what, at as u64);
            } else if !is_cut_signature(bytes, at) {
                problems.sure.error("zip", "something that is no entry; it is skipped", at as u64);
            }
            let Some(next) = search(bytes, at + 1) else { break };
            at = next;
            continue;
        };
        let name = header.name.clone();
        let start = header.data;
        match entry(bytes, at, header, &mut left) {
            Ok((entry, next)) => {
                found.entries.push(entry);
                at = next;
            }
            Err(error) => {
                let text = String::from_utf8_lossy(bytes.get(name.clone()).unwrap_or_default());
                let what = format!("{text}: {}; it is left out", error.why());
                found.cut_names.push(name);
                let list = match error {
                    LengthError::Cut => &mut problems.at_end,
                    _ => &mut problems.sure,
                };
                list.error("zip", what, at as u64);
                let Some(next) = search(bytes, start) else { break };
                at = next;
            }
        }
    }
    found
}

/// Does the header at an offset say a version of the format that exists? Without it, the bytes may be anything.
fn has_version(bytes: &[u8], at: usize) -> bool {
    matches!(u16_at(bytes, at + 4), Some(10..=63))
}

/// Where as much of a name stands as is there.
fn cut_name(bytes: &[u8], at: usize) -> Range<usize> {
    let start = at + LOCAL_LENGTH;
    let length = u16_at(bytes, at + 26).map_or(0, usize::from);
    start.min(bytes.len())..(start + length).min(bytes.len())
}

/// Why the length of an entry is not known.
enum LengthError {
    Cut,
    Broken,
    TooLong,
}

impl LengthError {
    fn why(&self) -> &'static str {
        match self {
            LengthError::Cut => {
                "the archive is cut off in it, or it says that it is longer than it is"
            }
            LengthError::Broken => "where it ends cannot be told",
            LengthError::TooLong => "what is unpacked would be longer than allowed",
        }
    }
}

/// Is it the beginning of a signature, or of a header, at which the bytes end?
fn is_cut_signature(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    let is_header = rest.starts_with(LOCAL) && rest.len() < LOCAL.len() + 2;
    is_header || [LOCAL].iter().chain(&AFTER).any(|s| rest.len() < s.len() && s.starts_with(rest))
}

/// The next local header.
fn search(bytes: &[u8], from: usize) -> Option<usize> {
    memmem::find(bytes.get(from..)?, LOCAL).map(|found| from + found)
}

/// The entry with this header, and the offset after it.
fn entry(
    bytes: &[u8],
    at: usize,
    header: LocalHeader,
    left: &mut usize,
) -> Result<(ZipEntry, usize), LengthError> {
    let LocalHeader { flags, method, crc, packed, size, name, data } = header;
    let is_described_after = flags & DESCRIBED_AFTER != 0;
    let rest = bytes.get(data..).ok_or(LengthError::Cut)?;
    let packed = if !is_described_after || packed > 0 {
        length(packed)
    } else if method == DEFLATED {
        let measured = measure(rest, *left);
        // Whatever comes of it, looking for the ends of all entries takes no longer than allowed.
        *left = left.saturating_sub(measured.packed.max(measured.unpacked));
        measured.end.map_err(|error| match error {
            InflateError::Cut => LengthError::Cut,
            InflateError::TooLong => LengthError::TooLong,
            _ => LengthError::Broken,
        })?;
        measured.packed
    } else if method == STORED {
        if *left == 0 {
            return Err(LengthError::TooLong);
        }
        let packed = stored(rest);
        *left = left.saturating_sub(packed.unwrap_or(rest.len()));
        packed.ok_or(LengthError::Cut)?
    } else {
        return Err(LengthError::Broken);
    };
    let end = data.checked_add(packed).filter(|end| *end <= bytes.len()).ok_or(LengthError::Cut)?;
    let (claims, next) = match descriptor(bytes, end, packed) {
        _ if !is_described_after => (Some((crc, size)), end),
        Some((claims, next)) => (Some(claims), next),
        // A descriptor that is cut off is nothing to skip.
        None if bytes.len() - end < LONGEST_DESCRIPTOR => (None, bytes.len()),
        None => (None, end),
    };
    let is_encrypted = flags & ENCRYPTED != 0;
    Ok((ZipEntry { name, at, data: data..end, method, is_encrypted, claims }, next))
}

/// The length of stored bytes that end at a descriptor which says it.
fn stored(rest: &[u8]) -> Option<usize> {
    memmem::find_iter(rest, DESCRIPTOR).find(|at| descriptor(rest, *at, *at).is_some())
}

/// What the descriptor at an offset says, and the offset after it, if it is that of an entry of this length: its
/// signature is optional, and its numbers have 32 bits or 64.
fn descriptor(bytes: &[u8], at: usize, packed: usize) -> Option<((u32, u64), usize)> {
    let from = if is_at(bytes, at, DESCRIPTOR) { at + DESCRIPTOR.len() } else { at };
    let crc = u32_at(bytes, from)?;
    // Of nothing, both are zero; then the next record tells.
    if !is_at(bytes, from + 12, b"PK")
        && u64_at(bytes, from + 4) == Some(packed as u64)
        && let Some(size) = u64_at(bytes, from + 12)
    {
        return Some(((crc, size), from + 20));
    }
    let is_it = u32_at(bytes, from + 4).map(u64::from) == Some(packed as u64);
    let size = u32_at(bytes, from + 8).filter(|_| is_it)?;
    Some(((crc, u64::from(size)), from + 12))
}
