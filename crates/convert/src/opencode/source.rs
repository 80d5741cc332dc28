//! Where the messages of a session come from.

use apex_parts_model::Error;
use apex_parts_model::fingerprint::Fingerprint;
use std::borrow::Cow;

/// A list of messages as JSON, each of which can be read again.
pub trait MessageSource {
    /// How many entries there are.
    fn count(&self) -> usize;
    /// The JSON of a message; `None` if this entry is not one of the session's.
    ///
    /// # Errors
    /// If it cannot be read.
    fn json(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error>;
}

/// What is known of a session beside its messages.
#[derive(Debug, Default)]
pub struct SessionSource<'a> {
    /// Its id; empty if it has none.
    pub id: String,
    /// The id of the session that started it, and when that was created.
    pub parent: Option<(String, f64)>,
    /// Its title.
    pub title: Option<String>,
    /// The JSON object of the session.
    pub info: Option<&'a [u8]>,
    /// The format of the file.
    pub format: &'a str,
    /// Is the JSON object OpenCode's own record?
    pub is_opencode: bool,
    /// Is it the record of an export, which stays as it is?
    pub is_export: bool,
    /// Are the ids another agent's, even those that begin as OpenCode's do?
    pub is_foreign: bool,
    /// Given if the file has no ids: the hash of its content.
    pub content: Option<Fingerprint>,
}
