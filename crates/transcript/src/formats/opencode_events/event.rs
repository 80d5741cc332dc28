//! Reading one event out of its record.

use crate::formats::opencode_events::growing_part::short_name;
use apex_parts_json::JsonError;
use apex_parts_json::cursor::Cursor;
use apex_parts_json::float;
use apex_parts_json::scan::{self, Span, TokenKind, skip_space};
use apex_parts_json::tape::MAX_DEPTH;
use apex_parts_model::Key;

/// The events that change a message or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerEvent {
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

/// The properties of an event: those of all events together.
#[derive(Default)]
pub(crate) struct EventProperties {
    /// The id of the event itself.
    pub(crate) event_id: Option<Span>,
    pub(crate) session_id: Option<Span>,
    pub(crate) message_id: Option<Span>,
    pub(crate) part_id: Option<Span>,
    pub(crate) field: Option<Span>,
    pub(crate) delta: Option<Span>,
    pub(crate) error: Option<Span>,
    pub(crate) info: Option<EventObject>,
    pub(crate) part: Option<EventObject>,
}

/// A message, a session or a part: where it is in the record, and its ids.
pub(crate) struct EventObject {
    pub(crate) span: Span,
    pub(crate) id: Option<Span>,
    pub(crate) session_id: Option<Span>,
    pub(crate) message_id: Option<Span>,
    time: Option<Span>,
}

impl EventObject {
    /// When a message was created, in milliseconds since the Unix epoch.
    pub(crate) fn created(&self, json: &str) -> Option<f64> {
        let time = self.time.filter(|span| span.kind == TokenKind::Object)?;
        let ([created], _) = scan::fields(json, time.start, ["created"], MAX_DEPTH).ok()?;
        float::parse(created.filter(|span| span.kind == TokenKind::Number)?.text(json))
    }
}

/// Steps to the next field; gives its key if it is a known one.
#[inline(always)]
fn next(fields: &mut Cursor<'_>, json: &str) -> Option<Result<Option<Key>, JsonError>> {
    let key = match fields.hot_field() {
        Ok(key) => key?,
        Err(error) => return Some(Err(error)),
    };
    if key.is_escaped {
        return Some(Ok(Key::parse(&key.text(json))));
    }
    // No key of an event has another length.
    let known = matches!(key.end - key.start, 2 | 4..=7 | 9 | 10);
    Some(Ok(if known { Key::at(json.as_bytes(), key.start, key.end) } else { None }))
}

/// Steps over the value. Most are strings: those are read without a call.
#[inline(always)]
fn skip(fields: &mut Cursor<'_>, json: &str) -> Result<Span, JsonError> {
    if fields.first_byte() != Some(b'"') {
        return fields.skip(MAX_DEPTH);
    }
    let start = fields.at;
    let (end, escaped) = scan::string(json.as_bytes(), start + 1)?;
    fields.at = end + 1;
    Ok(Span { kind: TokenKind::String(escaped), start, end: end + 1 })
}

/// Steps over the value, an object with ids; `None` if it is not an object.
fn read_object(fields: &mut Cursor<'_>, json: &str) -> Result<Option<EventObject>, JsonError> {
    let start = fields.at;
    if fields.first_byte() != Some(b'{') {
        skip(fields, json)?;
        return Ok(None);
    }
    let (mut id, mut session_id, mut message_id, mut time) = (None, None, None, None);
    let mut inside = Cursor::new(json.as_bytes(), start);
    while let Some(key) = next(&mut inside, json) {
        let key = key?;
        let value = Some(skip(&mut inside, json)?);
        match key {
            Some(Key::Id) => id = value,
            Some(Key::SessionID) => session_id = value,
            Some(Key::MessageID) => message_id = value,
            Some(Key::Time) => time = value,
            _ => {}
        }
    }
    let end = inside.at;
    fields.at = end;
    let span = Span { kind: TokenKind::Object, start, end };
    Ok(Some(EventObject { span, id, session_id, message_id, time }))
}

