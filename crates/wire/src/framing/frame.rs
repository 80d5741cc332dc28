//! A record of a stream.

/// A record as framing gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The type of an SSE event; empty if there is none.
    pub event: &'a str,
    /// The bytes of the record.
    pub data: &'a [u8],
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// It is longer than the limit, and `data` is empty.
    pub too_long: bool,
}
