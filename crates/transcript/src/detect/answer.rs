//! What the structure of a file's beginning shows.

use crate::formats::registry::Format;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructureAnswer {
    /// This format.
    Is(Format),
    /// This format, which is not read.
    Unread(&'static str),
    /// It begins like this format, but so many of so many records are not of it.
    Mixed(Format, u64, u64),
    /// It is laid out as an export of OpenCode, but its messages are of no form that is known.
    UnknownOpenCode,
    /// More bytes are needed.
    More,
    /// No known format.
    Nothing,
}

/// The format whose records begin as one did, while it could still be of a format that is not read.
#[derive(Default)]
pub(crate) struct LikelyFormat {
    pub(crate) format: Option<Format>,
    /// From this byte on nothing can change it any more.
    pub(crate) limit: usize,
    /// How many more records may change it.
    pub(crate) records: usize,
}

impl LikelyFormat {
    /// Is it certain, with the bytes before `at` known?
    pub(crate) fn is_passed(&self, at: usize) -> bool {
        self.format.is_some() && at >= self.limit
    }

    /// It, or another answer where there is none.
    pub(crate) fn or(&self, other: StructureAnswer) -> StructureAnswer {
        self.format.map_or(other, StructureAnswer::Is)
    }
}
