//! The tools that items call: their names, which of them stream their input, and the input as JSON.

use crate::json::record::Val;
use serde_json::Value;

/// The calls whose arguments are streamed: they start when they are added.
pub(crate) const STREAMED: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "mcp_call",
    "mcp_approval_request",
    "code_interpreter_call",
    "apply_patch_call",
    "shell_call",
];

/// Tools of xAI's own servers, which come as calls of custom tools.
pub(crate) const XAI: &[&str] = &[
    "x_user_search",
    "x_keyword_search",
    "x_semantic_search",
    "x_thread_fetch",
    "web_search",
    "web_search_with_snippets",
    "browse_page",
    "view_image",
    "view_x_video",
];

/// Fields that say what an item is and how far.
const STATE: &[&str] = &[
    "id",
    "type",
    "status",
    "call_id",
    "name",
    "server_label",
    "approval_request_id",
    "execution",
    "environment",
    "caller",
    "created_by",
    "agent",
];

/// Fields that say what came of a call.
const OUTCOME: &[&str] = &["output", "outputs", "result", "results", "error"];

/// The name of the tool that an item calls: the wire's own, or its type for a built-in tool.
pub(crate) fn tool_name(kind: &str, item: Val<'_>) -> Option<String> {
    let stem = match kind {
        "mcp_approval_request" => kind,
        _ => kind.strip_suffix("_call")?,
    };
    let name = item.get("name").text();
    Some(if name.is_empty() { stem.to_owned() } else { name.into_owned() })
}

/// The input of a built-in tool: the item's fields that are neither its state nor its outcome.
pub(crate) fn whole_input(kind: &str, call: &str, item: Val<'_>) -> String {
    let mut text = String::from("{");
    let mut put = |name: &str, raw: &str| {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&Value::String(name.to_owned()).to_string());
        text.push(':');
        text.push_str(raw);
    };
    match kind {
        // What its answer has to name is a part of what the tool is given.
        "apply_patch_call" => {
            put("callId", &Value::String(call.to_owned()).to_string());
            put("operation", item.get("operation").raw());
        }
        "shell_call" => {
            let commands = item.get("action").get("commands");
            let commands = if commands.is_array() { commands.raw() } else { "[]" };
            put("action", &format!("{{\"commands\":{commands}}}"));
        }
        _ => {
            for (name, value) in item.entries() {
                if !STATE.contains(&&*name) && !OUTCOME.contains(&&*name) {
                    put(&name, value.raw());
                }
            }
            if kind == "tool_search_call" {
                put("call_id", item.get("call_id").raw());
            }
        }
    }
    text.push('}');
    text
}
