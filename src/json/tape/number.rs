//! The value of a JSON number, given its bytes.

use crate::json::float;
use crate::json::scan;

/// What a JSON number says.
pub(crate) fn value(raw: &[u8]) -> f64 {
    // Most are whole and short: times, counts.
    if let Some(whole) = short_whole(raw) {
        #[allow(clippy::cast_precision_loss)] // below 2^53
        return whole as f64;
    }
    std::str::from_utf8(raw).ok().and_then(float::parse).unwrap_or(f64::NAN)
}

/// A number of at most fifteen digits, and of nothing else.
fn short_whole(raw: &[u8]) -> Option<i64> {
    const EXACT: usize = 15;
    if raw.len() > EXACT {
        return None;
    }
    let (eights, rest) = raw.as_chunks::<8>();
    let mut whole = 0_i64;
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        if scan::no_digits(word) != 0 {
            return None;
        }
        whole = whole * 100_000_000 + eight_digits(word);
    }
    for byte in rest {
        whole = whole * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(whole)
}

/// Eight digits, the first one lowest: neighbours are joined to pairs, pairs to fours, those to all.
const fn eight_digits(word: u64) -> i64 {
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    const FOURS: u64 = 0x0000_ffff_0000_ffff;
    let ones = word & (0x0f * 0x0101_0101_0101_0101);
    let pairs = (ones * 10 + (ones >> 8)) & PAIRS;
    let fours = (pairs * 100 + (pairs >> 16)) & FOURS;
    ((fours * 10_000 + (fours >> 32)) & 0xffff_ffff).cast_signed()
}
