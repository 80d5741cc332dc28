//! What the module of a transcript format implements.

use super::reader::FormatReader;
use super::seen_fields::SeenFields;
use crate::transcript::documents::splitter::DocumentLayout;
use crate::validate::Ids;

/// A format of transcripts: how it is recognised, and how it is read.
pub(crate) trait TranscriptFormat {
    /// The format's name in the API.
    const NAME: &'static str;
    /// Which ids are good ones in it.
    const IDS: Ids;
    /// How messages stand in a file that is not one JSON array; `None` for files of records.
    const LAYOUT: Option<DocumentLayout> = None;
    /// The fields of a record into which [`TranscriptFormat::detect_inside`] looks.
    const INSIDE: &'static [&'static str] = &[];

    /// Whether a record with these fields is of this format. It is asked after each field.
    fn detect(seen: &SeenFields) -> bool;

    /// Whether a record with these fields is of this format, given the fields of the object that its
    /// field `name` is, or of the first element of the array. It is asked after each of those.
    fn detect_inside(_name: &str, _inside: &SeenFields, _seen: &SeenFields) -> bool {
        false
    }

    /// Whether a record that is cut off behind these fields is taken for one of this format;
    /// `is_listed` says that it stands in an array.
    fn may_be(_seen: &SeenFields, _is_listed: bool) -> bool {
        false
    }

    /// Puts the messages together; `None` where files hold them as they are.
    fn reader() -> Option<Box<dyn FormatReader>>;
}
