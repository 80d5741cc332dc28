//! A record of a stream.

/// A record as framing gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The type of an SSE event; empty if there is none.
    pub event: &'a str,
    /// The bytes of the record; empty if it has a fault.
    pub data: &'a [u8],
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// Why it cannot be read.
    pub fault: Option<FrameFault>,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFault {
    /// It is longer than the limit.
    TooLong,
    /// The lengths at the beginning of a binary frame are wrong: the rest of the stream cannot be read.
    Prelude,
    /// The checksum of a binary frame is not that of its bytes.
    Checksum,
    /// The headers of a binary frame cannot be read.
    Headers,
    /// The stream ends within a binary frame.
    Truncated,
}

impl FrameFault {
    /// The rule and the message of the problem; `max` is the limit of bytes.
    #[must_use]
    pub fn problem(self, max: usize) -> (&'static str, String) {
        let message = match self {
            FrameFault::TooLong => {
                return ("limit", format!("a record is longer than {max} bytes (`maxBytes`)"));
            }
            FrameFault::Prelude => {
                "the lengths of a binary frame are wrong: the rest of the stream cannot be read"
            }
            FrameFault::Checksum => {
                "the checksum of a binary frame is wrong: the frame is left out"
            }
            FrameFault::Headers => {
                "the headers of a binary frame cannot be read: the frame is left out"
            }
            FrameFault::Truncated => "the stream ends within a binary frame",
        };
        ("frame", message.to_owned())
    }
}
