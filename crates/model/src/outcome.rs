//! How a tool call ended, as its tool says. The status alone does not tell: a command that ended with exit
//! code 1 is `completed`.

use super::names::{Key, Word};
use super::status::Status;
use super::view::{Kind, View};

/// How a tool call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It has not ended: its state is pending or running.
    Running,
    /// It ended well.
    Completed,
    /// It ran to its end, and its tool says that it failed: an exit code, an HTTP status, a time-out …
    Failed,
    /// The state of the call is an error.
    Error,
}

impl Outcome {
    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::Running => "running",
            Outcome::Completed => "completed",
            Outcome::Failed => "failed",
            Outcome::Error => "error",
        }
    }
}

/// How a tool call ended; `None` for a part that is not a tool call, or whose state has no known status.
///
/// A call whose state is `completed` has failed if its metadata says so: an exit code other than 0 (`exit`,
/// `exitCode`, `exit_code`; of a shell also `code`), `isError`, `aborted`, `interrupted`, `cancelled`,
/// `killed` or `timedOut` being true, `success` being false, an `error`, an HTTP status from 400 on
/// (`status`, `statusCode`; of a tool for the web also `code`), a `status` such as `"failed"`, or a signal that
/// ended it. The same fields count in `metadata.toolUseResult` (Claude Code), `metadata.structuredContent` and
/// `metadata.result`. Where a shell's metadata has no exit code, the first and the last lines of its output
/// are asked, in the words of OpenCode, Claude Code and the built-in tools. OpenCode's tool `invalid`, with the error in
/// its input, is a call that could not be made.
///
/// ```
/// use apex_parts_model::{Outcome, outcome};
/// let check = |exit: u8| serde_json::json!({"type": "tool", "tool": "bash",
///     "state": {"status": "completed", "input": {"command": "cargo check"}, "metadata": {"exit": exit}}});
/// assert_eq!(outcome(&Some(&check(0))), Some(Outcome::Completed));
/// assert_eq!(outcome(&Some(&check(101))), Some(Outcome::Failed));
/// assert_eq!(outcome(&Some(&serde_json::json!({"type": "text", "text": "hi"}))), None);
/// ```
pub fn outcome<V: View>(part: &V) -> Option<Outcome> {
    CallEnd::read(part).map(|end| end.outcome)
}

/// The exit code of a tool call that has ended: from its metadata, or as its output or error says it in the
/// first or the last line. `None` if it has none.
///
/// ```
/// use apex_parts_model::exit_code;
/// let part = serde_json::json!({"type": "tool", "tool": "Bash",
///     "state": {"status": "error", "input": {}, "error": "Exit code 101\nerror[E0425]: …"}});
/// assert_eq!(exit_code(&Some(&part)), Some(101));
/// ```
pub fn exit_code<V: View>(part: &V) -> Option<i64> {
    CallEnd::read(part)?.exit
}

/// The end of a tool call: what [`outcome`] and [`exit_code`] say, for one look at the part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallEnd {
    /// How it ended.
    pub outcome: Outcome,
    /// Its exit code.
    pub exit: Option<i64>,
}

impl CallEnd {
    /// The end of a tool call; `None` for other parts, and if the state has no known status.
    pub fn read<V: View>(part: &V) -> Option<CallEnd> {
        if part.get_word(Key::Type) != Some(Word::Tool) {
            return None;
        }
        let state = part.get(Key::State);
        CallEnd::of_state(part, &state, Status::read(&state)?)
    }

    /// The same for a part that is a tool call, with its state and its status.
    #[inline(never)] // it has several callers
    pub fn of_state<V: View>(part: &V, state: &V, status: Status) -> Option<CallEnd> {
        let end = |outcome, exit| Some(CallEnd { outcome, exit });
        if matches!(status, Status::Pending | Status::Running) {
            return end(Outcome::Running, None);
        }
        let report = CallReport::read(part, &state.get(Key::Metadata));
        match status {
            Status::Error => {
                let first = || first_exit(&state.get(Key::Error));
                end(Outcome::Error, report.exit.or_else(first))
            }
            _ => {
                let (exit, failed) = report.or_said(&state.get(Key::Output));
                let failed = failed || is_of_no_tool(part, state);
                end(if failed { Outcome::Failed } else { Outcome::Completed }, exit)
            }
        }
    }
}

