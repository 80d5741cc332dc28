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
    /// In a transcript of several files, the path of the one of a sub-agent.
    pub file: Option<String>,
    /// The type of the sub-agent, if a file describes it.
    pub agent: Option<String>,
}
