//! Answers of models.

use crate::carried;
use crate::error::{error_json, is_plain, retry_fields};
use crate::in_force::{Model, escaped};
use crate::kept::KeptFields;
use crate::lists::joined;
use crate::lists::with;
use crate::metadata::{NativeField, native};
use crate::writer::{MessageWriter, SourceRecord};
use crate::{custom, tool};
use apex_parts_agents::fields::{any_string, get, items, number, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::ObjectWriter;
use apex_parts_model::{Kind, View};

/// The reasons for an end that records have.
pub const FINISHES: [&str; 6] =
    ["stop", "length", "tool-calls", "content-filter", "error", "unknown"];

/// No tokens.
pub(crate) const ZEROS: &str =
    r#"{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}"#;

/// The counts of a field `tokens` that has all of them and nothing else: otherwise zeros for those that it lacks.
#[must_use]
pub fn tokens_json(tokens: Option<Node<'_>>, json: &str) -> (String, bool) {
    let Some(tokens) = of_kind(tokens, Kind::Object) else { return (ZEROS.to_owned(), false) };
    let [input, output, reasoning, cache] = pick(tokens, ["input", "output", "reasoning", "cache"]);
    let [read, write] = ["read", "write"].map(|name| get(of_kind(cache, Kind::Object), name));
    let mut is_whole =
        tokens.fields().count() == 4 && cache.is_some_and(|cache| cache.fields().count() == 2);
    let counts = [input, output, reasoning, read, write].map(|count| {
        let is_count = number(count).is_some();
        is_whole &= is_count;
        count.filter(|_| is_count).map_or("0", |count| raw(count, json))
    });
    let [input, output, reasoning, read, write] = counts;
    let text = joined(&[
        r#"{"input":"#,
        input,
        r#","output":"#,
        output,
        r#","reasoning":"#,
        reasoning,
        r#","cache":{"read":"#,
        read,
        r#","write":"#,
        write,
        r#"}}"#,
    ]);
    (text, is_whole)
}

/// Is it a model that a message says wholly?
pub(crate) fn is_whole_model(model: Node<'_>) -> bool {
    let [id, provider, variant] = pick(model, ["id", "providerID", "variant"]);
    let has_variant = any_string(variant).is_some();
    let known = any_string(id).is_some() && any_string(provider).is_some();
    known && model.fields().count() == if has_variant { 3 } else { 2 }
}

/// Writes an answer.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    const READ: [&str; 13] = [
        "id", "type", "time", "agent", "model", "content", "snapshot", "finish", "cost", "tokens",
        "error", "retry", "metadata",
    ];
    let SourceRecord { node, json, .. } = record;
    let [agent, model, content, snapshot, finish, cost, tokens] =
        pick(node, ["agent", "model", "content", "snapshot", "finish", "cost", "tokens"]);
    let [error, retry, metadata] = pick(node, ["error", "retry", "metadata"]);
    let mut kept = KeptFields::default();
    kept.remark("type", "\"assistant\"");
    kept.rest(node, &READ, json);
    record.keep_time(true, &mut kept);
    let text = |node: Option<Node<'_>>| any_string(node).map(|text| token(text, json).to_owned());
    let said = text(agent);
    if said.is_none() {
        kept.field_or_none("agent", agent, json);
    }
    let agent = said.unwrap_or_default();
    let known = Model::read(model, json);
    if known.is_none() || !model.is_some_and(is_whole_model) {
        kept.field_or_none("model", model, json);
    }
    let model = known.clone().unwrap_or_default();
    if of_kind(content, Kind::Array).is_none() {
        kept.field_or_none("content", content, json);
    }
    let usage = StatedUsage::read(cost, tokens, json, &mut kept);
    let reason = any_string(finish);
    let is_known = reason.and_then(Node::str).is_some_and(|reason| FINISHES.contains(&&*reason));
    if let Some(finish) = finish.filter(|_| !is_known) {
        kept.field("finish", raw(finish, json));
    }
    let failure = of_kind(error, Kind::Object);
    if let Some(error) = error.filter(|error| failure.is_none() || !is_plain(*error)) {
        kept.field("error", raw(error, json));
    }
    let ends = reason.filter(|reason| reason.str().as_deref() != Some("error"));
    let snapshot = Snapshot::read(snapshot, ends.is_some(), json, &mut kept);
    let retried = retry.filter(|retry| is_retry(*retry));
    if let Some(retry) = retry.filter(|_| retried.is_none()) {
        kept.field("retry", raw(retry, json));
    }
    let carried = carried::read(metadata, &mut kept, json);
    let (parent, directory) = (writer.parent(), writer.in_force.directory.clone());
    writer.begin(record.id, kept, &mut |info| {
        info.string("role", "assistant");
        info.object("time", |time| {
            time.key("created").push_str(record.created());
            if let Some(completed) = record.time("completed") {
                time.key("completed").push_str(completed);
            }
        });
        escaped(info, "parentID", &parent);
        escaped(info, "agent", &agent);
        escaped(info, "mode", &agent);
        model.fields(info);
        paths(info, &directory);
        usage.write(info);
        if let Some(reason) = reason {
            info.key("finish").push_str(raw(reason, json));
        }
        if let Some(error) = failure {
            info.key("error").push_str(&error_json(error, &model.provider, json));
        }
    });
    if !agent.is_empty() {
        writer.in_force.agent = Some(agent);
    }
    writer.in_force.model = known.or(writer.in_force.model.take());
    writer.part("step-start", &KeptFields::default(), &mut |part, _| {
        if let Some(start) = snapshot.start {
            part.key("snapshot").push_str(raw(start, json));
        }
    });
    for item in items(content) {
        write_item(writer, item, record, &model);
    }
    if let Some(retry) = retried {
        write_retry(writer, retry, json);
    }
    if let Some(files) = snapshot.files {
        writer.part("patch", &KeptFields::default(), &mut |part, _| {
            let hash = snapshot.end.or(snapshot.start);
            part.key("hash").push_str(hash.map_or("\"\"", |hash| raw(hash, json)));
            part.key("files").push_str(raw(files, json));
        });
    }
    if let Some(reason) = ends {
        writer.part("step-finish", &KeptFields::default(), &mut |part, _| {
            part.key("reason").push_str(raw(reason, json));
            if let Some(end) = snapshot.end {
                part.key("snapshot").push_str(raw(end, json));
            }
            usage.write(part);
        });
    }
    carried.write(writer);
}

