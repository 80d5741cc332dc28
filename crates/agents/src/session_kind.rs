//! What a session of a transcript is.

/// What a session of a transcript is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionKind {
    /// The main one, which is shown.
    Main,
    /// A sub-agent's.
    Task,
    /// What was left when a person went back, or what a compaction took the place of.
    Branch,
    /// Another session of the same file, as a second sample.
    #[default]
    Other,
    /// The copy of its parent with which a fork begins: what it cost is counted there.
    Replay,
}

impl SessionKind {
    /// All kinds.
    pub const ALL: [SessionKind; 5] = [
        SessionKind::Main,
        SessionKind::Task,
        SessionKind::Branch,
        SessionKind::Other,
        SessionKind::Replay,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SessionKind::Main => "main",
            SessionKind::Task => "task",
            SessionKind::Branch => "branch",
            SessionKind::Other => "other",
            SessionKind::Replay => "replay",
        }
    }

    /// The kind of this name.
    ///
    /// ```
    /// use apex_parts_agents::SessionKind;
    ///
    /// for kind in SessionKind::ALL {
    ///     assert_eq!(SessionKind::parse(kind.as_str()), Some(kind));
    /// }
    /// assert_eq!(SessionKind::parse("Main"), None);
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<SessionKind> {
        SessionKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
