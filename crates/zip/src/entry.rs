//! [`ZipEntry`]: a file in an archive; and the header that stands before its bytes.

use super::bytes::{is_at, u16_at, u32_at, u64_at};
use std::ops::Range;

/// A file in an archive. Nothing of it is unpacked yet.
#[derive(Clone, Debug)]
pub(super) struct ZipEntry {
    /// Where its name stands.
    pub(super) name: Range<usize>,
    /// The offset of its local header.
    pub(super) at: usize,
    /// Where its packed bytes are.
    pub(super) data: Range<usize>,
    pub(super) method: u16,
    pub(super) is_encrypted: bool,
    /// Its checksum and its length unpacked, as the archive says; `None` if it does not say them.
    pub(super) claims: Option<(u32, u64)>,
}

/// How entries are packed that can be read.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// The name of a method of compression.
pub(super) fn method_name(method: u16) -> String {
    let known = match method {
        1 => "shrink",
        6 => "implode",
        9 => "deflate64",
        12 => "bzip2",
        14 => "LZMA",
        20 | 93 => "zstd",
        94 => "MP3",
        95 => "XZ",
        96 => "JPEG",
        97 => "WavPack",
        98 => "PPMd",
        99 => "AES encryption",
        _ => return format!("method {method}"),
    };
    known.to_owned()
}

/// The header before the bytes of an entry.
#[derive(Clone, Debug)]
pub(super) struct LocalHeader {
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    pub(super) name: Range<usize>,
    /// Where the packed bytes begin.
    pub(super) data: usize,
}

/// The bytes with which a local header begins.
pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
/// The length of its fields.
pub(super) const LOCAL_LENGTH: usize = 30;
/// A flag: the bytes are encrypted.
pub(super) const ENCRYPTED: u16 = 1;
/// A flag: checksum and lengths stand after the bytes.
pub(super) const DESCRIBED_AFTER: u16 = 1 << 3;

impl LocalHeader {
    /// The header at an offset; `None` if there is none, or not all of it.
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<LocalHeader> {
        if !is_at(bytes, at, LOCAL) {
            return None;
        }
        let name = at + LOCAL_LENGTH;
        let extra = name + usize::from(u16_at(bytes, at + 26)?);
        let data = extra + usize::from(u16_at(bytes, at + 28)?);
        let (mut packed, mut size) =
            (u64::from(u32_at(bytes, at + 18)?), u64::from(u32_at(bytes, at + 22)?));
        widen(bytes.get(extra..data)?, &mut [&mut size, &mut packed]);
        Some(LocalHeader {
            flags: u16_at(bytes, at + 6)?,
            method: u16_at(bytes, at + 8)?,
            crc: u32_at(bytes, at + 14)?,
            packed,
            size,
            name: name..extra,
            data,
        })
    }
}

/// Of numbers that do not fit into 32 bits, the 64 bits in an entry's extra fields.
pub(super) fn widen(extra: &[u8], numbers: &mut [&mut u64]) {
    const WIDE: u16 = 1;
    let mut at = 0;
    while let (Some(id), Some(length)) = (u16_at(extra, at), u16_at(extra, at + 2)) {
        let from = at + 4;
        at = from + usize::from(length);
        if id != WIDE {
            continue;
        }
        let block = extra.get(from..at).unwrap_or_default();
        let full = numbers.iter_mut().filter(|number| ***number == u64::from(u32::MAX));
        for (i, number) in full.enumerate() {
            if let Some(wide) = u64_at(block, 8 * i) {
                **number = wide;
            }
        }
        return;
    }
}
