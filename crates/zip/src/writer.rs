//! Writes small archives: those that tests read, also ones that lie.

use apex_parts_model::crc32::crc32;

/// An entry of an archive to be written. What it claims can be changed.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// The name in the directory.
    pub name: String,
    /// The name in its own header.
    pub own_name: String,
    /// Its bytes in the archive.
    pub packed: Vec<u8>,
    /// How they are packed: 0 stored, 8 deflated.
    pub method: u16,
    /// The flags of both headers.
    pub flags: u16,
    /// The checksum of its content.
    pub crc: u32,
    /// The length of its content.
    pub size: u64,
}

impl NewEntry {
    /// With its content as it is.
    #[must_use]
    pub fn stored(name: &str, content: &[u8]) -> NewEntry {
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

    /// With its content [deflated](deflate).
    #[must_use]
    pub fn deflated(name: &str, content: &[u8]) -> NewEntry {
        NewEntry { packed: deflate(content), method: 8, ..NewEntry::stored(name, content) }
    }

    /// With its checksum and lengths after its bytes.
    #[must_use]
    pub fn described_after(mut self) -> NewEntry {
        self.flags |= 8;
        self
    }
}

fn put(out: &mut Vec<u8>, number: u64, bytes: usize) {
    out.extend(number.to_le_bytes().iter().take(bytes));
}

/// An archive of these entries.
#[must_use]
pub fn zip(entries: &[NewEntry]) -> Vec<u8> {
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
#[must_use]
pub fn deflate(content: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.low_first(0b011, 3);
    let mut rest = content;
    while let Some((byte, after)) = rest.split_first() {
        bits.literal((*byte).into());
        rest = after;
        while let Some((run, after)) = rest.split_first_chunk::<258>()
            && run.iter().all(|b| b == byte)
        {
            // The length 258 has the code 285, the distance 1 the code 0.
            bits.literal(285);
            bits.high_first(0, 5);
            rest = after;
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
        if let Some(last) = self.out.last_mut() {
            *last |= u8::from(bit & 1 == 1) << (self.count % 8);
        }
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
