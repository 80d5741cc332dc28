//! Calls of tools.

use crate::content::{Blocks, write_attachments};
use crate::in_force::Model;
use crate::kept::KeptFields;
use crate::lists::{joined, push_all};
use crate::lists::{raw_list, with};
use crate::metadata::{NativeField, NativeMetadata, native};
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, get, is_true, number, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// How a call stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallStatus {
    Pending,
    Running,
    Completed,
    Error,
}

impl CallStatus {
    fn parse(status: &str) -> Option<CallStatus> {
        Some(match status {
            "streaming" | "pending" => CallStatus::Pending,
            "running" => CallStatus::Running,
            "completed" => CallStatus::Completed,
            "error" => CallStatus::Error,
            _ => return None,
        })
    }
}

/// Adds a call; false if it is not one that can be read.
pub(crate) fn write(
    writer: &mut MessageWriter,
    item: Node<'_>,
    record: SourceRecord<'_>,
    model: &Model,
) -> bool {
    let json = record.json;
    let [id, name, state, time, executed, provider] =
        pick(item, ["id", "name", "state", "time", "executed", "provider"]);
    let (Some(id), Some(name), Some(state)) =
        (any_string(id), any_string(name), of_kind(state, Kind::Object))
    else {
        return false;
    };
    let [status, input] = pick(state, ["status", "input"]);
    let status = status.and_then(Node::str).unwrap_or_default();
    let Some(call) = CallStatus::parse(&status) else { return false };
    if call == CallStatus::Pending && any_string(input).is_none() {
        return false;
    }
    let mut kept = KeptFields::default();
    // The first model has what the provider added in an object of its own.
    let own = of_kind(provider, Kind::Object);
    let mut native = native(item, &NativeField::OF_CALLS, model, json, &mut kept);
    let mut used = with(&["type", "id", "name", "state", "time"], native.used);
    let own = own.filter(|_| native.used.is_none());
    let is_executed = match executed {
        Some(_) => is_true(executed),
        None => is_true(get(own, "executed")),
    };
    if is_true(executed) && own.is_none() {
        used.push("executed");
    }
    if let Some(own) = own {
        let metadata = of_kind(get(Some(own), "metadata"), Kind::Object);
        let mut rest = KeptFields::default();
        let read = metadata.and_then(|metadata| {
            NativeMetadata::read(metadata, true, model, json, &mut KeptFields::default())
        });
        let is_read = read.is_some();
        if let Some(read) = read {
            rest.remark("metadata", "true");
            native = read;
        }
        rest.rest(own, if is_read { &["metadata"] } else { &[] }, json);
        kept.remark("provider", &rest.json());
        used.push("provider");
    }
    kept.rest(item, &used, json);
    if status == "pending" {
        kept.remark("status", "\"pending\"");
    }
    let clock = of_kind(time, Kind::Object);
    kept.field_or_none("time", time, json);
    let at = |name| {
        let value = get(clock, name);
        number(value).and(value).map(|value| raw(value, json))
    };
    let start = at("ran").or(at("created")).unwrap_or(record.created());
    let end = at("completed").unwrap_or(start);
    let mut state_kept = KeptFields::default();
    let parts = StateParts::read(state, call, json, &mut state_kept);
    if !state_kept.is_empty() {
        kept.remark("state", &state_kept.json());
    }
    writer.part("tool", &kept, &mut |part, place| {
        part.key("callID").push_str(raw(id, json));
        part.key("tool").push_str(raw(name, json));
        native.write(part, is_executed);
        part.object("state", |out| {
            let word = match call {
                CallStatus::Pending => "pending",
                CallStatus::Running => "running",
                CallStatus::Completed => "completed",
                CallStatus::Error => "error",
            };
            out.string("status", word);
            if call == CallStatus::Pending {
                out.key("input").push_str("{}");
                out.key("raw").push_str(input.map_or("\"\"", |input| raw(input, json)));
                return;
            }
            out.key("input").push_str(parts.input);
            match call {
                CallStatus::Completed => {
                    push_all(out.key("output"), &["\"", &parts.blocks.text, "\""]);
                    push_all(out.key("title"), &["\"", parts.title, "\""]);
                }
                CallStatus::Error => push_all(out.key("error"), &["\"", parts.error, "\""]),
                _ => {}
            }
            out.key("metadata").push_str(&parts.metadata);
            out.object("time", |time| {
                time.key("start").push_str(start);
                if call != CallStatus::Running {
                    time.key("end").push_str(end);
                }
            });
            write_attachments(out, &parts.blocks.files, place, json);
        });
    });
    true
}

