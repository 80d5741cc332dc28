//! [`GeminiRecords`]: which records of a file are messages, and which of them were in force at its end.

use super::record_fields::{MessageFields, RecordFields};
use crate::fields::{items, of_kind, pick, string};
use crate::log::log_session::LogSession;
use crate::log::session_log::read_time;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use apex_parts_model::text_map::TextMap;
use std::borrow::Cow;

/// A record that is a message.
pub(super) struct MessageRecord<'a> {
    pub(super) json: Cow<'a, str>,
    pub(super) offset: u64,
    id: Option<Box<str>>,
    /// The model that it names.
    model: Option<Box<str>>,
    /// The record before it when it was written.
    before: Option<usize>,
    /// Of checkpoints, which stand where messages were compressed: their times. Those between which there is no
    /// message are one record, so that the next checkpoint does not look at each of them again.
    pub(super) checkpoints: Vec<f64>,
}

impl MessageRecord<'_> {
    fn is_checkpoint(&self) -> bool {
        !self.checkpoints.is_empty()
    }
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
    places: TextMap,
    /// The stretches that a rewind took away, or a checkpoint.
    rewound: Vec<Vec<usize>>,
    /// What was taken back behind so many messages; it is a stretch of its own once another request comes.
    taken_back: Option<(usize, Vec<usize>)>,
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
        fields: &RecordFields<'_>,
        json: &Cow<'a, str>,
        replaces: bool,
        session: &mut LogSession,
    ) {
        let RecordFields { record, rewind, set, message, .. } = *fields;
        if let Some(id) = rewind.and_then(Node::str) {
            return self.rewind(&id);
        }
        if let Some(set) = of_kind(set, Kind::Object) {
            return self.header(set, json, replaces, true, session);
        }
        if string(message.kind).is_none() {
            return self.header(record, json, replaces, false, session);
        }
        self.message(record, message, json, replaces);
    }

    /// Takes a message.
    fn message(
        &mut self,
        message: Node<'_>,
        fields: MessageFields<'_>,
        json: &Cow<'a, str>,
        replaces: bool,
    ) {
        let MessageFields { id, kind, model } = fields;
        let id: Option<Box<str>> = string(id).map(|id| id.as_ref().into());
        let model = string(model).map(|model| model.as_ref().into());
        let offset = self.offset + message.span().start as u64;
        let json = slice(json, message);
        let place = id.as_ref().filter(|_| replaces).and_then(|id| self.places.get(id));
        if let Some(index) = place.and_then(|place| self.in_force.get(place))
            && let Some(record) = self.records.get_mut(*index)
        {
            (record.json, record.offset, record.model) = (json, offset, model);
            return;
        }
        if string(kind).is_some_and(|kind| kind == "user") {
            self.leave_taken_back();
        }
        if let Some(id) = &id {
            self.places.insert(id, self.in_force.len());
        }
        let before = self.in_force.last().copied();
        self.in_force.push(self.records.len());
        self.records.push(MessageRecord {
            json,
            offset,
            id,
            model,
            before,
            checkpoints: Vec::new(),
        });
    }

    /// Takes what the file says of the session, and its messages; `is_change` says that messages take the place
    /// of all before them.
    fn header(
        &mut self,
        header: Node<'_>,
        json: &Cow<'a, str>,
        replaces: bool,
        is_change: bool,
        session: &mut LogSession,
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
            session.cwd.set(&directory);
            session.directory.clone_from(&session.cwd);
        }
        let Some(messages) = of_kind(messages, Kind::Array) else { return };
        if is_change {
            let at = session.updated.or(session.created).unwrap_or_default();
            return self.checkpoint(messages, json, at);
        }
        for message in messages.children() {
            let fields = MessageFields::of(message);
            if string(fields.kind).is_some() {
                self.message(message, fields, json, replaces);
            }
        }
    }

    /// What was taken back is a stretch of its own.
    fn leave_taken_back(&mut self) {
        self.rewound.extend(self.taken_back.take().map(|(_, left)| left));
    }

    /// No request has come behind what was taken back last: it stays.
    pub(super) fn keep_taken_back(&mut self) {
        if let Some((place, left)) = self.taken_back.take() {
            let place = place.min(self.in_force.len());
            self.in_force.splice(place..place, left);
        }
    }

    /// These messages take the place of all before them. Those that stay have the new content; those that are gone are
    /// a stretch of their own. Where they stood a checkpoint says so, if there is a new message, the summary; otherwise
    /// they were taken back.
    fn checkpoint(&mut self, messages: Node<'_>, json: &Cow<'a, str>, at: f64) {
        let told = |message: &Node<'_>| string(pick(*message, ["type"])[0]).is_some();
        let messages: Vec<Node<'_>> = messages.children().filter(told).collect();
        let id_of = |message: Node<'_>| {
            string(pick(message, ["id"])[0]).map(|id| Box::<str>::from(id.as_ref()))
        };
        let mut listed: TextMap = TextMap::default();
        for id in messages.iter().filter_map(|m| id_of(*m)) {
            listed.insert(&id, 0);
        }
        let is_known =
            |record: &MessageRecord<'_>| record.id.as_ref().is_some_and(|id| listed.contains(id));
        let in_force = self.in_force.iter().filter_map(|index| self.records.get(*index));
        let known = in_force.filter(|record| is_known(record)).count();
        let has_new = known < messages.len();
        if has_new {
            self.leave_taken_back();
        }
        let mut staying: TextMap = TextMap::default();
        // The checkpoints behind each message that stays; the first are before all.
        let mut marks: Vec<(Option<Box<str>>, usize)> = Vec::new();
        let (mut gone, mut last, mut is_marked) = (Vec::new(), None, false);
        for index in std::mem::take(&mut self.in_force) {
            let Some(record) = self.records.get(index) else { continue };
            let stays = record.id.clone().filter(|id| listed.contains(id));
            if record.is_checkpoint() {
                marks.push((last.clone(), index));
            } else if let Some(id) = stays {
                staying.insert(&id, index);
                last = Some(id);
            } else {
                gone.push(index);
                if has_new && !std::mem::replace(&mut is_marked, true) {
                    marks.push((last.clone(), usize::MAX));
                }
            }
        }
        self.places.clear();
        let new = messages
            .iter()
            .find(|message| id_of(**message).is_none_or(|id| !staying.contains(&id)));
        let of_new = new.and_then(|message| read_time(pick(*message, ["timestamp"])[0]));
        let mark = of_new.unwrap_or(at);
        let mut marks = marks.into_iter().peekable();
        while let Some((_, index)) = marks.next_if(|(after, _)| after.is_none()) {
            self.mark(index, mark);
        }
        // In another order than before, checkpoints stand behind the message that they followed.
        let rest: Vec<(Option<Box<str>>, usize)> = marks.collect();
        let mut behind: TextMap = TextMap::default();
        for (place, (after, _)) in rest.iter().enumerate() {
            if let Some(after) = after.clone().filter(|after| !behind.contains(after)) {
                behind.insert(&after, place);
            }
        }
        for message in messages {
            let id = id_of(message);
            let known = id.as_ref().and_then(|id| staying.remove(id));
            if let Some(index) = known
                && let Some(id) = &id
            {
                self.places.insert(id, self.in_force.len());
                self.in_force.push(index);
            }
            self.message(message, MessageFields::of(message), json, true);
            let first = id.as_ref().and_then(|id| behind.remove(id)).unwrap_or(usize::MAX);
            let same = rest.iter().skip(first).take_while(|(after, _)| *after == id);
            same.for_each(|(_, index)| self.mark(*index, mark));
        }
        if gone.is_empty() {
            return;
        }
        if has_new {
            self.rewound.push(gone);
            return;
        }
        let place = self.in_force.len();
        let (_, left) = self.taken_back.get_or_insert((place, Vec::new()));
        left.extend(gone);
    }

    /// Puts checkpoints behind what is in force: those that are known, or a new one for [`usize::MAX`].
    fn mark(&mut self, index: usize, at: f64) {
        let known =
            self.records.get_mut(index).map(|record| std::mem::take(&mut record.checkpoints));
        let mut times = known.unwrap_or_else(|| vec![at]);
        let last = self.in_force.last().copied();
        if let Some(last) = last.and_then(|last| self.records.get_mut(last))
            && last.is_checkpoint()
        {
            last.checkpoints.append(&mut times);
            return;
        }
        let index = index.min(self.records.len());
        match self.records.get_mut(index) {
            Some(record) => record.checkpoints = times,
            None => self.records.push(MessageRecord {
                json: Cow::Borrowed(""),
                offset: self.offset,
                id: None,
                model: None,
                before: last,
                checkpoints: times,
            }),
        }
        self.in_force.push(index);
    }

    /// The message with this id and all after it are taken away; all, if there is none.
    fn rewind(&mut self, id: &str) {
        let keep = self.places.get(id).unwrap_or_default();
        self.leave_taken_back();
        if keep >= self.in_force.len() {
            return;
        }
        let left = self.in_force.split_off(keep);
        for record in left.iter().filter_map(|index| self.records.get(*index)) {
            if let Some(id) = &record.id {
                self.places.remove(id);
            }
        }
        let is_message = |at: &usize| self.records.get(*at).is_some_and(|r| !r.is_checkpoint());
        let left: Vec<usize> = left.into_iter().filter(is_message).collect();
        if !left.is_empty() {
            self.rewound.push(left);
        }
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
