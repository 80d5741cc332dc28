//! How a run ended, told by its last message.

use super::seen::{SeenInfo, SeenPart};
use super::transcript_summary::RunEnding;
use crate::formats::registry::Format;
use apex_parts_agents::fields::{get, is_true, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, Kind, View, Word, first_chars};

/// What the file says of the run's end.
pub(crate) struct FileEnd {
    /// The file did not end there.
    pub(crate) is_cut: bool,
    /// How the agent says that it ended.
    pub(crate) exit: Option<Exit>,
    /// The file has what tools returned; one of a model's answer alone has its calls only.
    pub(crate) holds_results: bool,
}

/// How an agent says that its run ended.
#[derive(Debug)]
pub(crate) enum Exit {
    Finished,
    /// In its words.
    Early(String),
}

/// What is kept of the last message.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastMessage {
    pub(crate) index: u32,
    pub(crate) is_answer: bool,
    pub(crate) is_completed: bool,
    finish: String,
    /// The name and the message of its error.
    pub(crate) error: Option<(String, String)>,
    /// The tool of a call without a result, and whether it asks a person.
    pub(crate) open: Option<(String, bool)>,
    /// A person ended one of its calls.
    is_call_aborted: bool,
    /// It has a text of the program, and anything else.
    has_own_text: bool,
    pub(crate) has_more: bool,
    /// What the program noted at its end, if it is that a person ended the request.
    interruption: Option<&'static str>,
}

/// The most characters of a reason.
const LONGEST: usize = 300;

impl LastMessage {
    pub(super) fn new(index: u32, info: &SeenInfo<'_>, error: Node<'_>) -> LastMessage {
        let error = (error.kind() == Kind::Object).then(|| {
            let said = get(Some(error), "data").and_then(|data| string(get(Some(data), "message")));
            let said = said.or_else(|| string(get(Some(error), "message")));
            let name = string(get(Some(error), "name")).unwrap_or_default();
            (name.into_owned(), first_chars(&said.unwrap_or_default(), LONGEST).to_owned())
        });
        LastMessage {
            index,
            is_answer: info.role == Some(Word::Assistant),
            is_completed: !info.completed.is_nan(),
            finish: info.finish.as_ref().to_owned(),
            error,
            ..LastMessage::default()
        }
    }

    /// Takes a part of it that is no call.
    pub(super) fn note(&mut self, part: SeenPart<'_>) {
        let notice = part.notice(|text| text.and_then(Format::interruption));
        self.interruption = notice.flatten();
        let is_step = matches!(part.word(), Some(Word::StepStart | Word::StepFinish));
        let is_own = part.is_synthetic();
        self.has_own_text |= is_own;
        self.has_more |= !is_own && !is_step && notice.is_none();
    }

    /// Takes a call of it that ended in an error.
    pub(crate) fn call_error(&mut self, state: Node<'_>) {
        let metadata = state.get(Key::Metadata);
        self.is_call_aborted |= is_true(get(Some(metadata), "aborted"));
    }

    /// Is there nothing in it but texts of the program?
    pub(crate) fn is_said_by_program(&self) -> bool {
        self.has_own_text && !self.has_more
    }

    /// Is it so, without an error? That ends no run.
    pub(crate) fn is_of_program(&self) -> bool {
        self.is_said_by_program() && self.error.is_none()
    }

    /// How it ended.
    pub(crate) fn ending(&self, file: &FileEnd) -> RunEnding {
        let (how, reason) = self.verdict(file);
        let reason = Some(reason).filter(|reason| !reason.is_empty());
        RunEnding { how: how.to_owned(), reason, message: self.index }
    }

    fn verdict(&self, file: &FileEnd) -> (&'static str, String) {
        if file.is_cut {
            return ("cut", "the file is cut off".to_owned());
        }
        if let Some(notice) = self.interruption {
            return ("aborted", notice.to_owned());
        }
        if !self.is_answer {
            return ("cut", "the last request has no answer".to_owned());
        }
        match &self.error {
            Some((name, said)) if name == "MessageAbortedError" => {
                return ("aborted", said.clone());
            }
            Some((name, said)) if name == "MessageOutputLengthError" => {
                return ("cut", if said.is_empty() { TOO_LONG.to_owned() } else { said.clone() });
            }
            Some((name, said)) => {
                return ("failed", if said.is_empty() { name.clone() } else { said.clone() });
            }
            None => {}
        }
        let calls = ["tool-calls", "tool_use"].contains(&self.finish.as_str());
        if calls && !file.holds_results {
            // The model has said all it had to say: it is its caller's turn.
            return ("finished", String::new());
        }
        match &self.open {
            Some((_, true)) => return ("waiting", "a question has no answer".to_owned()),
            Some((tool, false)) => return ("cut", format!("a call of {tool} has no result")),
            None => {}
        }
        match &file.exit {
            Some(Exit::Finished) => return ("finished", String::new()),
            Some(Exit::Early(words)) => return ("cut", first_chars(words, LONGEST).to_owned()),
            None => {}
        }
        match self.finish.as_str() {
            _ if calls && self.is_call_aborted => ("aborted", String::new()),
            "length" | "max_tokens" => ("cut", TOO_LONG.to_owned()),
            _ if calls => ("cut", "the results of the last calls have no answer".to_owned()),
            "" if !self.is_completed => ("cut", "the last answer has no end".to_owned()),
            _ => ("finished", String::new()),
        }
    }
}

const TOO_LONG: &str = "the last answer was too long";
