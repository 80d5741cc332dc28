//! Commands that a person ran: a request and a call, as the first model has them.

use crate::assistant::{StatedUsage, paths};
use crate::in_force::escaped;
use crate::kept::KeptFields;
use crate::lists::joined;
use crate::writer::{MessageWriter, SourceRecord};
use apex_parts_agents::fields::{any_string, get, is_true, of_kind, pick, raw};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// What the message says before a command, as OpenCode 1 writes it.
pub(crate) const RAN: &str = "The following tool was executed by the user";

/// Writes a command and what it printed.
pub(crate) fn write(writer: &mut MessageWriter, record: SourceRecord<'_>) {
    const READ: [&str; 9] =
        ["id", "type", "time", "shellID", "callID", "command", "status", "exit", "output"];
    let SourceRecord { node, json, .. } = record;
    let [shell, call, command, status, exit, output] =
        pick(node, ["shellID", "callID", "command", "status", "exit", "output"]);
    let mut kept = KeptFields::default();
    kept.remark("type", "\"shell\"");
    kept.rest(node, &READ, json);
    record.keep_time(true, &mut kept);
    let own = any_string(shell).or(any_string(call));
    if any_string(shell).is_none() {
        if own.is_some() {
            kept.remark("call", "true");
            if let Some(shell) = shell {
                kept.field("shellID", raw(shell, json));
            }
        } else {
            kept.field_or_none("shellID", shell, json);
        }
    }
    if let Some(call) = call.filter(|_| any_string(shell).is_some() || own.is_none()) {
        kept.field("callID", raw(call, json));
    }
    if any_string(command).is_none() {
        kept.field_or_none("command", command, json);
    }
    let word = status.and_then(Node::str).unwrap_or_default();
    let (is_running, is_failed) = (word == "running", matches!(&*word, "timeout" | "killed"));
    if !is_running && !is_failed && word != "exited" {
        kept.field_or_none("status", status, json);
    }
    let printed = of_kind(output, Kind::Object);
    let text = match output {
        Some(_) if printed.is_some() => any_string(get(printed, "output")),
        output => any_string(output),
    };
    if is_running {
        // A call that runs has no place for what was printed so far.
        if let Some(output) = output {
            kept.field("output", raw(output, json));
        }
        if let Some(exit) = exit {
            kept.field("exit", raw(exit, json));
        }
    } else if let Some(printed) = printed.filter(|_| text.is_some()) {
        let mut rest = KeptFields::default();
        rest.rest(printed, &["output"], json);
        kept.remark("printed", &rest.json());
    } else if text.is_none() {
        kept.field_or_none("output", output, json);
    }
    let is_truncated = is_true(get(printed, "truncated"));
    writer.user(record, kept);
    writer.part("text", &KeptFields::default(), &mut |part, _| {
        part.string("text", RAN).bool("synthetic", true);
    });
    let (agent, model) = (writer.agent(), writer.model());
    let directory = writer.in_force.directory.clone();
    let mut kept = KeptFields::default();
    kept.remark("type", "\"shell-call\"");
    writer.begin(&joined(&[record.id, ":shell"]), kept, &mut |info| {
        info.string("role", "assistant");
        info.object("time", |time| {
            time.key("created").push_str(record.created());
            if let Some(completed) = record.time("completed") {
                time.key("completed").push_str(completed);
            }
        });
        escaped(info, "parentID", record.id);
        escaped(info, "agent", &agent);
        escaped(info, "mode", &agent);
        model.fields(info);
        paths(info, &directory);
        StatedUsage::none().write(info);
    });
    let text = text.map_or("\"\"", |text| raw(text, json));
    writer.part("tool", &KeptFields::default(), &mut |part, _| {
        part.key("callID").push_str(own.map_or("\"\"", |own| raw(own, json)));
        part.string("tool", "bash").object("state", |state| {
            let shown = if is_running {
                "running"
            } else if is_failed {
                "error"
            } else {
                "completed"
            };
            state.string("status", shown);
            state.object("input", |input| {
                let command = any_string(command);
                input.key("command").push_str(command.map_or("\"\"", |text| raw(text, json)));
            });
            if shown == "completed" {
                state.key("output").push_str(text);
                state.string("title", "");
            } else if is_failed {
                state.string("error", &word);
            }
            state.object("metadata", |metadata| {
                if is_running {
                    return;
                }
                metadata.key("output").push_str(text);
                if let Some(exit) = exit {
                    metadata.key("exit").push_str(raw(exit, json));
                }
                if is_truncated {
                    metadata.bool("truncated", true);
                }
                if word == "killed" {
                    metadata.bool("aborted", true);
                }
            });
            state.object("time", |time| {
                time.key("start").push_str(record.created());
                if !is_running {
                    let end = record.time("completed").unwrap_or(record.created());
                    time.key("end").push_str(end);
                }
            });
        });
    });
}