/// Is it what OpenCode makes of a call that cannot be made, as of a tool that it does not have?
fn is_of_no_tool<V: View>(part: &V, state: &V) -> bool {
    const NAME: &str = "invalid";
    part.get(Key::Tool).text_start(NAME.len() + 1) == NAME
        && state.get(Key::Input).get(Key::Error).kind() == Kind::String
}

/// What kind of answers a tool gives, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Shell,
    Web,
    Other,
}

/// Names of shells: those of our own tools, OpenCode, Claude Code, Codex, Gemini and their kin.
const SHELLS: &[&str] = &[
    "bash",
    "shell",
    "sh",
    "zsh",
    "powershell",
    "pwsh",
    "terminal",
    "local_shell",
    "exec",
    "exec_command",
    "unified_exec",
    "execute_command",
    "run_command",
    "run_shell_command",
    "run_terminal_cmd",
];

/// Names of tools that answer with what a server answered.
const WEB: &[&str] = &["webfetch", "web-fetch", "web_fetch", "fetch", "http", "http_request"];

impl Answers {
    fn read<V: View>(part: &V) -> Answers {
        let name = part.get(Key::Tool);
        let name = name.text_start(20);
        let is_in = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        if is_in(SHELLS) {
            Answers::Shell
        } else if is_in(WEB) {
            Answers::Web
        } else {
            Answers::Other
        }
    }
}

/// What metadata tells of the end of a call.
struct CallReport {
    answers: Answers,
    exit: Option<i64>,
    failed: bool,
}

/// Fields that say that a call failed where they are true.
const FAILED_IF_TRUE: &[Key] = &[
    Key::IsError,
    Key::IsErrorSnake,
    Key::Aborted,
    Key::Interrupted,
    Key::Cancelled,
    Key::Canceled,
    Key::Killed,
    Key::TimedOut,
    Key::TimedOutSnake,
    Key::Timeout,
];

/// Fields of metadata that hold what the tool itself returned.
const RETURNED: &[Key] = &[Key::ToolUseResult, Key::StructuredContent, Key::Result];

impl CallReport {
    fn read<V: View>(part: &V, metadata: &V) -> CallReport {
        let mut report = CallReport { answers: Answers::read(part), exit: None, failed: false };
        if metadata.kind() == Kind::Object {
            report.take(metadata);
            for key in RETURNED {
                let returned = metadata.get(*key);
                if returned.kind() == Kind::Object {
                    report.take(&returned);
                }
            }
        }
        report
    }

    #[inline(never)]
    fn take<V: View>(&mut self, object: &V) {
        let code = |keys: &[Key]| keys.iter().find_map(|key| whole(&object.get(*key)));
        let mut exit = code(&[Key::Exit, Key::ExitCode, Key::ExitCodeSnake]);
        let mut status = code(&[Key::Status, Key::StatusCode, Key::StatusCodeSnake]);
        match self.answers {
            Answers::Shell => exit = exit.or_else(|| code(&[Key::Code])),
            Answers::Web => status = status.or_else(|| code(&[Key::Code])),
            Answers::Other => {}
        }
        self.exit = self.exit.or(exit);
        let is_true = |key: &Key| object.get(*key).kind() == Kind::True;
        self.failed |= exit.is_some_and(|code| code != 0)
            || status.is_some_and(is_http_failure)
            || FAILED_IF_TRUE.iter().any(is_true)
            || object.get(Key::Success).kind() == Kind::False
            || is_error(&object.get(Key::Error))
            || is_failure_word(&object.get(Key::Status).text_start(16))
            || (exit.is_none() && is_signal(&object.get(Key::Signal)));
    }

    /// The exit code, and whether the call failed, with what the output says where the metadata says nothing.
    fn or_said<V: View>(self, output: &V) -> (Option<i64>, bool) {
        if self.exit.is_some() || self.answers != Answers::Shell {
            let refused = || output.text_start(REFUSED.len()) == REFUSED;
            return (self.exit, self.failed || refused());
        }
        let said = first_exit(output);
        let end = output.text_end(LAST);
        let said = said.or_else(|| last_exit(&end));
        (said, self.failed || said.is_some_and(|code| code != 0) || says_stopped(&end))
    }
}

/// An integer, also one written as text.
#[inline(never)]
fn whole<V: View>(value: &V) -> Option<i64> {
    match value.kind() {
        Kind::Number => {
            let number = value.number();
            #[allow(clippy::cast_possible_truncation)] // an integer of at most 32 bits
            (number.fract() == 0.0 && number.abs() <= f64::from(u32::MAX)).then_some(number as i64)
        }
        Kind::String if value.units() <= 11 => integer(&value.text()?),
        _ => None,
    }
}

