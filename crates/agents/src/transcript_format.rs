//! [`TranscriptFormat`]: the interface of a transcript format.

use crate::document_layout::DocumentLayout;
use crate::reader::FormatReader;
use crate::run_file::RunFile;
use apex_parts_json::tape::Node;
use apex_parts_model::Agent;
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;

/// OpenCode, which writes three formats.
pub const OPENCODE: Agent = Agent { id: "opencode", title: "OpenCode" };

/// Where the information of a session has what was submitted at its end: a diff of all that changed.
pub const SUBMISSION: &str = "submission";
/// Where it has what each model was used for, as the program counted it: its fields are the models.
pub const MODEL_USAGE: &str = "modelUsage";
/// Where it has the names of the files that were edited, if there is no diff.
pub const EDITED_FILES: &str = "editedFiles";
/// Where it says that files were changed, but not which.
pub const CHANGES_UNKNOWN: &str = "changesUnknown";

/// Where the files of a format say how a run ended.
#[derive(Clone, Copy, Debug)]
pub struct ExitStatus {
    /// The field of the session's information.
    pub field: &'static str,
    /// What it says of a run that finished.
    pub finished: &'static str,
}

/// A transcript format: what people call it, how it is detected, and how it is read.
pub trait TranscriptFormat {
    /// The format's name in the API.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// The agent that writes it, by default one of the same name; `None` if several programs do.
    const AGENT: Option<Agent> = Some(Agent { id: Self::NAME, title: Self::TITLE });
    /// How the names of its files end.
    const ENDINGS: &'static [&'static str] = &[".json", ".jsonl", ".ndjson", ".txt", ".log"];
    /// The texts of notices that say that a person interrupted the run.
    const INTERRUPTIONS: &'static [&'static str] = &[];
    /// The line of a request behind which the task stands, if there is one before it.
    const TASK_MARK: Option<&'static str> = None;
    /// Where it says how the run ended.
    const EXIT_STATUS: Option<ExitStatus> = None;
    /// Which ids are valid in it.
    const IDS: Ids;
    /// The layout of a file that is not one JSON array; `None` for files of records.
    const LAYOUT: Option<DocumentLayout> = None;
    /// Is a file read as one piece? Then the reader gets all of it as one record: one JSON object, lines, or an
    /// archive.
    const IS_WHOLE: bool = false;
    /// Are ZIP archives files of this format?
    const IS_ARCHIVE: bool = false;
    /// A file of this format may have records of other programs, but not more than one in so many.
    const SHARE: u64 = 2;
    /// How many records after the one that it is told by may still show a form that is not read.
    const RECORDS: usize = 0;
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

    /// Is a document of a file, an object, one of this format? So is one that is left out, or that repeats others: its
    /// envelope tells. `None` if the reader counts its records itself, or reports each that it does not know.
    fn is_own(_record: Node<'_>) -> Option<bool> {
        None
    }

    /// What a file says of the run that it is a part of, if a run may have several files. The steps of its path are
    /// separated by `/`; `line` is its first line, if that is an object.
    fn run_file(_path: &str, _line: Option<Node<'_>>) -> Option<RunFile> {
        None
    }

    /// A new reader, which assembles messages; `None` if files contain messages as they are.
    fn reader() -> Option<Box<dyn FormatReader>>;
}
