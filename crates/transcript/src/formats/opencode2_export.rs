//! opencode2-export: the output of OpenCode 2's `export`, `{info, messages: [record]}`, and the pages of records of its API,
//! `{data: [record], cursor}`. `apex_parts_opencode2` says how records become messages.

use apex_parts_agents::fields::{any_string, get, number, of_kind, pick};
use apex_parts_agents::{
    DocumentLayout, Env, FormatReader, LaterMessages, LoadedMessages, LoadedSession,
    LoadedSessions, OPENCODE, ObjectReader, Record, RecordCount, SeenFields, SessionKind,
    TranscriptFormat, WholeJson,
};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Agent, Kind, View};
use apex_parts_opencode2::{RecordKind, Records, messages_json};
use apex_parts_validate::Ids;
use std::borrow::Cow;

/// The field by which a page of records is told.
const RECORD: &str = "data/record";
/// Where the session of OpenCode 2 has its folder; OpenCode 1 has none there.
pub(crate) const LOCATION: &str = "info/location";
/// The title of a session of either.
pub(crate) const TITLE: &str = "info/title";

/// The name under which [`SeenFields`] has what this field in another shows.
pub(crate) fn mark(name: &str, inner: &str) -> Option<&'static str> {
    match (name, inner) {
        ("info", "location") => Some(LOCATION),
        ("info", "title") => Some(TITLE),
        _ => None,
    }
}

/// Are the bytes of an export whose beginning is damaged like those of records? The messages of OpenCode 1 have parts.
pub(crate) fn is_like(head: &[u8]) -> bool {
    let has = |name: &[u8]| memchr::memmem::find(head, name).is_some();
    !has(b"\"parts\"") && has(b"\"type\"") && has(b"\"time\"")
}

/// Reads the format.
#[derive(Debug, Default)]
pub(crate) struct OpenCode2Export {
    records: Records,
    problems: ProblemList,
    /// Records of a page of the API: when the first and the last were made.
    times: Option<[f64; 2]>,
    is_page: bool,
    count: RecordCount,
}

fn is_record(value: Node<'_>) -> bool {
    let [id, kind, time] = pick(value, ["id", "type", "time"]);
    any_string(id).is_some() && any_string(kind).is_some() && of_kind(time, Kind::Object).is_some()
}

impl OpenCode2Export {
    fn take(&mut self, node: Node<'_>, json: &str, offset: u64) {
        self.count.add(is_record(node), offset);
        if !is_record(node) {
            let what = "a record has `id`, `type` and `time`; skipped";
            return self.problems.error("schema", what, offset);
        }
        let [name, session, time] = pick(node, ["type", "sessionID", "time"]);
        let name = name.and_then(Node::str).unwrap_or_default();
        let kind = RecordKind::parse(&name);
        if kind == RecordKind::Unknown {
            let name: String = name.chars().take(100).collect();
            let what =
                format!("a record of the type `{name}`, which is not known; it is kept as it is");
            self.problems.warning("unknown-record", what, offset);
        }
        if let Some(session) = session.and_then(Node::str) {
            self.records.set_session(&session);
        }
        if let Some(created) = number(get(time, "created")) {
            let first = self.times.map_or(created, |[first, _]| first);
            self.times = Some([first, created]);
        }
        self.records.push(json, kind);
    }

    /// The session's JSON, with its folder where sessions have it.
    fn info(&self) -> Option<(Vec<u8>, SessionNames)> {
        let info = self.records.info.as_deref()?;
        let mut tape = Tape::default();
        tape.read(info.as_bytes(), 0).ok()?;
        let root = tape.root_of(info);
        let names = ["id", "parentID", "title", "location"];
        let [id, parent, title, place] = pick(root, names);
        let own = |node: Option<Node<'_>>| node.and_then(Node::str).map(Cow::into_owned);
        let names = SessionNames { id: own(id), parent: own(parent), title: own(title) };
        let mut json = info.trim_end().to_owned();
        if let Some(directory) = any_string(get(place, "directory")).and_then(Node::str) {
            json.pop();
            json.push_str(if root.children().next().is_some() {
                ",\"directory\":"
            } else {
                "\"directory\":"
            });
            writer::string(&mut json, &directory);
            json.push('}');
        }
        Some((json.into_bytes(), names))
    }

