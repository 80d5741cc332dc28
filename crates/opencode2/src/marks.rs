//! Records that are no turn.

use crate::custom::own_fields;
use crate::in_force::{Model, text_of};
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, pick, token};
use apex_parts_json::tape::Node;

/// A mark is the last part of the message before, or the first of the first message.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    let SourceRecord { node, json, .. } = record;
    let [kind, agent, model, location] = pick(node, ["type", "agent", "model", "location"]);
    let kind = kind.and_then(Node::str).unwrap_or_default();
    match &*kind {
        "agent-switched" => {
            let agent = any_string(agent).map(|agent| token(agent, json).to_owned());
            writer.in_force.agent = agent.or(writer.in_force.agent.take());
        }
        "model-switched" => {
            let model = Model::read(model, json);
            writer.in_force.model = model.or(writer.in_force.model.take());
        }
        "location-switched" => {
            if let Some(directory) = text_of(location, "directory", json) {
                writer.in_force.directory = directory;
            }
        }
        _ => {}
    }
    let fields = own_fields(node, &["sessionID", "messageID", "opencode2"], json);
    writer.mark(&fields.own, fields.kept, record.created());
}
