//! [`MessageWriter`]: writes messages and their parts.

use crate::in_force::{InForce, Model, escaped, text_of};
use crate::kept::KeptFields;
use crate::lists::{joined, push_all};
use crate::records::Records;
use apex_parts_agents::fields::{get, number, raw};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::{ObjectWriter, object};

/// A record being read.
#[derive(Clone, Copy)]
pub(crate) struct SourceRecord<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) json: &'a str,
    /// Its id, escaped.
    pub(crate) id: &'a str,
    pub(crate) time: Option<Node<'a>>,
}

impl<'a> SourceRecord<'a> {
    /// A number of its time, as it stands there.
    pub(crate) fn time(&self, name: &str) -> Option<&'a str> {
        let time = get(self.time, name);
        number(time).and(time).map(|time| raw(time, self.json))
    }

    /// Keeps its time, if a message says less than all of it. One of an assistant says when it was complete.
    pub(crate) fn keep_time(&self, says_completed: bool, kept: &mut KeptFields) {
        let mut is_whole = self.time("created").is_some();
        for (key, _) in self.time.into_iter().flat_map(Node::fields) {
            let name = key.str().unwrap_or_default();
            let is_said = name == "created"
                || (says_completed && name == "completed" && self.time(&name).is_some());
            is_whole &= is_said;
        }
        if !is_whole {
            kept.field_or_none("time", get(Some(self.node), "time"), self.json);
        }
    }

    /// When it was made.
    pub(crate) fn created(&self) -> &'a str {
        self.time("created").unwrap_or("0")
    }
}

/// Writes the messages.
pub(crate) struct MessageWriter {
    out: String,
    /// The id of the session, escaped.
    session: String,
    pub(crate) in_force: InForce,
    /// The agent and the model of messages before the first that says its own.
    first: InForce,
    last_user: Option<String>,
    last_of_user: String,
    /// The id of the open message, escaped, and how many parts it has; those of marks do not count.
    open: Option<String>,
    parts: usize,
    has_parts: bool,
    /// Marks before the first message: their JSON, and when the first was made.
    marks: Vec<(String, String)>,
    /// The session's JSON, which the first message keeps.
    info: Option<String>,
}

impl MessageWriter {
    /// A writer for the messages of a session; `first` is what the first answers say of their agent and model.
    pub(crate) fn new(records: &Records, first: InForce) -> MessageWriter {
        let mut writer = MessageWriter {
            out: String::with_capacity(2 * records.size() + 2),
            session: String::new(),
            in_force: InForce::default(),
            first,
            last_user: None,
            last_of_user: String::new(),
            open: None,
            parts: 0,
            has_parts: false,
            marks: Vec::new(),
            info: records.info.clone(),
        };
        writer.out.push('[');
        let mut tape = Tape::default();
        let info = records.info.as_deref().unwrap_or_default();
        let is_read = tape.read(info.as_bytes(), 0).is_ok();
        let root = is_read.then(|| tape.root_of(info));
        writer.session = match text_of(root, "id", info) {
            Some(id) => id,
            None => {
                let mut id = String::new();
                apex_parts_json::writer::escape(&mut id, records.session.as_deref().unwrap_or(""));
                id
            }
        };
        let first = &mut writer.first;
        first.agent = first.agent.take().or_else(|| text_of(root, "agent", info));
        first.model = first.model.take().or_else(|| Model::read(get(root, "model"), info));
        let place = get(root, "location");
        let directory = text_of(place, "directory", info);
        writer.in_force.directory = directory.unwrap_or_default();
        writer
    }

    /// The agent in force, escaped.
    pub(crate) fn agent(&self) -> String {
        self.in_force.agent.as_ref().or(self.first.agent.as_ref()).cloned().unwrap_or_default()
    }

    /// The model in force.
    pub(crate) fn model(&self) -> Model {
        self.in_force.model.as_ref().or(self.first.model.as_ref()).cloned().unwrap_or_default()
    }

    /// The id of the message that an assistant answers, escaped.
    pub(crate) fn parent(&self) -> String {
        self.last_user.clone().unwrap_or_else(|| self.last_of_user.clone())
    }

    /// Answers that follow answer this message.
    pub(crate) fn answers(&mut self, id: &str) {
        self.last_user = Some(id.to_owned());
    }

    /// Adds a part that is no turn: to the message before, or else to the first.
    pub(crate) fn mark(&mut self, fields: &str, mut kept: KeptFields, created: &str) {
        if self.open.is_some() {
            kept.remark("mark", "true");
            let part = self.placed(fields, &kept);
            self.raw_part(&part);
        } else {
            kept.remark("mark", "\"first\"");
            self.marks.push((joined(&[fields, &kept_text(&kept)]), created.to_owned()));
        }
    }

