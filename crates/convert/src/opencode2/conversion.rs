//! A session as records, message by message.

use super::message::{GivenMessage, GivenPart};
use super::pairs::{CompactionEnd, compaction, end_of, request_of, shell};
use super::parts::{self, assistant, own_text, quoted, said, user};
use super::session::SessionInfo;
use crate::opencode::ids;
use crate::opencode::places::{IdRules, OrderedPlaces, Place};
use crate::opencode::session::{created_of, session_id};
use crate::opencode::survey::{RevertTo, Survey};
use crate::opencode::{LostFields, MessageSource, OpenCodeOptions, SessionSource};
use apex_parts_agents::fields::{any_string, get, is_true, number, of_kind, raw, token};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Error, Kind, Path, View};
use apex_parts_opencode2::joined;
use std::collections::VecDeque;

/// A conversion of the messages of a [`MessageSource`] to the records of OpenCode 2. The messages are read twice, as by
/// [`OpenCodeConversion`](crate::opencode::OpenCodeConversion).
#[derive(Debug)]
pub struct OpenCode2Conversion {
    rules: IdRules,
    /// Do records keep their ids, whatever these are?
    is_unchanged: bool,
    places: OrderedPlaces,
    lost: LostFields,
    info: String,
    next: usize,
    ready: VecDeque<String>,
    /// A request that its answer makes a record of: its JSON, its place, and its index.
    request: Option<(String, Place, usize)>,
}