/// Writes the folder of an answer.
pub(crate) fn paths(info: &mut ObjectWriter<'_>, directory: &str) {
    info.object("path", |path| {
        escaped(path, "cwd", directory);
        escaped(path, "root", directory);
    });
}

/// What an answer cost, as a message says it.
pub(crate) struct StatedUsage {
    cost: String,
    tokens: String,
}

impl StatedUsage {
    /// Nothing.
    pub(crate) fn none() -> StatedUsage {
        StatedUsage { cost: "0".to_owned(), tokens: ZEROS.to_owned() }
    }

    /// What a record says.
    pub(crate) fn read(
        cost: Option<Node<'_>>,
        tokens: Option<Node<'_>>,
        json: &str,
        kept: &mut KeptFields,
    ) -> StatedUsage {
        let amount = cost.filter(|_| number(cost).is_some());
        if amount.is_none() {
            kept.field_or_none("cost", cost, json);
        }
        let (counts, is_whole) = tokens_json(tokens, json);
        if !is_whole {
            kept.field_or_none("tokens", tokens, json);
        }
        let cost = amount.map_or("0", |cost| raw(cost, json)).to_owned();
        StatedUsage { cost, tokens: counts }
    }

    pub(crate) fn write(&self, out: &mut ObjectWriter<'_>) {
        out.key("cost").push_str(&self.cost);
        out.key("tokens").push_str(&self.tokens);
    }
}

/// The snapshots of an answer.
#[derive(Default)]
struct Snapshot<'a> {
    start: Option<Node<'a>>,
    end: Option<Node<'a>>,
    files: Option<Node<'a>>,
}

