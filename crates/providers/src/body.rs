//! Where the messages of a body stand.

use super::values::{NewFields, Value, array, field, given, object, others};
use apex_parts_json::tape::Node;
use apex_parts_model::View;

/// The fields of a body in which the messages can stand, in this order.
const LISTS: [&str; 5] = ["messages", "contents", "input", "conversations", "conversation"];
/// The fields of a body in which instructions can stand.
const INSTRUCTIONS: [&str; 4] =
    ["system", "instructions", "systemInstruction", "system_instruction"];
/// NewFields of which at least one is in a message.
const OF_MESSAGE: [&str; 3] = ["role", "from", "parts"];

/// Messages of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listed<'a> {
    /// An array of them, or what stands in its place.
    List(Node<'a>),
    /// One.
    Message(Node<'a>),
    /// The text of a request.
    Request(Node<'a>),
    /// The text of an answer.
    Answer(Node<'a>),
    /// The body has none.
    Nothing,
}

/// A history: its messages, the field where they stand, and the body around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessagesBody<'a> {
    pub(crate) listed: Listed<'a>,
    pub(crate) path: Option<&'static str>,
    pub(crate) body: Option<Node<'a>>,
}

impl<'a> MessagesBody<'a> {
    /// Its messages, if they are an array.
    pub(crate) fn list(&self) -> Option<Node<'a>> {
        match self.listed {
            Listed::List(list) => array(Some(list)),
            _ => None,
        }
    }

    /// Is there a message at least?
    pub(crate) fn is_filled(&self) -> bool {
        match self.listed {
            Listed::List(list) => {
                array(Some(list)).is_some_and(|list| list.children().next().is_some())
            }
            Listed::Nothing => false,
            _ => true,
        }
    }
}

/// The field of a body with its messages.
fn list_name(body: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    LISTS.into_iter().find_map(|name| Some((name, given(field(body, name))?)))
}

/// The histories of a body in order: of a record with a prompt and a completion there are two.
pub(crate) fn histories(value: Node<'_>) -> Vec<MessagesBody<'_>> {
    let Some(body) = object(Some(value)) else {
        return vec![MessagesBody { listed: Listed::List(value), path: None, body: None }];
    };
    if let Some((name, list)) = list_name(body) {
        let listed = Listed::List(list);
        return vec![MessagesBody { listed, path: Some(name), body: Some(body) }];
    }
    if OF_MESSAGE.iter().any(|name| given(field(body, name)).is_some()) {
        return vec![MessagesBody { listed: Listed::Message(body), path: None, body: None }];
    }
    let Some(prompt) = field(body, "prompt") else {
        return vec![MessagesBody { listed: Listed::Nothing, path: None, body: Some(body) }];
    };
    let listed = match prompt.kind().is_string() {
        true => Listed::Request(prompt),
        false => Listed::List(prompt),
    };
    let mut found = vec![MessagesBody { listed, path: Some("prompt"), body: Some(body) }];
    if let Some(completion) = given(field(body, "completion")) {
        let listed = match completion.kind().is_string() {
            true => Listed::Answer(completion),
            false => Listed::List(completion),
        };
        found.push(MessagesBody { listed, path: Some("completion"), body: None });
    }
    found
}

/// The fields of a body that are neither messages nor, if these were read, instructions and tools.
pub(crate) fn other_fields(value: Node<'_>, has_system: bool, has_tools: bool) -> NewFields<'_> {
    let Some(body) = object(Some(value)) else { return NewFields::default() };
    let mut read = match list_name(body) {
        Some((name, _)) => vec![name],
        None => vec!["prompt", "completion"],
    };
    if has_system {
        read.extend(INSTRUCTIONS);
    }
    if has_tools {
        read.push("tools");
    }
    others(body, &read)
}

/// What is known of a session beside its messages, as JSON; `None` if nothing is.
pub(crate) fn session_info(
    id: &str,
    value: Option<Node<'_>>,
    system: &[String],
    tools: &[Vec<u8>],
) -> Option<Vec<u8>> {
    let more = value.map(|value| other_fields(value, !system.is_empty(), !tools.is_empty()));
    let more = more.filter(|more| !more.is_empty());
    if system.is_empty() && tools.is_empty() && more.is_none() {
        return None;
    }
    let mut json = b"{\"id\":".to_vec();
    super::values::NewText::plain(id).write(&mut json);
    if !system.is_empty() {
        json.extend_from_slice(b",\"system\":\"");
        json.extend_from_slice(system.join("\\n\\n").as_bytes());
        json.push(b'"');
    }
    if !tools.is_empty() {
        json.extend_from_slice(b",\"tools\":[");
        json.extend_from_slice(&tools.join(&b","[..]));
        json.push(b']');
    }
    if let Some(more) = more {
        json.extend_from_slice(b",\"fields\":");
        Value::Object(more).write(&mut json);
    }
    json.push(b'}');
    Some(json)
}
