//! CRC-32 as in zlib, ZIP archives and Amazon's event streams: polynomial 0x04C11DB7, reflected.
//!
//! Eight bytes a step, with tables that are computed when they are first needed: as constants they would be 8 KB of the
//! module that no compression makes smaller.

use std::sync::OnceLock;

const POLYNOMIAL: u32 = 0xEDB8_8320;

type Tables = [[u32; 256]; 8];

/// `tables[n][byte]` is the checksum of a byte that `n` zero bytes follow.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Box<Tables>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let first: [u32; 256] = std::array::from_fn(|byte| {
            (0..8)
                .fold(byte as u32, |crc, _| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 })
        });
        let mut tables = Box::new([first; 8]);
        let mut crcs = first;
        for table in tables.iter_mut().skip(1) {
            crcs = crcs.map(|crc| (crc >> 8) ^ at(&first, crc));
            *table = crcs;
        }
        tables
    })
}

/// The entry of the lowest byte.
#[inline(always)]
fn at(table: &[u32; 256], value: u32) -> u32 {
    table.get((value & 0xFF) as usize).copied().unwrap_or_default()
}

/// The checksum of these bytes.
///
/// ```
/// # use apex_parts_model::crc32::crc32;
/// assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
/// ```
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    let [t0, t1, t2, t3, t4, t5, t6, t7] = tables();
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut crc = u32::MAX;
    for &[a, b, c, d, e, f, g, h] in chunks {
        let low = crc ^ u32::from_le_bytes([a, b, c, d]);
        let high = u32::from_le_bytes([e, f, g, h]);
        crc = at(t7, low) ^ at(t6, low >> 8) ^ at(t5, low >> 16) ^ at(t4, low >> 24);
        crc ^= at(t3, high) ^ at(t2, high >> 8) ^ at(t1, high >> 16) ^ at(t0, high >> 24);
    }
    for byte in rest {
        crc = (crc >> 8) ^ at(t0, crc ^ u32::from(*byte));
    }
    !crc
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The checksum bit by bit, as it is defined.
    fn by_definition(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
            }
        }
        !crc
    }

    #[test]
    fn known_checksums() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"a"), 0xE8B7_BE43);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }

    proptest! {
        #[test]
        fn equals_the_definition(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(crc32(&bytes), by_definition(&bytes));
        }
    }
}
