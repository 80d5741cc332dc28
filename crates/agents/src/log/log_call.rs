//! [`LogCall`]: a tool call in a log, and its result once it is there.

use super::log_part::{LogFields, LogPart, PartPlace, raw_string, write_fields, write_time};
use super::log_rules::LogRules;
use super::shared_text::SharedText;
use apex_parts_json::scan;
use apex_parts_json::string::is_blank_string;
use apex_parts_json::writer::ObjectWriter;
use apex_parts_model::order;
use apex_parts_model::sorted_map::SortedMap;

/// How a call ended, in the agent's words: what its exit code says is not asked here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogStatus {
    /// It ended well.
    #[default]
    Completed,
    /// It ended with an error.
    Failed,
    /// It was cancelled before it was done, by itself or with others.
    Cancelled,
    /// The user ended it.
    Aborted,
}

/// The result of a call.
#[derive(Debug, Default)]
pub struct LogResult {
    /// How the call ended.
    pub status: LogStatus,
    /// The output, or why it failed; raw.
    pub text: SharedText,
    /// When it ended.
    pub end: f64,
    /// The title of the call; raw.
    pub title: String,
    /// The exit code, where the file has one.
    pub exit: Option<i64>,
    /// Further fields of the state's metadata.
    pub metadata: LogFields,
    /// Its files.
    pub attachments: Vec<LogPart>,
    /// What has no place in a result: parts of the call's message.
    pub others: Vec<LogPart>,
}

/// A call.
#[derive(Debug, Default)]
pub struct LogCall {
    /// The id of its part; empty if it gets that of its message with a number.
    pub id: String,
    /// The file's id of it; empty if it has none.
    pub call_id: String,
    /// The name of its tool; empty if it has none.
    pub tool: String,
    /// JSON: the arguments, or one value that is none.
    pub input: SharedText,
    /// When it began.
    pub start: f64,
    /// Fields of the state's metadata that the call has without its result.
    pub metadata: LogFields,
    /// Fields of the part's own metadata.
    pub part_metadata: LogFields,
    /// Its result; none while it runs.
    pub result: Option<LogResult>,
}

