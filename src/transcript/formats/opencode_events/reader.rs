//! opencode-events: what an OpenCode server sends on `/event`, replayed.
//!
//! A record is `{id?, type, properties}`; `/global/event` wraps it as `{directory, payload}`. The
//! whole of a message or a part replaces what was known of it; a delta is added to one of the part's
//! strings. Servers of before 1.0 send the whole part with every delta: that is all that is read of
//! it. What else there is (`session.status`, `plugin.*`, …) changes no message and is not read. A
//! `session.error` changes none either: where it belongs to a message, the server writes it there as
//! well, and else it is a problem.

use crate::json::JsonError;
use crate::json::scan;
use crate::json::scan::{Span, TokenKind, skip_space};
use crate::json::tape::MAX_DEPTH;
use crate::model::Key;
use crate::transcript::formats::opencode_events::delta_run::DeltaRun;
use crate::transcript::formats::opencode_events::growing_part::shown;
use crate::transcript::formats::opencode_events::state::EventState;
use crate::transcript::formats::reader::{Env, FormatReader, LoadedSessions, Record};
use crate::transcript::formats::seen_fields::SeenFields;
use crate::transcript::formats::transcript_format::TranscriptFormat;
use crate::validate::Ids;
use std::borrow::Cow;

/// Reads opencode-events.
#[derive(Debug, Default)]
pub(crate) struct OpenCodeEvents {
    replay: EventState,
    /// The first event of the newer family, which is not read.
    next: Option<u64>,
    row: Option<DeltaRun>,
}

/// The events that change a message or a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ServerEvent {
    SessionCreated,
    SessionUpdated,
    SessionDeleted,
    SessionError,
    MessageUpdated,
    MessageRemoved,
    PartUpdated,
    PartDelta,
    PartRemoved,
    /// One of `session.next.*`.
    Next,
    Other,
}

impl ServerEvent {
    fn parse(name: &str) -> ServerEvent {
        match name {
            "message.part.delta" => ServerEvent::PartDelta,
            "message.part.updated" => ServerEvent::PartUpdated,
            "message.part.removed" => ServerEvent::PartRemoved,
            "message.updated" => ServerEvent::MessageUpdated,
            "message.removed" => ServerEvent::MessageRemoved,
            "session.created" => ServerEvent::SessionCreated,
            "session.updated" => ServerEvent::SessionUpdated,
            "session.deleted" => ServerEvent::SessionDeleted,
            "session.error" => ServerEvent::SessionError,
            name if name.starts_with("session.next.") => ServerEvent::Next,
            _ => ServerEvent::Other,
        }
    }

    const fn is_read(self) -> bool {
        !matches!(self, ServerEvent::Next | ServerEvent::Other)
    }
}

/// What the properties of an event hold: everything of any event.
#[derive(Default)]
struct Properties {
    /// Of the event itself.
    event_id: Option<Span>,
    session_id: Option<Span>,
    message_id: Option<Span>,
    part_id: Option<Span>,
    field: Option<Span>,
    delta: Option<Span>,
    error: Option<Span>,
    info: Option<Inner>,
    part: Option<Inner>,
}

/// A message, a session or a part: where it stands, and its ids.
struct Inner {
    span: Span,
    id: Option<Span>,
    session_id: Option<Span>,
    message_id: Option<Span>,
    time: Option<Span>,
}

impl Inner {
    /// When a message was made, in milliseconds since the Unix epoch.
    fn created(&self, json: &str) -> Option<f64> {
        let time = self.time.filter(|span| span.kind == TokenKind::Object)?;
        let ([created], _) = scan::fields(json, time.start, ["created"], MAX_DEPTH).ok()?;
        created.filter(|span| span.kind == TokenKind::Number)?.text(json).parse().ok()
    }
}

/// An object, key by key.
struct Fields<'a> {
    json: &'a str,
    at: usize,
    begun: bool,
}

