//! The lines of Claude Code's `stream-json`: events of the API in an envelope; without these, whole messages; and lines
//! that repeat or frame them.

use crate::providers::output::{append_meta, set_meta};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};

/// The types of lines that say nothing that the events do not.
const FRAMES: &[&str] =
    &["system", "assistant", "user", "result", "rate_limit_event", "keep_alive"];

/// How many of the last messages that came as events are remembered: a line that repeats one comes soon.
const MESSAGES: usize = 64;

/// What the envelopes of a stream have said.
#[derive(Clone, Debug, Default)]
pub(crate) struct CliEnvelope {
    session: String,
    /// The calls whose sub-agents spoke.
    agents: Numbering,
    /// The ids of messages that came as events.
    streamed: Vec<String>,
    /// The program is Qwen Code: each block of a message has its own id.
    is_qwen: bool,
}

state!(CliEnvelope { session, agents, streamed, is_qwen });

/// What a record is.
pub(crate) enum CliLine<'a> {
    /// A record of the API.
    Record(Val<'a>),
    /// One in an envelope.
    Event(Val<'a>),
    /// A message of the assistant, or more blocks of one.
    Message,
    /// The run has ended.
    End,
    /// The results of calls, as blocks.
    Results(Val<'a>),
    /// Nothing that is read.
    Frame,
}

/// Does the record have an event in an envelope?
pub(crate) fn is_envelope(kind: &str, root: Val<'_>) -> bool {
    kind == "stream_event" && root.get("event").get("type").is_string()
}

/// Does the record have a whole message of the assistant, or blocks of one?
pub(crate) fn is_message(kind: &str, root: Val<'_>) -> bool {
    let message = root.get("message");
    kind == "assistant"
        && root.get("session_id").is_string()
        && message.get("id").piece().is_some()
        && message.get("content").is_array()
}

impl CliEnvelope {
    /// Does each block of a message have its own id?
    pub(crate) fn is_qwen(&self) -> bool {
        self.is_qwen
    }

    /// Notes that a message comes as events.
    pub(crate) fn note_streamed(&mut self, id: &str) {
        if self.streamed.last().is_none_or(|last| last != id) {
            let most = self.streamed.len().saturating_sub(MESSAGES - 1);
            self.streamed.drain(..most);
            self.streamed.push(id.to_owned());
        }
    }

    /// What a record is. Those of a sub-agent are noted, and are nothing.
    pub(crate) fn open<'a>(&mut self, root: Val<'a>) -> CliLine<'a> {
        let [kind, event, parent, message] =
            root.fields(&["type", "event", "parent_tool_use_id", "message"]);
        let kind = kind.text();
        if !is_envelope(&kind, root) && !FRAMES.contains(&&*kind) {
            return CliLine::Record(root);
        }
        if parent.piece().is_some() {
            self.note(root);
            self.agents.insert(parent.text().into_owned(), 0);
            return CliLine::Frame;
        }
        if kind == "stream_event" {
            return CliLine::Event(event);
        }
        self.note(root);
        match &*kind {
            "user" => CliLine::Results(message.get("content")),
            "result" => CliLine::End,
            "assistant" if is_message(&kind, root) => {
                let id = message.get("id").text();
                let is_copy = self.streamed.iter().any(|streamed| *streamed == *id);
                if is_copy { CliLine::Frame } else { CliLine::Message }
            }
            _ => {
                self.is_qwen |= root.get("qwen_code_version").is_string();
                CliLine::Frame
            }
        }
    }

    /// Notes what an envelope says, once what is in it can be read.
    pub(crate) fn note(&mut self, root: Val<'_>) {
        let session = root.get("session_id");
        if session.piece().is_some() {
            self.session = session.text().into_owned();
        }
    }

    /// Emits what was said, when a response ends.
    pub(crate) fn tell(&mut self, out: &mut Sink<'_>) {
        if !self.session.is_empty() {
            set_meta(out, "sessionId", self.session.as_str().into());
        }
        for (agent, _) in std::mem::take(&mut self.agents) {
            append_meta(out, "subagents", agent.into());
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
