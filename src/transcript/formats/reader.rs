//! Formats that have messages in pieces: each has a [`FormatReader`] that puts them together into messages
//! with their parts, the form in which a transcript is held.

use crate::model::Problem;

/// What a reader cannot know by itself.
pub struct Env<'a> {
    /// The time, in milliseconds since the Unix epoch, for formats that have none.
    pub now_ms: f64,
    /// Makes an id.
    pub new_id: &'a mut dyn FnMut() -> String,
}

/// A record of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    /// Its JSON, as it stands in the file: not yet checked, perhaps not even JSON.
    pub(crate) json: &'a [u8],
    /// The type of the SSE event that it came with; empty where it has none.
    pub(crate) event: &'a str,
    /// Its first byte in the file.
    pub(crate) offset: u64,
}

/// Puts messages together. Whatever is wrong with a record becomes a problem with its offset, and
/// the next one is taken all the same.
pub(crate) trait FormatReader {
    /// Takes the next record.
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>);
    /// What there is so far, of so many bytes; the making goes on. What only the end can tell is not
    /// said.
    fn peek(&mut self, length: u64, env: &mut Env<'_>) -> LoadedSessions;
    /// The file is over; it is so many bytes long.
    fn finish(self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions;
}

/// A session, as it was put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LoadedSession {
    /// Its id; empty where it has none.
    pub(crate) id: String,
    /// The session that began it.
    pub(crate) parent_id: Option<String>,
    /// Its title.
    pub(crate) title: Option<String>,
    /// The JSON object that the file has of it.
    pub(crate) info: Option<Vec<u8>>,
    /// Its messages with their parts: a JSON array.
    pub(crate) messages: Vec<u8>,
}

/// What a file was put together to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LoadedSessions {
    /// Its sessions. The first is the one that [`crate::transcript::Transcript`] shows: the root (the one
    /// without a parent), or the first of the file. There may be none.
    pub(crate) sessions: Vec<LoadedSession>,
    /// What was wrong, with byte offsets into the file.
    pub(crate) problems: Vec<Problem>,
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod tests;
