//! [`LogRules`]: in what the formats differ that share a log.

/// What is written where a file says nothing. By default as for the files of agents.
#[derive(Clone, Copy, Debug)]
pub struct LogRules {
    /// Is an answer complete, and do its calls tell why it ended, where the file says neither? Otherwise it is not
    /// complete while a call is running, and has no `finish`: the file is still written to, and says it later.
    pub(crate) ends_answers: bool,
    /// Does the second message with an id get another one? Otherwise the ids are those that the format gives: lines of
    /// one answer may be in a session and in its branch, where both are that message.
    pub(crate) renames_repeated: bool,
    /// The name of a tool that has none.
    pub(crate) unnamed_tool: &'static str,
    /// The error of a failed call that does not say why (BR-10: it is not blank).
    pub(crate) no_reason: &'static str,
}

impl Default for LogRules {
    fn default() -> LogRules {
        LogRules {
            ends_answers: true,
            renames_repeated: true,
            unnamed_tool: "unknown",
            no_reason: "error",
        }
    }
}

impl LogRules {
    /// Those of formats that say themselves how answers end and what their ids are.
    pub const STATED: LogRules = LogRules {
        ends_answers: false,
        renames_repeated: false,
        // The validator shows it.
        unnamed_tool: "",
        no_reason: "the tool failed and did not say why",
    };
}
