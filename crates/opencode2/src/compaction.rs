//! Compactions of the history: a request and a summary, as the first model has them.

use crate::assistant::{StatedUsage, paths};
use crate::error::error_json;
use crate::in_force::{Model, escaped};
use crate::kept::KeptFields;
use crate::lists::joined;
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, of_kind, pick, raw};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// Writes a compaction.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    const READ: [&str; 11] = [
        "id", "type", "time", "status", "reason", "summary", "recent", "error", "model", "cost",
        "tokens",
    ];
    let SourceRecord { node, json, .. } = record;
    let [status, reason, summary, recent, error, model, cost, tokens] =
        pick(node, ["status", "reason", "summary", "recent", "error", "model", "cost", "tokens"]);
    let mut kept = KeptFields::default();
    kept.remark("type", "\"compaction\"");
    kept.rest(node, &READ, json);
    record.keep_time(false, &mut kept);
    let why = reason.and_then(Node::str).unwrap_or_default();
    if !matches!(&*why, "auto" | "manual") {
        kept.field_or_none("reason", reason, json);
    }
    let word = status.and_then(Node::str).unwrap_or_default();
    let (is_failed, is_running) = (word == "failed", word == "running");
    if !matches!(&*word, "completed" | "failed" | "running") {
        kept.field_or_none("status", status, json);
    }
    let text = any_string(summary).filter(|_| !is_failed);
    let shown = text.filter(|text| !is_running || text.kind() == Kind::String);
    if let Some(summary) = summary.filter(|_| shown.is_none()) {
        kept.field("summary", raw(summary, json));
    } else if summary.is_none() && !is_failed {
        kept.field_or_none("summary", None, json);
    }
    let is_done = !is_failed && !is_running;
    let later = any_string(recent).filter(|text| is_done && text.kind() == Kind::String);
    if let Some(recent) = recent.filter(|_| later.is_none()) {
        kept.field("recent", raw(recent, json));
    }
    let failure = of_kind(error, Kind::Object).filter(|_| is_failed);
    if let Some(error) = error {
        kept.field("error", raw(error, json));
    }
    writer.user(record, kept);
    writer.part("compaction", &KeptFields::default(), &mut |part, _| {
        part.bool("auto", why == "auto");
    });
    let mut kept = KeptFields::default();
    kept.remark("type", "\"summary\"");
    for (name, value) in [("model", model), ("cost", cost), ("tokens", tokens)] {
        if let Some(value) = value {
            kept.field(name, raw(value, json));
        }
    }
    let used = StatedUsage::read(cost, tokens, json, &mut KeptFields::default());
    let own = Model::read(model, json);
    if own.is_none() && model.is_some() {
        kept.remark("said", &writer.model().json());
    }
    let model = own.unwrap_or_else(|| writer.model());
    let directory = writer.in_force.directory.clone();
    writer.begin(&joined(&[record.id, ":summary"]), kept, &mut |info| {
        info.string("role", "assistant");
        info.object("time", |time| {
            time.key("created").push_str(record.created());
            if !is_running {
                time.key("completed").push_str(record.created());
            }
        });
        escaped(info, "parentID", record.id);
        info.bool("summary", true).string("agent", "compaction").string("mode", "compaction");
        model.fields(info);
        paths(info, &directory);
        used.write(info);
        if is_done {
            info.string("finish", "stop");
        }
        if let Some(error) = failure {
            info.key("error").push_str(&error_json(error, &model.provider, json));
        }
    });
    for (text, is_synthetic) in [(shown, false), (later, true)] {
        let Some(text) = text else { continue };
        writer.part("text", &KeptFields::default(), &mut |part, _| {
            part.key("text").push_str(raw(text, json));
            if is_synthetic {
                part.bool("synthetic", true);
            }
        });
    }
}
