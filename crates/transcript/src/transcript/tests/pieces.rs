//! A file gives the same transcript in chunks of any size, in memory and with a host.
#![cfg(not(target_arch = "wasm32"))]

use super::counted;
use crate::formats::registry::Format;
use crate::loader::HELD;
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_agents::Env;
use apex_parts_compaction::{Estimator, History, MessageTokens, ToolSet};
use apex_parts_json::tape::Tape;
use apex_parts_loops::Config;
use apex_parts_model::{Key, View};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Everything that can be asked of a transcript.
fn answers(t: &Transcript) -> Value {
    let messages: Vec<_> = (0..t.message_count())
        .map(|i| String::from_utf8_lossy(&t.message(i).unwrap().unwrap()).into_owned())
        .collect();
    let sessions: Vec<_> = t.sessions().iter().map(|s| format!("{s:?}")).collect();
    let of = t.sessions().iter().map(|s| t.messages_of(&s.id).unwrap().len()).collect::<Vec<_>>();
    json!({
        "format": t.format().map(Format::as_str),
        "session": t.session().map(String::from_utf8_lossy),
        "sessions": sessions,
        "of": of,
        "messages": messages,
        "parts": format!("{:?}", t.parts()),
        "stats": t.stats(),
        "problems": t.problems(),
        "contexts": contexts(t),
    })
}

/// What compaction is told of each message.
fn contexts(t: &Transcript) -> String {
    let mut all = format!("{} {:?}", History::print(t), t.notes());
    for i in 0..History::len(t) {
        let sums = (t.head(i), t.sums(i, Estimator::Chars).unwrap());
        let results = t.results(i, Estimator::Chars, ToolSet::default());
        let mut tokens = MessageTokens::default();
        t.tokens(i, Estimator::Chars, &mut tokens).unwrap();
        all += &format!(" {sums:?} {results:?} {tokens:?}");
    }
    all + &format!(" {}", t.sent(0..usize::MAX, Estimator::Chars).unwrap())
}

fn pushed<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    options: TranscriptOptions,
) -> Result<Value, String> {
    counted(|env| {
        let mut t = Transcript::new(options);
        for piece in pieces {
            t.push(piece, env).unwrap();
            // Questions are answered before the end too.
            let last = t.message_count().saturating_sub(1);
            assert!(t.message_count() == 0 || t.message(last).unwrap().is_some());
            // What is found when it is asked for goes on from there.
            let _ = (t.problems(), History::print(&t), t.sums(last, Estimator::Chars));
        }
        t.end(env).map_err(|e| e.to_string())?;
        Ok(answers(&t))
    })
}

fn whole(bytes: &[u8]) -> Result<Value, String> {
    pushed(std::iter::once(bytes), TranscriptOptions::default())
}

/// With a host: the file is not held but read again.
pub(super) fn host(bytes: &[u8]) -> TranscriptOptions {
    let copy = bytes.to_vec();
    let read = move |start: u64, end: u64| {
        let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
        copy.get(range).map(<[u8]>::to_vec).ok_or_else(|| "behind its end".to_owned())
    };
    TranscriptOptions { read: Some(Box::new(read)), ..TranscriptOptions::default() }
}

pub(super) fn message(i: usize) -> Value {
    let (id, part) = (format!("msg_{i}"), |n: usize| format!("prt_{i}_{n}"));
    let base = |n: usize| json!({"id": part(n), "sessionID": "ses_1", "messageID": id});
    let with = |n: usize, more: Value| {
        let mut all = base(n);
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    json!({
        "info": {"id": id, "sessionID": "ses_1", "role": "user", "time": {"created": 10 + i},
            "agent": "a", "model": {"providerID": "p", "modelID": "m"}},
        "parts": [
            with(0, json!({"type": "text", "text": format!("{{\"info\": é {} \\ \n", "x".repeat(i * 7))})),
            with(1, json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "completed",
                "input": {"n": [1, 2.5e3, -0.0, null, true, {}]}, "output": "\u{1f600}", "title": "t",
                "metadata": {}, "time": {"start": 10 + i, "end": 12 + i}}})),
        ],
    })
}