impl<'a> Fields<'a> {
    /// The object whose brace is at `at`.
    fn new(json: &'a str, at: usize) -> Fields<'a> {
        Fields { json, at: at + 1, begun: false }
    }

    /// The next name, where it is one that is known; `at` is where its value begins then, and behind the object after the last.
    /// Before the next call `at` is to be set behind the value.
    #[inline(always)]
    fn next(&mut self) -> Option<Result<Option<Key>, JsonError>> {
        let bytes = self.json.as_bytes();
        self.at = skip_space(bytes, self.at);
        match bytes.get(self.at) {
            Some(b'}') => {
                self.at += 1;
                return None;
            }
            Some(b',') if self.begun => self.at = skip_space(bytes, self.at + 1),
            Some(_) if !self.begun => {}
            _ => return Some(Err(self.error("expected `,` or `}`"))),
        }
        self.begun = true;
        if bytes.get(self.at) != Some(&b'"') {
            return Some(Err(self.error("expected a key in double quotes")));
        }
        let start = self.at;
        let (end, escaped) = match scan::string(bytes, start + 1) {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        self.at = skip_space(bytes, end + 1);
        if bytes.get(self.at) != Some(&b':') {
            return Some(Err(self.error("expected `:`")));
        }
        self.at = skip_space(bytes, self.at + 1);
        if escaped {
            let span = Span { kind: TokenKind::String(true), start, end: end + 1 };
            return Some(Ok(span.string(self.json).and_then(|name| Key::parse(&name))));
        }
        // Names of other lengths are none of ours.
        let known = matches!(end - start - 1, 2 | 4..=7 | 9 | 10);
        Some(Ok(if known { Key::at(bytes, start + 1, end) } else { None }))
    }

    fn error(&self, what: &'static str) -> JsonError {
        JsonError::syntax(what, self.at)
    }

    /// The value that begins at `at`, which is moved behind it.
    #[inline(always)]
    fn value(&mut self) -> Result<Span, JsonError> {
        let bytes = self.json.as_bytes();
        let start = self.at;
        if bytes.get(start) == Some(&b'"') {
            let (end, escaped) = scan::string(bytes, start + 1)?;
            self.at = end + 1;
            return Ok(Span { kind: TokenKind::String(escaped), start, end: self.at });
        }
        let span = scan::value(bytes, start, MAX_DEPTH)?;
        self.at = span.end;
        Ok(span)
    }

    /// The same, for an object with ids.
    fn inner(&mut self) -> Result<Option<Inner>, JsonError> {
        let start = self.at;
        if self.json.as_bytes().get(start) != Some(&b'{') {
            self.value()?;
            return Ok(None);
        }
        let (mut id, mut session_id, mut message_id, mut time) = (None, None, None, None);
        let mut inside = Fields::new(self.json, start);
        while let Some(name) = inside.next() {
            let name = name?;
            let value = Some(inside.value()?);
            match name {
                Some(Key::Id) => id = value,
                Some(Key::SessionID) => session_id = value,
                Some(Key::MessageID) => message_id = value,
                Some(Key::Time) => time = value,
                _ => {}
            }
        }
        let end = inside.at;
        self.at = end;
        let span = Span { kind: TokenKind::Object, start, end };
        Ok(Some(Inner { span, id, session_id, message_id, time }))
    }
}

/// The record's event with its properties; `None` where its type does not come before them.
fn in_one_pass(
    json: &str,
    at: usize,
) -> Result<Option<(ServerEvent, Option<Properties>)>, JsonError> {
    let mut fields = Fields::new(json, at);
    let mut event = None;
    let mut event_id = None;
    let mut properties = None;
    while let Some(name) = fields.next() {
        match (name?, event) {
            (Some(Key::Type), None) => {
                let span = fields.value()?;
                let Some(name) = span.string(json) else { return Ok(None) };
                event = Some(ServerEvent::parse(&name));
            }
            (Some(Key::Properties), Some(event)) => {
                properties = read_properties(&mut fields, event)?;
                if let Some(properties) = &mut properties {
                    properties.event_id = event_id.take();
                }
            }
            (Some(Key::Id), _) => event_id = Some(fields.value()?),
            (Some(Key::Type | Key::Properties | Key::Payload), _) => return Ok(None),
            _ => {
                fields.value()?;
            }
        }
    }
    let end = skip_space(json.as_bytes(), fields.at);
    if end < json.len() {
        return Err(JsonError::syntax("something follows the record", end));
    }
    // Without a type it is no event, or one that is wrapped.
    Ok(event.map(|event| (event, properties)))
}

/// The same, for a record whose fields come in any order.
fn in_any_order(
    json: &str,
    at: usize,
) -> Result<Option<(ServerEvent, Option<Properties>)>, JsonError> {
    let names = ["type", "properties", "payload", "id"];
    let ([kind, properties, payload, id], end) = scan::fields(json, at, names, MAX_DEPTH)?;
    let end = skip_space(json.as_bytes(), end);
    if end < json.len() {
        return Err(JsonError::syntax("something follows the record", end));
    }
    let (kind, properties, event_id) = match payload.filter(|p| p.kind == TokenKind::Object) {
        Some(payload) => {
            let names = ["type", "properties", "id"];
            let ([kind, properties, id], _) = scan::fields(json, payload.start, names, MAX_DEPTH)?;
            (kind, properties, id)
        }
        None => (kind, properties, id),
    };
    let Some(kind) = kind.and_then(|span| span.string(json)) else { return Ok(None) };
    let event = ServerEvent::parse(&kind);
    let properties = match properties {
        Some(span) => {
            let mut fields = Fields { json, at: span.start, begun: false };
            let read = read_properties(&mut fields, event)?;
            read.map(|properties| Properties { event_id, ..properties })
        }
        None => None,
    };
    Ok(Some((event, properties)))
}

/// The value at `fields.at`, which is moved behind it.
fn read_properties(
    fields: &mut Fields<'_>,
    event: ServerEvent,
) -> Result<Option<Properties>, JsonError> {
    let json = fields.json;
    if !event.is_read() || json.as_bytes().get(fields.at) != Some(&b'{') {
        fields.value()?;
        return Ok(None);
    }
    let mut found = Properties::default();
    let mut inside = Fields::new(json, fields.at);
    while let Some(name) = inside.next() {
        let slot = match name? {
            Some(Key::SessionID) => &mut found.session_id,
            Some(Key::MessageID) => &mut found.message_id,
            Some(Key::PartID) => &mut found.part_id,
            Some(Key::Field) => &mut found.field,
            Some(Key::Delta) => &mut found.delta,
            Some(Key::Error) => &mut found.error,
            Some(Key::Info) => {
                found.info = inside.inner()?;
                continue;
            }
            Some(Key::Part) => {
                found.part = inside.inner()?;
                continue;
            }
            _ => &mut None,
        };
        *slot = Some(inside.value()?);
    }
    fields.at = inside.at;
    Ok(Some(found))
}

impl OpenCodeEvents {
    fn take(&mut self, json: &str, offset: u64) -> Result<(), JsonError> {
        let start = skip_space(json.as_bytes(), 0);
        if json.as_bytes().get(start) != Some(&b'{') {
            scan::value(json.as_bytes(), start, MAX_DEPTH)?;
            self.replay.problems.error("events", "a record is an object; skipped", offset);
            return Ok(());
        }
        let read = match in_one_pass(json, start)? {
            Some(read) => Some(read),
            None => in_any_order(json, start)?,
        };
        match read {
            None => {
                self.replay.problems.error("events", "a record without `type`; skipped", offset);
            }
            Some((ServerEvent::Next, _)) => {
                self.next.get_or_insert(offset);
            }
            Some((ServerEvent::Other, _)) => {}
            Some((event, properties)) => {
                let applied = properties.and_then(|p| self.apply(event, json, &p, offset));
                if applied.is_none() {
                    let what = "an event that does not name what it is about; skipped";
                    self.replay.problems.error("events", what, offset);
                }
            }
        }
        Ok(())
    }

    /// `None` where something is missing.
    fn apply(
        &mut self,
        event: ServerEvent,
        json: &str,
        properties: &Properties,
        offset: u64,
    ) -> Option<()> {
        let text = |span: Option<Span>| span.and_then(|s| s.string(json));
        let id = |span: Option<Span>| text(span).filter(|id| !id.is_empty());
        let Properties {
            event_id,
            session_id,
            message_id,
            part_id,
            field,
            delta,
            error,
            info,
            part,
        } = properties;
        let replay = &mut self.replay;
        match event {
            ServerEvent::SessionCreated | ServerEvent::SessionUpdated => {
                let info = info.as_ref()?;
                let id = id(info.id)?;
                replay.session(&id, info.span.text(json), event == ServerEvent::SessionCreated);
            }
            ServerEvent::SessionDeleted => {
                let of_info = info.as_ref().and_then(|info| id(info.id));
                replay.delete_session(&of_info.or_else(|| id(*session_id))?);
            }
            ServerEvent::SessionError => {
                let session = id(*session_id).unwrap_or_default();
                replay.failed(&session, failure(json, *error), offset);
            }
            ServerEvent::MessageUpdated => {
                let info = info.as_ref()?;
                let session = id(info.session_id).or_else(|| id(*session_id)).unwrap_or_default();
                let of = (info.span.text(json), info.created(json));
                replay.message(&id(info.id)?, &session, of, offset);
            }
            ServerEvent::MessageRemoved => replay.remove_message(&id(*message_id)?),
            ServerEvent::PartUpdated => {
                let part = part.as_ref()?;
                let session = id(part.session_id).or_else(|| id(*session_id)).unwrap_or_default();
                let message = id(part.message_id).or_else(|| id(*message_id))?;
                replay.part(&id(part.id)?, &message, &session, part.span.text(json), offset);
            }
            ServerEvent::PartDelta => {
                let (part, message) = (id(*part_id)?, id(*message_id)?);
                let session = id(*session_id).unwrap_or_default();
                let field = id(*field).unwrap_or(Cow::Borrowed("text"));
                let delta = delta.filter(|d| matches!(d.kind, TokenKind::String(_)))?;
                let raw = json.get(delta.start + 1..delta.end.saturating_sub(1))?;
                let index = replay.delta(&part, &message, &session, (&field, raw), offset);
                self.row =
                    index.and_then(|part| DeltaRun::new(json, *event_id, delta, &field, part));
            }
            ServerEvent::PartRemoved => replay.remove_part(&id(*part_id)?, &id(*message_id)?),
            ServerEvent::Next | ServerEvent::Other => {}
        }
        Some(())
    }
}

/// What went wrong, in a sentence.
fn failure(json: &str, error: Option<Span>) -> String {
    let text = |span: Option<Span>| span.and_then(|span| span.string(json));
    let object = |span: Option<Span>| span.filter(|span| span.kind == TokenKind::Object);
    let in_object = |span: Option<Span>, names: [&str; 2]| {
        let found = object(span).and_then(|of| scan::fields(json, of.start, names, MAX_DEPTH).ok());
        found.map_or([None; 2], |(found, _)| found)
    };
    let [name, data] = in_object(error, ["name", "data"]);
    let [message, _] = in_object(data, ["message", "name"]);
    let said: String = text(message).unwrap_or_default().chars().take(200).collect();
    let name = text(name).unwrap_or_default();
    [shown(&name).as_str(), &said]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(": ")
}

impl TranscriptFormat for OpenCodeEvents {
    const NAME: &'static str = "opencode-events";
    const IDS: Ids = Ids::OpenCode;
    const INSIDE: &'static [&'static str] = &["payload"];

    fn detect(seen: &SeenFields) -> bool {
        seen.has_object("properties") && seen.kind().is_some()
    }

    /// `/global/event` wraps an event as `{directory, payload}`.
    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        let is_last = inside.ends_with("properties") && inside.has_object("properties");
        name == "payload" && is_last && inside.has_string("type")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(OpenCodeEvents::default()))
    }
}

impl FormatReader for OpenCodeEvents {
    fn record(&mut self, record: Record<'_>, _env: &mut Env<'_>) {
        if let Some(row) = &self.row
            && let Some(raw) = row.read(record.json)
            && self.replay.more(row.part, &row.field, raw)
        {
            return;
        }
        let json = crate::transcript::formats::fields::text(&record, &mut self.replay.problems);
        if let Err(error) = self.take(&json, record.offset) {
            let rule = if error.is_limit() { "limit" } else { "json" };
            let message = format!("{}; the record is skipped", error.message);
            self.replay.problems.error(rule, message, record.offset + error.offset as u64);
        }
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let made = self.replay.clone().finish();
        // What is amiss at the end may be put right before it.
        LoadedSessions { problems: self.replay.problems.clone().into_sorted(), ..made }
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let OpenCodeEvents { mut replay, next, .. } = *self;
        if let Some(offset) = next
            && replay.is_empty()
        {
            let what = "only events of the family `session.next.*`, which is not read: record the \
                        stream with the events `message.*`";
            replay.problems.warning("events", what, offset);
        }
        replay.finish()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
