//! The lines of Claude Code's `stream-json`: events of the API in an envelope, and lines that repeat or frame them.

use crate::providers::output::{append_meta, set_meta};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};

/// The types of lines that say nothing that the events do not.
const FRAMES: &[&str] =
    &["system", "assistant", "user", "result", "rate_limit_event", "keep_alive"];

/// What the envelopes of a stream have said.
#[derive(Clone, Debug, Default)]
pub(crate) struct CliEnvelope {
    session: String,
    /// The calls whose sub-agents spoke.
    agents: Numbering,
}

state!(CliEnvelope { session, agents });

/// What a record is.
pub(crate) enum CliLine<'a> {
    /// A record of the API.
    Record(Val<'a>),
    /// One in an envelope.
    Event(Val<'a>),
    /// The results of calls, as blocks.
    Results(Val<'a>),
    /// Nothing that is read.
    Frame,
}

/// Does the record have an event in an envelope?
pub(crate) fn is_envelope(kind: &str, root: Val<'_>) -> bool {
    kind == "stream_event" && root.get("event").get("type").is_string()
}

impl CliEnvelope {
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
            _ => CliLine::Frame,
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
