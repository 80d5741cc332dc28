//! [`messages_json`]: the records of a session as messages with their parts.

use crate::in_force::{InForce, Model, text_of};
use crate::kind::RecordKind;
use crate::records::Records;
use crate::writer::{MessageWriter, SourceRecord};
use crate::{assistant, compaction, custom, marks, shell, texts, user};
use apex_parts_agents::fields::{any_string, of_kind, pick, token};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::Kind;

/// The messages of a session, as a JSON array.
#[must_use]
pub fn messages_json(records: &Records) -> Vec<u8> {
    let mut writer = MessageWriter::new(records, first_said(records));
    let mut tape = Tape::default();
    for json in records.iter() {
        if tape.read(json.as_bytes(), 0).is_ok() {
            write(&mut writer, tape.root_of(json), json);
        }
    }
    writer.finish().into_bytes()
}

/// The agent and the model of the first assistant that says them.
fn first_said(records: &Records) -> InForce {
    let mut first = InForce::default();
    let mut tape = Tape::default();
    for json in records.iter() {
        if tape.read(json.as_bytes(), 0).is_err() {
            continue;
        }
        let root = tape.root_of(json);
        let [kind, model] = pick(root, ["type", "model"]);
        if kind.and_then(Node::str).as_deref() == Some("assistant") {
            first.agent = first.agent.or_else(|| text_of(Some(root), "agent", json));
            first.model = first.model.or_else(|| Model::read(model, json));
        }
        if first.agent.is_some() && first.model.is_some() {
            break;
        }
    }
    first
}

/// Writes the messages of a record.
fn write(writer: &mut MessageWriter, node: Node<'_>, json: &str) {
    let [kind, id, time] = pick(node, ["type", "id", "time"]);
    let kind = RecordKind::parse(&kind.and_then(Node::str).unwrap_or_default());
    let id = any_string(id).map_or("", |id| token(id, json));
    let record = SourceRecord { node, json, id, time: of_kind(time, Kind::Object) };
    match kind {
        RecordKind::User => user::write(writer, record),
        RecordKind::Assistant => assistant::write(writer, record),
        RecordKind::Compaction => compaction::write(writer, record),
        RecordKind::Shell => shell::write(writer, record),
        RecordKind::Synthetic => texts::write(writer, record, "synthetic"),
        RecordKind::System => texts::write(writer, record, "system"),
        RecordKind::Skill => texts::write(writer, record, "skill"),
        RecordKind::Mark => marks::write(writer, record),
        RecordKind::Unknown => custom::write(writer, record),
    }
    if kind == RecordKind::User {
        writer.answers(record.id);
    }
}
