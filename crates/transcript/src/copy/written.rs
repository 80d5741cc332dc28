//! The note that a copy of a transcript is given.

use super::note::{CopyNote, NotedSession};
use crate::Session;
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
        for (place, own) in all.into_iter().enumerate() {
            if session.is_some_and(|wanted| wanted != own.id) {
                continue;
            }
            let list = self.session_set.lists.get(place);
            has_made_up |= list.is_some_and(|list| self.has_made_up_time(list));
            let mut noted = self.noted(own, place, list)?;
            if is_one {
                noted.messages = Some(self.message_count());
            }
            sessions.push(noted);
        }
        if sessions.is_empty() {
            // Its messages name no session.
            let last = self.last_message("", None)?;
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

    /// What is noted of a session. `list` has its messages, if they were assembled.
    fn noted(
        &self,
        session: Session,
        place: usize,
        list: Option<&MessageList>,
    ) -> Result<NotedSession, Error> {
        let (tokens, cost) = self.session_set.told.get(place).copied().unwrap_or_default();
        let own_info = if place == 0 { self.session.as_deref() } else { None };
        let info = self.session_set.infos.get(place).map_or(own_info, Option::as_deref);
        Ok(NotedSession {
            kind: Some(session.kind),
            parent_id: session.parent_id,
            title: session.title,
            agent: session.agent,
            file: session.file,
            messages: list.map(|list| list.index.messages.len()),
            last: self.last_message(&session.id, list)?,
            tokens,
            cost,
            info: info.map(<[u8]>::to_vec),
            id: session.id,
        })
    }

    /// The id of a session's last message.
    fn last_message(&self, id: &str, list: Option<&MessageList>) -> Result<Option<String>, Error> {
        let own = list.unwrap_or(&self.list);
        let count = own.index.messages.len();
        let last = match list {
            Some(_) => count.checked_sub(1),
            None if own.index.sessions.len() < 2 => count.checked_sub(1),
            None => {
                let place = own.index.sessions.iter().position(|named| named == id);
                own.index
                    .messages
                    .iter()
                    .enumerate()
                    .filter(|(_, fact)| Some(fact.session as usize) == place)
                    .last()
                    .map(|(index, _)| index)
            }
        };
        let Some(json) = last.map(|last| own.message(last)).transpose()?.flatten() else {
            return Ok(None);
        };
        let mut tape = Tape::default();
        if tape.read(&json, 0).is_err() {
            return Ok(None);
        }
        let id = tape.root(&json).get(Key::Info).get(Key::Id).str();
        Ok(id.map(std::borrow::Cow::into_owned))
    }
}
