//! [`TranscriptFormat`]: the interface of a transcript format.

use super::reader::FormatReader;
use super::seen_fields::SeenFields;
use crate::documents::splitter::DocumentLayout;
use apex_parts_validate::Ids;

/// A transcript format: how it is detected, and how it is read.
pub(crate) trait TranscriptFormat {
    /// The format's name in the API.
    const NAME: &'static str;
    /// Which ids are valid in it.
    const IDS: Ids;
    /// The layout of a file that is not one JSON array; `None` for files of records.
    const LAYOUT: Option<DocumentLayout> = None;
    /// Is a file read as one piece? Then the reader gets all of it as one record: one JSON object, lines, or an
    /// archive.
    const IS_WHOLE: bool = false;
    /// Are ZIP archives files of this format?
    const IS_ARCHIVE: bool = false;
    /// The fields of a record whose contents [`TranscriptFormat::detect_inside`] needs.
    const INSIDE: &'static [&'static str] = &[];

    /// Is a record that has begun with these fields of this format? Called after each field.
    fn detect(seen: &SeenFields) -> bool;

    /// Is a record of this format that has begun with the fields `seen` and, `inside` the object or the first
    /// array element of its field `name`, with these? Called after each of those.
    fn detect_inside(_name: &str, _inside: &SeenFields, _seen: &SeenFields) -> bool {
        false
    }

    /// Is a complete record with these fields of this format, if no other one was told by its fields?
    fn detect_record(_seen: &SeenFields) -> bool {
        false
    }

    /// Is a record that is cut off after these fields probably of this format? `is_listed` says that it is an
    /// element of an array.
    fn may_be(_seen: &SeenFields, _is_listed: bool) -> bool {
        false
    }

    /// A new reader, which assembles messages; `None` if files contain messages as they are.
    fn reader() -> Option<Box<dyn FormatReader>>;
}
