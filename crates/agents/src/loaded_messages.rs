//! [`LoadedMessages`]: the messages of an assembled session, which may be written when they are asked for.

use crate::log::MessageGlance;
use crate::log::unwritten::UnwrittenLog;
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// The messages of a session with their parts.
pub enum LoadedMessages {
    /// A JSON array of them.
    Json(Vec<u8>),
    /// They are written when they are asked for.
    Later(LaterMessages),
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
            LoadedMessages::Later(messages) => {
                f.debug_tuple("Later").field(&messages.count).finish()
            }
        }
    }
}

impl LoadedMessages {
    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            LoadedMessages::Json(json) => json.len() <= b"[]".len(),
            LoadedMessages::Later(messages) => messages.count == 0,
        }
    }

    /// How many there are, if that is known without reading them.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match self {
            LoadedMessages::Json(_) => None,
            LoadedMessages::Later(messages) => Some(messages.count),
        }
    }

    /// Calls `look` with the index of each message of a range and a glance at it. Returns false, and calls it for none, if
    /// they are written, or are not those of a log.
    pub fn glance(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, MessageGlance<'_>),
    ) -> bool {
        self.unwritten(|log, session| log.each(session, range, look)).is_some()
    }

    /// The JSON of the message at an index, if the messages are those of a log and not written yet.
    #[must_use]
    pub fn message(&self, index: usize) -> Option<Vec<u8>> {
        self.unwritten(|log, session| log.message(session, index))?
    }

    /// What `look` says of the log that the messages are to be written from, and of their session in it; `None` if there is
    /// none.
    fn unwritten<T>(&self, look: impl FnOnce(&UnwrittenLog, usize) -> T) -> Option<T> {
        let LoadedMessages::Later(messages) = self else { return None };
        match messages.sessions.source.borrow().as_ref()? {
            LaterSource::Log(log) => Some(look(log, messages.session)),
            LaterSource::Write(_) => None,
        }
    }

    /// The JSON array of the messages, as a copy.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        match self {
            LoadedMessages::Json(json) => json.clone(),
            LoadedMessages::Later(messages) => messages.with_json(|json| json.clone()),
        }
    }

    /// The JSON array of the messages. It is given away: afterwards there are none here.
    pub fn take(&mut self) -> Vec<u8> {
        match self {
            LoadedMessages::Json(json) => std::mem::take(json),
            LoadedMessages::Later(messages) => messages.with_json(std::mem::take),
        }
    }
}

/// The messages of a session that are not written yet.
pub struct LaterMessages {
    sessions: Rc<LaterSessions>,
    session: usize,
    count: usize,
}

/// Sessions whose messages are written all at once: which ids a message gets depends on those before it.
struct LaterSessions {
    /// What they are written from, until they are.
    source: RefCell<Option<LaterSource>>,
    /// The messages of each session, until they are taken.
    written: RefCell<Vec<Vec<u8>>>,
}

/// What messages are written from.
enum LaterSource {
    Log(Box<UnwrittenLog>),
    Write(WriteSessions),
}

impl LaterSource {
    fn write(self) -> Vec<Vec<u8>> {
        match self {
            LaterSource::Log(unwritten) => unwritten.written(),
            LaterSource::Write(write) => write(),
        }
    }
}

/// Writes the messages of each session, as a JSON array.
type WriteSessions = Box<dyn FnOnce() -> Vec<Vec<u8>>>;

impl LaterMessages {
    /// The messages of several sessions, given how many each has; `write` writes them.
    pub fn of(
        counts: Vec<usize>,
        write: impl FnOnce() -> Vec<Vec<u8>> + 'static,
    ) -> impl Iterator<Item = LaterMessages> {
        LaterMessages::of_source(counts, LaterSource::Write(Box::new(write)))
    }

    /// The messages of each session of a log.
    pub(crate) fn of_log(unwritten: UnwrittenLog) -> impl Iterator<Item = LaterMessages> {
        LaterMessages::of_source(unwritten.counts(), LaterSource::Log(Box::new(unwritten)))
    }

    fn of_source(counts: Vec<usize>, source: LaterSource) -> impl Iterator<Item = LaterMessages> {
        let (source, written) = (RefCell::new(Some(source)), RefCell::default());
        let all = Rc::new(LaterSessions { source, written });
        let of =
            move |(session, count)| LaterMessages { sessions: Rc::clone(&all), session, count };
        counts.into_iter().enumerate().map(of)
    }

    fn with_json(&self, with: impl FnOnce(&mut Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        if let Some(source) = self.sessions.source.take() {
            *self.sessions.written.borrow_mut() = source.write();
        }
        let mut written = self.sessions.written.borrow_mut();
        written.get_mut(self.session).map(with).unwrap_or_default()
    }
}
