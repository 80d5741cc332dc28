//! Hashes that stand for ids and marks.

use crate::model::fingerprint;

/// 64 bits that stand for an id, the same on every machine.
pub(crate) fn hash(id: &str) -> u64 {
    #[allow(clippy::cast_possible_truncation)] // the lower half
    let low = fingerprint::of(id.as_bytes(), 0) as u64;
    low
}

/// A hash with one more value.
pub(crate) const fn mixed(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// The hash of a part's id and mark, for [`History::print`].
pub(crate) fn part_print(id: &str, mark: f64) -> u64 {
    mixed(hash(id), if mark.is_nan() { 0 } else { mark.to_bits() | 1 })
}
