//! A session of a transcript.

use apex_parts_agents::SessionKind;

/// A session of a transcript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The id of the session that started it, if that is known.
    pub parent_id: Option<String>,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// What it is.
    pub kind: SessionKind,
}
