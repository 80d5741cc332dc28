//! Opens transcripts for the tests of several formats, and reads everything that they show.

use apex_parts_model::Error;
use apex_parts_transcript::{Env, Transcript, TranscriptOptions};
use serde_json::Value;

pub(crate) fn open(bytes: &[u8]) -> Result<Transcript, Error> {
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut || "id".to_owned() };
    Transcript::open(bytes, TranscriptOptions::default(), &mut env)
}

/// The messages of each session, with its id.
pub(crate) fn shown(t: &Transcript) -> Vec<(String, Vec<Value>)> {
    let parsed = |json: Vec<u8>| serde_json::from_slice(&json).unwrap();
    let messages = |id: &str| t.messages_of(id).unwrap().into_iter().map(parsed).collect();
    t.sessions().into_iter().map(|session| (session.id.clone(), messages(&session.id))).collect()
}
