//! The tools that items call: their names, which of them stream their input, and the input as JSON.

use apex_parts_json::record::Val;
use serde_json::Value;

/// The types of calls whose input is streamed: they start when their item is added.
pub(crate) const STREAMED: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "mcp_call",
    "mcp_approval_request",
    "code_interpreter_call",
    "apply_patch_call",
    "shell_call",
];

/// Tools that xAI's servers run, but send as calls of custom tools.
pub(crate) const XAI_TOOLS: &[&str] = &[
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

/// Fields with the identity and the state of an item: not a part of a tool's input.
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

/// Fields with the result of a call.
const OUTCOME: &[&str] = &["output", "outputs", "result", "results", "error"];

/// The name of the tool that an item calls: its `name`, or its type without `_call` for a built-in
/// tool; `None` if the item is not a call.
pub(crate) fn tool_name(kind: &str, item: Val<'_>) -> Option<String> {
    let stem = match kind {
        "mcp_approval_request" => kind,
        _ => kind.strip_suffix("_call")?,
    };
    let name = item.get("name").text();
    Some(if name.is_empty() { stem.to_owned() } else { name.into_owned() })
}

/// The input of a built-in tool as JSON text: the item's fields that are neither state nor result.
pub(crate) fn tool_input(kind: &str, call: &str, item: Val<'_>) -> String {
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
        "web_search_call" if item.get("action").is_object() => {
            return item.get("action").raw().to_owned();
        }
        // The answer must name the call, so the input includes its id.
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
