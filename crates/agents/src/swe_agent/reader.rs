//! swe-agent: a trajectory of SWE-agent (`.traj`), one JSON object.
//!
//! - **Before the first step** is what the history has before the model's first answer: texts of the system,
//!   and messages of the user, of which demonstrations are `synthetic`.
//! - **Steps** are those of `trajectory`: the thought becomes text, the action a call of `bash`, or of the tool
//!   that the model called where the history has it, and the observation the output of it. Without an action
//!   the observation is a `synthetic` message of the user. A file that has only a history has its steps there:
//!   answers, each with the entry after it as its observation.
//! - **Times** count from 0, `execution_time` seconds for each step: the file has no clock.
//! - **The session** is `swe-agent:ENVIRONMENT`; `info` has what the run cost, its tokens, and how it ended: an
//!   `exit_status` that begins with `exit_` is the error of the last step. The model is that of the
//!   configuration that the file repeats, if it does.
//! - **What changed** is the diff that was submitted, which `info` has, or the output of the call that submits; or the
//!   names of the files that `info` says were edited. Edits themselves do not always say what they changed.
//!
//! Ids are made up: the file has none but those of calls.

use super::steps::{SweRun, SweStep, is_step, not_blank};
use crate::env::Env;
use crate::fields::{any_string, get, items, number, of_kind, pick, raw, string, token};
use crate::log::log_call::LogResult;
use crate::log::log_message::error_json;
use crate::log::session_log::SessionLog;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::token_counts::TokenCounts;
use crate::transcript_format::{
    CHANGES_UNKNOWN, EDITED_FILES, ExitStatus, SUBMISSION, TranscriptFormat,
};
use crate::whole_json::WholeJson;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::string as write_string;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;
use std::collections::VecDeque;

/// Where a session keeps the `exit_status` of the run.
const EXIT_STATUS: &str = "exitStatus";
/// What it is of a run that finished.
const SUBMITTED: &str = "submitted";

/// Is a text (raw) a diff?
fn is_diff(raw: &str) -> bool {
    raw.contains("diff --git ") || raw.contains("+++ ")
}

/// The names in a text that shows the files that were edited, each behind `[File: NAME]`.
fn edited_files(text: &str) -> Vec<&str> {
    let names = text.lines().filter_map(|line| line.strip_prefix("[File: "));
    let names = names.filter_map(|line| line.split(']').next());
    names.map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Reads the format `swe-agent`.
#[derive(Debug)]
pub struct SweAgent {
    log: SessionLog,
}

impl Default for SweAgent {
    fn default() -> SweAgent {
        SweAgent { log: SessionLog::new(Self::NAME, "") }
    }
}

impl SweAgent {
    fn take(&mut self, json: &str, root: Node<'_>) {
        let names = ["environment", "trajectory", "history", "info", "replay_config"];
        let [environment, trajectory, history, info, config] = pick(root, names);
        let environment = string(environment).unwrap_or_default();
        let session = self.log.begin_session(&format!("swe-agent:{environment}"));
        if let Some(session) = self.log.session(session) {
            session.model = model_name(config).into();
        }
        let mut run = SweRun::new(&mut self.log, session, json);
        for entry in items(history).take_while(|entry| !is_step(*entry)) {
            run.take_entry(entry);
        }
        if items(trajectory).next().is_some() {
            trajectory_steps(&mut run, trajectory, history);
        } else {
            history_steps(&mut run, history);
        }
        let SweRun { last_step, submitted, has_edited, .. } = run;
        self.info(session, info, last_step, json);
        let [submission, edited] =
            info.map_or([None; 2], |info| pick(info, ["submission", "edited_files30"]));
        let submission = not_blank(submission);
        let diff = submission.map(|text| token(text, json)).filter(|text| is_diff(text));
        let diff = diff.or_else(|| submitted.as_deref().filter(|text| is_diff(text)));
        let edited = string(edited).unwrap_or_default();
        let names = edited_files(&edited);
        let Some(session) = self.log.session(session) else { return };
        let submission =
            diff.map(str::to_owned).or_else(|| Some(token(submission?, json).to_owned()));
        if let Some(raw) = submission {
            session.more.push((SUBMISSION.into(), format!("\"{raw}\"").into()));
        }
        if diff.is_none() && !names.is_empty() {
            let quoted = |name: &&str| {
                let mut json = String::new();
                write_string(&mut json, name);
                json
            };
            let names: Vec<String> = names.iter().map(quoted).collect();
            session.more.push((EDITED_FILES.into(), format!("[{}]", names.join(",")).into()));
        } else if diff.is_none() && has_edited {
            session.more.push((CHANGES_UNKNOWN.into(), "true".into()));
        }
    }

    /// What the run cost, and how it ended.
    fn info(
        &mut self,
        session: usize,
        info: Option<Node<'_>>,
        last_step: Option<usize>,
        json: &str,
    ) {
        let [stats, status] =
            info.map_or([None; 2], |info| pick(info, ["model_stats", "exit_status"]));
        let names = ["instance_cost", "total_cost", "tokens_sent", "tokens_received"];
        let [cost, total_cost, sent, received] =
            stats.map_or([None; 4], |stats| pick(stats, names).map(number));
        let status = status.filter(|status| !status.kind().is_nullish());
        if let Some(session) = self.log.session(session) {
            session.cost = cost.or(total_cost);
            session.tokens = (sent.is_some() || received.is_some()).then(|| TokenCounts {
                input: sent.unwrap_or(0.0),
                output: received.unwrap_or(0.0),
                ..TokenCounts::default()
            });
            let status = status.map(|status| (EXIT_STATUS.into(), raw(status, json).into()));
            session.more.extend(status);
        }
        let is_submitted = string(status).is_some_and(|status| status == SUBMITTED)
            || not_blank(get(info, "submission")).is_some();
        if let Some(step) = last_step.and_then(|step| self.log.message(step))
            && is_submitted
        {
            let end = step.last;
            for call in step.open_calls() {
                call.result = Some(LogResult { end, ..LogResult::default() });
            }
        }
        if let Some(status) = any_string(status)
            && string(Some(status)).is_some_and(|status| status.starts_with("exit_"))
            && let Some(step) = last_step.and_then(|step| self.log.message(step))
        {
            step.error = error_json("UnknownError", token(status, json));
        }
    }
}

/// Reads the steps of a trajectory. The history has the calls that their actions were made from.
fn trajectory_steps(run: &mut SweRun<'_>, trajectory: Option<Node<'_>>, history: Option<Node<'_>>) {
    let mut places: TextMap = TextMap::default();
    let mut answers: Vec<VecDeque<Node<'_>>> = Vec::new();
    for entry in items(history).filter(|entry| is_step(*entry)) {
        let Some(action) = string(get(Some(entry), "action")) else { continue };
        match places.get(&action).and_then(|place| answers.get_mut(place)) {
            Some(same) => same.push_back(entry),
            None => {
                places.insert(&action, answers.len());
                answers.push(VecDeque::from([entry]));
            }
        }
    }
    for step in items(trajectory) {
        let names =
            ["thinking_blocks", "thought", "action", "response", "observation", "execution_time"];
        let [thinking, thought, action, response, observation, seconds] = pick(step, names);
        let place = not_blank(action).and_then(|action| places.get(&action.str()?));
        let entry = place.and_then(|place| answers.get_mut(place)?.pop_front());
        let of_entry = entry.map(SweStep::of_entry).unwrap_or_default();
        run.step(SweStep {
            thinking: of_kind(thinking, Kind::Array).or(of_entry.thinking),
            thought,
            action,
            response,
            call: of_entry.call,
            observation,
            seconds: number(seconds).unwrap_or(0.0),
        });
    }
}

/// Reads the steps of a history: answers, each with the entry after it.
fn history_steps(run: &mut SweRun<'_>, history: Option<Node<'_>>) {
    let is_observation = |entry: &Node<'_>| {
        let [role, is_demo] = pick(*entry, ["role", "is_demo"]);
        let role = string(role).unwrap_or_default();
        !matches!(&*role, "assistant" | "system" | "developer")
            && of_kind(is_demo, Kind::True).is_none()
    };
    let mut entries = items(history).skip_while(|entry| !is_step(*entry)).peekable();
    while let Some(entry) = entries.next() {
        if !is_step(entry) {
            run.take_entry(entry);
            continue;
        }
        let observation = entries.next_if(is_observation);
        let observation = observation.and_then(|entry| get(Some(entry), "content"));
        run.step(SweStep { observation, ..SweStep::of_entry(entry) });
    }
}

