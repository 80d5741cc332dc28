//! Writes archives for tests.

use super::checksum::crc32;

/// An entry of an archive to be written. What it claims can be changed.
pub(crate) struct NewEntry {
    pub(crate) name: String,
    /// The name in its own header.
    pub(crate) own_name: String,
    pub(crate) packed: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) crc: u32,
    pub(crate) size: u64,
}

impl NewEntry {
    pub(crate) fn stored(name: &str, content: &[u8]) -> NewEntry {
        NewEntry {
            name: name.to_owned(),
            own_name: name.to_owned(),
            packed: content.to_vec(),
            method: 0,
            flags: 0,
            crc: crc32(content),
            size: content.len() as u64,
        }
    }

    pub(crate) fn deflated(name: &str, content: &[u8]) -> NewEntry {
        NewEntry { packed: deflate(content), method: 8, ..NewEntry::stored(name, content) }
    }

    /// With its checksum and lengths after its bytes.
    pub(crate) fn described_after(mut self) -> NewEntry {
        self.flags |= 8;
        self
    }
}

fn put(out: &mut Vec<u8>, number: u64, bytes: usize) {
    out.extend(&number.to_le_bytes()[..bytes]);
}

/// An archive of these entries.
pub(crate) fn zip(entries: &[NewEntry]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let at = out.len() as u64;
        let is_after = entry.flags & 8 != 0;
        let told = |number: u64| if is_after { 0 } else { number };
        out.extend(b"PK\x03\x04");
        for (number, bytes) in [
            (20, 2),
            (entry.flags.into(), 2),
            (entry.method.into(), 2),
            (0, 4),
            (told(entry.crc.into()), 4),
            (told(entry.packed.len() as u64), 4),
            (told(entry.size), 4),
            (entry.own_name.len() as u64, 2),
            (0, 2),
        ] {
            put(&mut out, number, bytes);
        }
        out.extend(entry.own_name.as_bytes());
        out.extend(&entry.packed);
        if is_after {
            out.extend(b"PK\x07\x08");
            for number in [entry.crc.into(), entry.packed.len() as u64, entry.size] {
                put(&mut out, number, 4);
            }
        }
        directory.extend(b"PK\x01\x02");
        for (number, bytes) in [
            (20, 2),
            (20, 2),
            (entry.flags.into(), 2),
            (entry.method.into(), 2),
            (0, 4),
            (entry.crc.into(), 4),
            (entry.packed.len() as u64, 4),
            (entry.size, 4),
            (entry.name.len() as u64, 2),
            (0, 8),
            (0, 4),
            (at, 4),
        ] {
            put(&mut directory, number, bytes);
        }
        directory.extend(entry.name.as_bytes());
    }
    let start = out.len() as u64;
    out.extend(&directory);
    out.extend(b"PK\x05\x06");
    let count = entries.len() as u64;
    for (number, bytes) in
        [(0, 4), (count, 2), (count, 2), (directory.len() as u64, 4), (start, 4), (0, 2)]
    {
        put(&mut out, number, bytes);
    }
    out
}

/// Deflates: runs of one byte become references, all else stays as it is, in the fixed codes.
pub(crate) fn deflate(content: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.low_first(0b011, 3);
    let mut at = 0;
    while at < content.len() {
        let byte = content[at];
        bits.literal(byte.into());
        at += 1;
        while content.len() - at >= 258 && content[at..at + 258].iter().all(|b| *b == byte) {
            // The length 258 has the code 285, the distance 1 the code 0.
            bits.literal(285);
            bits.high_first(0, 5);
            at += 258;
        }
    }
    bits.literal(256);
    bits.out
}

#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    count: usize,
}

impl Bits {
    fn bit(&mut self, bit: u32) {
        if self.count.is_multiple_of(8) {
            self.out.push(0);
        }
        *self.out.last_mut().unwrap() |= u8::try_from(bit & 1).unwrap() << (self.count % 8);
        self.count += 1;
    }

    fn low_first(&mut self, bits: u32, count: u32) {
        (0..count).for_each(|i| self.bit(bits >> i));
    }

    fn high_first(&mut self, bits: u32, count: u32) {
        (0..count).rev().for_each(|i| self.bit(bits >> i));
    }

    fn literal(&mut self, code: u32) {
        match code {
            0..=143 => self.high_first(0x30 + code, 8),
            144..=255 => self.high_first(0x190 + code - 144, 9),
            256..=279 => self.high_first(code - 256, 7),
            _ => self.high_first(0xc0 + code - 280, 8),
        }
    }
}
