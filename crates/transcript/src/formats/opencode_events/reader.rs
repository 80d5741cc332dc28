//! opencode-events: what an OpenCode server sends on `/event`, replayed.
//!
//! A record is `{id?, type, properties}`; `/global/event` wraps it as `{directory, payload}`. A whole
//! message or part replaces what was known of it; a delta is appended to one of the part's strings.
//! Servers before 1.0 send the whole part with every delta: only the part is read then. All other
//! events (`session.status`, `plugin.*`, …) change no message and are not read. Nor does a
//! `session.error`: if it belongs to a message, the server writes it there as well; otherwise it
//! becomes a problem.

use crate::formats::opencode_events::delta_run::DeltaRun;
use crate::formats::opencode_events::event::{self, EventProperties, ServerEvent};
use crate::formats::opencode_events::state::EventState;
use apex_parts_agents::{
    Env, FormatReader, LoadedSessions, OPENCODE, Record, RecordCount, SeenFields, TranscriptFormat,
};
use apex_parts_json::JsonError;
use apex_parts_json::scan::{self, Span, TokenKind, skip_space};
use apex_parts_json::tape::MAX_DEPTH;
use apex_parts_model::Agent;
use apex_parts_validate::Ids;
use std::borrow::Cow;

/// Reads opencode-events.
#[derive(Debug, Default)]
pub(crate) struct OpenCodeEvents {
    replay: EventState,
    /// The offset of the first `session.next.*` event, a family that is not read.
    next: Option<u64>,
    /// The fast path for records that repeat the last delta's.
    row: Option<DeltaRun>,
    /// How many records are events of the server: those have properties.
    records: RecordCount,
}

impl OpenCodeEvents {
    fn take(&mut self, json: &str, offset: u64) -> Result<(), JsonError> {
        let start = skip_space(json.as_bytes(), 0);
        if json.as_bytes().get(start) != Some(&b'{') {
            scan::value(json.as_bytes(), start, MAX_DEPTH)?;
            self.replay.problems.error("events", "a record is an object; skipped", offset);
            return Ok(());
        }
        let read = event::read(json, start)?;
        let is_own = match &read {
            None => false,
            Some((ServerEvent::Other, _)) => {
                memchr::memmem::find(json.as_bytes(), b"\"properties\"").is_some()
            }
            Some(_) => true,
        };
        self.records.add(is_own, offset);
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

    /// Applies the event to the state; `None` if one of its properties is missing.
    fn apply(
        &mut self,
        event: ServerEvent,
        json: &str,
        properties: &EventProperties,
        offset: u64,
    ) -> Option<()> {
        let text = |span: Option<Span>| span.and_then(|s| s.string(json));
        let id = |span: Option<Span>| text(span).filter(|id| !id.is_empty());
        let EventProperties {
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
                replay.failed(&session, event::error_text(json, *error), offset);
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

impl TranscriptFormat for OpenCodeEvents {
    const NAME: &'static str = "opencode-events";
    const TITLE: &'static str = "OpenCode Events";
    const AGENT: Option<Agent> = Some(OPENCODE);
    const ENDINGS: &'static [&'static str] =
        &[".json", ".jsonl", ".ndjson", ".sse", ".txt", ".log"];
    const IDS: Ids = Ids::OpenCode;
    const INSIDE: &'static [&'static str] = &["payload"];

    fn detect(seen: &SeenFields) -> bool {
        // Its events are called `session.idle`, `message.updated`; a JSON Schema has such fields too.
        seen.has_object("properties") && seen.kind().is_some_and(|kind| kind.contains('.'))
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
            self.records.add(true, record.offset);
            return;
        }
        let json = apex_parts_agents::fields::text(&record, &mut self.replay.problems);
        if let Err(error) = self.take(&json, record.offset) {
            let rule = if error.is_limit() { "limit" } else { "json" };
            let message = format!("{}; the record is skipped", error.message);
            self.replay.problems.error(rule, message, record.place(error.offset));
        }
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let sessions = self.replay.clone().finish();
        // What `finish` finds missing may still arrive.
        let problems = self.replay.problems.clone().into_sorted();
        LoadedSessions { problems, records: self.records, ..sessions }
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let OpenCodeEvents { mut replay, next, records, .. } = *self;
        if let Some(offset) = next
            && replay.is_empty()
        {
            let what = "only events of the family `session.next.*`, which is not read: record the \
                        stream with the events `message.*`";
            replay.problems.warning("events", what, offset);
        }
        LoadedSessions { records, ..replay.finish() }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
