//! [`SweRun`]: the messages of a trajectory, in order, with a clock that counts from 0.

use super::content::{SweItem, SweObservation, content_items, custom};
use crate::arguments::arguments;
use crate::fields::{any_string, get, is_true, items, pick, raw, string, token};
use crate::log::log_call::{LogCall, LogResult};
use crate::log::log_message::LogRole;
use crate::log::log_part::LogPart;
use crate::log::session_log::SessionLog;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::object;
use apex_parts_model::View;

/// The most seconds that a step is said to have taken: sums of them stay numbers.
const MAX_SECONDS: f64 = 1e9;

/// A run while its messages are made.
pub(crate) struct SweRun<'a> {
    pub(crate) log: &'a mut SessionLog,
    pub(crate) session: usize,
    pub(crate) json: &'a str,
    /// Milliseconds since the run began.
    pub(crate) clock: f64,
    /// The message of the last step.
    pub(crate) last_step: Option<usize>,
    /// The output of the last call that submits; raw.
    pub(crate) submitted: Option<String>,
    /// Has a call that edits a file succeeded?
    pub(crate) has_edited: bool,
}

/// The tools that edit files.
const EDITORS: [&str; 3] = ["edit", "create", "str_replace_editor"];

/// A step: what the model said and did, and what came of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct SweStep<'a> {
    pub(crate) thinking: Option<Node<'a>>,
    pub(crate) thought: Option<Node<'a>>,
    pub(crate) action: Option<Node<'a>>,
    /// All that the model answered.
    pub(crate) response: Option<Node<'a>>,
    /// The call of a tool that the action was made from.
    pub(crate) call: Option<Node<'a>>,
    pub(crate) observation: Option<Node<'a>>,
    pub(crate) seconds: f64,
}

/// Is it an answer of the model, and no demonstration?
pub(crate) fn is_step(entry: Node<'_>) -> bool {
    let [role, is_demo] = pick(entry, ["role", "is_demo"]);
    string(role).is_some_and(|role| role == "assistant") && !is_true(is_demo)
}

