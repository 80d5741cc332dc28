//! What a record is: a message, a record with a request and its answer, or neither.

use super::exchange::Exchange;
use super::message_likeness::{MessageLikeness, is_observation, message_likeness};
use apex_parts_agents::fields::{items, pick, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

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