/// The model's name in the configuration of the run: an object, or the JSON of one in a string.
fn model_name(config: Option<Node<'_>>) -> String {
    let name = |config: Option<Node<'_>>| {
        let name = get(get(get(config, "agent"), "model"), "name");
        string(name).unwrap_or_default().into_owned()
    };
    let Some(text) = string(config) else { return name(config) };
    let mut tape = Tape::default();
    match tape.read(text.as_bytes(), 0) {
        Ok(_) => name(Some(tape.root_of(&text))),
        Err(_) => String::new(),
    }
}

impl TranscriptFormat for SweAgent {
    const NAME: &'static str = "swe-agent";
    const TITLE: &'static str = "SWE-agent";
    const ENDINGS: &'static [&'static str] = &[".traj", ".json"];
    const TASK_MARK: Option<&'static str> = Some("ISSUE:");
    const EXIT_STATUS: Option<ExitStatus> =
        Some(ExitStatus { field: EXIT_STATUS, finished: SUBMITTED });
    const IDS: Ids = Ids::OpenCode;
    const IS_WHOLE: bool = true;
    const INSIDE: &'static [&'static str] = &["history"];

    fn detect(seen: &SeenFields) -> bool {
        seen.has_array("trajectory") && (seen.has_any("history") || seen.has_any("info"))
    }

    fn detect_inside(name: &str, inside: &SeenFields, seen: &SeenFields) -> bool {
        let own = ["message_type", "agent"];
        name == "history" && seen.has_array(name) && own.iter().any(|name| inside.has_any(name))
    }

    fn may_be(seen: &SeenFields, _is_listed: bool) -> bool {
        seen.has_array("trajectory")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(SweAgent::default()))
    }
}

impl FormatReader for SweAgent {
    fn record(&mut self, record: Record<'_>, _env: &mut Env<'_>) {
        let whole = WholeJson::of_record(&record, &mut self.log);
        match whole.root() {
            root if root.kind() == Kind::Object => self.take(whole.text(), root),
            root if root.kind() == Kind::Missing => {}
            _ => self.log.problems.error("schema", "a trajectory is an object", record.offset),
        }
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.end();
        self.log.into_loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