/// The event of the record whose brace is at `at`, with its properties; `None` if it has no type. The
/// properties are `None` if they are missing or of no use.
///
/// # Errors
/// The record is not JSON.
pub(crate) fn read(
    json: &str,
    at: usize,
) -> Result<Option<(ServerEvent, Option<EventProperties>)>, JsonError> {
    match in_one_pass(json, at)? {
        Some(read) => Ok(Some(read)),
        None => in_any_order(json, at),
    }
}

/// [`read`], if the type comes before the properties; else `None`.
fn in_one_pass(
    json: &str,
    at: usize,
) -> Result<Option<(ServerEvent, Option<EventProperties>)>, JsonError> {
    let mut fields = Cursor::new(json.as_bytes(), at);
    let mut event = None;
    let mut event_id = None;
    let mut properties = None;
    while let Some(key) = next(&mut fields, json) {
        match (key?, event) {
            (Some(Key::Type), None) => {
                let span = skip(&mut fields, json)?;
                let Some(name) = span.string(json) else { return Ok(None) };
                event = Some(ServerEvent::parse(&name));
            }
            (Some(Key::Properties), Some(event)) => {
                properties = read_properties(&mut fields, json, event)?;
                if let Some(properties) = &mut properties {
                    properties.event_id = event_id.take();
                }
            }
            (Some(Key::Id), _) => event_id = Some(skip(&mut fields, json)?),
            (Some(Key::Type | Key::Properties | Key::Payload), _) => return Ok(None),
            _ => {
                skip(&mut fields, json)?;
            }
        }
    }
    let end = skip_space(json.as_bytes(), fields.at);
    if end < json.len() {
        return Err(JsonError::syntax("something follows the record", end));
    }
    // Without a type it is not an event, or a wrapped one.
    Ok(event.map(|event| (event, properties)))
}

/// [`read`], for fields in any order.
fn in_any_order(
    json: &str,
    at: usize,
) -> Result<Option<(ServerEvent, Option<EventProperties>)>, JsonError> {
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
            let mut fields = Cursor::new(json.as_bytes(), at);
            fields.at = span.start;
            let read = read_properties(&mut fields, json, event)?;
            read.map(|properties| EventProperties { event_id, ..properties })
        }
        None => None,
    };
    Ok(Some((event, properties)))
}

/// Reads the properties, whose value `fields` has stepped to.
fn read_properties(
    fields: &mut Cursor<'_>,
    json: &str,
    event: ServerEvent,
) -> Result<Option<EventProperties>, JsonError> {
    if !event.is_read() || fields.first_byte() != Some(b'{') {
        skip(fields, json)?;
        return Ok(None);
    }
    let mut found = EventProperties::default();
    let mut inside = Cursor::new(json.as_bytes(), fields.at);
    while let Some(key) = next(&mut inside, json) {
        let slot = match key? {
            Some(Key::SessionID) => &mut found.session_id,
            Some(Key::MessageID) => &mut found.message_id,
            Some(Key::PartID) => &mut found.part_id,
            Some(Key::Field) => &mut found.field,
            Some(Key::Delta) => &mut found.delta,
            Some(Key::Error) => &mut found.error,
            Some(Key::Info) => {
                found.info = read_object(&mut inside, json)?;
                continue;
            }
            Some(Key::Part) => {
                found.part = read_object(&mut inside, json)?;
                continue;
            }
            _ => &mut None,
        };
        *slot = Some(skip(&mut inside, json)?);
    }
    fields.at = inside.at;
    Ok(Some(found))
}

/// The error of a `session.error`, in a sentence.
pub(crate) fn error_text(json: &str, error: Option<Span>) -> String {
    let text = |span: Option<Span>| span.and_then(|span| span.string(json));
    let object = |span: Option<Span>| span.filter(|span| span.kind == TokenKind::Object);
    let in_object = |span: Option<Span>, names: [&str; 2]| {
        let found = object(span).and_then(|of| scan::fields(json, of.start, names, MAX_DEPTH).ok());
        found.map_or([None; 2], |(found, _)| found)
    };
    let [name, data] = in_object(error, ["name", "data"]);
    let [message, _] = in_object(data, ["message", "name"]);
    let message: String = text(message).unwrap_or_default().chars().take(200).collect();
    let name = text(name).unwrap_or_default();
    [short_name(&name).as_str(), &message]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(": ")
}
