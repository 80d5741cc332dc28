//! claude-code: sessions of Claude Code, one JSON object per line.
//!
//! - **Sessions.** Lines are trees, by their `parentUuid`: the main session is the path to the last line, and what
//!   was rewound is in sessions `ID/branch-N`. See [`paths`](super::paths). Lines of sub-agents (`isSidechain`) are
//!   sessions of their own: one per `agentId` or, without one, per chain, with the first `uuid` as its id. The call
//!   that started one names it in `metadata.sessionId`.
//! - **Messages.** Lines with the same `message.id` are one message of the assistant. Its usage is that
//!   of the last line, which is complete. A user's line is a message, unless it has nothing but results
//!   of tools, which are added to their calls. So is a prompt that was typed while an answer was made.
//! - **Parts.** `text` → text, `thinking` → reasoning (its signature in `metadata`), `tool_use` →
//!   tool, `image` and `document` → file; blocks of other types are kept as custom parts `claude-TYPE`
//!   with the block under `block`. An answer gets a step-start and a step-finish around its parts,
//!   because cost and tokens are summed from the latter. The cost is `costUSD`, which old versions
//!   wrote, otherwise 0. A tool runs from the line of its call to that of its result; `toolUseResult`
//!   is in the state's `metadata`.
//! - **Marks.** What the program says for the user (`isMeta`, the summary after a compaction, output of its own
//!   commands, notifications) or for the model (`<synthetic>`) is `synthetic`. A `compact_boundary` is a user's
//!   message with a compaction part. An `isApiErrorMessage` has an `error`; so has an answer that the user
//!   interrupted. Errors and informations of `system` lines are notices. `summary` lines are the session's title.
//!   The last `cost-state` of a session has the tokens and the cost of the run. Lines of other types are not read.
//! - **Ids** are those of the file, so that they can be found there: `sessionId`, `message.id`, `uuid`,
//!   and for parts that of the message with a number after it. They get no prefix: with
//!   `ids: "opencode"`, this format's default, any id is valid.
//!
//! Fields that the file lacks are filled in so that messages are valid: `agent` is `claude-code`, or what a sub-agent
//! is called; `providerID` `anthropic`, `parentID` the last message of the user. The session's `info` is built from
//! its lines in OpenCode's form.

use super::blocks::{LineExtras, answer_pieces, tokens};
use super::line::{AnswerLine, ClaudeLine, LineBody, LineParent, UserLine};
use super::notices::notice;
use super::sessions::{LineAbouts, title};
use super::tags::INTERRUPTIONS;
use super::totals::RunTotals;
use crate::env::Env;
use crate::fields::{get, is_true, items, number, of_kind, pick, string, token};
use crate::object_reader::ObjectReader;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::record_count::RecordCount;
use crate::run_file::RunFile;
use crate::transcript_format::TranscriptFormat;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View, time};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;

/// The model that the program names where it answers itself.
const NO_MODEL: &str = "<synthetic>";

/// Reads the format `claude-code`.
#[derive(Debug, Default)]
pub struct ClaudeCode {
    pub(super) lines: Vec<ClaudeLine>,
    /// The index of the line with each `uuid`.
    pub(super) by_id: TextMap,
    pub(super) abouts: LineAbouts,
    /// Titles, each with the `uuid` of the line or the `sessionId` to which it belongs.
    pub(super) titles: Vec<(Box<str>, Box<str>)>,
    /// What the program counted, by the `sessionId`.
    pub(super) totals: SortedMap<Box<str>, RunTotals>,
    pub(super) problems: ProblemList,
    /// How many lines are the program's.
    pub(super) records: RecordCount,
    last_time: Option<f64>,
}

/// Is a record without `uuid` a line of the program? Such a one says of which session it is, or which line it is about.
fn is_own(root: Node<'_>) -> bool {
    let names = ["parentUuid", "sessionId", "leafUuid", "messageId", "isSidechain"];
    pick(root, names).iter().any(Option::is_some)
}

