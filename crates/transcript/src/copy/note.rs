//! [`CopyNote`]: what a copy says of the transcript that it was made of.

use crate::formats::registry::Format;
use apex_parts_agents::fields::{any_string, get, is_true, items, number, of_kind, string};
use apex_parts_agents::{SessionKind, TokenCounts};
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::{Kind, View};
use apex_parts_validate::Ids;
use std::ops::Range;

/// The field of the first message's `info`, or of an export's, that holds it.
pub(crate) const NOTE: &str = "apexTranscript";

/// What a copy says of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NotedSession {
    pub(crate) id: String,
    pub(crate) kind: Option<SessionKind>,
    pub(crate) parent_id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) file: Option<String>,
    /// How many messages it had.
    pub(crate) messages: Option<usize>,
    /// The id of its last message.
    pub(crate) last: Option<String>,
    pub(crate) tokens: Option<TokenCounts>,
    pub(crate) cost: Option<f64>,
    /// The JSON object of the session.
    pub(crate) info: Option<Vec<u8>>,
}

/// What a copy says of the transcript that it was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CopyNote {
    /// Which ids are valid.
    pub(crate) ids: Option<Ids>,
    /// The format; `None` if it is none that is known.
    pub(crate) format: Option<Format>,
    /// The file has no results of tools.
    pub(crate) lacks_results: bool,
    /// The time that messages without one were given.
    pub(crate) made_up: Option<f64>,
    /// The file was cut off.
    pub(crate) is_cut: bool,
    pub(crate) sessions: Vec<NotedSession>,
}

impl CopyNote {
    /// Reads a note; `None` if it is no object.
    pub(crate) fn read(json: &[u8]) -> Option<CopyNote> {
        let mut tape = Tape::default();
        tape.read(json, 0).ok()?;
        let note = of_kind(Some(tape.root(json)), Kind::Object)?;
        let text = |name| string(get(Some(note), name));
        Some(CopyNote {
            ids: get(Some(note), "ids").and_then(|ids| ids.word()).and_then(Ids::of),
            format: text("format").and_then(|name| Format::parse(&name)),
            lacks_results: is_true(get(Some(note), "noResults")),
            made_up: number(get(Some(note), "madeUp")),
            is_cut: is_true(get(Some(note), "cut")),
            sessions: items(get(Some(note), "sessions")).map(session).collect(),
        })
    }

    /// Writes the note as JSON.
    pub(crate) fn write(&self) -> String {
        let mut out = String::new();
        writer::object(&mut out, |note| {
            if let Some(ids) = self.ids {
                note.string("ids", ids.as_str());
            }
            if let Some(format) = self.format {
                note.string("format", format.as_str());
            }
            for (name, is_so) in [("noResults", self.lacks_results), ("cut", self.is_cut)] {
                if is_so {
                    note.bool(name, true);
                }
            }
            if let Some(at) = self.made_up {
                note.number("madeUp", at);
            }
            writer::list(note.key("sessions"), &self.sessions, write_session);
        });
        out
    }

    /// What it says of a session; of the main one if none is named.
    pub(crate) fn session(&self, id: Option<&str>) -> Option<&NotedSession> {
        match id {
            None => self.sessions.first(),
            Some(id) => self.sessions.iter().find(|session| session.id == id),
        }
    }
}

fn session(node: Node<'_>) -> NotedSession {
    let field = |name| get(Some(node), name);
    let text = |name| string(field(name)).map(std::borrow::Cow::into_owned);
    let tokens = of_kind(field("tokens"), Kind::Object).map(|tokens| {
        let count = |name| number(get(Some(tokens), name)).unwrap_or_default();
        let cache = get(Some(tokens), "cache");
        let of_cache = |name| number(get(cache, name)).unwrap_or_default();
        TokenCounts {
            input: count("input"),
            output: count("output"),
            reasoning: count("reasoning"),
            read: of_cache("read"),
            write: of_cache("write"),
            total: number(get(Some(tokens), "total")),
        }
    });
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
    let messages = number(field("messages")).map(|count| count as usize);
    NotedSession {
        id: any_string(field("id")).and_then(Node::str).unwrap_or_default().into_owned(),
        kind: string(field("kind")).and_then(|kind| SessionKind::parse(&kind)),
        parent_id: text("parentID"),
        title: text("title"),
        agent: text("agent"),
        file: text("file"),
        messages,
        last: text("last"),
        tokens,
        cost: number(field("cost")),
        info: of_kind(field("info"), Kind::Object).map(|info| info.json().to_vec()),
    }
}

fn write_session(out: &mut String, session: &NotedSession) {
    writer::object(out, |object| {
        object.string("id", &session.id);
        let kind = session.kind.map(SessionKind::as_str);
        let texts = [
            ("kind", kind),
            ("parentID", session.parent_id.as_deref()),
            ("title", session.title.as_deref()),
            ("agent", session.agent.as_deref()),
            ("file", session.file.as_deref()),
            ("last", session.last.as_deref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                object.string(name, text);
            }
        }
        if let Some(count) = session.messages {
            object.integer("messages", i64::try_from(count).unwrap_or(i64::MAX));
        }
        if let Some(tokens) = session.tokens {
            object.object("tokens", |out| tokens.write(out));
        }
        if let Some(cost) = session.cost {
            object.number("cost", cost);
        }
        if let Some(info) = &session.info {
            object.key("info").push_str(&String::from_utf8_lossy(info));
        }
    });
}

/// Do messages with their parts begin with a note? `head` is the beginning of the first message, or of the list.
pub(crate) fn begins_with_note(head: &[u8]) -> bool {
    let mut at = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    at = skip_space(head, at);
    if head.get(at) == Some(&b'[') {
        at += 1;
    }
    let name = format!("\"{NOTE}\"");
    for token in ["{", "\"info\"", ":", "{", &name] {
        at = skip_space(head, at);
        if !head.get(at..).is_some_and(|rest| rest.starts_with(token.as_bytes())) {
            return false;
        }
        at += token.len();
    }
    true
}

/// The note in an object, and where it stands there, with what parts it from the next field.
pub(crate) fn note_in(object: Node<'_>) -> Option<(CopyNote, Range<usize>)> {
    let mut fields = object.fields();
    let (name, value) = fields.find(|(name, _)| name.str().is_some_and(|name| name == NOTE))?;
    let start = name.span().start.saturating_sub(1);
    let end = match fields.next() {
        Some((next, _)) => next.span().start.saturating_sub(1),
        None => value.span().end,
    };
    Some((CopyNote::read(value.json())?, start..end))
}