/// What the state of a call says.
struct StateParts<'a> {
    input: &'a str,
    /// The texts that it returned, escaped, and its files.
    blocks: Blocks<'a>,
    /// Escaped.
    title: &'a str,
    error: &'a str,
    metadata: String,
}

impl<'a> StateParts<'a> {
    fn read(
        state: Node<'a>,
        call: CallStatus,
        json: &'a str,
        kept: &mut KeptFields,
    ) -> StateParts<'a> {
        let [input, content, error, attachments] =
            pick(state, ["input", "content", "error", "attachments"]);
        let [metadata, structured] = pick(state, ["metadata", "structured"]);
        let mut read = vec!["status", "input"];
        let mut parts = StateParts {
            input: "{}",
            blocks: Blocks::default(),
            title: "",
            error: "",
            metadata: "{}".to_owned(),
        };
        if call == CallStatus::Pending {
            kept.rest(state, &read, json);
            return parts;
        }
        match of_kind(input, Kind::Object) {
            Some(input) => parts.input = raw(input, json),
            None => kept.field_or_none("input", input, json),
        }
        let own = of_kind(metadata, Kind::Object);
        let own = match (own, of_kind(structured, Kind::Object)) {
            (None, Some(structured)) if metadata.is_none() => {
                kept.remark("as", "\"structured\"");
                read.push("structured");
                Some(structured)
            }
            (own, _) => own,
        };
        read.push("metadata");
        match own {
            Some(own) => parts.metadata = raw(own, json).to_owned(),
            None => kept.field_or_none("metadata", metadata, json),
        }
        match call {
            CallStatus::Completed => {
                read.extend(["content", "attachments"]);
                parts.blocks = Blocks::read(content, true, json, kept);
                parts.blocks.add_attachments(attachments, json, kept);
                let title = any_string(get(own, "title"));
                parts.title = title.map_or("", |title| token(title, json));
            }
            CallStatus::Error => {
                read.push("error");
                parts.read_error(error, own, content, json, kept, &mut read);
            }
            _ => {}
        }
        kept.rest(state, &read, json);
        parts
    }

    /// Why it failed: the message; and its metadata, with what it had returned by then.
    fn read_error(
        &mut self,
        error: Option<Node<'a>>,
        own: Option<Node<'a>>,
        content: Option<Node<'a>>,
        json: &'a str,
        kept: &mut KeptFields,
        read: &mut Vec<&'static str>,
    ) {
        let message = any_string(get(of_kind(error, Kind::Object), "message"));
        match (error, message) {
            (Some(error), Some(message)) => {
                self.error = token(message, json);
                let mut rest = KeptFields::default();
                rest.rest(error, &["message"], json);
                kept.remark("error", &rest.json());
            }
            (Some(error), None) if error.kind().is_string() => {
                self.error = token(error, json);
                kept.remark("error", "\"text\"");
            }
            (error, _) => kept.field_or_none("error", error, json),
        }
        let kind = get(of_kind(error, Kind::Object), "type").and_then(Node::str);
        let is_aborted = matches!(kind.as_deref(), Some("aborted" | "tool.interrupted"))
            && get(own, "aborted").is_none();
        let has_output = get(own, "output").is_some();
        let mut added = Vec::new();
        let mut own_kept = KeptFields::default();
        let blocks = Blocks::read(content, false, json, &mut own_kept);
        if !has_output && blocks.has_text {
            read.push("content");
            kept.append(own_kept);
            kept.remark("output", "true");
            added.push(joined(&["\"output\":\"", &blocks.text, "\""]));
        }
        if is_aborted {
            kept.remark("aborted", "true");
            added.push("\"aborted\":true".to_owned());
        }
        if added.is_empty() {
            return;
        }
        let fields = own.map_or("", |own| raw(own, json));
        let fields = fields.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let fields = fields.unwrap_or_default().trim();
        if !fields.is_empty() {
            added.insert(0, fields.to_owned());
        }
        let mut list = String::new();
        raw_list(&mut list, &added);
        let inside = list.get(1..list.len().saturating_sub(1)).unwrap_or_default();
        self.metadata = joined(&["{", inside, "}"]);
    }
}
