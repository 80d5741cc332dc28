//! [`MessageHost`]: who reads the messages that programs send to models.

use std::fmt;
use std::rc::Rc;

/// The messages of one session, as they stand in a file.
#[derive(Clone, Copy, Debug)]
pub struct RawMessages<'a> {
    /// Their format: one of those that `fromMessages` reads, or `auto`.
    pub format: &'a str,
    /// A JSON array of messages, or an object that has one.
    pub json: &'a str,
    /// The id of their session, with which theirs begin.
    pub session_id: &'a str,
    /// The time of the messages, in milliseconds since the Unix epoch.
    pub now_ms: f64,
    /// The answer to them, if their record has it in another place: a JSON object of `messages`, which have the `format`
    /// (a name, or `auto`) and stood at the `path`. It may say the `model`, the `tokens`, the `cost`, the `finish` reason, the
    /// times `start` and `end`, and the `error` that took the place of an answer.
    pub answer: Option<&'a str>,
}

/// Reads them: gives a JSON object `{messages, format, problems, session?}`, with messages that have their parts; `None` if
/// it cannot.
type ReadRawMessages = dyn Fn(&RawMessages<'_>) -> Option<String>;

/// The reader of messages that the host has.
#[derive(Clone)]
pub struct MessageHost(Rc<ReadRawMessages>);

impl MessageHost {
    /// The host that reads with this function. It gives a JSON object:
    /// - `messages`: an array of messages with their parts,
    /// - `format`: the name of their format,
    /// - `problems`: an array of `{severity, rule, path, message}`; `path` is a JSON Pointer into what was given,
    /// - `session`: what else is known of the session, an object, if anything is.
    ///
    /// `None` says that it could not read them.
    pub fn new(read: impl Fn(&RawMessages<'_>) -> Option<String> + 'static) -> MessageHost {
        MessageHost(Rc::new(read))
    }

    /// Reads the messages of a session.
    pub fn read(&self, raw: &RawMessages<'_>) -> Option<String> {
        (self.0)(raw)
    }
}

impl fmt::Debug for MessageHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessageHost")
    }
}
