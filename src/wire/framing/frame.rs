//! A record of a stream.

/// A record, as it was framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The type of an SSE event; empty where it has none.
    pub event: &'a str,
    /// The record.
    pub data: &'a [u8],
    /// Its first byte, counted from the beginning of the stream.
    pub offset: u64,
    /// It is longer than is allowed, and `data` is empty.
    pub too_long: bool,
}
