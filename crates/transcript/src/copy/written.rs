//! The note that a copy of a transcript is given.

use super::note::{CopyNote, NotedSession};
use crate::Session;
use crate::assembled_list::AssembledList;
use crate::formats::registry::Format;
use crate::index::entry::MessageFact;
use crate::message_list::MessageList;
use crate::transcript::Transcript;
use apex_parts_json::tape::Tape;
use apex_parts_model::{Error, Key, View};
use apex_parts_validate::Ids;

impl Transcript {
    /// The note that a copy of the transcript, or of one of its sessions, carries as messages with their parts: what the
    /// file says beside its messages. It stands as the field `apexTranscript`, the first of the first message's `info`.
    /// `None` where the messages say it all.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn copy_note(&self, session: Option<&str>) -> Result<Option<String>, Error> {
        let ids = self.ids();
        let is_plain = self.is_in_file() && matches!(self.format, None | Some(Format::WithParts));
        if is_plain && self.copied.is_none() && !self.cut && ids == Ids::Apex {
            return Ok(None);
        }
        let mut sessions = Vec::new();
        let mut has_made_up = false;
        let all = self.sessions();
        let is_one = all.len() == 1;
        let index = &self.list.index;
        let last_messages = index.last_messages();
        for (place, own) in all.into_iter().enumerate() {
            if session.is_some_and(|wanted| wanted != own.id) {
                continue;
            }
            let list = self.session_set.lists.get(place).map(AssembledList::list);
            has_made_up |= list.is_some_and(|list| self.has_made_up_time(list));
            let (messages, last) = match list {
                Some(list) => (list, list.index.messages.len().checked_sub(1)),
                None if index.sessions.len() < 2 => {
                    (&self.list, index.messages.len().checked_sub(1))
                }
                None => {
                    let place = index.session_place(&own.id);
                    (&self.list, place.and_then(|place| last_messages.get(place).copied()))
                }
            };
            let mut noted = self.noted(own, place, list);
            noted.last = id_of(messages, last)?;
            if is_one {
                noted.messages = Some(self.message_count());
            }
            sessions.push(noted);
        }
        if sessions.is_empty() {
            // Its messages name no session.
            let last = id_of(&self.list, index.messages.len().checked_sub(1))?;
            sessions.push(NotedSession { last, ..NotedSession::default() });
        }
        let note = CopyNote {
            ids: Some(ids),
            format: self.source_format(),
            lacks_results: !self.holds_results(),
            made_up: has_made_up.then(|| self.made_up_time()),
            is_cut: self.cut || self.is_copy_of_cut(),
            sessions,
        };
        Ok(Some(note.write()))
    }

    /// Was a message of the list given a time that the file does not have?
    fn has_made_up_time(&self, list: &MessageList) -> bool {
        let at = self.made_up_time();
        let times = |fact: &MessageFact| [fact.created, fact.completed];
        list.index.messages.iter().flat_map(times).any(|time| time == at)
    }

    /// What is noted of a session, but for its last message. `list` has its messages, if they were assembled.
    fn noted(&self, session: Session, place: usize, list: Option<&MessageList>) -> NotedSession {
        let (tokens, cost) = self.session_set.told.get(place).copied().unwrap_or_default();
        let own_info = if place == 0 { self.session.as_deref() } else { None };
        let info = self.session_set.infos.get(place).map_or(own_info, Option::as_deref);
        NotedSession {
            kind: Some(session.kind),
            parent_id: session.parent_id,
            title: session.title,
            agent: session.agent,
            file: session.file,
            messages: list.map(|list| list.index.messages.len()),
            last: None,
            tokens,
            cost,
            info: info.map(<[u8]>::to_vec),
            id: session.id,
        }
    }
}

/// The id of a message of a list.
fn id_of(list: &MessageList, message: Option<usize>) -> Result<Option<String>, Error> {
    let Some(json) = message.map(|message| list.message(message)).transpose()?.flatten() else {
        return Ok(None);
    };
    let mut tape = Tape::default();
    if tape.read(&json, 0).is_err() {
        return Ok(None);
    }
    let id = tape.root(&json).get(Key::Info).get(Key::Id).str();
    Ok(id.map(std::borrow::Cow::into_owned))
}
