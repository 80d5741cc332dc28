//! How far a file has been read.

use crate::model::Error;
use crate::transcript::documents::splitter::DocumentSplitter;
use crate::transcript::formats::reader::FormatReader;
use crate::wire::Framing;
use std::fmt;

/// How far the file was read.
#[derive(Default)]
pub(crate) enum LoadState {
    /// Its first bytes have not told yet what it is.
    #[default]
    Begins,
    /// By documents: messages, or records for a reader.
    Documents(DocumentSplitter, Option<Box<dyn FormatReader>>),
    /// By the frames of a stream, which begins at this byte.
    Frames(Framing, u64, Box<dyn FormatReader>),
    /// It is no transcript: that is said at its end.
    Refused(Error),
    /// It is over.
    Ended,
}

impl fmt::Debug for LoadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoadState::Begins => "Begins",
            LoadState::Documents(..) => "Documents",
            LoadState::Frames(..) => "Frames",
            LoadState::Refused(_) => "Refused",
            LoadState::Ended => "Ended",
        })
    }
}
