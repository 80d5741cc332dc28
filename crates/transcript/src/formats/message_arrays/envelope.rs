//! What a record is: a message, a record with a request and its answer, or neither.

use super::exchange::Exchange;
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

/// What a record is.
pub(super) enum RecordShape<'a> {
    /// A message: with those beside it, it is a session.
    Message,
    /// A session of its own: messages, with or without the answer to them.
    Exchange(Box<Exchange<'a>>),
    /// It is of a program that keeps messages, and has none.
    Aside,
    /// It is of another format.
    Foreign,
}

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

/// What the record is.
pub(super) fn shape(record: Node<'_>) -> RecordShape<'_> {
    if message_likeness(record) != MessageLikeness::Other {
        return RecordShape::Message;
    }
    match Exchange::read(record).map(Box::new) {
        Some(exchange) if exchange.likeness(record) != MessageLikeness::Other => {
            RecordShape::Exchange(exchange)
        }
        _ if is_observation(record) => RecordShape::Aside,
        _ => RecordShape::Foreign,
    }
}

/// The exchange of a record that is cut off: the message in which it is need not show that it is one.
pub(super) fn cut_exchange(record: Node<'_>) -> Option<Exchange<'_>> {
    let is_message = |value| message_likeness(value) != MessageLikeness::Other;
    let exchange = Exchange::read(record).filter(|_| !is_message(record))?;
    exchange
        .list(record)
        .is_none_or(|list| items(Some(list)).next().is_none_or(is_message))
        .then_some(exchange)
}

/// Is the record one of messages for models? It is also where nobody known says it: that is an error of its own.
pub(crate) fn is_own(record: Node<'_>) -> bool {
    !matches!(shape(record), RecordShape::Foreign)
}

/// Is the record an envelope around a request, its answer, or both?
pub(crate) fn is_exchange(record: Node<'_>) -> bool {
    match shape(record) {
        RecordShape::Exchange(exchange) => {
            exchange.is_envelope() && exchange.likeness(record) == MessageLikeness::Message
        }
        _ => false,
    }
}

/// Does a record that is not one of messages say what else it is, and hold something?
pub(crate) fn is_of_other_program(record: Node<'_>) -> bool {
    const TEXTS: [&str; 8] =
        ["content", "text", "message", "input", "output", "data", "prompt", "value"];
    let is_named = pick(record, ["type", "kind"]).into_iter().any(|name| string(name).is_some());
    let holds = |(name, value): (Node<'_>, Node<'_>)| match value.kind() {
        Kind::Object => value.fields().next().is_some(),
        Kind::Array => value.children().next().is_some(),
        Kind::String => {
            string(Some(value)).is_some() && name.str().is_some_and(|name| TEXTS.contains(&&*name))
        }
        _ => false,
    };
    is_named && record.fields().any(holds)
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

/// How the value is a message.
pub(super) fn message_likeness(value: Node<'_>) -> MessageLikeness {
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
