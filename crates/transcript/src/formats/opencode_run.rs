//! opencode-run: the output of `opencode run --format json`, one record per line: `{type, timestamp,
//! sessionID, part}`.
//!
//! The parts are OpenCode's own and are kept as they are; those with one `messageID` are a message of the
//! assistant (the user's prompt is not printed). Fields of the message that the lines lack are derived, so
//! that it is valid: `time` from the timestamps (`completed` is that of the last `step_finish`), `cost`
//! and `tokens` as sums over the step-finish parts, `finish` from the last reason; `parentID`, `modelID`,
//! `providerID`, `agent` and `path` are empty. An `error` belongs to the last message if its step has not
//! finished, otherwise to a message of its own.

use apex_parts_agents::fields::{get, number, of_kind, pick, raw, string};
use apex_parts_agents::{
    AssistantInfo, Env, FormatReader, LoadedSession, LoadedSessions, OPENCODE, ObjectReader,
    Record, RecordCount, SeenFields, TokenCounts, TranscriptFormat,
};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::object;
use apex_parts_model::Agent;
use apex_parts_model::Kind;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_validate::Ids;
use std::collections::BTreeMap;

/// Reads the format `opencode-run`.
#[derive(Debug, Default)]
pub(crate) struct OpenCodeRun {
    sessions: Vec<RunSession>,
    session_of: BTreeMap<Box<str>, usize>,
    message_of: SortedMap<Box<str>, (usize, usize)>,
    problems: ProblemList,
    /// How many lines are the program's.
    records: RecordCount,
}

#[derive(Debug, Default)]
struct RunSession {
    id: String,
    messages: Vec<RunMessage>,
}

#[derive(Debug, Default)]
struct RunMessage {
    id: String,
    created: Option<f64>,
    completed: Option<f64>,
    /// JSON.
    parts: Vec<String>,
    part_of: BTreeMap<Box<str>, usize>,
    cost: f64,
    tokens: TokenCounts,
    finish: Option<String>,
    error: Option<String>,
}

impl OpenCodeRun {
    fn take(&mut self, json: &str, root: Node<'_>, record: Record<'_>, env: &Env<'_>) {
        let names = ["type", "timestamp", "sessionID", "part", "error"];
        let [kind, timestamp, session, part, error] = pick(root, names);
        self.records.add(session.or(part).is_some(), record.offset);
        let Some(kind) = string(kind) else {
            self.problems.error("schema", "a line without `type`; skipped", record.offset);
            return;
        };
        let time = number(timestamp).unwrap_or(env.now_ms);
        let part = of_kind(part, Kind::Object);
        let session = string(session).or_else(|| string(get(part, "sessionID")));
        let session = self.session(&session.unwrap_or_default());
        if kind == "error" {
            return self.error(session, error, json, time);
        }
        let Some(part) = part else {
            if matches!(&*kind, "step_start" | "text" | "reasoning" | "tool_use" | "step_finish") {
                let what = "a line without `part`; skipped";
                self.problems.error("schema", what, record.offset);
            }
            return;
        };
        let [id, message_id, own, state] = pick(part, ["id", "messageID", "time", "state"]);
        let Some(message_id) = string(message_id) else {
            let what = "a part without `messageID`; left out";
            self.problems.error("schema", what, record.offset);
            return;
        };
        let Some(message) = self.message(session, &message_id) else { return };
        let began = number(get(own, "start")).or_else(|| number(get(get(state, "time"), "start")));
        let began = began.unwrap_or(time);
        message.created = Some(message.created.map_or(began, |created| created.min(began)));
        if kind == "step_finish" {
            message.completed = Some(time);
            message.step_finish(part);
        }
        let place = string(id).and_then(|id| {
            let next = message.parts.len();
            let place = *message.part_of.entry(id.as_ref().into()).or_insert(next);
            (place < next).then_some(place)
        });
        match place.and_then(|place| message.parts.get_mut(place)) {
            Some(before) => raw(part, json).clone_into(before),
            None => message.parts.push(raw(part, json).to_owned()),
        }
    }

    fn session(&mut self, id: &str) -> usize {
        if let Some(index) = self.session_of.get(id) {
            return *index;
        }
        self.session_of.insert(id.into(), self.sessions.len());
        self.sessions.push(RunSession { id: id.to_owned(), ..RunSession::default() });
        self.sessions.len() - 1
    }

