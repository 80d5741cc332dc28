//! [`UnwrittenLog`]: a log to which nothing is added. Its messages are written one by one, or all at once.

use super::glance::MessageGlance;
use super::log_message::LogMessage;
use super::session_log::SessionLog;
use super::writing::MessagePlaces;
use std::cell::OnceCell;
use std::ops::Range;

/// A log to which nothing is added.
#[derive(Debug)]
pub(crate) struct UnwrittenLog {
    log: SessionLog,
    places: OnceCell<MessagePlaces>,
}

impl UnwrittenLog {
    pub(crate) fn new(log: SessionLog) -> UnwrittenLog {
        UnwrittenLog { log, places: OnceCell::new() }
    }

    fn places(&self) -> &MessagePlaces {
        self.places.get_or_init(|| MessagePlaces::of(&self.log))
    }

    /// How many messages each session has.
    pub(crate) fn counts(&self) -> Vec<usize> {
        self.log.sessions.iter().map(|session| session.messages.len()).collect()
    }

    /// The messages of each session, as a JSON array.
    pub(crate) fn written(&self) -> Vec<Vec<u8>> {
        self.log.written(self.places())
    }

    /// The JSON of the message at an index of a session; `None` if there is none.
    pub(crate) fn message(&self, session: usize, index: usize) -> Option<Vec<u8>> {
        let mut out = String::new();
        let is_written = self.log.write_message(self.places(), (session, index), &mut out);
        is_written.then(|| out.into_bytes())
    }

    /// Calls `look` with the index of each message of a range of a session, and a glance at it.
    pub(crate) fn each(
        &self,
        session: usize,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, MessageGlance<'_>),
    ) {
        let SessionLog { sessions, messages, rules, .. } = &self.log;
        let Some(of) = sessions.get(session) else { return };
        for index in range {
            let place = self.places().get(session, index);
            let message: Option<&LogMessage> =
                of.messages.get(index).and_then(|at| messages.get(*at));
            let (Some(place), Some(message)) = (place, message) else { continue };
            let (first_part, has_own_id) = (place.first_part, place.has_own_id);
            let session = of;
            look(index, MessageGlance { message, session, rules, index, has_own_id, first_part });
        }
    }
}