/// The text of a message.
fn text_of(messages: &dyn MessageSource, index: usize) -> Result<Option<String>, Error> {
    let bytes = messages.json(index)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// What `look` says of a message.
fn read<T>(text: &str, index: usize, look: impl FnOnce(GivenMessage<'_>) -> T) -> Result<T, Error> {
    let path = Path::ROOT.index(index);
    let mut tape = Tape::default();
    tape.read(text.as_bytes(), 0).map_err(|error| Error::rule("json", &path, error.message))?;
    match GivenMessage::new(tape.root_of(text), text) {
        Some(message) => Ok(look(message)),
        None => Err(Error::rule("schema", &path, "expected a message `{info, parts}`".to_owned())),
    }
}

impl OpenCode2Conversion {
    /// Reads the messages once, and makes the session's `info`.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub fn new(
        messages: &dyn MessageSource,
        source: &SessionSource<'_>,
        options: &OpenCodeOptions,
    ) -> Result<OpenCode2Conversion, Error> {
        OpenCode2Conversion::made(messages, source, options, false)
    }

    /// The same for messages that were made of records, whose ids stay, even those that OpenCode would not take.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub(super) fn unchanged(
        messages: &dyn MessageSource,
        source: &SessionSource<'_>,
    ) -> Result<OpenCode2Conversion, Error> {
        OpenCode2Conversion::made(messages, source, &OpenCodeOptions::default(), true)
    }

    fn made(
        messages: &dyn MessageSource,
        source: &SessionSource<'_>,
        options: &OpenCodeOptions,
        is_unchanged: bool,
    ) -> Result<OpenCode2Conversion, Error> {
        let salt = options.copy.as_deref().map(ids::hash);
        let rules = IdRules {
            salt,
            content: source.content,
            session: source.content.unwrap_or_else(|| ids::hash(&source.id)),
            is_foreign: source.is_foreign,
            latest: options.now_ms,
        };
        let mut tape = Tape::default();
        let own = source.info.unwrap_or_default();
        let info = tape.read(own, 0).is_ok().then(|| tape.root(own));
        let created = created_of(of_kind(info, Kind::Object));
        let begin = created.unwrap_or(0.0);
        let mut survey = Survey::new(rules, begin, RevertTo::default());
        let mut kept = None;
        for index in 0..messages.count() {
            let Some(text) = text_of(messages, index)? else { continue };
            let session = read(&text, index, |message| {
                survey.add(message.info, message.list());
                let session = of_kind(get(message.kept, "session"), Kind::Object);
                session.map(|session| raw(session, &text).to_owned())
            })?;
            kept = kept.or(session);
        }
        let mut lost = LostFields::default();
        let id = match is_unchanged {
            true => source.id.clone(),
            false => session_id(&source.id, created.or(survey.first).unwrap_or(0.0), &rules),
        };
        let parent = source.parent.as_ref().map(|(parent, created)| {
            session_id(parent, *created, &IdRules { salt: None, content: None, ..rules })
        });
        let info = SessionInfo {
            source,
            survey: &survey,
            id: &id,
            parent,
            title: options.title.as_deref(),
            directory: options.directory.as_deref(),
            kept: kept.as_deref(),
            is_copy: salt.is_some(),
        };
        let info = info.write(&mut lost);
        Ok(OpenCode2Conversion {
            rules,
            is_unchanged,
            places: OrderedPlaces::new(rules, begin),
            lost,
            info,
            next: 0,
            ready: VecDeque::new(),
            request: None,
        })
    }

    /// The session's `info`, as JSON.
    #[must_use]
    pub fn info(&self) -> &str {
        &self.info
    }

    /// What had no place so far.
    #[must_use]
    pub fn lost(&self) -> &LostFields {
        &self.lost
    }

    /// The next record, as JSON; `None` at the end.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub fn next(&mut self, messages: &dyn MessageSource) -> Result<Option<String>, Error> {
        while self.ready.is_empty() {
            if self.next >= messages.count() {
                self.give_up();
                break;
            }
            let index = self.next;
            self.next += 1;
            if let Some(text) = text_of(messages, index)? {
                self.message(&text, index, messages)?;
            }
        }
        Ok(self.ready.pop_front())
    }

    /// A request that nothing answers.
    fn give_up(&mut self) {
        let Some((text, place, index)) = self.request.take() else { return };
        // It was read before.
        let _ = read(&text, index, |message| {
            if request_of(&message).is_some() {
                self.lost.note(&Path::ROOT.name("compaction"));
            } else {
                self.user(&message, &place);
            }
        });
    }

    fn message(
        &mut self,
        text: &str,
        index: usize,
        messages: &dyn MessageSource,
    ) -> Result<(), Error> {
        let request = self.request.take();
        let (place, is_answer) = read(text, index, |message| {
            let place = self.places.next(message.info);
            (place, is_answer(&message))
        })?;
        if let Some((own, at, number)) = request {
            if is_answer {
                return self.pair((&own, at, number), (text, index), messages);
            }
            self.request = Some((own, at, number));
            self.give_up();
        }
        let is_request = read(text, index, |message| {
            self.marks(&message, true);
            let kind = message.record_type();
            let is_request = match &*kind {
                "compaction" | "shell" => true,
                "" => message.is_user() && request_of(&message).is_some(),
                _ => false,
            };
            if !is_request {
                self.record(&message, &place);
                self.marks(&message, false);
            }
            is_request
        })?;
        if is_request {
            self.request = Some((text.to_owned(), place, index));
        }
        Ok(())
    }

    /// A record of a request and its answer.
    fn pair(
        &mut self,
        (own, place, number): (&str, Place, usize),
        (text, index): (&str, usize),
        messages: &dyn MessageSource,
    ) -> Result<(), Error> {
        let recent = read(own, number, |request| {
            let part = request_of(&request)?;
            (!request.is_of_record()).then(|| part.text("tail_start_id").map(str::to_owned))
        })?;
        let recent = match recent {
            None => None,
            Some(None) => Some(String::new()),
            Some(Some(first)) => Some(recent_text(messages, &first, number)?),
        };
        read(own, number, |request| {
            read(text, index, |answer| {
                let id = self.id_of(&request, &place);
                if request_of(&request).is_none() {
                    self.ready.push_back(shell(&request, &answer, &id));
                } else if end_of(&answer) == CompactionEnd::Running && !request.is_of_record() {
                    self.lost.note(&Path::ROOT.name("compaction"));
                } else {
                    self.ready.push_back(compaction(&request, &answer, &id, recent.as_deref()));
                }
                self.marks(&request, false);
                self.marks(&answer, false);
            })
        })?
    }

    /// Does the id of a record stay as it is?
    fn keeps(&self, id: &str) -> bool {
        self.is_unchanged || self.rules.keeps(id, "msg")
    }

    /// The id of the record of a message, escaped.
    fn id_of(&self, message: &GivenMessage<'_>, place: &Place) -> String {
        let own = message.text("id").unwrap_or_default();
        let keeps = message.is_of_record() && self.keeps(own);
        if keeps { own.to_owned() } else { place.id.clone() }
    }

    /// The records of marks: those before the message's own, or those behind it.
    fn marks(&mut self, message: &GivenMessage<'_>, is_first: bool) {
        for part in message.parts() {
            let Some(mark) = part.note("mark") else { continue };
            if mark.kind().is_string() == is_first {
                let record = self.mark(&part);
                self.ready.push_back(record);
            }
        }
    }

    fn mark(&self, part: &GivenPart<'_>) -> String {
        const TAKEN: [&str; 3] = ["sessionID", "messageID", "opencode2"];
        let old = part.text("id").unwrap_or_default();
        if self.keeps(old) {
            return joined(&["{", &part.own_fields(&TAKEN), "}"]);
        }
        let key = self.rules.key(ids::hash(old));
        let created = number(get(part.get("time"), "created")).unwrap_or(0.0);
        let id = ids::id("msg", ids::stamp(created, 0), key);
        let rest = part.own_fields(&["id", "sessionID", "messageID", "opencode2"]);
        joined(&["{\"id\":\"", &id, "\",", &rest, "}"])
    }

    fn record(&mut self, message: &GivenMessage<'_>, place: &Place) {
        let kind = message.record_type();
        let id = self.id_of(message, place);
        let record = match &*kind {
            "synthetic" | "system" | "skill" => said(message, &id, &kind),
            "unknown" => unknown(message),
            "marks" => return,
            "user" => return self.user(message, place),
            _ if message.is_user() => return self.user(message, place),
            _ => {
                if !message.is_of_record() {
                    self.losses(message);
                }
                assistant(message, &id)
            }
        };
        self.ready.push_back(record);
    }

    /// The records of a user's message: what the program added is one of its own.
    fn user(&mut self, message: &GivenMessage<'_>, place: &Place) {
        let id = self.id_of(message, place);
        if !message.is_of_record() {
            self.losses(message);
        }
        let record = user(message, &id);
        let is_alone = record.own.is_none();
        self.ready.extend(record.own);
        if let Some(text) = record.added {
            let id = if is_alone {
                id
            } else {
                ids::id("msg", place.stamp + 1, ids::numbered(place.key, 1))
            };
            let created = message.time("created").unwrap_or("0");
            self.ready.push_back(joined(&[
                "{\"id\":",
                &quoted(&id),
                ",\"type\":\"synthetic\",\"text\":\"",
                &text,
                "\",\"time\":{\"created\":",
                created,
                "}}",
            ]));
        }
    }

    /// Notes what a record has no place for.
    fn losses(&mut self, message: &GivenMessage<'_>) {
        let root = Path::ROOT;
        let mut note = |path: &[&str]| {
            let mut names = path.iter();
            let Some(first) = names.next() else { return };
            let outer = root.name(first);
            match (names.next(), names.next()) {
                (Some(inner), Some(last)) => self.lost.note(&outer.name(inner).name(last)),
                (Some(inner), None) => self.lost.note(&outer.name(inner)),
                _ => self.lost.note(&outer),
            }
        };
        if message.is_user() {
            for name in ["system", "tools", "summary", "format", "variant"] {
                if get(Some(message.info), name).is_some_and(|value| value.kind() != Kind::Null) {
                    note(&["user", name]);
                }
            }
        }
        let (mut starts, mut snapshots, mut hashes) = (0, 0, 0);
        for part in message.parts() {
            note(&["part", "id"]);
            let kind = part.kind();
            match &*kind {
                "step-start" => starts += 1,
                "snapshot" => snapshots += 1,
                "patch" => hashes += 1,
                "text" if part.get("time").is_some() => note(&["text", "time"]),
                "file" if message.is_user() && !parts::has_content(&part) => note(&["file", "url"]),
                "tool" => {
                    let state = part.get("state");
                    let title =
                        any_string(get(state, "title")).and_then(Node::str).unwrap_or_default();
                    let own = any_string(get(get(state, "metadata"), "title")).and_then(Node::str);
                    if !title.is_empty() && own.as_deref() != Some(&*title) {
                        note(&["tool", "state", "title"]);
                    }
                    if number(get(get(state, "time"), "compacted")).is_some() {
                        note(&["tool", "state", "output"]);
                    }
                    let status = get(state, "status").and_then(Node::str).unwrap_or_default();
                    if matches!(&*status, "pending" | "running") {
                        note(&["tool", "state", "status"]);
                    }
                }
                _ => {}
            }
        }
        for (count, name) in [(starts, "step-start"), (snapshots, "snapshot"), (hashes, "patch")] {
            for _ in 1..count {
                note(&[name]);
            }
        }
    }
}