pub(super) fn files() -> Vec<String> {
    let messages: Vec<Value> = (0..4).map(message).collect();
    let export = json!({"info": {"id": "ses_1", "title": "T"}, "messages": messages});
    let (small, pretty) = (export.to_string(), serde_json::to_string_pretty(&export).unwrap());
    let list = Value::from(messages.clone());
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    vec![
        format!("Exporting [1/2] …\n{pretty}\n"),
        list.to_string(),
        serde_json::to_string_pretty(&list).unwrap(),
        lines.join("\n"),
        format!("\u{feff}{}\r\nrubbish\n\n{{\"info\":\n{}\n", lines[0], lines[1..].join("\r\n")),
        pretty.replacen("\"role\"", "role", 2),
        small.replacen("\"parts\":[", "\"parts\":{", 1),
        small.replacen("},\"parts\"", ",\"parts\"", 1),
        small.replacen("[{\"info\"", "[{\"in", 1),
        small.replacen("\"title\":\"t\"", "\"title\":\"t", 1),
        small.replacen("\"info\"", "\"info", 1),
        small.replacen("\\n", "\n", 1),
        small,
    ]
}

#[test]
fn pieces_of_any_length_give_the_same_transcript() {
    for file in files() {
        let bytes = file.as_bytes();
        let expected = whole(bytes);
        for length in [1, 2, 3, 7, 16, 17, 64, 1000] {
            assert_eq!(
                pushed(bytes.chunks(length), TranscriptOptions::default()),
                expected,
                "{length}: {file}"
            );
            assert_eq!(pushed(bytes.chunks(length), host(bytes)), expected, "{length}: {file}");
        }
    }
}

/// The file is long enough for several held slices.
#[test]
fn a_long_file_is_the_same_held_or_not() {
    let messages: Vec<String> = (0..12_000).map(|i| message(i % 40).to_string()).collect();
    let file = format!("{{\"messages\":[{}],\"info\":{{\"id\":\"s\"}}}}", messages.join(",\n"));
    let bytes = file.as_bytes();
    assert!(bytes.len() > 4 * HELD / 3);
    let expected = whole(bytes).unwrap();
    assert_eq!(expected["messages"].as_array().unwrap().len(), 12_000);
    assert_eq!(pushed(bytes.chunks(1_000_003), TranscriptOptions::default()).unwrap(), expected);
    assert_eq!(pushed(bytes.chunks(65_536), host(bytes)).unwrap(), expected);
}

#[test]
fn messages_after_damage_are_read() {
    let files = files();
    for (file, left) in files.iter().zip([4, 4, 4, 4, 4, 2, 3, 3, 3, 4, 4, 4, 4]) {
        let answers = whole(file.as_bytes()).unwrap();
        assert_eq!(answers["messages"].as_array().unwrap().len(), left, "{file}");
        if left < 4 {
            let lost = answers["problems"].as_array().unwrap();
            assert!(
                lost.iter().any(|p| p["message"].as_str().unwrap().contains("are left out")),
                "{lost:?}"
            );
        }
    }
}

#[test]
fn an_error_of_the_host_is_returned() {
    let file = files().pop().unwrap();
    let options = TranscriptOptions {
        read: Some(Box::new(|_, _| Err("gone".into()))),
        ..TranscriptOptions::default()
    };
    let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
    let t = Transcript::open(file.as_bytes(), options, &mut env).unwrap();
    let error = t.message(0).unwrap_err();
    assert!(error.to_string().starts_with("the file could not be read again: gone"));
    let options = TranscriptOptions {
        read: Some(Box::new(|_, _| Ok(vec![1]))),
        ..TranscriptOptions::default()
    };
    let t = Transcript::open(file.as_bytes(), options, &mut env).unwrap();
    assert!(t.message(1).unwrap_err().to_string().contains("the file has changed"));
    assert!(t.loops(&Config::default()).is_err());
    assert_eq!(t.message(99).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Files with changed bytes, and cut off: no panic, and the same result in pieces as in one.
    #[test]
    fn damaged_files_are_the_same_in_pieces(
        which in 0_usize..13,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        length in 1_usize..200,
        host_reads in any::<bool>(),
    ) {
        let mut bytes = files().swap_remove(which).into_bytes();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() * 3));
        let options = || if host_reads { host(&bytes) } else { TranscriptOptions::default() };
        prop_assert_eq!(pushed(bytes.chunks(length), options()), whole(&bytes));
    }
}

#[test]
fn every_message_is_json_with_parts() {
    let mut tape = Tape::default();
    for file in files() {
        let answers = whole(file.as_bytes()).unwrap();
        for text in answers["messages"].as_array().unwrap() {
            let text = text.as_str().unwrap().as_bytes();
            assert_eq!(tape.read(text, 0), Ok(text.len()));
            assert!(tape.root(text).get(Key::Parts).len() > 0);
        }
    }
}
