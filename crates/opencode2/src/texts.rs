//! Records that are one text: of the program, instructions, skills.

use crate::kept::KeptFields;
use crate::lists::joined;
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, pick, raw};
use apex_parts_json::tape::Node;

/// A text that no person wrote.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>, kind: &str) {
    let SourceRecord { node, json, .. } = record;
    let [text, skill, name] = pick(node, ["text", "skill", "name"]);
    let mut kept = KeptFields::default();
    kept.remark("type", &joined(&["\"", kind, "\""]));
    let is_skill = kind == "skill";
    let known: &[&str] = if is_skill {
        &["id", "type", "time", "text", "skill", "name"]
    } else {
        &["id", "type", "time", "text"]
    };
    kept.rest(node, known, json);
    record.keep_time(false, &mut kept);
    let text = any_string(text);
    if text.is_none() {
        kept.field_or_none("text", pick(node, ["text"])[0], json);
    }
    writer.user(record, kept);
    let text = text.map_or("\"\"", |text| raw(text, json));
    writer.part("text", &KeptFields::default(), &mut |part, _| {
        part.key("text").push_str(text);
        part.bool("synthetic", true);
    });
    if is_skill {
        let mut kept = KeptFields::default();
        kept.remark("skill", "true");
        writer.part("skill", &kept, &mut |part, _| {
            let mut field = |name, value: Option<Node<'_>>| {
                if let Some(value) = value {
                    part.key(name).push_str(raw(value, json));
                }
            };
            field("skill", skill);
            field("name", name);
        });
    }
}
