//! [`GeminiRecords`]: which records of a file are messages, and which of them were in force at its end.

use crate::json::tape::Node;
use crate::model::Kind;
use crate::transcript::formats::agents::agent_log::read_time;
use crate::transcript::formats::agents::agent_session::AgentSession;
use crate::transcript::formats::fields::{items, of_kind, pick, string};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A record that is a message.
pub(super) struct MessageRecord<'a> {
    pub(super) json: Cow<'a, str>,
    pub(super) offset: u64,
    id: Option<Box<str>>,
    /// The model that it names.
    model: Option<Box<str>>,
    /// The record before it when it was written.
    before: Option<usize>,
}

/// The records of a file.
#[derive(Default)]
pub(super) struct GeminiRecords<'a> {
    /// Where the text begins in the file that records are taken from.
    pub(super) offset: u64,
    records: Vec<MessageRecord<'a>>,
    /// The messages that are in force, as indexes into the records.
    in_force: Vec<usize>,
    /// Where among those a message with this id stands.
    places: BTreeMap<Box<str>, usize>,
    /// The stretches that a rewind took away.
    rewound: Vec<Vec<usize>>,
}

/// Messages one after another, and the model that was named last before them.
pub(super) struct GeminiStretch<'r, 'a> {
    pub(super) model: &'r str,
    pub(super) messages: Vec<&'r MessageRecord<'a>>,
}

#[allow(clippy::ptr_arg)] // what a text borrows outlives the call, so that messages can borrow it too
impl<'a> GeminiRecords<'a> {
    /// Takes a record, or the object that is the whole file: `replaces` says that a message takes the place of
    /// one with the same id. `json` is the text that the record is in.
    pub(super) fn take(
        &mut self,
        record: Node<'_>,
        json: &Cow<'a, str>,
        replaces: bool,
        session: &mut AgentSession,
    ) {
        let [rewind, set, kind] = pick(record, ["$rewindTo", "$set", "type"]);
        if let Some(id) = rewind.and_then(Node::str) {
            return self.rewind(&id);
        }
        if let Some(set) = of_kind(set, Kind::Object) {
            return self.header(set, json, replaces, true, session);
        }
        if string(kind).is_none() {
            return self.header(record, json, replaces, false, session);
        }
        self.message(record, json, replaces);
    }

    /// Takes a message.
    fn message(&mut self, message: Node<'_>, json: &Cow<'a, str>, replaces: bool) {
        let [id, model] = pick(message, ["id", "model"]);
        let id: Option<Box<str>> = string(id).map(|id| id.as_ref().into());
        let model = string(model).map(|model| model.as_ref().into());
        let offset = self.offset + message.span().start as u64;
        let json = slice(json, message);
        let place = id.as_ref().filter(|_| replaces).and_then(|id| self.places.get(id));
        if let Some(index) = place.and_then(|place| self.in_force.get(*place))
            && let Some(record) = self.records.get_mut(*index)
        {
            (record.json, record.offset, record.model) = (json, offset, model);
            return;
        }
        if let Some(id) = &id {
            self.places.insert(id.clone(), self.in_force.len());
        }
        let before = self.in_force.last().copied();
        self.in_force.push(self.records.len());
        self.records.push(MessageRecord { json, offset, id, model, before });
    }

    /// Takes what the file says of the session, and its messages; `is_change` says that messages take the place
    /// of all before them.
    fn header(
        &mut self,
        header: Node<'_>,
        json: &Cow<'a, str>,
        replaces: bool,
        is_change: bool,
        session: &mut AgentSession,
    ) {
        let names = ["sessionId", "startTime", "lastUpdated", "summary", "directories", "messages"];
        let [id, start, end, summary, directories, messages] = pick(header, names);
        if let Some(id) = string(id) {
            session.id = id.into_owned();
        }
        session.created = read_time(start).or(session.created);
        session.updated = read_time(end).or(session.updated);
        if let Some(summary) = string(summary) {
            session.title = Some(summary.into_owned());
        }
        if let Some(directory) = string(items(directories).next()) {
            session.cwd = directory.into_owned();
            session.directory.clone_from(&session.cwd);
        }
        let Some(messages) = of_kind(messages, Kind::Array) else { return };
        if is_change {
            self.in_force.clear();
            self.places.clear();
        }
        for message in messages.children() {
            if string(pick(message, ["type"])[0]).is_some() {
                self.message(message, json, replaces);
            }
        }
    }

    /// The message with this id and all after it are taken away; all, if there is none.
    fn rewind(&mut self, id: &str) {
        let keep = self.places.get(id).copied().unwrap_or_default();
        if keep >= self.in_force.len() {
            return;
        }
        let left = self.in_force.split_off(keep);
        for record in left.iter().filter_map(|index| self.records.get(*index)) {
            if let Some(id) = &record.id {
                self.places.remove(id);
            }
        }
        self.rewound.push(left);
    }

    /// The messages in force, and the stretches that were rewound, in the order in which they were left.
    pub(super) fn stretches(&self) -> (GeminiStretch<'_, 'a>, Vec<GeminiStretch<'_, 'a>>) {
        // The model that holds after each record: its own, or that before it.
        let mut models: Vec<&str> = Vec::with_capacity(self.records.len());
        for record in &self.records {
            let before = record.before.and_then(|before| models.get(before)).copied();
            models.push(record.model.as_deref().or(before).unwrap_or_default());
        }
        let stretch = |indexes: &[usize]| {
            let first = indexes.first().and_then(|index| self.records.get(*index));
            let before = first.and_then(|first| first.before);
            GeminiStretch {
                model: before.and_then(|before| models.get(before)).copied().unwrap_or_default(),
                messages: indexes.iter().filter_map(|index| self.records.get(*index)).collect(),
            }
        };
        (stretch(&self.in_force), self.rewound.iter().map(|left| stretch(left)).collect())
    }
}

/// The text of a value.
fn slice<'a>(json: &Cow<'a, str>, value: Node<'_>) -> Cow<'a, str> {
    let span = value.span();
    match json {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(span).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(span).unwrap_or_default().to_owned()),
    }
}
