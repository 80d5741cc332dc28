//! What a person wrote.

use crate::carried;
use crate::in_force::escaped;
use crate::kept::KeptFields;
use crate::lists::push_all;
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, items, number, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::ObjectWriter;
use apex_parts_model::{Kind, View};

/// A list of a record, if all of its elements are read; otherwise it is kept as it is.
fn list<'a>(
    name: &str,
    value: Option<Node<'a>>,
    is_read: impl Fn(Node<'a>) -> bool,
    kept: &mut KeptFields,
    json: &str,
) -> Vec<Node<'a>> {
    let Some(value) = value else { return Vec::new() };
    let elements: Vec<Node<'a>> = items(Some(value)).collect();
    if elements.is_empty() || !elements.iter().all(|element| is_read(*element)) {
        kept.field(name, raw(value, json));
        return Vec::new();
    }
    elements
}

fn is_file(file: Node<'_>) -> bool {
    let [data, uri, mime, name] = pick(file, ["data", "uri", "mime", "name"]);
    let is_named = name.is_none() || any_string(name).is_some();
    let has_content = any_string(data).is_some() != any_string(uri).is_some();
    any_string(mime).is_some() && has_content && is_named
}

fn is_agent(agent: Node<'_>) -> bool {
    any_string(pick(agent, ["name"])[0]).is_some()
}

fn is_skill(skill: Node<'_>) -> bool {
    let [id, kind] = pick(skill, ["id", "type"]);
    any_string(id).is_some() && kind.is_none()
}

/// The fields of a place in a text, if it has all of them and no others.
fn mention<'a>(value: Option<Node<'a>>) -> Option<[Node<'a>; 3]> {
    let value = of_kind(value, Kind::Object)?;
    let [start, end, text] = pick(value, ["start", "end", "text"]);
    let is_whole = number(start).is_some() && number(end).is_some() && value.fields().count() == 3;
    Some([start?, end?, any_string(text)?]).filter(|_| is_whole)
}

/// Writes a message of a user.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    let SourceRecord { node, json, .. } = record;
    let mut kept = KeptFields::default();
    kept.remark("type", "\"user\"");
    let [text, files, agents, skills, metadata] =
        pick(node, ["text", "files", "agents", "skills", "metadata"]);
    let known = ["id", "type", "time", "text", "files", "agents", "skills", "metadata"];
    kept.rest(node, &known, json);
    record.keep_time(false, &mut kept);
    if any_string(text).is_none() {
        kept.field_or_none("text", text, json);
    }
    let files = list("files", files, is_file, &mut kept, json);
    let agents = list("agents", agents, is_agent, &mut kept, json);
    let skills = list("skills", skills, is_skill, &mut kept, json);
    let carried = carried::read(metadata, &mut kept, json);
    writer.user(record, kept);
    if let Some(text) = text.filter(|text| text.kind() == Kind::String) {
        writer.part("text", &KeptFields::default(), &mut |part, _| {
            part.key("text").push_str(raw(text, json));
        });
    }
    for file in files {
        write_file(writer, file, json);
    }
    for agent in agents {
        write_agent(writer, agent, json);
    }
    for skill in skills {
        write_skill(writer, skill, json);
    }
    carried.write(writer);
}

fn write_file(writer: &mut MessageWriter, file: Node<'_>, json: &str) {
    let names = ["data", "uri", "mime", "name", "source"];
    let [data, uri, mime, name, source] = pick(file, names);
    let mut kept = KeptFields::default();
    let is_inline = source.is_some_and(|source| {
        let [kind] = pick(source, ["type"]);
        kind.and_then(Node::str).as_deref() == Some("inline") && source.fields().count() == 1
    });
    if uri.is_some() {
        kept.remark("uri", "true");
        kept.rest(file, &["uri", "mime", "name"], json);
    } else if is_inline {
        kept.rest(file, &["data", "mime", "name", "source"], json);
    } else {
        kept.rest(file, &["data", "mime", "name", "source"], json);
        kept.field_or_none("source", source, json);
    }
    writer.part("file", &kept, &mut |part, _| {
        let text = |node: Option<Node<'_>>| node.map_or("", |node| token(node, json)).to_owned();
        let mime = text(mime);
        escaped(part, "mime", &mime);
        match uri {
            Some(uri) => part.key("url").push_str(raw(uri, json)),
            None => push_all(part.key("url"), &["\"data:", &mime, ";base64,", &text(data), "\""]),
        }
        if let Some(name) = name {
            part.key("filename").push_str(raw(name, json));
        }
    });
}

fn write_agent(writer: &mut MessageWriter, agent: Node<'_>, json: &str) {
    let [name, own, source] = pick(agent, ["name", "mention", "source"]);
    let mut kept = KeptFields::default();
    let place = match (mention(own), mention(source)) {
        (Some(place), _) => {
            kept.rest(agent, &["name", "mention"], json);
            Some(place)
        }
        (None, Some(place)) => {
            kept.remark("source", "true");
            kept.rest(agent, &["name", "source"], json);
            Some(place)
        }
        _ => {
            kept.rest(agent, &["name"], json);
            None
        }
    };
    writer.part("agent", &kept, &mut |part, _| {
        let field = |out: &mut ObjectWriter<'_>, name, node: Node<'_>| {
            out.key(name).push_str(raw(node, json));
        };
        if let Some(name) = name {
            field(part, "name", name);
        }
        if let Some([start, end, text]) = place {
            part.object("source", |out| {
                field(out, "value", text);
                field(out, "start", start);
                field(out, "end", end);
            });
        }
    });
}

fn write_skill(writer: &mut MessageWriter, skill: Node<'_>, json: &str) {
    const TAKEN: [&str; 6] = ["id", "sessionID", "messageID", "type", "skill", "opencode2"];
    let id = pick(skill, ["id"])[0].map_or("\"\"", |id| raw(id, json));
    let mut kept = KeptFields::default();
    kept.remark("skill", "true");
    let mut own = String::new();
    for (key, value) in skill.fields() {
        let name = key.str().unwrap_or_default();
        if name == "id" {
            continue;
        }
        if TAKEN.contains(&&*name) {
            kept.field(&name, raw(value, json));
        } else {
            push_all(&mut own, &[",", raw(key, json), ":", raw(value, json)]);
        }
    }
    writer.part("skill", &kept, &mut |part, _| {
        part.key("skill").push_str(id);
        part.raw(own.strip_prefix(',').unwrap_or_default());
    });
}
