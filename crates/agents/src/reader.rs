//! [`FormatReader`]: assembles messages with their parts from the records of a format that has them in
//! pieces.

use crate::loaded_messages::LoadedMessages;
use crate::message_host::MessageHost;
use crate::record_count::RecordCount;
use crate::session_kind::SessionKind;
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::fingerprint::{self, Fingerprint};
use apex_parts_model::{Error, Problem};

/// What a transcript needs from its host: the time and new ids.
pub struct Env<'a> {
    /// The current time in milliseconds since the Unix epoch, for formats without timestamps.
    pub now_ms: f64,
    /// Returns a new id.
    pub new_id: &'a mut dyn FnMut() -> String,
}

/// A record of the file.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its bytes in the file, which have not been checked to be JSON.
    pub json: &'a [u8],
    /// The type of its SSE event; empty if there is none.
    pub event: &'a str,
    /// The offset of its first byte in the file.
    pub offset: u64,
}

impl Record<'_> {
    /// The place in the file of an offset in the record's text, where bytes that are no UTF-8 have become U+FFFD.
    pub fn place(&self, at: usize) -> u64 {
        const REPLACEMENT: usize = char::REPLACEMENT_CHARACTER.len_utf8();
        let (mut text, mut own) = (0, 0);
        for chunk in self.json.utf8_chunks() {
            let valid = chunk.valid().len();
            if at <= text + valid {
                break;
            }
            text += valid + REPLACEMENT;
            own += valid + chunk.invalid().len();
        }
        self.offset + (own + at.saturating_sub(text)) as u64
    }

    /// The hash of the records so far, with this one.
    pub fn hashed(&self, before: Fingerprint) -> Fingerprint {
        fingerprint::mix(before, fingerprint::of(self.json, 0))
    }
}

/// Assembles messages from records. An error in a record becomes a problem with its offset, and does not
/// keep the reader from the next record.
pub trait FormatReader {
    /// Called once, before the first record: the host's reader of messages, and whether the format was given (otherwise it
    /// was detected).
    fn begin(&mut self, _host: Option<&MessageHost>, _is_given: bool) {}
    /// Reads the next record.
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>);
    /// Does it read records that are objects by [`object`](Self::object)?
    fn reads_objects(&self) -> bool {
        false
    }
    /// Reads the next record, which is one object of valid UTF-8: its text, and its value on a tape.
    fn object(&mut self, record: Record<'_>, _text: &str, _root: Node<'_>, env: &mut Env<'_>) {
        self.record(record, env);
    }
    /// The file ends within this record. Does the reader read it as far as it goes?
    fn cut_off(&mut self, _record: Record<'_>, _env: &mut Env<'_>) -> bool {
        false
    }
    /// The sessions after the first `length` bytes; further records may follow. Problems that only the end of
    /// the file can show are not reported.
    fn peek(&mut self, length: u64, env: &mut Env<'_>) -> LoadedSessions;
    /// The sessions at the end of the file, which is `length` bytes long.
    fn finish(self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions;
}

/// An assembled session.
#[derive(Debug, Default, PartialEq)]
pub struct LoadedSession {
    /// Its id; empty if it has none.
    pub id: String,
    /// The id of the session that started it.
    pub parent_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// What it is, where its place and its parent do not tell it.
    pub kind: Option<SessionKind>,
    /// Its JSON object, if the file has one.
    pub info: Option<Vec<u8>>,
    /// Its messages with their parts.
    pub messages: LoadedMessages,
    /// Tokens of the whole session, where the file says them: statistics report these.
    pub tokens: Option<TokenCounts>,
    /// The cost of the whole session, like `tokens`.
    pub cost: Option<f64>,
}

/// The sessions that were assembled from a file.
#[derive(Debug, Default, PartialEq)]
pub struct LoadedSessions {
    /// The sessions. A transcript shows the first: the root (the one without a parent),
    /// otherwise the first of the file. There may be none.
    pub sessions: Vec<LoadedSession>,
    /// The problems, with byte offsets in the file.
    pub problems: Vec<Problem>,
    /// Given if the file has no ids of sessions, messages and parts, so that they were made up: the hash of its
    /// records.
    pub content: Option<Fingerprint>,
    /// Is the file cut off? Then it opens even if there is nothing to show.
    pub is_cut: bool,
    /// The name of the file's format, if its records tell it better than its first bytes do.
    pub format: Option<String>,
    /// Why the file is not of this format after all.
    pub refused: Option<Error>,
    /// Of a copy: the JSON of its note of what the file was that it was made of.
    pub note: Option<String>,
    /// The records that the reader has told apart itself: see [`TranscriptFormat::is_own`](crate::TranscriptFormat::is_own).
    pub records: RecordCount,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_text_is_one_in_the_file() {
        let json = b"ab\xff\xffc\xe2\x82d";
        let record = Record { json, event: "", offset: 100 };
        let text = String::from_utf8_lossy(json);
        for (what, place) in [("a", 100), ("b", 101), ("c", 104), ("d", 107)] {
            assert_eq!(record.place(text.find(what).unwrap()), place, "{what}");
        }
        assert_eq!(record.place(text.len()), 108);
    }
}
