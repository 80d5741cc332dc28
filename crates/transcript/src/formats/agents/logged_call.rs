//! [`LoggedCall`]: a tool call of an agent, and its result once it is there.

use super::logged_part::{AgentFields, AgentFile, LoggedPart, PartPlace, write_fields};
use crate::formats::builder::{self, raw_string};
use apex_parts_json::tape::unescape;
use apex_parts_json::writer::ObjectWriter;
use apex_parts_model::order;
use apex_parts_model::view::is_blank;
use std::collections::{BTreeMap, BTreeSet};

/// How a call ended, in the agent's words: what its exit code says is not asked here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LoggedStatus {
    #[default]
    Completed,
    Failed,
    /// It was cancelled before it was done, by itself or with others.
    Cancelled,
    /// The user ended it.
    Aborted,
}

/// The result of a call.
#[derive(Debug, Default)]
pub(crate) struct AgentResult {
    pub(crate) status: LoggedStatus,
    /// The output, or why it failed; raw.
    pub(crate) text: String,
    pub(crate) end: f64,
    /// The title of the call; raw.
    pub(crate) title: String,
    /// The exit code, where the file has one.
    pub(crate) exit: Option<i64>,
    /// Further fields of the state's metadata.
    pub(crate) metadata: AgentFields,
    pub(crate) attachments: Vec<AgentFile>,
    /// What has no place in a result: parts of the call's message.
    pub(crate) others: Vec<LoggedPart>,
}

/// A call.
#[derive(Debug, Default)]
pub(crate) struct LoggedCall {
    /// The file's id of it; empty if it has none.
    pub(crate) call_id: String,
    pub(crate) tool: String,
    /// The JSON of an object.
    pub(crate) input: String,
    pub(crate) start: f64,
    /// Fields of the state's metadata that the call has without its result.
    pub(crate) metadata: AgentFields,
    pub(crate) result: Option<AgentResult>,
}

impl LoggedCall {
    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        let fields = |all: &AgentFields| all.iter().map(|(_, j)| j.len() + 20).sum::<usize>();
        let result = self.result.as_ref().map_or(0, |result| {
            let files = result.attachments.iter().map(AgentFile::length).sum::<usize>();
            result.text.len() + fields(&result.metadata) + files
        });
        400 + self.input.len() + fields(&self.metadata) + result
    }

    /// Writes the part.
    pub(crate) fn write(&self, place: PartPlace<'_>, part: &mut ObjectWriter<'_>) {
        place.base(part, "tool");
        let call_id = if self.call_id.is_empty() { place.id } else { &self.call_id };
        part.string("callID", call_id);
        part.string("tool", if self.tool.is_empty() { "unknown" } else { &self.tool });
        part.object("state", |state| self.state(place, state));
    }

    fn state(&self, place: PartPlace<'_>, state: &mut ObjectWriter<'_>) {
        let Some(result) = &self.result else {
            state.string("status", "running").key("input").push_str(&self.input);
            if !self.metadata.is_empty() {
                state.object("metadata", |out| write_fields(&self.metadata, out));
            }
            return builder::time(state, self.start, None);
        };
        let is_completed = result.status == LoggedStatus::Completed;
        state.string("status", if is_completed { "completed" } else { "error" });
        state.key("input").push_str(&self.input);
        if is_completed {
            raw_string(state.key("output"), &result.text);
            raw_string(state.key("title"), &result.title);
            state.object("metadata", |out| self.state_metadata(result, out));
        } else {
            let said = if is_blank(&unescape(result.text.as_bytes())) {
                // BR-10: the text of an error is not blank.
                match result.status {
                    LoggedStatus::Aborted => "aborted",
                    LoggedStatus::Cancelled => "cancelled",
                    _ => "error",
                }
            } else {
                &result.text
            };
            raw_string(state.key("error"), said);
            let has_metadata = !self.metadata.is_empty()
                || !result.metadata.is_empty()
                || result.exit.is_some()
                || result.status != LoggedStatus::Failed;
            if has_metadata {
                state.object("metadata", |out| self.state_metadata(result, out));
            }
        }
        builder::time(state, self.start, Some(result.end));
        if !result.attachments.is_empty() {
            let out = state.key("attachments");
            out.push('[');
            for (i, file) in result.attachments.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                let id = format!("{}:{i}", place.id);
                file.write(PartPlace { id: &id, ..place }, out);
            }
            out.push(']');
        }
    }

    /// The fields of the state's metadata: the exit code and `aborted` are ours, whatever the file calls so.
    fn state_metadata(&self, result: &AgentResult, out: &mut ObjectWriter<'_>) {
        let is_aborted = matches!(result.status, LoggedStatus::Aborted | LoggedStatus::Cancelled);
        let is_ours = |name: &str| match name {
            "exit" => result.exit.is_some(),
            "aborted" => is_aborted,
            _ => false,
        };
        // Of two fields with one name the last counts.
        let fields = self.metadata.iter().chain(&result.metadata);
        let last: BTreeMap<&str, &str> =
            order::inserted(fields.clone().map(|(name, json)| (&**name, json.as_str())));
        let mut written = BTreeSet::new();
        if let Some(exit) = result.exit {
            out.integer("exit", exit);
        }
        if is_aborted {
            out.bool("aborted", true);
        }
        for (name, _) in fields.filter(|(name, _)| !is_ours(name)) {
            if let Some(json) = last.get(&**name).filter(|_| written.insert(&**name)) {
                out.foreign_key(name).push_str(json);
            }
        }
    }
}
