//! The bytes of a transcript, in memory or with the host.

use apex_parts_model::Error;
use std::borrow::Cow;
use std::fmt;

/// Reads the bytes of the file from an offset (inclusive) to another (exclusive). The text of an error
/// becomes part of the message of a `TranscriptError`.
pub type Read = Box<dyn Fn(u64, u64) -> Result<Vec<u8>, String>>;

/// Where the bytes of documents are.
pub(crate) enum ByteSource {
    /// Slices of the file, in order. No document spans two of them.
    Held(Vec<FileSlice>),
    /// Nothing is held: the host reads the file again.
    Host(Read),
}

impl Default for ByteSource {
    fn default() -> Self {
        ByteSource::Held(Vec::new())
    }
}

impl fmt::Debug for ByteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ByteSource::Held(pieces) => f.debug_tuple("Held").field(&pieces.len()).finish(),
            ByteSource::Host(_) => f.write_str("Host"),
        }
    }
}

/// A slice of the file, which begins at the offset `start`.
#[derive(Debug)]
pub(crate) struct FileSlice {
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

impl ByteSource {
    /// Stores a slice, if the file is held.
    pub(crate) fn keep(&mut self, start: u64, bytes: Vec<u8>) {
        if let ByteSource::Held(pieces) = self
            && !bytes.is_empty()
        {
            pieces.push(FileSlice { start, bytes });
        }
    }

    /// `length` bytes from the offset `start` on.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read them.
    pub(crate) fn get(&self, start: u64, length: usize) -> Result<Cow<'_, [u8]>, Error> {
        match self {
            ByteSource::Held(pieces) => {
                let after = pieces.partition_point(|piece| piece.start <= start);
                let piece = after.checked_sub(1).and_then(|i| pieces.get(i));
                let bytes = piece.and_then(|piece| {
                    let from = usize::try_from(start - piece.start).ok()?;
                    piece.bytes.get(from..from.checked_add(length)?)
                });
                Ok(Cow::Borrowed(bytes.unwrap_or_default()))
            }
            ByteSource::Host(read) => {
                let at = usize::try_from(start).unwrap_or(usize::MAX);
                let bytes = read(start, start + length as u64).map_err(|why| {
                    let message = format!("the file could not be read again: {why}");
                    Error::transcript("source", message, at)
                })?;
                if bytes.len() != length {
                    let got = bytes.len();
                    let message = format!(
                        "the file has changed: {length} bytes were expected, {got} were returned"
                    );
                    return Err(Error::transcript("source", message, at));
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }
}
