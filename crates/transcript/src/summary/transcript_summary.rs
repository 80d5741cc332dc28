//! [`TranscriptSummary`] and what it consists of.

use serde::{Deserialize, Serialize};

/// What a run did. What is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TranscriptSummary {
    /// The first request of the user; its beginning. A command (`/word`) that got no text and no call before the next
    /// request is passed over, unless all are such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<SummaryText>,
    /// What to call the run: the title that the file has for it, or the first line of `asked`. Of SWE-agent, whose
    /// requests begin with instructions, the first line of the issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How many messages the user wrote.
    pub requests: u32,
    /// The last text of the model; its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<SummaryText>,
    /// How it ended; left out if there is no message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<RunEnding>,
    /// The models that answered, the one that did the most first: by cost, then by output tokens, then by calls and
    /// texts, then by first use. One without any part or tokens comes last. At most 100.
    pub models: Vec<String>,
    /// The agents, in the order of their first answer: at most 100.
    pub agents: Vec<String>,
    /// How many calls failed: those that ended in an error, and those that completed and failed.
    pub failed: u32,
    /// How many messages of the model ended in an error of their own, as a refused request. They are not among `failed`.
    pub message_errors: u32,
    /// Those errors, in order: the first 1,000.
    pub errors: Vec<ModelError>,
    /// How many of them were mended: the same command, or a change of the same file, passed later.
    pub mended: u32,
    /// The calls that failed, in order: the first 10,000.
    pub failures: Vec<CallFailure>,
    /// The same, equal ones together, in the order of their first.
    pub failure_groups: Vec<FailureGroup>,
    /// The files that were changed, in the order of their first change: at most 10,000.
    pub files: Vec<FileChange>,
    /// The commits that were made: at most 1,000.
    pub commits: Vec<CommitMade>,
    /// What all changes come to, also those that are not listed.
    pub totals: ChangeTotals,
    /// Where the time went; left out if no times are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSplit>,
    /// Cost in US dollars; left out if it is not known (or nothing).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// An error of a message of the model, as of a request that was refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ModelError {
    /// The index of the message among those of its session.
    pub message: u32,
    /// The session, if it is not the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The name of the error, such as `APIError`.
    pub name: String,
    /// What it says; its beginning.
    pub said: String,
}

/// Where a part is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PartRef {
    /// The index of its message among those of its session.
    pub message: u32,
    /// The index of the part in its message.
    pub part: u32,
    /// The part's id.
    pub id: String,
    /// The session, if it is not the main one.
    #[serde(rename = "sessionID", skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// A text and its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SummaryText {
    /// At most 500 characters.
    pub text: String,
    /// Its place.
    pub at: PartRef,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RunEnding {
    /// `finished`; `aborted` by the user; `failed` with an error; `cut`: the file ends before the run does, or the
    /// answer was too long; `waiting` for a person.
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "\"finished\" | \"aborted\" | \"failed\" | \"cut\" | \"waiting\"")
    )]
    pub how: String,
    /// Why, if there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The index of the last message.
    pub message: u32,
}

/// A call that failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CallFailure {
    /// The call.
    pub at: PartRef,
    /// The tool.
    pub tool: String,
    /// What it was about: the command, the file, or nothing.
    pub subject: String,
    /// `failed`: it completed, and says that it failed; `error`: it ended in an error.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"failed\" | \"error\""))]
    pub outcome: String,
    /// The exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i64>,
    /// The first line of its output that looks like an error; otherwise the last. Of what stands in a tag, such as
    /// `<tool_use_error>`, the first line.
    pub said: String,
    /// The later call that passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mended: Option<PartRef>,
}

/// Calls that failed alike: of the same tool, about the same, with the same exit code and the same words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FailureGroup {
    /// The tool.
    pub tool: String,
    /// What they were about, as of a [`CallFailure`].
    pub subject: String,
    /// `failed`: they completed, and say that they failed; `error`: they ended in an error.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"failed\" | \"error\""))]
    pub outcome: String,
    /// The exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i64>,
    /// What they said.
    pub said: String,
    /// How many there are.
    pub count: u32,
    /// How many of them were mended.
    pub mended: u32,
    /// The first.
    pub first: PartRef,
    /// The last.
    pub last: PartRef,
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FileChange {
    /// Its path, as the calls say it.
    pub path: String,
    /// The number of lines that were added, over all changes; left out if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u32>,
    /// The number of lines that were removed, like `added`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<u32>,
    /// The number of changes.
    pub changes: u32,
    /// The last change.
    pub at: PartRef,
}

/// What all changes of a run come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ChangeTotals {
    /// The number of files that were changed; left out if it is not known, as of a run whose edits do not say what they
    /// changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u32>,
    /// The number of lines that were added, over all changes; left out if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u32>,
    /// The number of lines that were removed, like `added`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<u32>,
    /// The number of commits that were made.
    pub commits: u32,
}

/// A commit that was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CommitMade {
    /// The call that made it.
    pub at: PartRef,
    /// Its abbreviated hash, if git printed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The first line of its message.
    pub message: String,
}

/// Where the time between the first and the last message went, in milliseconds. No time is in two of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeSplit {
    /// From the first to the last time.
    pub total: f64,
    /// `model` and `tools` together.
    pub busy: f64,
    /// The model answered, and no tool ran.
    pub model: f64,
    /// Tools ran.
    pub tools: f64,
    /// A call asked a person, and nothing else ran.
    pub waiting: f64,
    /// Nothing ran: until the next request.
    pub idle: f64,
}