impl<'a> Snapshot<'a> {
    /// What a record says. It is kept, if the parts do not say all of it.
    fn read(
        snapshot: Option<Node<'a>>,
        has_end: bool,
        json: &str,
        kept: &mut KeptFields,
    ) -> Snapshot<'a> {
        let Some(snapshot) = snapshot else { return Snapshot::default() };
        let [start, end, files] = pick(snapshot, ["start", "end", "files"]);
        let read = Snapshot {
            start: any_string(start),
            end: any_string(end),
            files: of_kind(files, Kind::Array).filter(|files| files.children().next().is_some()),
        };
        let is_text = |file: Node<'_>| file.kind().is_string();
        let mut seen: Vec<_> = items(read.files).map(Node::str).collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        let is_whole = read.start.is_some()
            && (end.is_none() || (read.end.is_some() && has_end))
            && (files.is_none() || (read.files.is_some() && items(read.files).all(is_text)))
            && seen.len() == count
            && snapshot.fields().all(|(key, _)| {
                key.str().is_some_and(|name| ["start", "end", "files"].contains(&&*name))
            });
        if !is_whole {
            kept.field("snapshot", raw(snapshot, json));
        }
        let files = read.files.filter(|files| files.children().all(is_text));
        Snapshot { files, ..read }
    }
}

fn is_retry(retry: Node<'_>) -> bool {
    let [attempt, at, error] = pick(retry, ["attempt", "at", "error"]);
    number(attempt).is_some() && number(at).is_some() && of_kind(error, Kind::Object).is_some()
}

fn write_retry(writer: &mut MessageWriter, retry: Node<'_>, json: &str) {
    let [attempt, at, error] = pick(retry, ["attempt", "at", "error"]);
    let mut kept = KeptFields::default();
    kept.remark("retry", raw(retry, json));
    writer.part("retry", &kept, &mut |part, _| {
        let number = |node: Option<Node<'_>>| node.map_or("0", |node| raw(node, json)).to_owned();
        part.key("attempt").push_str(&number(attempt));
        part.object("time", |time| time.key("created").push_str(&number(at)));
        if let Some(error) = error {
            part.object("error", |out| retry_fields(out, error, json));
        }
    });
}

fn write_item(writer: &mut MessageWriter, item: Node<'_>, record: SourceRecord<'_>, model: &Model) {
    let json = record.json;
    let kind = get(Some(item), "type").and_then(Node::str).unwrap_or_default();
    let text = any_string(get(Some(item), "text"));
    match (&*kind, text) {
        ("text", Some(text)) => {
            let mut kept = KeptFields::default();
            let native = native(item, &NativeField::OF_TEXTS, model, json, &mut kept);
            kept.rest(item, &with(&["type", "text"], native.used), json);
            writer.part("text", &kept, &mut |part, _| {
                part.key("text").push_str(raw(text, json));
                native.write(part, false);
            });
        }
        ("reasoning", Some(text)) => write_reasoning(writer, item, text, record, model),
        ("tool", _) if tool::write(writer, item, record, model) => {}
        _ if item.kind() == Kind::Object => custom::part(writer, item, "\"item\"", json),
        _ => custom::value(writer, item, json),
    }
}

fn write_reasoning(
    writer: &mut MessageWriter,
    item: Node<'_>,
    text: Node<'_>,
    record: SourceRecord<'_>,
    model: &Model,
) {
    let json = record.json;
    let mut kept = KeptFields::default();
    let native = native(item, &NativeField::OF_TEXTS, model, json, &mut kept);
    kept.rest(item, &with(&["type", "text", "time"], native.used), json);
    let own = get(Some(item), "time");
    let [start, end] = ["created", "completed"].map(|name| {
        let value = get(of_kind(own, Kind::Object), name);
        value.filter(|_| number(value).is_some())
    });
    let count = usize::from(start.is_some()) + usize::from(end.is_some());
    let is_whole = start.is_some() && own.is_some_and(|own| own.fields().count() == count);
    if !is_whole {
        kept.field_or_none("time", own, json);
    }
    writer.part("reasoning", &kept, &mut |part, _| {
        part.key("text").push_str(raw(text, json));
        native.write(part, false);
        part.object("time", |time| {
            let start = start.map_or(record.created(), |start| raw(start, json));
            time.key("start").push_str(start);
            if let Some(end) = end {
                time.key("end").push_str(raw(end, json));
            }
        });
    });
}
