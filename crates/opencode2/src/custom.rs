//! What is of no known type: a custom part with its own fields.

use crate::kept::KeptFields;
use crate::kind::custom_type;
use crate::lists::push_all;
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{get, raw};
use apex_parts_json::tape::Node;

/// The fields of something that becomes a part.
pub(crate) struct OwnFields {
    /// Those that the part has, as they stand between braces.
    pub(crate) own: String,
    /// Those whose names the part needs itself.
    pub(crate) kept: KeptFields,
}

/// The fields of an object: those with the names in `taken` are kept apart.
pub(crate) fn own_fields(node: Node<'_>, taken: &[&str], json: &str) -> OwnFields {
    let (mut own, mut kept) = (String::new(), KeptFields::default());
    for (key, value) in node.fields() {
        let name = key.str().unwrap_or_default();
        if taken.contains(&&*name) {
            kept.field(&name, raw(value, json));
        } else {
            if !own.is_empty() {
                own.push(',');
            }
            push_all(&mut own, &[raw(key, json), ":", raw(value, json)]);
        }
    }
    OwnFields { own, kept }
}

/// The names that a part has itself.
const TAKEN: [&str; 5] = ["id", "sessionID", "messageID", "type", "opencode2"];

/// Adds an item, or a record, as a custom part.
pub(crate) fn part(writer: &mut MessageWriter, node: Node<'_>, role: &'static str, json: &str) {
    let OwnFields { own, mut kept } = own_fields(node, &TAKEN, json);
    kept.remark("custom", role);
    let name = get(Some(node), "type").and_then(Node::str).unwrap_or_default();
    let name = custom_type(if name.is_empty() { "unknown" } else { &name });
    writer.part(&name, &kept, &mut |part, _| part.raw(&own));
}

/// A record of an unknown type: a message of a user with one part.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    let mut kept = KeptFields::default();
    kept.remark("type", "\"unknown\"");
    writer.user(record, kept);
    part(writer, record.node, "\"record\"", record.json);
}

/// Adds an item that is no object.
pub(crate) fn value(writer: &mut MessageWriter, item: Node<'_>, json: &str) {
    let mut kept = KeptFields::default();
    kept.remark("custom", "\"value\"");
    kept.remark("value", raw(item, json));
    writer.part("opencode2-item", &kept, &mut |_, _| {});
}
