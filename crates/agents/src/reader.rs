//! [`FormatReader`]: assembles messages with their parts from the records of a format that has them in
//! pieces.

use crate::env::Env;
use crate::loaded_messages::LoadedMessages;
use crate::object_reader::{ObjectReader, read_object};
use crate::record::Record;
use crate::record_count::RecordCount;
use crate::session_kind::SessionKind;
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::{Error, Problem};

/// Assembles messages from records. An error in a record becomes a problem with its offset, and does not
/// keep the reader from the next record.
pub trait FormatReader {
    /// Called once, before the first record: whether the format was given. Otherwise it was detected.
    fn begin(&mut self, _is_given: bool) {}
    /// Reads the next record. A reader of objects need not say how.
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        if let Some(reader) = self.objects() {
            read_object(reader, record, env);
        }
    }
    /// The same reader, if its records are objects: it is given the tape of such a record where there is one.
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        None
    }
    /// The file ends within this record. Does the reader read it as far as it goes?
    fn cut_off(&mut self, _record: Record<'_>, _env: &mut Env<'_>) -> bool {
        false
    }
    /// The list of records begins, in the field with this name.
    fn list(&mut self, _key: &str) {}
    /// A field beside the list of records; `value` is its JSON.
    fn field(&mut self, _key: &str, _value: &[u8]) {}
    /// Can this be a record? Asked where a list goes on after damage.
    fn is_record(&self, _value: Node<'_>) -> bool {
        true
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
