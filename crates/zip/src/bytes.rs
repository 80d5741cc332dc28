//! Numbers in an archive: little-endian.

/// The 16-bit number at an offset.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The 32-bit number at an offset.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The 64-bit number at an offset.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Does this signature stand at an offset?
pub(super) fn is_at(bytes: &[u8], at: usize, signature: &[u8]) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(signature))
}

/// A length in the file as a number of bytes in memory: one that does not fit is beyond every file.
pub(super) fn length(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