/// Can a message be the answer of a request that makes a record with it?
fn is_answer(message: &GivenMessage<'_>) -> bool {
    let kind = message.record_type();
    let is_summary = is_true(get(Some(message.info), "summary"));
    !message.is_user() && (is_summary || matches!(&*kind, "summary" | "shell-call"))
}

/// A record of an unknown type.
fn unknown(message: &GivenMessage<'_>) -> String {
    const TAKEN: [&str; 5] = ["id", "sessionID", "messageID", "type", "opencode2"];
    let part = message.parts().find(|part| part.note("custom").is_some());
    part.map_or_else(|| "{}".to_owned(), |part| joined(&["{", &part.own_fields(&TAKEN), "}"]))
}

/// The messages that stayed when the history was compacted, as OpenCode 2 writes them down; escaped.
fn recent_text(messages: &dyn MessageSource, first: &str, end: usize) -> Result<String, Error> {
    let mut pieces: VecDeque<String> = VecDeque::new();
    for index in (0..end).rev() {
        let Some(text) = text_of(messages, index)? else { continue };
        let (own, is_first) =
            read(&text, index, |message| (said_in(&message), message.text("id") == Some(first)))?;
        own.into_iter().rev().for_each(|piece| pieces.push_front(piece));
        if is_first {
            let all: Vec<String> = pieces.into();
            return Ok(all.join("\\n\\n"));
        }
    }
    Ok(String::new())
}

fn said_in(message: &GivenMessage<'_>) -> Vec<String> {
    if message.is_user() {
        return vec![joined(&["[User]: ", &own_text(message).join("\\n\\n")])];
    }
    let mut said = Vec::new();
    for part in message.parts() {
        let name = match &*part.kind() {
            "text" if !part.is("ignored") => "[Assistant]",
            "reasoning" => "[Assistant reasoning]",
            _ => continue,
        };
        let text = any_string(part.get("text")).map_or("", |text| token(text, message.json));
        said.push(joined(&[name, ": ", text]));
    }
    said
}
