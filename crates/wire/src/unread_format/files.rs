//! Forms of files, which may be one record of any length: they are told by the fields that have been read.

use super::UnreadFormat;

/// Fields inside others that show a form: the outer name, the inner name, and the name under which
/// [`SeenFields`](crate::SeenFields) has it.
pub(super) const INSIDE: [(&str, &str, &str); 1] = [("message", "parts", MESSAGE_PARTS)];
const MESSAGE_PARTS: &str = "message/parts";

pub(super) static UNREAD: [UnreadFormat; 9] = [
    UnreadFormat {
        name: "a Qwen Code session",
        is_like: Some("claude-code"),
        // The envelope of Claude Code around messages of Gemini, or records of its own.
        shows: |seen| {
            (seen.has_any(MESSAGE_PARTS) || seen.has_any("systemPayload"))
                && (seen.has_any("parentUuid")
                    || (seen.has_string("uuid") && seen.has_string("sessionId")))
        },
    },
    UnreadFormat::new("an OpenHands event log", |seen| {
        matches!(seen.text("source"), Some("agent" | "user" | "environment"))
            && (seen.has_any("action") || seen.has_any("observation"))
    }),
    UnreadFormat::new("an OpenTelemetry trace", |seen| seen.has_array("resourceSpans")),
    UnreadFormat::new("a VS Code chat", |seen| {
        seen.has_array("requests") && seen.has_any("responderUsername")
    }),
    UnreadFormat::new("Cline or Roo Code UI messages", |seen| {
        seen.has_number("ts")
            && matches!(seen.kind(), Some("say" | "ask"))
            && (seen.has_string("say") || seen.has_string("ask"))
    }),
    UnreadFormat::new("a Goose session", |seen| {
        seen.has_string("working_dir")
            && (seen.has_number("message_count") || seen.has_array("conversation"))
    }),
    UnreadFormat::new("ATIF", |seen| {
        seen.has_string("schema_version") && seen.has_object("agent") && seen.has_array("steps")
    }),
    UnreadFormat::new("a Langfuse trace", |seen| {
        let own = ["projectId", "scores", "traceId", "htmlPath"];
        seen.has_array("observations") && own.iter().any(|name| seen.has_any(name))
    }),
    UnreadFormat::new("a LangSmith run", |seen| {
        seen.has_string("run_type") && (seen.has_any("trace_id") || seen.has_any("dotted_order"))
    }),
];
