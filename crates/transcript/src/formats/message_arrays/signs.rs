//! What shows that a record is a message for a model, or has an array of them.

use super::message_likeness::ROLES;
use apex_parts_agents::SeenFields;

/// Fields inside others: the outer name, the inner name, and the name under which [`SeenFields`] has it.
const INSIDE: [(&str, &str, &str); 14] = [
    ("messages", "role", MESSAGES),
    ("prompt", "role", MESSAGES),
    ("conversations", "role", MESSAGES),
    ("conversation", "role", MESSAGES),
    ("conversations", "from", CONVERSATIONS),
    ("conversation", "from", CONVERSATIONS),
    ("messages", "from", CONVERSATIONS),
    ("messages", "parts", PARTS_OF_MESSAGES),
    ("contents", "role", CONTENTS),
    ("contents", "parts", CONTENTS),
    ("input", "role", ITEMS),
    ("input", "type", ITEMS),
    ("parts", "type", PARTS),
    ("system", "type", SYSTEM),
];
const MESSAGES: &str = "messages/role";
const PARTS_OF_MESSAGES: &str = "messages/parts";
const CONVERSATIONS: &str = "conversations/from";
const CONTENTS: &str = "contents/role";
const ITEMS: &str = "input/item";
const PARTS: &str = "parts/type";
const SYSTEM: &str = "system/type";

/// Types of items of OpenAI's Responses API that have no role.
const CALLS: [&str; 4] =
    ["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"];
/// Fields of requests to OpenAI's Responses API that an input which is a string does not show.
const OF_RESPONSES: [&str; 4] =
    ["instructions", "max_output_tokens", "previous_response_id", "reasoning"];

/// Can fields inside the field with this name show messages?
pub(crate) fn looks_inside(name: &str) -> bool {
    INSIDE.iter().any(|(outer, ..)| *outer == name)
}

/// The name under which [`SeenFields`] has a field inside another.
pub(crate) fn inside(name: &str, inner: &str) -> Option<&'static str> {
    let (.., mark) = INSIDE.iter().find(|place| (place.0, place.1) == (name, inner))?;
    Some(mark)
}

/// The format of a record with these fields, if it is a message or has an array of them. The host may tell another one,
/// because it looks at all of them.
pub(crate) fn format_of(seen: &SeenFields) -> Option<&'static str> {
    of_array(seen).or_else(|| of_message(seen))
}

/// The format of an object that has messages.
fn of_array(seen: &SeenFields) -> Option<&'static str> {
    let has = |name| seen.has_any(name);
    if has(CONTENTS) {
        return Some("gemini");
    }
    let is_asked = seen.has_string("input")
        && seen.has_string("model")
        && OF_RESPONSES.iter().any(|name| has(name));
    if has(ITEMS) || is_asked {
        return Some("openai-responses");
    }
    if has(CONVERSATIONS) {
        return Some("sharegpt");
    }
    let is_answered = seen.has_string("prompt") && seen.has_string("completion");
    if !has(MESSAGES) && !is_answered {
        return None;
    }
    if has(PARTS_OF_MESSAGES) {
        return Some("ai-sdk");
    }
    let of_anthropic = has(SYSTEM) || has("anthropic_version") || seen.has_string("system");
    Some(if of_anthropic { "anthropic" } else { "openai-chat" })
}

/// The format of a message.
fn of_message(seen: &SeenFields) -> Option<&'static str> {
    let kind = seen.kind().unwrap_or_default();
    let is_call = CALLS.contains(&kind) && seen.has_string("call_id");
    if is_call || (kind == "reasoning" && seen.has_array("summary")) {
        return Some("openai-responses");
    }
    if seen.has_string("from") && seen.has_any("value") {
        return Some("sharegpt");
    }
    if !seen.text("role").is_some_and(|role| ROLES.contains(&role)) {
        return None;
    }
    if seen.has_any(PARTS) {
        return Some("ai-sdk");
    }
    if seen.has_array("parts") {
        return Some(if seen.has_string("id") { "ai-sdk" } else { "gemini" });
    }
    let says = ["content", "tool_calls", "function_call"].iter().any(|name| seen.has_any(name));
    says.then_some(if kind == "message" { "openai-responses" } else { "openai-chat" })
}
