//! How far a file has been read.

use crate::documents::splitter::DocumentSplitter;
use apex_parts_agents::{Env, FormatReader, Record};
use apex_parts_model::Error;
use apex_parts_wire::Framing;
use std::fmt;

/// How far the file has been read.
#[derive(Default)]
pub(crate) enum LoadState {
    /// The format is not detected yet.
    #[default]
    Detecting,
    /// Reading JSON documents: messages, or records for the reader.
    Documents(DocumentSplitter, Option<Box<dyn FormatReader>>),
    /// Reading the frames of a stream, which begins at this offset of the file.
    Frames(Framing, u64, Box<dyn FormatReader>),
    /// Keeping the bytes for a reader that takes a file as one piece, whose content begins at this offset.
    Whole(u64, Box<dyn FormatReader>),
    /// It is of a format that is recognised but not read: the rest is dropped.
    Unread,
    /// It is not a transcript: the error is returned at its end.
    Refused(Error),
    /// The end was reached.
    Ended,
}

impl fmt::Debug for LoadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoadState::Detecting => "Detecting",
            LoadState::Documents(..) => "Documents",
            LoadState::Frames(..) => "Frames",
            LoadState::Whole(..) => "Whole",
            LoadState::Unread => "Unread",
            LoadState::Refused(_) => "Refused",
            LoadState::Ended => "Ended",
        })
    }
}

/// Gives a reader all bytes of a file from an offset on as one record.
pub(crate) fn whole_to(reader: &mut dyn FormatReader, file: &[u8], start: u64, env: &mut Env<'_>) {
    let from = usize::try_from(start).unwrap_or(usize::MAX);
    let json = file.get(from..).unwrap_or_default();
    reader.record(Record { json, event: "", offset: start }, env);
}
