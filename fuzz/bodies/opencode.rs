//! Any transcript as a session of OpenCode: `opencode import` takes it, and made again of itself it stays.

use super::dice::Dice;
use apex_parts::convert::opencode::{
    OpenCodeConversion, OpenCodeOptions, import_problems, session_of,
};
use apex_parts::model::Severity;
use apex_parts::transcript::{Env, Format, Transcript, TranscriptOptions};
use serde_json::Value;
use std::collections::BTreeSet;

/// The time of the conversion; some messages are later.
const NOW: f64 = 1_700_000_000_000.0;

fn opened(data: &[u8], format: Option<Format>) -> Option<Transcript> {
    let mut count = 0;
    let mut id = || {
        count += 1;
        format!("0198c3f0-8d5e-7cc1-b5d1-{count:012}")
    };
    let mut env = Env { now_ms: NOW, new_id: &mut id };
    let options = TranscriptOptions { format, ..Default::default() };
    let mut transcript = Transcript::new(options);
    transcript.push(data, &mut env).ok()?;
    transcript.end(&mut env).ok()?;
    Some(transcript)
}

/// The session as the command writes it, and the number of its messages.
fn converted(of: &Transcript, id: Option<&str>, options: &OpenCodeOptions) -> (String, usize) {
    let (place, source) = session_of(of, id).unwrap();
    let list = of.session_messages(place);
    let mut conversion = OpenCodeConversion::new(&list, &source, options).unwrap();
    let mut messages = Vec::new();
    while let Some(message) = conversion.next(&list).unwrap() {
        messages.push(message);
    }
    let text =
        format!("{{\"info\": {},\n\"messages\": [{}]}}", conversion.info(), messages.join(",\n"));
    (text, messages.len())
}

/// Does a session of the file have ids of OpenCode's? Then the order is that of OpenCode, whatever the file's is.
fn has_own_ids(of: &Transcript, id: Option<&str>) -> bool {
    let (place, _) = session_of(of, id).unwrap();
    let list = of.session_messages(place);
    (0..list.count()).any(|index| {
        let Some(json) = list.json(index).unwrap() else { return false };
        // serde_json does not read half surrogates, nor numbers that no double holds.
        let Ok(message) = serde_json::from_slice::<Value>(&json) else { return true };
        let is_own =
            |value: &Value, prefix| value["id"].as_str().is_some_and(|id| id.starts_with(prefix));
        let parts = message["parts"].as_array();
        is_own(&message["info"], "msg") || parts.into_iter().flatten().any(|p| is_own(p, "prt"))
    })
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap()
}

/// What `opencode import` takes, and in the order in which OpenCode shows it.
fn is_imported(session: &str, is_made: bool) {
    let read = opened(session.as_bytes(), Some(Format::OpenCodeExport)).unwrap();
    let found = import_problems(&read, NOW).unwrap();
    let errors: Vec<String> = found
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    let Ok(value) = serde_json::from_str::<Value>(session) else { return };
    let messages = value["messages"].as_array().unwrap();
    let ids: Vec<&str> = messages.iter().map(|message| text(message, "/info/id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let mut seen = BTreeSet::new();
    for message in messages {
        let parts = message["parts"].as_array().unwrap();
        for part in parts {
            assert!(seen.insert(text(part, "/id")), "{part}");
            assert_eq!(text(part, "/messageID"), text(message, "/info/id"));
            assert_eq!(text(part, "/sessionID"), text(&value, "/info/id"));
        }
        let order = parts.iter().map(|part| text(part, "/id"));
        assert!(!is_made || order.is_sorted(), "{parts:?}");
    }
    // What was made stands as OpenCode sorts it.
    let place = |message: &Value| {
        let created = message["info"]["time"]["created"].as_f64().unwrap();
        (created, text(message, "/info/id").to_owned())
    };
    let sorted = messages.iter().map(place).is_sorted();
    assert!(!is_made || sorted, "{session}");
}

/// Whatever a file holds, each of its sessions becomes one that is imported whole; the same file gives the same, and
/// what was made gives itself.
pub fn opencode(data: &[u8]) {
    let Some(transcript) = opened(data, None) else { return };
    let mut dice = Dice::new(data);
    let copy = (dice.roll(3) == 0).then(|| "copy".to_owned());
    let (is_dated, is_titled) = (dice.roll(3) > 0, dice.roll(4) == 0);
    let options = OpenCodeOptions {
        directory: (dice.roll(4) == 0).then(|| "/d\"\u{e9}".to_owned()),
        title: is_titled.then(|| "T\u{0}\u{1f980}".to_owned()),
        now_ms: is_dated.then_some(NOW),
        copy,
    };
    let named: Vec<String> = transcript.sessions().into_iter().map(|session| session.id).collect();
    for id in [None].into_iter().chain(named.iter().take(3).map(|id| Some(id.as_str()))) {
        let (made, count) = converted(&transcript, id, &options);
        assert_eq!(converted(&transcript, id, &options), (made.clone(), count));
        is_imported(&made, !has_own_ids(&transcript, id));
        let again = opened(made.as_bytes(), Some(Format::OpenCodeExport)).unwrap();
        assert_eq!(again.message_count(), count);
        let plain = OpenCodeOptions { now_ms: options.now_ms, ..OpenCodeOptions::default() };
        assert_eq!(converted(&again, None, &plain).0, made);
    }
}