    fn load(&self) -> LoadedSessions {
        let problems = self.problems.clone().into_sorted();
        let mut records = self.records.clone();
        // The newest record comes first on a page of the API.
        if self.is_page && self.times.is_some_and(|[first, last]| first > last) {
            records.reverse();
        }
        let (info, names) =
            self.info().map_or_else(Default::default, |(info, names)| (Some(info), names));
        let mut loaded =
            LoadedSessions { problems, records: self.count, ..LoadedSessions::default() };
        if info.is_none() && records.is_empty() {
            return loaded;
        }
        let id = names.id.or_else(|| records.session().map(str::to_owned)).unwrap_or_default();
        let counts = vec![records.message_count()];
        let mut messages = LaterMessages::of(counts, move || vec![messages_json(&records)]);
        loaded.sessions.push(LoadedSession {
            id,
            parent_id: names.parent,
            title: names.title,
            kind: Some(SessionKind::Main),
            info,
            messages: messages.next().map_or_else(LoadedMessages::default, LoadedMessages::Later),
            ..LoadedSession::default()
        });
        loaded
    }
}

/// What a session is called.
#[derive(Default)]
struct SessionNames {
    id: Option<String>,
    parent: Option<String>,
    title: Option<String>,
}

impl TranscriptFormat for OpenCode2Export {
    const NAME: &'static str = "opencode2-export";
    const TITLE: &'static str = "OpenCode 2 Export";
    const AGENT: Option<Agent> = Some(OPENCODE);
    const ENDINGS: &'static [&'static str] = &[".json"];
    const IDS: Ids = Ids::OpenCode;
    const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Records);
    const INSIDE: &'static [&'static str] = &["messages", "data", "info"];

    fn detect(seen: &SeenFields) -> bool {
        seen.has_any(RECORD) && seen.has_any("cursor")
    }

    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        name == "messages" && is_seen(inside)
    }

    fn detect_record(seen: &SeenFields) -> bool {
        seen.has_any(RECORD) || (seen.has_array("messages") && seen.has_any(LOCATION))
    }

    fn may_be(seen: &SeenFields, is_listed: bool) -> bool {
        !is_listed && (seen.has_any(LOCATION) || seen.has_any(RECORD))
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(OpenCode2Export::default()))
    }
}

/// Are these the fields of a record?
fn is_seen(inside: &SeenFields) -> bool {
    inside.has_string("id")
        && inside.has_string("type")
        && inside.has_object("time")
        && !inside.has_any("info")
}

/// The name under which [`SeenFields`] has what the first element of an array shows.
pub(crate) fn element_mark(name: &str, inside: &SeenFields) -> Option<&'static str> {
    (name == "data" && is_seen(inside)).then_some(RECORD)
}

impl ObjectReader for OpenCode2Export {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.take(root, text, record.offset);
    }
}

impl FormatReader for OpenCode2Export {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn list(&mut self, key: &str) {
        self.is_page = key == "data";
    }

    fn field(&mut self, key: &str, value: &[u8]) {
        if key == "info" && value.first() == Some(&b'{') {
            self.records.info = Some(String::from_utf8_lossy(value).into_owned());
        }
    }

    /// An item of an answer has an id, a type and a time too.
    fn is_record(&self, value: Node<'_>) -> bool {
        is_record(value) && get(Some(value), "state").is_none()
    }

    fn cut_off(&mut self, record: Record<'_>, _env: &mut Env<'_>) -> bool {
        let mut problems = ProblemList::default();
        let read = WholeJson::read(record.json, record.offset, &mut problems);
        let is_read = read.root().kind() == Kind::Object && is_record(read.root());
        if is_read {
            self.take(read.root(), read.text(), record.offset);
        }
        is_read
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.load()
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.load()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
