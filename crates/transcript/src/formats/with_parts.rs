//! with-parts: messages with their parts, `{info, parts}`, as a JSON array or one per line.

use super::message_arrays::signs;
use apex_parts_agents::{DocumentLayout, FormatReader, SeenFields, TranscriptFormat};
use apex_parts_model::Agent;
use apex_parts_validate::Ids;

/// The format.
pub(crate) struct WithPartsFile;

impl TranscriptFormat for WithPartsFile {
    const NAME: &'static str = "with-parts";
    const TITLE: &'static str = "With Parts";
    const AGENT: Option<Agent> = None;
    const IDS: Ids = Ids::Apex;
    const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Lines);
    const INSIDE: &'static [&'static str] = &["info", "parts"];

    fn detect(seen: &SeenFields) -> bool {
        seen.has_object("info") && seen.has_array("parts")
    }

    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        let last = |field| inside.ends_with(field);
        match name {
            "info" => last("role") || last("sessionID"),
            // A `type` alone is also in the parts of the AI SDK.
            _ => last("messageID") || last("sessionID") || last("callID"),
        }
    }

    fn may_be(seen: &SeenFields, _is_listed: bool) -> bool {
        seen.has_object("info") || (seen.has_array("parts") && signs::format_of(seen).is_none())
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        None
    }
}
