//! opencode-export: the output of `opencode export`, `{info, messages: [{info, parts}]}`.

use super::message_arrays::signs;
use apex_parts_agents::{DocumentLayout, FormatReader, OPENCODE, SeenFields, TranscriptFormat};
use apex_parts_model::Agent;
use apex_parts_validate::Ids;

/// The format.
pub(crate) struct OpenCodeExport;

impl TranscriptFormat for OpenCodeExport {
    const NAME: &'static str = "opencode-export";
    const TITLE: &'static str = "OpenCode Export";
    const AGENT: Option<Agent> = Some(OPENCODE);
    const ENDINGS: &'static [&'static str] = &[".json"];
    const IDS: Ids = Ids::OpenCode;
    const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Export);
    const INSIDE: &'static [&'static str] = &["info", "messages"];

    /// Sessions of other agents have `messages` too, but no `info` beside them.
    fn detect(seen: &SeenFields) -> bool {
        seen.has_array("messages") && seen.has_object("info")
    }

    /// In this format `info` is that of a session, in others that of a message; its messages have one.
    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        const OF_SESSIONS: [&str; 5] = ["slug", "projectID", "directory", "title", "version"];
        match name {
            "messages" => inside.has_object("info"),
            _ => name == "info" && OF_SESSIONS.iter().any(|field| inside.ends_with(field)),
        }
    }

    fn detect_record(seen: &SeenFields) -> bool {
        seen.has_array("messages") && signs::format_of(seen).is_none()
    }

    fn may_be(seen: &SeenFields, is_listed: bool) -> bool {
        let is_export = seen.has_object("info") || seen.has_array("messages");
        is_export && !is_listed && signs::format_of(seen).is_none()
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        None
    }
}
