//! Which findings of the validator are problems of a file.

use apex_parts_agents::fields::{get, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, Kind, Problem, View};
use apex_parts_validate::Ids;

/// By which rules the messages of a file are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileRules {
    /// Which ids are valid.
    pub(crate) ids: Ids,
    /// Whether the file also has what tools returned: otherwise a call without a result is as it should be.
    holds_results: bool,
    /// Whether the messages of the file say their session.
    names_sessions: bool,
    /// The time that messages without one were given: it is not one of the file's.
    pub(crate) made_up: f64,
}

impl FileRules {
    /// The rules for ids, for whether tools' results are there, and for the time that is not the file's.
    pub(crate) fn new(ids: Ids, holds_results: bool, made_up: f64) -> FileRules {
        FileRules { ids, holds_results, names_sessions: true, made_up }
    }

    /// The same for a file whose messages may say no session.
    pub(crate) fn names_sessions(self, names_sessions: bool) -> FileRules {
        FileRules { names_sessions, ..self }
    }

    /// Whether something that the validator found in a message is a problem of the file.
    pub(crate) fn is_problem(self, problem: &Problem, message: Node<'_>) -> bool {
        match problem.rule.as_str() {
            "WP-2" => !is_interrupted(message),
            "WP-3" => self.holds_results,
            "BR-01" => self.names_sessions || !problem.path.ends_with("/sessionID"),
            _ => true,
        }
    }
}

/// Did a message end before its step did? The file tells what happened: nothing is wrong with it.
fn is_interrupted(message: Node<'_>) -> bool {
    let info = message.get(Key::Info);
    let error = string(get(Some(info.get(Key::Error)), "name"));
    let is_aborted = error.is_some_and(|name| name == "MessageAbortedError");
    is_aborted || info.get(Key::Time).get(Key::Completed).kind() != Kind::Number
}
