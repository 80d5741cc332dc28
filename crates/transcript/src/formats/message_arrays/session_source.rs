//! What is kept of a session until its messages are asked for: their JSON as it stands in the file, and what was found when
//! they were read the first time.

use apex_parts_agents::{LaterMessages, LoadedMessages};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::Problem;
use apex_parts_providers::{
    MessagesFormat, MessagesReading, MessagesWriting, ReadHistory, ReadOptions, RecordedAnswer,
    read_history, write_history,
};
use std::cell::RefCell;
use std::rc::Rc;

/// What was found in the messages of a session.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) format: String,
    /// What is known of the session beside them, a JSON object.
    pub(super) info: Option<Vec<u8>>,
    pub(super) messages: LoadedMessages,
    /// Their paths are those in the JSON of the messages.
    pub(super) problems: Vec<Problem>,
}

impl Found {
    fn new(history: ReadHistory, write: impl FnOnce(MessagesFormat) -> Vec<u8> + 'static) -> Found {
        let ReadHistory { format, count, info, problems } = history;
        let later = LaterMessages::of(vec![count], move || vec![write(format)]).next();
        let messages = later.filter(|_| count > 0).map(LoadedMessages::Later).unwrap_or_default();
        Found { format: format.as_str().to_owned(), info, messages, problems }
    }
}

/// Can a session have this id and this time? Messages have ids of more than nothing, and times after the Unix epoch.
fn can_be_written(session_id: &str, now_ms: f64) -> bool {
    !session_id.is_empty() && now_ms.is_finite() && now_ms >= 0.0
}

/// The JSON of messages, in their order.
#[derive(Debug, Default)]
struct KeptJson {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl KeptJson {
    /// The first messages.
    fn each(&self, count: usize) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().take(count).map(move |end| {
            let json = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            json
        })
    }

    /// Shows each of the first messages.
    fn read(&self, count: usize, mut look: impl FnMut(Node<'_>)) {
        let mut tape = Tape::default();
        for json in self.each(count) {
            // It was an object when it was added.
            let _ = tape.read_foreign(json);
            look(tape.root_of(json));
        }
    }
}

/// Messages that are records of a file.
#[derive(Debug)]
pub(super) struct KeptMessages {
    /// What is shown before the file has ended is written from the first of them.
    json: Rc<RefCell<KeptJson>>,
    session_id: Rc<str>,
    reading: MessagesReading,
}

impl KeptMessages {
    pub(super) fn new(format: Option<MessagesFormat>, session_id: &str) -> KeptMessages {
        let reading = MessagesReading::new(format, session_id);
        KeptMessages { json: Rc::default(), session_id: session_id.into(), reading }
    }

    /// Adds the next one.
    pub(super) fn add(&mut self, message: Node<'_>, json: &str) {
        let mut kept = self.json.borrow_mut();
        if self.reading.is_other_format(message) {
            kept.read(kept.ends.len(), |before| self.reading.read(before));
        }
        self.reading.read(message);
        kept.text.push_str(json);
        let end = kept.text.len();
        kept.ends.push(end);
    }

    /// What was found so far; `None` if they cannot have this time.
    pub(super) fn found(&self, now_ms: f64) -> Option<Found> {
        if !can_be_written(&self.session_id, now_ms) {
            return None;
        }
        let history = self.reading.history();
        let (json, session_id) = (Rc::clone(&self.json), Rc::clone(&self.session_id));
        let count = json.borrow().ends.len();
        Some(Found::new(history, move |format| {
            let options = ReadOptions { session_id: &session_id, now_ms };
            let mut writing = MessagesWriting::new(format, &options);
            json.borrow().read(count, |message| writing.write(message));
            writing.into_json()
        }))
    }
}

/// A record with the messages of a session.
#[derive(Debug)]
pub(super) struct KeptRecord {
    /// A body, or a list of messages.
    json: Rc<String>,
    answer: Option<Rc<RecordedAnswer>>,
}

impl KeptRecord {
    pub(super) fn new(json: String, answer: Option<RecordedAnswer>) -> KeptRecord {
        KeptRecord { json: Rc::new(json), answer: answer.map(Rc::new) }
    }

    /// What is found in it; `None` if its messages cannot have this time.
    pub(super) fn found(
        &self,
        format: Option<MessagesFormat>,
        session_id: &str,
        now_ms: f64,
    ) -> Option<Found> {
        let answer = self.answer.clone();
        let time = answer.as_ref().and_then(|answer| answer.start).unwrap_or(now_ms);
        if !can_be_written(session_id, time) {
            return None;
        }
        let mut tape = Tape::default();
        tape.read_foreign(&self.json).ok()?;
        let root = tape.root_of(&self.json);
        let options = ReadOptions { session_id, now_ms };
        let history = read_history(format, root, answer.as_deref(), &options);
        let (json, session_id) = (Rc::clone(&self.json), session_id.to_owned());
        Some(Found::new(history, move |format| {
            let mut tape = Tape::default();
            // It was read before.
            let _ = tape.read_foreign(&json);
            let options = ReadOptions { session_id: &session_id, now_ms };
            write_history(format, tape.root_of(&json), answer.as_deref(), &options)
        }))
    }
}