impl ClaudeCode {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64, env: &Env<'_>) {
        let names =
            ["type", "uuid", "timestamp", "message", "parentUuid", "isSidechain", "agentId"];
        let [kind, uuid, timestamp, message, parent, side, agent] = pick(root, names);
        self.records.add(uuid.is_some() || is_own(root), offset);
        let Some(kind) = string(kind) else {
            self.problems.error("schema", "a line without `type`; skipped", offset);
            return;
        };
        if let "summary" | "custom-title" | "ai-title" = &*kind {
            self.titles.extend(title(root));
            return;
        }
        if kind == "cost-state" {
            let session = string(get(Some(root), "sessionId")).unwrap_or_default();
            self.totals.extend(RunTotals::read(root, json).map(|totals| (session.into(), totals)));
            return;
        }
        let uuid = string(uuid);
        let is_said = matches!(&*kind, "user" | "assistant");
        if let Some(uuid) = &uuid
            && self.by_id.contains(uuid)
        {
            return; // a resumed session repeats the lines of the one before
        }
        #[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
        let at = string(timestamp).and_then(|t| time::parse(&t)).map(|ms| ms as f64);
        let at = at.or(self.last_time).unwrap_or(env.now_ms);
        let message = of_kind(message, Kind::Object);
        let body = match (&*kind, message) {
            ("user", Some(message)) => LineBody::User(user(json, root, message, at)),
            ("assistant", Some(message)) => LineBody::Answer(answer(json, root, message, at)),
            ("user" | "assistant", None) => {
                self.problems.error("schema", "a line without `message`; skipped", offset);
                LineBody::Link { is_progress: true }
            }
            _ => match other(json, root, &kind, at) {
                Some(body) => body,
                None if uuid.is_none() => return,
                None => LineBody::Link { is_progress: kind == "progress" },
            },
        };
        if is_said || !matches!(body, LineBody::Link { .. }) {
            self.last_time = Some(at);
        }
        let id: Box<str> = match uuid {
            Some(uuid) => uuid.into(),
            None => format!("line_{offset}").into(),
        };
        self.by_id.insert(&id, self.lines.len());
        self.lines.push(ClaudeLine {
            id,
            parent: match string(parent) {
                None => LineParent::None,
                Some(parent) => match self.by_id.get(&parent) {
                    Some(line) => LineParent::Line(line),
                    None => LineParent::Named(parent.into()),
                },
            },
            about: self.abouts.number(root),
            is_side: is_true(side),
            agent: string(agent).map(Box::from),
            at,
            offset,
            body,
        });
    }
}

/// What a line of the user has.
fn user(json: &str, root: Node<'_>, message: Node<'_>, at: f64) -> UserLine {
    let [meta, summary, outcome] = pick(root, ["isMeta", "isCompactSummary", "toolUseResult"]);
    let mut user = UserLine {
        is_synthetic: is_true(meta),
        is_summary: is_true(summary),
        ..UserLine::default()
    };
    let outcome = outcome.filter(|outcome| !outcome.kind().is_nullish());
    user.read(get(Some(message), "content"), LineExtras { json, at, outcome });
    user
}

/// What a line of an answer has.
fn answer(json: &str, root: Node<'_>, message: Node<'_>, at: f64) -> AnswerLine {
    let [id, model, content, stop, usage] =
        pick(message, ["id", "model", "content", "stop_reason", "usage"]);
    let [cost, failed] = pick(root, ["costUSD", "isApiErrorMessage"]);
    let model = string(model).unwrap_or_default();
    let is_own = model == NO_MODEL;
    let said = || {
        let said = items(content).find_map(|block| get(Some(block), "text")).or(content);
        said.map_or("", |text| token(text, json)).into()
    };
    AnswerLine {
        message: string(id).unwrap_or_default().into(),
        model: if is_own { "".into() } else { model.into() },
        pieces: answer_pieces(content, json, at, is_own),
        stop: string(stop).map(Box::from),
        tokens: of_kind(usage, Kind::Object).map(tokens),
        cost: number(cost),
        error: is_true(failed).then(said),
    }
}

/// What a line of another type has, if there is something to show of it.
fn other(json: &str, root: Node<'_>, kind: &str, at: f64) -> Option<LineBody> {
    if kind == "attachment" {
        let attachment = of_kind(get(Some(root), "attachment"), Kind::Object)?;
        let [kind, prompt, mode, meta] =
            pick(attachment, ["type", "prompt", "commandMode", "isMeta"]);
        if string(kind).as_deref() != Some("queued_command") {
            return None;
        }
        let is_typed = string(mode).is_none_or(|mode| mode == "prompt");
        let mut user = UserLine {
            is_synthetic: !is_typed || is_true(meta),
            is_queued: true,
            ..UserLine::default()
        };
        user.read(prompt, LineExtras { json, at, outcome: None });
        return Some(LineBody::User(user)).filter(|_| prompt.is_some());
    }
    if kind != "system" {
        return None;
    }
    let [subtype, about] = pick(root, ["subtype", "compactMetadata"]);
    let subtype = string(subtype)?;
    if subtype == "compact_boundary" {
        let trigger = string(get(about, "trigger"));
        return Some(LineBody::Boundary { auto: trigger.is_none_or(|t| t != "manual") });
    }
    notice(root, &subtype)
}

impl TranscriptFormat for ClaudeCode {
    const NAME: &'static str = "claude-code";
    const TITLE: &'static str = "Claude Code";
    const ENDINGS: &'static [&'static str] = &[".jsonl"];
    const INTERRUPTIONS: &'static [&'static str] = &INTERRUPTIONS;
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        // No other format has these names.
        let own = ["parentUuid", "leafUuid", "isSidechain"];
        let said = ["user", "assistant", "system", "attachment", "progress"];
        let is_line = || seen.kind().is_some_and(|kind| said.contains(&kind));
        own.iter().any(|name| seen.has_any(name))
            || (seen.has_string("sessionId") && seen.has_string("uuid") && is_line())
            || (seen.kind() == Some("file-history-snapshot") && seen.has_any("messageId"))
    }

    fn run_file(path: &str, _line: Option<Node<'_>>) -> Option<RunFile> {
        super::run_file::run_file(path)
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(ClaudeCode::default()))
    }
}

impl ObjectReader for ClaudeCode {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, env: &mut Env<'_>) {
        self.take(text, root, record.offset, env);
    }
}

impl FormatReader for ClaudeCode {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.loaded()
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
