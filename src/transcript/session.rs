//! A session of a file.

/// A session in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The session that began it.
    pub parent_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
}