/// A text that says something.
pub(crate) fn not_blank(text: Option<Node<'_>>) -> Option<Node<'_>> {
    any_string(text).filter(|text| !text.is_blank())
}

/// The first word of a string.
fn first_word(text: Node<'_>) -> String {
    const BEGINNING: usize = 256;
    let word = |text: &str, is_whole: bool| {
        let text = text.trim_ascii_start();
        let end = text.find(|c: char| c.is_ascii_whitespace());
        end.or(is_whole.then_some(text.len())).and_then(|end| text.get(..end)).map(str::to_owned)
    };
    word(&text.text_start(BEGINNING), false)
        .or_else(|| word(&text.str()?, true))
        .unwrap_or_default()
}

impl<'a> SweStep<'a> {
    /// The step that an entry of a history is, without its observation.
    pub(crate) fn of_entry(entry: Node<'a>) -> SweStep<'a> {
        let names = ["thinking_blocks", "thought", "action", "content", "tool_calls"];
        let [thinking, thought, action, response, calls] = pick(entry, names);
        let call = items(calls).next();
        SweStep { thinking, thought, action, response, call, ..SweStep::default() }
    }
}

impl<'a> SweRun<'a> {
    /// The beginning of a run.
    pub(crate) fn new(log: &'a mut SessionLog, session: usize, json: &'a str) -> SweRun<'a> {
        let (last_step, submitted) = (None, None);
        SweRun { log, session, json, clock: 0.0, last_step, submitted, has_edited: false }
    }

    /// Notes a call that submits or edits.
    fn note(&mut self, call: &LogCall, action: Option<Node<'_>>) {
        let Some(result) = &call.result else { return };
        let word = action.map(first_word).unwrap_or_default();
        let is = |name: &str| call.tool == name || word == name;
        if is("submit") {
            self.submitted = Some(result.text.to_string());
        }
        self.has_edited |= EDITORS.iter().any(|name| is(name));
    }

    fn now(&self) -> f64 {
        self.clock.round()
    }

    /// An entry of the history that is no step: a text for the model, or a message of the user.
    pub(crate) fn take_entry(&mut self, entry: Node<'_>) {
        let [role, content, is_demo] = pick(entry, ["role", "content", "is_demo"]);
        if string(role).is_some_and(|role| matches!(&*role, "system" | "developer")) {
            if let Some(content) = SweObservation::read(content, self.json) {
                self.log.system(self.session, &content.text);
            }
            return;
        }
        let at = self.now();
        let user = self.log.begin(self.session, LogRole::User, "", at);
        let synthetic = is_true(is_demo);
        for item in content.map(|content| content_items(content, self.json)).into_iter().flatten() {
            let part = match item {
                SweItem::Text(raw) => LogPart { synthetic, ..LogPart::text(raw, at) },
                SweItem::File(part) | SweItem::Other(part) => part,
            };
            self.log.part(user, part);
        }
    }

    /// A step, with the call of its action and the observation as the result of that.
    pub(crate) fn step(&mut self, step: SweStep<'_>) {
        let start = self.now();
        let answer = self.log.begin(self.session, LogRole::Assistant, "", start);
        self.last_step = Some(answer);
        for block in items(step.thinking) {
            let part = self.thinking(block, start);
            self.log.part(answer, part);
        }
        let action = not_blank(step.action);
        let has_call = action.is_some() || step.call.is_some();
        let response = not_blank(step.response).filter(|_| !has_call);
        if let Some(text) = not_blank(step.thought).or(response) {
            self.log.part(answer, LogPart::text(token(text, self.json), start));
        }
        self.clock += step.seconds.clamp(0.0, MAX_SECONDS) * 1000.0;
        let end = self.now();
        self.log.touch(self.session, answer, end);
        let observation = SweObservation::read(step.observation, self.json);
        if !has_call {
            if let Some(observation) = observation.filter(|observation| !observation.is_empty()) {
                self.take_observation(observation, end);
            }
            return;
        }
        let mut others = Vec::new();
        let result = observation.map(|observation| {
            others = observation.others;
            LogResult {
                text: observation.text.into(),
                end,
                attachments: observation.files,
                ..LogResult::default()
            }
        });
        let call = LogCall { start, result, ..self.call(action, step.call) };
        self.note(&call, action);
        self.log.call(self.session, answer, call);
        for other in others {
            self.log.part(answer, other);
        }
    }

    /// What the model is shown where it did nothing.
    fn take_observation(&mut self, observation: SweObservation, at: f64) {
        let user = self.log.begin(self.session, LogRole::User, "", at);
        if !observation.text.is_empty() {
            self.log.part(user, LogPart::synthetic(&observation.text, at));
        }
        for part in observation.files.into_iter().chain(observation.others) {
            self.log.part(user, part);
        }
    }

    fn thinking(&self, block: Node<'_>, at: f64) -> LogPart {
        let [thinking, signature] = pick(block, ["thinking", "signature"]);
        let Some(thinking) = any_string(thinking) else {
            return custom(block, self.json);
        };
        let signature = any_string(signature);
        let field = |value| ("signature".into(), raw(value, self.json).into());
        let metadata = signature.map(field).into_iter().collect();
        LogPart::reasoning(token(thinking, self.json), at, &metadata)
    }

    /// The call: of the tool that the model named, or the action as a command of the shell.
    fn call(&self, action: Option<Node<'_>>, call: Option<Node<'_>>) -> LogCall {
        let Some(call) = call else {
            let mut input = String::new();
            object(&mut input, |input| {
                if let Some(action) = action {
                    input.key("command").push_str(raw(action, self.json));
                }
            });
            return LogCall { tool: "bash".to_owned(), input: input.into(), ..LogCall::default() };
        };
        let [id, function] = pick(call, ["id", "function"]);
        let field = |action| ("action".into(), raw(action, self.json).into());
        LogCall {
            call_id: string(id).unwrap_or_default().into_owned(),
            tool: string(get(function, "name")).unwrap_or_default().into_owned(),
            input: arguments(get(function, "arguments"), self.json),
            metadata: action.map(field).into_iter().collect(),
            ..LogCall::default()
        }
    }
}
