//! [`CopyReader`]: the sessions of a copy, as its note says what they are.

use super::note::{CopyNote, NotedSession, note_in};
use crate::index::message_index::is_message;
use apex_parts_agents::{Env, FormatReader, LoadedSession, LoadedSessions, ObjectReader, Record};
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Key, View};

/// A message of the copy.
#[derive(Clone, Debug)]
struct CopiedMessage {
    session: String,
    json: String,
}

/// Reads messages with their parts, the first of which has the note.
#[derive(Debug, Default)]
pub(crate) struct CopyReader {
    note: Option<CopyNote>,
    messages: Vec<CopiedMessage>,
    problems: ProblemList,
}

impl CopyReader {
    /// The index of the session of each message. Where there are as many messages as the note says, they are those of
    /// the sessions, one after the other. Where there are others, each is of the session that it names.
    fn places(&self, noted: &[NotedSession]) -> Vec<usize> {
        let counts: Option<Vec<usize>> = noted.iter().map(|session| session.messages).collect();
        let counts = counts.filter(|counts| {
            counts.iter().fold(0, |sum: usize, count| sum.saturating_add(*count))
                == self.messages.len()
        });
        if let Some(counts) = counts {
            let of = |(place, count): (usize, usize)| std::iter::repeat_n(place, count);
            return counts.into_iter().enumerate().flat_map(of).collect();
        }
        let mut named: SortedMap<&str, usize> = SortedMap::new();
        for (place, session) in noted.iter().enumerate() {
            named.or_insert(&session.id, place);
        }
        let mut last = 0;
        let place = |message: &CopiedMessage| {
            // A session that is not noted is one with what stands before it.
            last = named.get(message.session.as_str()).copied().unwrap_or(last);
            last
        };
        self.messages.iter().map(place).collect()
    }

    fn loaded(&self) -> LoadedSessions {
        let note = self.note.clone().unwrap_or_default();
        let mut noted = note.sessions.clone();
        if noted.is_empty() {
            let id = self.messages.first().map(|message| message.session.clone());
            noted.push(NotedSession { id: id.unwrap_or_default(), ..NotedSession::default() });
        }
        let places = self.places(&noted);
        let mut texts: Vec<Vec<u8>> = noted.iter().map(|_| b"[".to_vec()).collect();
        for (message, place) in self.messages.iter().zip(places) {
            let Some(text) = texts.get_mut(place) else { continue };
            if text.len() > 1 {
                text.push(b',');
            }
            text.extend_from_slice(message.json.as_bytes());
        }
        let session = |(noted, mut messages): (NotedSession, Vec<u8>)| {
            messages.push(b']');
            LoadedSession {
                id: noted.id,
                parent_id: noted.parent_id,
                title: noted.title,
                kind: noted.kind,
                info: noted.info,
                messages: messages.into(),
                tokens: noted.tokens,
                cost: noted.cost,
            }
        };
        LoadedSessions {
            sessions: noted.into_iter().zip(texts).map(session).collect(),
            problems: self.problems.clone().into_sorted(),
            note: Some(note.write()),
            ..LoadedSessions::default()
        }
    }
}

impl ObjectReader for CopyReader {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.take(text, root, record.offset);
    }
}

impl FormatReader for CopyReader {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.loaded()
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.loaded()
    }
}

impl CopyReader {
    fn take(&mut self, text: &str, root: Node<'_>, offset: u64) {
        if !is_message(root) {
            let message = "expected a message `{info, parts}`; skipped".to_owned();
            self.problems.error("schema", message, offset);
            return;
        }
        let info = root.get(Key::Info);
        let session = info.get(Key::SessionID).str().unwrap_or_default().into_owned();
        let noted = if self.note.is_none() { note_in(info) } else { None };
        let (note, range) = noted.unzip();
        let mut json = text.to_owned();
        if let Some(range) = range {
            json.replace_range(range, "");
            self.note = note;
        }
        self.messages.push(CopiedMessage { session, json });
    }
}
