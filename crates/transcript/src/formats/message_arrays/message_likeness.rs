//! [`MessageLikeness`]: how a value, or a list of values, is messages for a model.

use apex_parts_agents::fields::{items, of_kind, pick, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// The fields of a record in which its messages can stand, in the order of `fromMessages`.
pub(super) const LISTS: [&str; 5] =
    ["messages", "contents", "input", "conversations", "conversation"];
/// One in so many records, or messages of a record, may be something else.
pub(crate) const SHARE: u64 = 10;

/// Who says something to a model, or for it.
pub(super) const ROLES: [&str; 7] =
    ["user", "assistant", "system", "developer", "tool", "function", "model"];
/// Types of items of OpenAI's Responses API that are neither calls nor outputs.
const ITEMS: [&str; 6] = [
    "reasoning",
    "item_reference",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "compaction",
];

/// How a value is a message for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageLikeness {
    /// It is one.
    Message,
    /// It is built like one, but nobody known says it.
    Odd,
    /// It is none.
    Other,
}

/// Is it an observation of Langfuse?
pub(super) fn is_observation(record: Node<'_>) -> bool {
    const TYPES: [&str; 10] = [
        "GENERATION",
        "SPAN",
        "EVENT",
        "AGENT",
        "TOOL",
        "CHAIN",
        "RETRIEVER",
        "EVALUATOR",
        "EMBEDDING",
        "GUARDRAIL",
    ];
    let [kind, trace, start] = pick(record, ["type", "traceId", "startTime"]);
    string(kind).is_some_and(|kind| TYPES.contains(&&*kind)) && (trace.or(start)).is_some()
}

/// Is it a message of the fields that most have, each of them once? It must equal the slow path, as
/// `the_fast_path_says_what_the_slow_one_does` proves.
fn is_plain_message(value: Node<'_>) -> bool {
    let (mut has_role, mut says) = (false, false);
    for (name, field) in value.fields() {
        let is_new = match name.raw() {
            Some(b"role") => {
                let role = field.raw().unwrap_or_default();
                let is_role = ROLES.iter().any(|known| known.as_bytes() == role);
                !std::mem::replace(&mut has_role, true) && is_role
            }
            Some(b"content") => !std::mem::replace(&mut says, true),
            Some(b"tool_calls" | b"tool_call_id" | b"name") => true,
            _ => false,
        };
        if !is_new {
            return false;
        }
    }
    has_role && says
}

/// How the value is a message.
pub(super) fn message_likeness(value: Node<'_>) -> MessageLikeness {
    if is_plain_message(value) {
        return MessageLikeness::Message;
    }
    any_likeness(value)
}

fn any_likeness(value: Node<'_>) -> MessageLikeness {
    let names = [
        "role",
        "type",
        "from",
        "value",
        "content",
        "parts",
        "tool_calls",
        "function_call",
        "refusal",
        "reasoning_content",
        "info",
        "call_id",
        "id",
        "summary",
        "encrypted_content",
    ];
    let [
        role,
        kind,
        from,
        said,
        content,
        parts,
        calls,
        call,
        refusal,
        reasoning,
        info,
        call_id,
        id,
        summary,
        secret,
    ] = pick(value, names);
    let has_parts = of_kind(parts, Kind::Array).is_some();
    if let Some(role) = string(role) {
        let says = [content, calls, call, refusal, reasoning].iter().any(Option::is_some);
        return match says || has_parts {
            true if ROLES.contains(&&*role) => MessageLikeness::Message,
            true => MessageLikeness::Odd,
            false => MessageLikeness::Other,
        };
    }
    let is_item = |kind: &str| {
        let is_call = kind.ends_with("_call") || kind.ends_with("_output");
        let is_named = call_id.or(id).is_some();
        match kind {
            "reasoning" => summary.or(content).or(secret).is_some(),
            kind => is_named && (is_call || ITEMS.contains(&kind)),
        }
    };
    let is_message = match string(kind) {
        Some(kind) => is_item(&kind),
        // Of a conversation of ShareGPT, or a content of Gemini without its role.
        None => {
            (string(from).is_some() && said.is_some())
                || (has_parts && info.is_none() && id.is_none())
        }
    };
    if is_message { MessageLikeness::Message } else { MessageLikeness::Other }
}

/// The field of a body in which its messages stand, if it is one: a list of them, or the text of a request.
pub(super) fn list_of(body: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    let lists = pick(body, LISTS);
    let [role, kind, prompt] = pick(body, ["role", "type", "prompt"]);
    let is_given = |list: &Node<'_>| !list.kind().is_nullish();
    let list =
        LISTS.into_iter().zip(lists).find_map(|(name, list)| Some((name, list.filter(is_given)?)));
    let list = list.filter(|(name, list)| {
        let is_asked = *name == "input" && list.kind() == Kind::String && kind.is_none();
        list.kind() == Kind::Array || is_asked
    });
    list.or_else(|| Some(("prompt", prompt.filter(|_| role.is_none()).filter(is_given)?)))
}

/// How the values of a list are messages: at least nine in ten have to be.
pub(super) fn list_likeness(list: Node<'_>) -> MessageLikeness {
    let (mut own, mut odd, mut all) = (0, 0, 0);
    for value in items(Some(list)) {
        all += 1;
        match message_likeness(value) {
            _ if value.kind() == Kind::String => own += 1,
            MessageLikeness::Message => own += 1,
            MessageLikeness::Odd => odd += 1,
            MessageLikeness::Other => {}
        }
    }
    let are = |count: u64| (all - count) * SHARE <= all;
    match () {
        () if are(own) => MessageLikeness::Message,
        () if are(own + odd) => MessageLikeness::Odd,
        () => MessageLikeness::Other,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_fast_path_says_what_the_slow_one_does(
            fields in proptest::collection::vec((0..9_usize, 0..7_usize), 0..5),
        ) {
            let names =
                ["role", "content", "tool_calls", "tool_call_id", "name", "parts", "type", "r\\u006fle", "info"];
            let values = ["\"user\"", "\"tool\"", "\"u\\u0073er\"", "\"\"", "null", "[]", "7"];
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("\"{}\":{}", names[*name], values[*value])).collect();
            let json = format!("{{{}}}", fields.join(","));
            let mut tape = Tape::default();
            tape.read(json.as_bytes(), 0).unwrap();
            let value = tape.root_of(&json);
            prop_assert_eq!(message_likeness(value), any_likeness(value), "{}", json);
        }
    }
}
