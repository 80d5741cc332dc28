//! pi: sessions of pi and OpenClaw, one JSON object per line.
//!
//! - **Lines.** A header `{type: "session", id, timestamp, cwd}`, then entries with `id`, `parentId` and
//!   `timestamp`: they are a tree ([`entry_tree`](super::entry_tree)), because a user can go back and go on
//!   from there. The run is the path to the last entry; what was left is in branches. Version 1 has no ids
//!   of entries: each follows the one before.
//! - **Messages** are in `message` entries, by `role`; what becomes of them is in
//!   [`messages`](super::messages). An answer begins at the `timestamp` of its message and is complete at that
//!   of its entry; its calls run from then on.
//! - **Compactions, summaries of branches, texts of extensions** are messages of the user.
//! - **Names.** `session_info` has the title; `model_change` and each answer name the model.
//! - Entries `custom`, `label`, `thinking_level_change`, and types that are not known, have no message.
//!
//! Which messages are those of the run is known only at the end of the file, so lines are kept until then. As long as each
//! entry follows the one before it, it is read when it comes.

use super::entry::{PiEntry, PiHeader};
use super::entry_tree::{EntryTree, ParentName};
use super::kept_lines::{KeptLine, KeptLines};
use super::sessions::{PiLine, PiLines, PiSessions};
use crate::env::Env;
use crate::fields::{get, of_kind, pick, string};
use crate::log::session_log::read_time;
use crate::object_reader::ObjectReader;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::record_count::RecordCount;
use crate::transcript_format::TranscriptFormat;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Kind, View};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;

/// The types of lines, which had no ids in version 1. Entries of other types have an `id` and a `parentId`.
const LINES: [&str; 10] = [
    "session",
    "message",
    "model_change",
    "thinking_level_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
];

/// Reads the format `pi`.
#[derive(Debug, Default)]
pub struct Pi {
    header: Option<PiHeader>,
    /// The name that the user gave to the session.
    title: Option<String>,
    tree: EntryTree,
    entries: Vec<PiEntry>,
    /// The lines of the entries, one after the other.
    lines: KeptLines,
    /// The run, as long as all entries are in it.
    run: Option<PiSessions>,
    problems: ProblemList,
    records: RecordCount,
    last_time: f64,
}

impl Pi {
    fn time(&mut self, value: Option<Node<'_>>) -> f64 {
        self.last_time = read_time(value).unwrap_or(self.last_time);
        self.last_time
    }

    fn take(&mut self, json: &str, root: Node<'_>, offset: u64) {
        let names = ["type", "id", "parentId", "timestamp", "message", "name"];
        let [kind, id, parent, timestamp, message, name] = pick(root, names);
        let kind = string(kind).unwrap_or_default();
        let is_entry = string(id).is_some() && parent.is_some();
        self.records.add(is_entry || LINES.contains(&&*kind), offset);
        if kind == "session" {
            if self.header.is_none() {
                let at = self.time(timestamp);
                let [cwd, provider, model] = pick(root, ["cwd", "provider", "modelId"])
                    .map(|text| string(text).unwrap_or_default().into_owned());
                let id = string(id).unwrap_or_default().into_owned();
                self.header = Some(PiHeader { id, cwd, at, provider, model });
                self.run = self.entries.is_empty().then(|| PiSessions::new(self.header.as_ref()));
            }
            return;
        }
        let message = of_kind(message, Kind::Object);
        let is_answer = string(get(message, "role")).is_some_and(|role| role == "assistant");
        let began = is_answer.then(|| self.time(get(message, "timestamp")));
        let at = self.time(timestamp);
        let id = string(id).unwrap_or_default();
        let parent_id = string(parent);
        let parent = match (&parent_id, parent) {
            (Some(parent), _) => ParentName::Id(parent),
            (None, Some(parent)) if parent.kind() == Kind::Null && !id.is_empty() => {
                ParentName::Root
            }
            _ => ParentName::Unknown,
        };
        self.tree.add(&id, parent);
        let is_shown = match &*kind {
            "message" if message.is_none() => {
                self.problems.error("schema", "a line without `message`; skipped", offset);
                false
            }
            "" => {
                self.problems.error("schema", "a line without `type`; skipped", offset);
                false
            }
            "session_info" => {
                self.title = string(name).map(std::borrow::Cow::into_owned);
                false
            }
            "message" | "model_change" | "compaction" | "branch_summary" | "custom_message" => true,
            _ => false,
        };
        let line = if is_shown { self.lines.add(json) } else { KeptLine::default() };
        let entry = PiEntry { line, offset, at, began: began.unwrap_or(at) };
        if !self.tree.is_line() {
            self.run = None;
        }
        if let Some(run) = &mut self.run {
            let line = PiLine { entry: &entry, json, root: is_shown.then_some(root) };
            run.read_next(line);
        }
        self.entries.push(entry);
    }

    /// The sessions so far.
    fn loaded(&self) -> LoadedSessions {
        let mut sessions = PiSessions::new(self.header.as_ref());
        let lines = PiLines { lines: &self.lines, entries: &self.entries };
        let mut paths = self.tree.paths().into_iter();
        if let Some(run) = paths.next() {
            sessions.run(lines, &run);
        }
        for branch in paths {
            sessions.branch(lines, &branch);
        }
        self.finished(sessions)
    }

    fn finished(&self, sessions: PiSessions) -> LoadedSessions {
        let loaded = sessions.finish(self.title.as_deref(), &self.problems);
        LoadedSessions { records: self.records, ..loaded }
    }
}

impl TranscriptFormat for Pi {
    const NAME: &'static str = "pi";
    const TITLE: &'static str = "pi";
    const ENDINGS: &'static [&'static str] = &[".jsonl"];
    const IDS: Ids = Ids::OpenCode;

    // What `pi --mode json` prints begins with the same record.
    const RECORDS: usize = 1;

    fn detect(seen: &SeenFields) -> bool {
        seen.kind() == Some("session") && seen.has_string("id") && seen.has_any("timestamp")
    }

    fn may_be(seen: &SeenFields, _is_listed: bool) -> bool {
        seen.kind() == Some("session")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(Pi::default()))
    }
}

impl ObjectReader for Pi {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.take(text, root, record.offset);
    }
}

impl FormatReader for Pi {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        match self.run.take() {
            Some(run) => {
                self.lines = KeptLines::default();
                self.finished(run)
            }
            None => self.loaded(),
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
