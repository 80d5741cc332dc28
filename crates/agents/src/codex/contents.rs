//! The contents of Codex's messages, and which of them the program put there.

use crate::fields::{get, items, pick, raw, string, token};
use crate::log::log_part::LogPart;
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// How texts begin that the program, not the person, put into a user's message.
const HARNESS: [&str; 13] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<collaboration_mode>",
    "<model_switch>",
    "<subagent_notification>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
];

/// No beginning has more bytes.
const LONGEST_HARNESS: usize = 26;

/// An item of a message or of a result.
pub(crate) enum CodexContent<'a> {
    /// A text, raw, and whether it is the program's.
    Text {
        raw: &'a str,
        is_harness: bool,
    },
    Image(LogPart),
    /// An item of another type.
    Other(LogPart),
}

impl CodexContent<'_> {
    /// The part of a message that it becomes; a harness text only becomes one of a user's message.
    pub(crate) fn into_part(self, at: f64, is_user: bool) -> LogPart {
        match self {
            CodexContent::Text { raw, is_harness: true } if is_user => LogPart::synthetic(raw, at),
            CodexContent::Text { raw, .. } => LogPart::text(raw, at),
            CodexContent::Image(part) | CodexContent::Other(part) => part,
        }
    }
}

fn text<'a>(node: Node<'_>, json: &'a str) -> CodexContent<'a> {
    // As an escape each character takes six bytes.
    let begin = node.text_start(6 * LONGEST_HARNESS);
    let is_harness = HARNESS.iter().any(|harness| begin.starts_with(harness));
    CodexContent::Text { raw: token(node, json), is_harness }
}

/// The items of a content: a string, or an array.
pub(crate) fn contents<'a>(content: Option<Node<'_>>, json: &'a str) -> Vec<CodexContent<'a>> {
    match content {
        Some(said) if said.kind().is_string() => vec![text(said, json)],
        _ => items(content).map(|item| of_item(item, json)).collect(),
    }
}

fn of_item<'a>(item: Node<'_>, json: &'a str) -> CodexContent<'a> {
    if item.kind().is_string() {
        return text(item, json);
    }
    let [kind, said, image] = pick(item, ["type", "text", "image_url"]);
    let kind = string(kind).unwrap_or_else(|| "unknown".into());
    if let ("input_text" | "output_text" | "text", Some(said)) = (&*kind, said)
        && said.kind().is_string()
    {
        return text(said, json);
    }
    // Some write the URL into an object, as other APIs of OpenAI have it.
    let url = match image {
        Some(image) if image.kind() == Kind::Object => get(Some(image), "url"),
        image => image,
    };
    match url {
        Some(url) if kind == "input_image" && url.kind().is_string() => {
            CodexContent::Image(LogPart::file_at(token(url, json), None, "image/*", None))
        }
        _ => CodexContent::Other(LogPart::custom(format!("codex-{kind}"), "item", raw(item, json))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;

    #[test]
    fn texts_of_the_program_are_told_by_their_beginnings() {
        assert_eq!(HARNESS.iter().map(|begin| begin.len()).max(), Some(LONGEST_HARNESS));
        let is_harness = |json: &str| {
            let mut tape = Tape::default();
            tape.read(json.as_bytes(), 0).unwrap();
            let said = text(tape.root_of(json), json);
            matches!(said, CodexContent::Text { is_harness: true, .. })
        };
        for begin in HARNESS {
            let escaped: String = begin.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
            for text in [begin, &escaped] {
                assert!(is_harness(&format!("\"{text}\"")), "{text}");
                assert!(is_harness(&format!("\"{text} more\"")), "{text}");
                assert!(!is_harness(&format!("\" {text}\"")), "{text}");
            }
        }
    }
}
