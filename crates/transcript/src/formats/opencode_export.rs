//! opencode-export: the output of `opencode export`, `{info, messages: [{info, parts}]}`.

use super::message_arrays::signs;
use super::opencode2_export::{LOCATION, TITLE};
use apex_parts_agents::{DocumentLayout, FormatReader, OPENCODE, SeenFields, TranscriptFormat};
use apex_parts_json::cursor::Cursor;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Tape, unescape};
use apex_parts_model::Agent;
use apex_parts_validate::Ids;

/// The name under which [`SeenFields`] has it that the first element of this array was read to its end.
pub(crate) fn after(name: &str) -> Option<&'static str> {
    (name == "messages").then_some(ELEMENT)
}

const ELEMENT: &str = "messages/element";

/// Has a record the layout of an export, with messages that are none of OpenCode's and of no model's?
pub(crate) fn is_unknown(seen: &SeenFields) -> bool {
    seen.has_any(ELEMENT) && seen.has_object("info") && signs::format_of(seen).is_none()
}

/// What such a file looks like.
pub(crate) const UNKNOWN: &str = "an OpenCode export of a form that is not known";

/// The sentence that tells it, for an export that begins here.
pub(crate) fn unknown_message(export: &[u8]) -> String {
    format!("{UNKNOWN} (first element has: {})", first_names(export))
}

/// The names of the fields of the first message in an export.
fn first_names(export: &[u8]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut cursor = Cursor::new(export, 0);
    while let Ok(Some(key)) = cursor.field() {
        let is_list = export.get(key.start..key.end) == Some(b"messages");
        let at = cursor.at;
        if is_list && export.get(at) == Some(&b'[') {
            let mut element = Cursor::new(export, skip_space(export, at + 1));
            while let Ok(Some(key)) = element.field() {
                let name = unescape(export.get(key.start..key.end).unwrap_or_default());
                names.push(name.chars().take(40).collect());
                if names.len() == MOST_NAMES || skip(&mut element, export).is_none() {
                    break;
                }
            }
            break;
        }
        if skip(&mut cursor, export).is_none() {
            break;
        }
    }
    names.join(", ")
}

/// The most names of fields that are told.
const MOST_NAMES: usize = 12;

fn skip(cursor: &mut Cursor<'_>, bytes: &[u8]) -> Option<()> {
    cursor.at = Tape::default().read(bytes, cursor.at).ok()?;
    Some(())
}

/// The format.
pub(crate) struct OpenCodeExport;

impl TranscriptFormat for OpenCodeExport {
    const NAME: &'static str = "opencode-export";
    const TITLE: &'static str = "OpenCode Export";
    const AGENT: Option<Agent> = Some(OPENCODE);
    const ENDINGS: &'static [&'static str] = &[".json"];
    const IDS: Ids = Ids::OpenCode;
    const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Export);
    const INSIDE: &'static [&'static str] = &["messages"];

    /// The messages tell it: the session of OpenCode 2 has the same place and many of the same fields.
    fn detect(_seen: &SeenFields) -> bool {
        false
    }

    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        name == "messages" && inside.has_object("info")
    }

    fn detect_record(seen: &SeenFields) -> bool {
        (seen.has_array("messages") || seen.has_any(TITLE))
            && signs::format_of(seen).is_none()
            && !seen.has_any(LOCATION)
    }

    fn may_be(seen: &SeenFields, is_listed: bool) -> bool {
        let is_export = seen.has_object("info") || seen.has_array("messages");
        is_export && !is_listed && signs::format_of(seen).is_none() && !seen.has_any(LOCATION)
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        None
    }
}
