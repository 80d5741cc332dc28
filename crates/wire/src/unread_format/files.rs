//! Forms of files, which may be one record of any length: they are told by the fields that have been read.

use super::UnreadFormat;
use crate::seen_fields::SeenFields;

/// Fields inside others that show a form: the outer name, the inner name, and the name under which
/// [`SeenFields`](crate::SeenFields) has it.
pub(super) const INSIDE: [(&str, &str, &str); 9] = [
    ("message", "parts", MESSAGE_PARTS),
    ("message", "payload", WIRE_MESSAGE),
    ("messages", "lc", LANGCHAIN_MESSAGES),
    ("messages", "response_metadata", LANGCHAIN_MESSAGES),
    ("parts", "part_kind", PYDANTIC_PARTS),
    ("log", "creator", HAR_LOG),
    ("log", "entries", HAR_LOG),
    ("history", "contextItems", CONTINUE_HISTORY),
    ("v", "requests", VS_CODE_STATE),
];
const MESSAGE_PARTS: &str = "message/parts";
const WIRE_MESSAGE: &str = "message/payload";
const LANGCHAIN_MESSAGES: &str = "messages/lc";
const PYDANTIC_PARTS: &str = "parts/part_kind";
const HAR_LOG: &str = "log/entries";
const CONTINUE_HISTORY: &str = "history/contextItems";
const VS_CODE_STATE: &str = "v/requests";

/// Is there any of these fields?
fn has_one(seen: &SeenFields, names: &[&str]) -> bool {
    names.iter().any(|name| seen.has_any(name))
}

pub(super) static UNREAD: [UnreadFormat; 19] = [
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
        let is_state = seen.has_any(VS_CODE_STATE) && seen.has_number("kind");
        let is_session = seen.has_number("version") && seen.has_string("sessionId");
        is_state
            || (seen.has_array("requests") && (is_session || seen.has_any("responderUsername")))
    }),
    UnreadFormat::new("tau-bench results", |seen| {
        let is_run = seen.has_array("traj") && has_one(seen, &["task_id", "reward", "trial"]);
        is_run || (seen.has_array("simulations") && has_one(seen, &["tasks", "info"]))
    }),
    UnreadFormat::new("LangChain messages", |seen| {
        let is_message = matches!(
            seen.kind(),
            Some(
                "human"
                    | "ai"
                    | "HumanMessage"
                    | "AIMessage"
                    | "HumanMessageChunk"
                    | "AIMessageChunk"
            )
        );
        let has_content = has_one(seen, &["content", "data"]) && !seen.has_any("role");
        seen.has_any(LANGCHAIN_MESSAGES)
            || (is_message && has_content)
            || (seen.has_object("additional_kwargs") && seen.has_object("response_metadata"))
    }),
    UnreadFormat::new("Pydantic AI messages", |seen| seen.has_any(PYDANTIC_PARTS)),
    UnreadFormat::new("smolagents steps", |seen| {
        let own = ["model_output", "model_output_message", "model_input_messages", "observations"];
        seen.has_number("step_number") && has_one(seen, &own)
    }),
    UnreadFormat::new("a HAR file", |seen| seen.has_any(HAR_LOG)),
    UnreadFormat::new("a ChatGPT export", |seen| {
        seen.has_object("mapping")
            && has_one(seen, &["current_node", "conversation_id", "create_time"])
    }),
    UnreadFormat::new("a claude.ai export", |seen| seen.has_array("chat_messages")),
    UnreadFormat::new("a Continue session", |seen| {
        seen.has_any(CONTINUE_HISTORY)
            || (seen.has_array("history") && seen.has_any("workspaceDirectory"))
    }),
    UnreadFormat::new("a Grok Build session", |seen| {
        let is_line = matches!(seen.kind(), Some("user" | "assistant" | "tool_result"));
        let own = ["prompt_index", "model_id", "tool_call_id", "tool_calls"];
        let others = ["role", "message", "uuid", "session_id", "sessionId"];
        is_line && seen.has_any("content") && has_one(seen, &own) && !has_one(seen, &others)
    }),
    UnreadFormat::new("a Kimi Code session", |seen| {
        let events = [
            "turn.prompt",
            "context.append_message",
            "context.append_loop_event",
            "context.apply_compaction",
            "usage.record",
        ];
        let is_event = seen.kind().is_some_and(|kind| events.contains(&kind));
        (seen.kind() == Some("metadata") && seen.has_string("protocol_version"))
            || (is_event && has_one(seen, &["agentId", "time"]))
            || (seen.has_any(WIRE_MESSAGE) && seen.has_number("timestamp"))
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
