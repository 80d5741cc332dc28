//! Copies of a transcript as messages with their parts. A copy has none of what a file says beside its messages: which
//! ids it has, what its sessions are, its own totals, how it ended. So it carries a note of that, the field
//! `apexTranscript` of the first message's `info`, and who reads the copy takes it as the file's word.

pub(crate) mod note;
pub(crate) mod reader;
mod written;

use crate::formats::registry::Format;
use crate::index::file_rules::FileRules;
use crate::transcript::Transcript;
use apex_parts_compaction::hash;
use apex_parts_validate::Ids;

impl Transcript {
    /// The format; of a copy, that of the file that it was made of.
    pub(crate) fn source_format(&self) -> Option<Format> {
        self.copied.as_ref().and_then(|note| note.format).or(self.format)
    }

    /// Which ids are valid: those that were asked for, else those of the file.
    pub(crate) fn ids(&self) -> Ids {
        let noted = self.copied.as_ref().and_then(|note| note.ids);
        let own = || self.source_format().map_or(Ids::Apex, Format::ids);
        self.ids.or(noted).unwrap_or_else(own)
    }

    /// Whether the file also has what tools returned. The stream of a provider has not: a call in it is requested.
    #[must_use]
    pub fn holds_results(&self) -> bool {
        match &self.copied {
            Some(note) => !note.lacks_results,
            None => self.format.is_none_or(Format::holds_results),
        }
    }

    /// The time that messages without one were given.
    pub(crate) fn made_up_time(&self) -> f64 {
        self.copied.as_ref().and_then(|note| note.made_up).unwrap_or(self.made_up)
    }

    /// By which rules its messages are judged.
    pub(crate) fn rules(&self) -> FileRules {
        // A page of records of OpenCode 2 does not say its session.
        let names_sessions = self.format != Some(Format::OpenCode2Export);
        FileRules::new(self.ids(), self.holds_results(), self.made_up_time())
            .names_sessions(names_sessions)
    }

    /// Is it the copy of a file that was cut off?
    pub(crate) fn is_copy_of_cut(&self) -> bool {
        self.copied.as_ref().is_some_and(|note| note.is_cut)
    }

    /// Does what the file says of a session's end hold? In a copy, as long as its last message still is that.
    pub(crate) fn ends_as_noted(&self, session: Option<&str>) -> bool {
        let Some(note) = &self.copied else { return true };
        let last = note.session(session).and_then(|noted| noted.last.as_deref());
        let place = session
            .and_then(|id| self.session_set.sessions.iter().position(|session| session.id == id));
        let list = self.list_at(place.unwrap_or_default());
        let count = list.index.messages.len();
        let own = count.checked_sub(1).and_then(|last| list.index.messages.get(last));
        own.zip(last).is_some_and(|(own, last)| own.id_hash == hash(last))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
