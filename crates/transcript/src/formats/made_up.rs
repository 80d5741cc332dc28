//! A format that does not exist. It tests that a format needs no more than a module and a line in the
//! registry, and is the shortest example of one.
//!
//! Its records are `{"madeUpSession", "say"}`.

use apex_parts_agents::{
    Env, FormatReader, LoadedSession, LoadedSessions, Record, SeenFields, TranscriptFormat,
};
use apex_parts_model::Agent;
use apex_parts_validate::Ids;
use serde_json::{Value, json};

/// The format and its reader.
#[derive(Default)]
pub(crate) struct MadeUp {
    messages: Vec<Value>,
}

impl TranscriptFormat for MadeUp {
    const NAME: &'static str = "made-up-file";
    const TITLE: &'static str = "Made up";
    const AGENT: Option<Agent> = None;
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        seen.has_string("madeUpSession")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(MadeUp::default()))
    }
}

impl FormatReader for MadeUp {
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        let Ok(value) = serde_json::from_slice::<Value>(record.json) else { return };
        let id = (env.new_id)();
        self.messages.push(json!({
            "info": {"id": id, "sessionID": "s", "role": "user"},
            "parts": [{"id": "p", "messageID": id, "sessionID": "s", "type": "text", "text": value["say"]}],
        }));
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let messages = Value::from(self.messages.clone()).to_string().into_bytes().into();
        let session = LoadedSession { id: "s".to_owned(), messages, ..LoadedSession::default() };
        LoadedSessions { sessions: vec![session], ..LoadedSessions::default() }
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.peek(length, env)
    }
}