    /// A part of the open message: its own fields, where it is, and what is kept.
    fn placed(&self, fields: &str, kept: &KeptFields) -> String {
        let message = self.open.as_deref().unwrap_or_default();
        let mut part = String::from("{");
        part.push_str(fields);
        if !fields.is_empty() {
            part.push(',');
        }
        push_all(
            &mut part,
            &["\"sessionID\":\"", &self.session, "\",\"messageID\":\"", message, "\""],
        );
        part.push_str(&kept_text(kept));
        part.push('}');
        part
    }

    /// Opens a message of a user; `fill` writes what its `info` has besides.
    pub(crate) fn user(&mut self, record: SourceRecord<'_>, kept: KeptFields) {
        let (agent, model) = (self.agent(), self.model());
        self.begin(record.id, kept, &mut |info| {
            info.string("role", "user");
            info.object("time", |time| time.key("created").push_str(record.created()));
            escaped(info, "agent", &agent);
            info.object("model", |out| model.fields(out));
        });
        self.last_of_user = record.id.to_owned();
    }

    /// Opens a message. Its `info` has its id and its session before what `fill` writes.
    pub(crate) fn begin(
        &mut self,
        id: &str,
        mut kept: KeptFields,
        fill: &mut dyn FnMut(&mut ObjectWriter<'_>),
    ) {
        let is_first = self.out.len() == 1;
        self.close();
        if let Some(info) = self.info.take() {
            kept.remark("session", &info);
        }
        self.out.push_str(if is_first { "{\"info\":" } else { ",{\"info\":" });
        let session = &self.session;
        object(&mut self.out, |info| {
            escaped(info, "id", id);
            escaped(info, "sessionID", session);
            fill(info);
            info.key("opencode2").push_str(&kept.json());
        });
        self.out.push_str(",\"parts\":[");
        self.open = Some(id.to_owned());
        (self.parts, self.has_parts) = (0, false);
        for (mark, _) in std::mem::take(&mut self.marks) {
            let part = self.placed(&mark, &KeptFields::default());
            self.raw_part(&part);
        }
    }

    /// Adds a part that is written already.
    pub(crate) fn raw_part(&mut self, json: &str) {
        if std::mem::replace(&mut self.has_parts, true) {
            self.out.push(',');
        }
        self.out.push_str(json);
    }

    /// Adds a part of this type; `fill` writes its fields.
    pub(crate) fn part(
        &mut self,
        kind: &str,
        kept: &KeptFields,
        fill: &mut dyn FnMut(&mut ObjectWriter<'_>, &PartIds<'_>),
    ) {
        if std::mem::replace(&mut self.has_parts, true) {
            self.out.push(',');
        }
        let number = self.parts.to_string();
        self.parts += 1;
        let message = self.open.clone().unwrap_or_default();
        let place = PartIds { session: &self.session, message: &message, number: &number };
        object(&mut self.out, |part| {
            place.write(part, "");
            part.string("type", kind);
            fill(part, &place);
            if !kept.is_empty() {
                part.key("opencode2").push_str(&kept.json());
            }
        });
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.out.push_str("]}");
        }
    }

    /// The messages, as a JSON array.
    pub(crate) fn finish(mut self) -> String {
        if let Some((_, created)) = self.marks.first().cloned() {
            let id = joined(&[&self.session, ":0"]);
            let (agent, model) = (self.agent(), self.model());
            let mut kept = KeptFields::default();
            kept.remark("type", "\"marks\"");
            self.begin(&id, kept, &mut |info| {
                info.string("role", "user");
                info.object("time", |time| time.key("created").push_str(&created));
                escaped(info, "agent", &agent);
                info.object("model", |out| model.fields(out));
            });
        }
        self.close();
        self.out.push(']');
        self.out
    }
}

fn kept_text(kept: &KeptFields) -> String {
    let mut text = String::new();
    kept.write(&mut text);
    text
}

/// Where a part is: what it is called by; texts are escaped.
pub(crate) struct PartIds<'a> {
    session: &'a str,
    message: &'a str,
    number: &'a str,
}

impl PartIds<'_> {
    /// Writes the ids of the part, or of one that is in it.
    pub(crate) fn write(&self, part: &mut ObjectWriter<'_>, inner: &str) {
        push_all(part.key("sessionID"), &["\"", self.session, "\""]);
        push_all(part.key("messageID"), &["\"", self.message, "\""]);
        push_all(part.key("id"), &["\"", self.message, ":", self.number, inner, "\""]);
    }
}