    fn message(&mut self, session: usize, id: &str) -> Option<&mut RunMessage> {
        let place = match self.message_of.get(id) {
            Some(place) => *place,
            None => {
                let messages = &mut self.sessions.get_mut(session)?.messages;
                messages.push(RunMessage { id: id.to_owned(), ..RunMessage::default() });
                let place = (session, messages.len() - 1);
                self.message_of.insert(id.into(), place);
                place
            }
        };
        self.sessions.get_mut(place.0)?.messages.get_mut(place.1)
    }

    fn error(&mut self, session: usize, error: Option<Node<'_>>, json: &str, time: f64) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        let number = session.messages.len();
        let open = session.messages.last_mut().filter(|m| m.completed.is_none());
        let message = match open {
            Some(message) if message.error.is_none() => message,
            _ => {
                let id = format!("msg_error_{}_{number}", session.id);
                session.messages.push(RunMessage {
                    id,
                    created: Some(time),
                    ..RunMessage::default()
                });
                let Some(message) = session.messages.last_mut() else { return };
                message
            }
        };
        message.completed = Some(time);
        message.error = Some(named(error, json));
    }
}

/// The error in the model's form: OpenCode's `{name, data}` as it is, anything else as an `UnknownError`.
fn named(error: Option<Node<'_>>, json: &str) -> String {
    let [name, data] = error.map_or([None, None], |error| pick(error, ["name", "data"]));
    if let (Some(error), Some(_), Some(_)) = (error, string(name), of_kind(data, Kind::Object)) {
        return raw(error, json).to_owned();
    }
    let mut out = String::new();
    object(&mut out, |out| {
        let message = string(error).or_else(|| string(get(error, "message")));
        let message = message.map_or_else(
            || error.map_or("", |error| raw(error, json)).to_owned(),
            |message| message.into_owned(),
        );
        out.string("name", "UnknownError").object("data", |data| {
            data.string("message", &message);
        });
    });
    out
}

impl RunMessage {
    fn step_finish(&mut self, part: Node<'_>) {
        let [reason, cost, tokens] = pick(part, ["reason", "cost", "tokens"]);
        self.finish = string(reason).map(|reason| reason.into_owned());
        self.cost += number(cost).unwrap_or(0.0);
        let count = |of: Option<Node<'_>>, name: &str| number(get(of, name)).unwrap_or(0.0);
        let cache = get(tokens, "cache");
        self.tokens.add(TokenCounts {
            input: count(tokens, "input"),
            output: count(tokens, "output"),
            reasoning: count(tokens, "reasoning"),
            read: count(cache, "read"),
            write: count(cache, "write"),
            total: None,
        });
    }

    fn write(&self, session: &str, out: &mut String) {
        let info = AssistantInfo {
            id: &self.id,
            session_id: session,
            created: self.created.unwrap_or(0.0),
            completed: self.completed,
            cost: self.cost,
            tokens: self.tokens,
            finish: self.finish.as_deref(),
            error: self.error.as_deref(),
            ..AssistantInfo::default()
        };
        out.push_str("{\"info\":");
        info.write(out);
        out.push_str(",\"parts\":[");
        for (number, part) in self.parts.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            out.push_str(part);
        }
        out.push_str("]}");
    }
}

impl TranscriptFormat for OpenCodeRun {
    const NAME: &'static str = "opencode-run";
    const TITLE: &'static str = "OpenCode Run";
    const AGENT: Option<Agent> = Some(OPENCODE);
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        const TYPES: [&str; 6] =
            ["step_start", "text", "reasoning", "tool_use", "step_finish", "error"];
        seen.has_string("sessionID")
            && (seen.has_object("part") || seen.has_number("timestamp"))
            && seen.kind().is_some_and(|kind| TYPES.contains(&kind))
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(OpenCodeRun::default()))
    }
}

impl ObjectReader for OpenCodeRun {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, env: &mut Env<'_>) {
        self.take(text, root, record, env);
    }
}

impl FormatReader for OpenCodeRun {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let mut made = LoadedSessions {
            problems: self.problems.clone().into_sorted(),
            records: self.records,
            ..LoadedSessions::default()
        };
        for session in self.sessions.iter().filter(|session| !session.messages.is_empty()) {
            let parts = session.messages.iter().flat_map(|message| &message.parts);
            let length = parts.map(|part| part.len() + 1).sum::<usize>();
            let mut out = String::with_capacity(length + 600 * session.messages.len() + 2);
            out.push('[');
            for message in &session.messages {
                if out.len() > 1 {
                    out.push(',');
                }
                message.write(&session.id, &mut out);
            }
            out.push(']');
            made.sessions.push(LoadedSession {
                id: session.id.clone(),
                messages: out.into_bytes().into(),
                ..LoadedSession::default()
            });
        }
        made
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.peek(length, env)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