const fn is_http_failure(status: i64) -> bool {
    matches!(status, 400..1000)
}

/// An error that a tool tells: `true`, a text, or an object.
fn is_error<V: View>(value: &V) -> bool {
    match value.kind() {
        Kind::True | Kind::Object => true,
        Kind::String => !value.is_blank(),
        _ => false,
    }
}

/// The name of the signal that ended a process. (A field of that name may be about something else.)
fn is_signal<V: View>(value: &V) -> bool {
    value.text_start(3) == "SIG"
}

fn is_failure_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "failed",
        "failure",
        "error",
        "aborted",
        "cancelled",
        "canceled",
        "killed",
        "timeout",
        "timed_out",
    ];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// With this Claude Code begins a result that only says why the call was refused.
const REFUSED: &str = "<tool_use_error>";
/// As much of the beginning and of the end of an output is looked at, in bytes.
const FIRST: usize = 80;
const LAST: usize = 600;

/// What precedes the exit code in the first line of a text, in lower case.
const FIRST_LINES: &[&str] = &[
    "exit code ",
    "exit code: ",
    "command failed with exit code ",
    "command exited with code ",
    "process exited with code ",
];

/// The exit code that the first line of a text gives.
#[inline(never)]
fn first_exit<V: View>(text: &V) -> Option<i64> {
    let start = text.text_start(FIRST);
    let line = start.split(['\n', '\r']).next()?;
    let line = after(line, "error: ").unwrap_or(line);
    FIRST_LINES.iter().find_map(|words| number_at(after(line, words)?))
}

/// The exit code that one of the last two lines of a text gives: after it comes at most why it was stopped.
fn last_exit(end: &str) -> Option<i64> {
    const WORDS: &[&str] = &["(exit code ", "exit code: ", "command exited with code "];
    let of = |line: &str| WORDS.iter().find_map(|words| only_number(after(line.trim(), words)?));
    end.trim_end().rsplit('\n').take(2).find_map(of)
}

/// Does the end of an output say that the command was stopped?
fn says_stopped(end: &str) -> bool {
    let end = end.trim_end();
    let last = end.rsplit('\n').next().unwrap_or_default();
    // The built-in tool, in a line of its own.
    if last.ends_with(')') && STOPPED.iter().any(|words| last.starts_with(words)) {
        return true;
    }
    // OpenCode, in a block at the end.
    let tag = BLOCKS.iter().find(|(_, close)| end.ends_with(close));
    let tail = tag.and_then(|(open, _)| end.get(last_place(end, open)?..));
    tail.is_some_and(|tail| SAID_IN_BLOCK.iter().any(|words| last_place(tail, words).is_some()))
}

/// Where these words begin in a short text for the last time. (The search of the standard library is made for
/// long ones, and takes 10 KB of the module.)
fn last_place(text: &str, words: &str) -> Option<usize> {
    text.as_bytes().windows(words.len()).rposition(|window| window == words.as_bytes())
}

const STOPPED: &[&str] = &[
    "(stopped after ",
    "(stopped: ",
    "(killed by ",
    "(Command timed out after ",
    "(Command was aborted",
];

const BLOCKS: &[(&str, &str)] = &[
    ("<shell_metadata>", "</shell_metadata>"),
    ("<bash_metadata>", "</bash_metadata>"),
    ("<metadata>", "</metadata>"),
];

const SAID_IN_BLOCK: &[&str] =
    &["terminated command after exceeding timeout", "aborted the command", "timed out"];

/// The rest of a line that begins with these words, in any case.
fn after<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let (start, rest) = line.split_at_checked(words.len())?;
    start.eq_ignore_ascii_case(words).then_some(rest)
}

/// The number with which a text begins.
fn number_at(text: &str) -> Option<i64> {
    let is_part = |b: &u8| b.is_ascii_digit() || *b == b'-';
    let length = text.bytes().position(|b| !is_part(&b)).unwrap_or(text.len());
    integer(text.get(..length)?)
}

/// The number a text states; a closing parenthesis or a full stop may follow it.
fn only_number(text: &str) -> Option<i64> {
    integer(text.strip_suffix([')', '.']).unwrap_or(text))
}

/// An integer of at most ten digits.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let value = digits.bytes().try_fold(0, |value, digit| {
        digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0'))
    })?;
    Some(if digits.len() < text.len() { -value } else { value })
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
