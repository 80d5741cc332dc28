//! Parts that records have no place for: they are carried in `metadata.apex.parts`.

use crate::kept::KeptFields;
use crate::lists::{joined, push_all};
use crate::writer::MessageWriter;
use apex_parts_agents::fields::{any_string, get, is_true, items, of_kind, pick, raw};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The parts that a record carries, as JSON.
#[derive(Default)]
pub(crate) struct CarriedParts(Vec<String>);

/// Is a part one that records have no place for?
#[must_use]
pub fn is_carried(part: Node<'_>) -> bool {
    let [kind, ignored, kept] = pick(part, ["type", "ignored", "opencode2"]);
    if kept.is_some() {
        return false;
    }
    match &*kind.and_then(Node::str).unwrap_or_default() {
        "text" => is_true(ignored),
        "" | "reasoning" | "file" | "tool" | "step-start" | "step-finish" | "snapshot"
        | "patch" | "agent" | "compaction" => false,
        _ => true,
    }
}

/// The parts in a record's `metadata`. What else is in it is kept.
pub(crate) fn read(metadata: Option<Node<'_>>, kept: &mut KeptFields, json: &str) -> CarriedParts {
    let Some(metadata) = metadata else { return CarriedParts::default() };
    let apex = of_kind(get(Some(metadata), "apex"), Kind::Object);
    let parts: Vec<Node<'_>> = items(get(apex, "parts")).collect();
    let is_part = |part: &Node<'_>| {
        let ids = pick(*part, ["id", "sessionID", "messageID"]);
        is_carried(*part) && ids.into_iter().all(|id| any_string(id).is_some())
    };
    if parts.is_empty() || !parts.iter().all(is_part) {
        kept.field("metadata", raw(metadata, json));
        return CarriedParts::default();
    }
    let mut rest = without(metadata, "apex", json);
    if let Some(apex) = apex {
        let others = without(apex, "parts", json);
        if !others.is_empty() {
            if !rest.is_empty() {
                rest.push(',');
            }
            push_all(&mut rest, &["\"apex\":{", &others, "}"]);
        }
    }
    if !rest.is_empty() {
        kept.field("metadata", &joined(&["{", &rest, "}"]));
    }
    CarriedParts(parts.into_iter().map(|part| raw(part, json).to_owned()).collect())
}

/// The fields of an object but one, as they stand between braces.
fn without(object: Node<'_>, name: &str, json: &str) -> String {
    let mut out = String::new();
    for (key, value) in object.fields().filter(|(key, _)| key.str().as_deref() != Some(name)) {
        if !out.is_empty() {
            out.push(',');
        }
        push_all(&mut out, &[raw(key, json), ":", raw(value, json)]);
    }
    out
}

impl CarriedParts {
    /// Adds them to the open message.
    pub(crate) fn write(self, writer: &mut MessageWriter) {
        self.0.iter().for_each(|part| writer.raw_part(part));
    }
}
