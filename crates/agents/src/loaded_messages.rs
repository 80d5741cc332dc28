//! [`LoadedMessages`]: the messages of an assembled session, which a log writes when they are asked for.

use crate::log::session_log::SessionLog;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The messages of a session with their parts.
pub enum LoadedMessages {
    /// A JSON array of them.
    Json(Vec<u8>),
    /// Those of a log, which has not written them yet.
    Log(LogMessages),
}

impl Default for LoadedMessages {
    fn default() -> Self {
        LoadedMessages::Json(b"[]".to_vec())
    }
}

impl PartialEq for LoadedMessages {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl From<Vec<u8>> for LoadedMessages {
    fn from(json: Vec<u8>) -> Self {
        LoadedMessages::Json(json)
    }
}

impl fmt::Debug for LoadedMessages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadedMessages::Json(json) => f.debug_tuple("Json").field(&json.len()).finish(),
            LoadedMessages::Log(messages) => f.debug_tuple("Log").field(&messages.count).finish(),
        }
    }
}

impl LoadedMessages {
    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            LoadedMessages::Json(json) => json.len() <= b"[]".len(),
            LoadedMessages::Log(messages) => messages.count == 0,
        }
    }

    /// How many there are, if that is known without reading them.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match self {
            LoadedMessages::Json(_) => None,
            LoadedMessages::Log(messages) => Some(messages.count),
        }
    }

    /// The JSON array of the messages, as a copy.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        match self {
            LoadedMessages::Json(json) => json.clone(),
            LoadedMessages::Log(messages) => messages.with_json(|json| json.clone()),
        }
    }

    /// The JSON array of the messages. It is given away: afterwards there are none here.
    pub fn take(&mut self) -> Vec<u8> {
        match self {
            LoadedMessages::Json(json) => std::mem::take(json),
            LoadedMessages::Log(messages) => messages.with_json(std::mem::take),
        }
    }
}

/// The messages of a session in a log that is complete.
pub struct LogMessages {
    log: Rc<CompleteLog>,
    session: usize,
    count: usize,
}

/// A log that is complete: the sessions that are made of it share it. All of them are written at once, since which ids a
/// message gets depends on those before it.
struct CompleteLog {
    /// The log, until it is written.
    log: RefCell<Option<SessionLog>>,
    /// The messages of each session, until they are taken.
    written: RefCell<Vec<Vec<u8>>>,
}

impl LogMessages {
    /// Those of each session of a log.
    pub(crate) fn of(log: SessionLog) -> impl Iterator<Item = LogMessages> {
        let counts: Vec<usize> =
            log.sessions.iter().map(|session| session.messages.len()).collect();
        let written = RefCell::default();
        let log = Rc::new(CompleteLog { log: RefCell::new(Some(log)), written });
        let session = move |(session, count)| LogMessages { log: Rc::clone(&log), session, count };
        counts.into_iter().enumerate().map(session)
    }

    fn with_json(&self, with: impl FnOnce(&mut Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        if let Some(log) = self.log.log.take() {
            *self.log.written.borrow_mut() = log.written();
        }
        let mut written = self.log.written.borrow_mut();
        written.get_mut(self.session).map(with).unwrap_or_default()
    }
}
