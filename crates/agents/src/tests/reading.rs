//! What the tests of all readers share: a driver, and views of its result.

// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use apex_parts_agents::{Env, FormatReader, LoadedSession, LoadedSessions, Record};
use apex_parts_model::Severity;
use apex_parts_validate::Ids;
use apex_parts_wire::Framing;
use serde_json::Value;

/// The sessions that a reader assembles from a file of SSE or NDJSON.
pub(crate) fn made(mut reader: Box<dyn FormatReader>, bytes: &[u8]) -> LoadedSessions {
    let mut ids = 0;
    let mut new_id = || {
        ids += 1;
        format!("0199e0a0-0000-7000-8000-{ids:012}")
    };
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id };
    let (mut framing, mut at) = (Framing::default(), 0);
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        reader.record(
            Record { json: frame.data, event: frame.event, offset: frame.offset },
            &mut env,
        );
    }
    if let Some(frame) = framing.finish(usize::MAX) {
        reader.record(
            Record { json: frame.data, event: frame.event, offset: frame.offset },
            &mut env,
        );
    }
    reader.finish(bytes.len() as u64, &mut env)
}

/// The messages of a session.
pub(crate) fn messages(session: &LoadedSession) -> Value {
    let json = session.messages.json();
    serde_json::from_slice(&json)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&json)))
}

/// The ids of each message's parts sort as the parts stand: OpenCode sorts parts by nothing else.
pub(crate) fn assert_part_ids_ascend(made: &LoadedSessions) {
    for session in &made.sessions {
        for message in messages(session).as_array().unwrap() {
            let parts = message["parts"].as_array().unwrap();
            let ids: Vec<_> = parts.iter().map(|part| part["id"].as_str().unwrap()).collect();
            assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        }
    }
}

/// The messages of the first session.
pub(crate) fn root(made: &LoadedSessions) -> Value {
    made.sessions.first().map_or(Value::Null, messages)
}

/// The problems, as "rule offset: message".
pub(crate) fn problems(made: &LoadedSessions) -> Vec<String> {
    let one =
        |p: &apex_parts_model::Problem| format!("{} {}: {}", p.rule, p.offset.unwrap(), p.message);
    made.problems.iter().map(one).collect()
}

/// The problems that the validator finds in a session's messages, as text.
pub(crate) fn complaints(session: &LoadedSession, ids: Ids) -> Vec<String> {
    let mut found = Vec::new();
    apex_parts_validate::transcript(&Some(&messages(session)), ids, &mut found);
    found.iter().map(ToString::to_string).collect()
}

/// Asserts that no session breaks a rule; warnings are allowed.
pub(crate) fn assert_valid(made: &LoadedSessions, ids: Ids) {
    for session in &made.sessions {
        let mut found = Vec::new();
        apex_parts_validate::transcript(&Some(&messages(session)), ids, &mut found);
        found.retain(|p| p.severity == Severity::Error);
        assert_eq!(found, [], "{}", String::from_utf8_lossy(&session.messages.json()));
    }
}
