//! A record that lies ahead in one line, for a caller that can read it whole: this saves looking for its end. The fuzz
//! target `framing` proves that the events are those that would come.

/// A line that may be a record.
pub struct LineAhead<'a> {
    /// The type of its event; empty if it has none.
    pub event: &'a str,
    /// Its bytes, without its end.
    pub text: &'a [u8],
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// How many bytes of the chunk its record takes.
    pub used: usize,
}