impl LogCall {
    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        let fields = |all: &LogFields| all.iter().map(|(_, j)| j.len() + 20).sum::<usize>();
        let result = self.result.as_ref().map_or(0, |result| {
            let files = result.attachments.iter().map(LogPart::length).sum::<usize>();
            result.text.len() + fields(&result.metadata) + files
        });
        400 + self.input.len() + fields(&self.metadata) + fields(&self.part_metadata) + result
    }

    /// Writes the part.
    pub(crate) fn write(
        &self,
        place: PartPlace<'_>,
        rules: &LogRules,
        part: &mut ObjectWriter<'_>,
    ) {
        place.base(part, "tool");
        part.string("callID", if self.call_id.is_empty() { place.id } else { &self.call_id });
        self.write_own(rules, CallDetail::All(place), part);
    }

    /// Writes so much of what it has beside its place, its type and its ids.
    pub(crate) fn write_own(
        &self,
        rules: &LogRules,
        detail: CallDetail<'_>,
        part: &mut ObjectWriter<'_>,
    ) {
        part.string("tool", if self.tool.is_empty() { rules.unnamed_tool } else { &self.tool });
        part.object("state", |state| self.state(rules, detail, state));
        if matches!(detail, CallDetail::All(_)) && !self.part_metadata.is_empty() {
            part.object("metadata", |out| write_fields(&self.part_metadata, out));
        }
    }

    /// Is the middle of its output left out with [`CallDetail::Ends`]?
    pub(crate) fn is_long(&self) -> bool {
        self.result.as_ref().is_some_and(|result| ends(&result.text).is_some())
    }

    fn state(&self, rules: &LogRules, detail: CallDetail<'_>, state: &mut ObjectWriter<'_>) {
        let Some(result) = &self.result else {
            write_input(state.string("status", "running").key("input"), &self.input);
            if !self.metadata.is_empty() {
                state.object("metadata", |out| write_fields(&self.metadata, out));
            }
            return write_time(state, self.start, None);
        };
        let is_completed = result.status == LogStatus::Completed;
        let status = if is_completed { "completed" } else { "error" };
        write_input(state.string("status", status).key("input"), &self.input);
        if is_completed {
            match ends(&result.text).filter(|_| matches!(detail, CallDetail::Ends)) {
                Some((beginning, end)) => {
                    raw_string(state.key("output"), &[beginning, "\\n", end].concat());
                }
                None => raw_string(state.key("output"), &result.text),
            }
            if matches!(detail, CallDetail::All(_)) {
                raw_string(state.key("title"), &result.title);
            }
        } else {
            let said = if is_blank_string(result.text.as_bytes()) {
                // BR-10: the text of an error is not blank.
                match result.status {
                    LogStatus::Aborted => "aborted",
                    LogStatus::Cancelled => "cancelled",
                    _ => rules.no_reason,
                }
            } else {
                &result.text
            };
            raw_string(state.key("error"), said);
        }
        let has_metadata = !self.metadata.is_empty()
            || !result.metadata.is_empty()
            || result.exit.is_some()
            || result.status != LogStatus::Failed;
        if has_metadata {
            state.object("metadata", |out| self.state_metadata(result, out));
        }
        write_time(state, self.start, Some(result.end));
        if let CallDetail::All(place) = detail
            && !result.attachments.is_empty()
        {
            state.list("attachments", result.attachments.iter().enumerate(), |out, (i, file)| {
                let id = format!("{}:{i}", place.id);
                let id = if file.id.is_empty() { &id } else { &file.id };
                file.write(PartPlace { id, ..place }, out);
            });
        }
    }

    /// The fields of the state's metadata: the exit code and `aborted` are ours, whatever the file calls so.
    fn state_metadata(&self, result: &LogResult, out: &mut ObjectWriter<'_>) {
        let is_aborted = matches!(result.status, LogStatus::Aborted | LogStatus::Cancelled);
        let is_ours = |name: &str| match name {
            "exit" => result.exit.is_some(),
            "aborted" => is_aborted,
            _ => false,
        };
        let fields = self.metadata.iter().chain(&result.metadata);
        // Of two fields with one name the last counts.
        let mut last: SortedMap<&str, &str> =
            order::inserted(fields.clone().map(|(name, json)| (&**name, &**json)));
        if let Some(exit) = result.exit {
            out.integer("exit", exit);
        }
        if is_aborted {
            out.bool("aborted", true);
        }
        for (name, _) in fields.filter(|(name, _)| !is_ours(name)) {
            if let Some(json) = last.remove(&**name) {
                out.foreign_key(name).push_str(json);
            }
        }
    }
}

/// How much of a call is written.
#[derive(Clone, Copy)]
pub(crate) enum CallDetail<'a> {
    /// All of it, at this place.
    All(PartPlace<'a>),
    /// What tells how it ended and what it changed.
    Output,
    /// The same, and of a long output its beginning and its end: enough for [`apex_parts_model::CallEnd`].
    Ends,
}

/// So many bytes of a raw output are kept at its beginning and, at least, at its end: what looks there reads 600 bytes.
const BEGINNING: usize = 1 << 10;
const END: usize = 2 << 10;

/// The beginning and the end of a raw string; `None` of a short one, or if it cannot be cut.
fn ends(raw: &str) -> Option<(&str, &str)> {
    let second = raw.len().checked_sub(2 * END).filter(|at| *at > 2 * BEGINNING)?;
    let (from, to) = (cut_after(raw, BEGINNING), cut_after(raw, second));
    let end = raw.get(to..).filter(|end| end.len() >= END && from < to)?;
    Some((raw.get(..from)?, end))
}

/// The first place from `at` on where a raw string can be cut: before a character that is in no escape sequence.
fn cut_after(raw: &str, at: usize) -> usize {
    let bytes = raw.as_bytes();
    let ends = |byte: &u8| {
        byte.is_ascii() && !byte.is_ascii_alphanumeric() && !matches!(byte, b'\\' | b'"' | b'/')
    };
    let found = bytes.get(at..).and_then(|rest| rest.iter().position(ends));
    found.map_or(bytes.len(), |place| at + place)
}

/// Writes the arguments of a call as an object, which the message model requires: others are put into the
/// field `input` of one.
fn write_input(out: &mut String, input: &str) {
    let bytes = input.as_bytes();
    match bytes.get(scan::skip_space(bytes, 0)) {
        Some(b'{') => out.push_str(input),
        None | Some(b'n') => out.push_str("{}"),
        Some(_) => {
            out.push_str("{\"input\":");
            out.push_str(input);
            out.push('}');
        }
    }
}
