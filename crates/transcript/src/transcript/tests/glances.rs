//! What is known of messages before they are all written, and each that is written by itself, is what their JSON says.
#![cfg(not(target_arch = "wasm32"))]

use super::opened;
use crate::summary::Summarizer;
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_fixtures::recorded;
use proptest::prelude::*;
use serde_json::json;
use std::path::Path;
use std::{fs, str};

/// Everything that is told of messages without their JSON.
fn told(t: &Transcript) -> String {
    let mut all = json!([t.stats()]).to_string();
    let ids = t.sessions().into_iter().map(|session| Some(session.id));
    for session in std::iter::once(None).chain(ids) {
        let mut summarizer =
            session.as_deref().map_or_else(Summarizer::default, Summarizer::of_session);
        t.summarize(&mut summarizer, 3).unwrap();
        t.summarize(&mut summarizer, usize::MAX).unwrap();
        let stats = session.as_deref().map(|id| t.stats_of(id).unwrap());
        all += &format!("\n{} {summarizer:?}", json!([stats, t.summary(&summarizer)]));
    }
    all
}

/// The messages, one by one.
fn shown(t: &Transcript) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = (0..t.message_count())
        .map(|index| t.message(index).unwrap().unwrap().into_owned())
        .collect();
    assert!(t.message(t.message_count()).unwrap().is_none());
    let from = all.len() / 2;
    t.each(from..usize::MAX, &mut |index, bytes| {
        assert_eq!(all[index], bytes);
        true
    })
    .unwrap();
    t.sessions().iter().for_each(|session| all.extend(t.messages_of(&session.id).unwrap()));
    all
}

/// Are some messages not written yet?
fn is_unwritten(t: &Transcript) -> bool {
    t.session_set.lists.iter().any(|list| list.glance(0..0, &mut |_, _| {}))
}

/// Opens a file twice, and has its messages written only once. Returns whether they could be told before.
fn is_same(name: &str, bytes: &[u8]) -> bool {
    let open = || opened(bytes, TranscriptOptions::default());
    let (Ok(unwritten), Ok(written)) = (open(), open()) else { return false };
    let _ = written.parts();
    assert!(!is_unwritten(&written), "{name}");
    let is_glanced = is_unwritten(&unwritten);
    assert_eq!(told(&unwritten), told(&written), "{name}, {} bytes", bytes.len());
    assert_eq!(shown(&unwritten), shown(&written), "{name}, {} bytes", bytes.len());
    // Nothing of it has written them.
    assert_eq!(is_glanced, is_unwritten(&unwritten), "{name}");
    is_glanced
}

/// The recorded sessions, with their names.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let mut all = recorded::files("agents", |_| true);
    all.extend(recorded::files("opencode", |_| true));
    let mut folders = vec![recorded::folder("runs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "jsonl") {
                all.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    all
}

#[test]
fn of_every_recording() {
    let all = recordings();
    let told = all.iter().filter(|(name, bytes)| is_same(name, bytes)).count();
    assert!(told > 30, "only {told} of {} were told before they were written", all.len());
}

#[test]
fn of_every_cut_and_damaged_recording() {
    for (name, bytes) in recordings().iter().filter(|(_, bytes)| bytes.len() < 200_000) {
        for cut in [bytes.len() / 3, bytes.len() * 4 / 5] {
            is_same(name, &bytes[..cut]);
        }
        let mut damaged = bytes.clone();
        for at in [2, 5, 9].map(|part| bytes.len() * part / 11) {
            damaged[at] = b'}';
        }
        is_same(name, &damaged);
    }
}

#[test]
fn of_values_of_other_kinds() {
    // Every kind of value in the place of those that the readers look at.
    let values = ["null", "true", "7", "-1e400", "\"\"", "\" \\n\"", "\"exit code 3\"", "[]", "{}"];
    let small = |path: &str| {
        Path::new(path).file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.contains("generated") || name.contains("odd-items") || name.contains("tool-errors")
        })
    };
    for (name, bytes) in recordings().iter().filter(|(name, _)| small(name)) {
        let Ok(text) = str::from_utf8(bytes) else { continue };
        let text = &text[..text.len().min(60_000)];
        let colons: Vec<usize> = text.match_indices("\":").map(|(at, _)| at + 2).collect();
        for (i, value) in values.iter().enumerate() {
            let mut changed = String::new();
            let mut from = 0;
            for at in colons.iter().skip(i).step_by(23) {
                let rest = &text[*at..];
                let end = rest.find([',', '}', ']', '\n']).unwrap_or(0);
                if *at < from || rest.trim_start().starts_with(['{', '[', '"']) {
                    continue;
                }
                changed += &text[from..*at];
                changed += value;
                from = at + end;
            }
            changed += &text[from..];
            is_same(name, changed.as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Outputs of any length, with escape sequences, words that tell how a command ended and base64, at either end.
    #[test]
    fn of_any_output(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "\\n", "\\u00e9", "\\ud83d\\ude00", "exit code 3", "Exit code: 1\\n", " ", "error: no\\n",
                "(exit code 2)", "<tool_use_error>", "aGVsbG8", "\\\\", "\\\"", "/", "{\\\"exit\\\": 4}", "é",
                "Command failed with exit code 9\\n", "[main 1234abc] fix\\n",
            ]),
            1..40,
        ),
        times in 1_usize..400,
        is_error in any::<bool>(),
        tool in prop::sample::select(vec!["bash", "edit", "fetch", "git"]),
    ) {
        let output = pieces.concat() + &"w ".repeat(times) + &pieces.concat().repeat(times / 3 + 1) + &pieces.concat();
        let line = |kind: &str, uuid: u32, message: &str| {
            format!(
                r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":null,"sessionId":"s","cwd":"/w","version":"2.0.0","timestamp":"2026-01-01T00:00:0{uuid}Z","message":{message}}}"#
            )
        };
        let call = format!(
            r#"{{"id":"a","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"c","name":"{tool}","input":{{"command":"git commit -m x"}}}}],"usage":{{"input_tokens":1,"output_tokens":2}}}}"#
        );
        let result = format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","is_error":{is_error},"content":"{output}"}}]}}"#
        );
        let text = [
            line("user", 1, r#"{"role":"user","content":"do it"}"#),
            line("assistant", 2, &call),
            line("user", 3, &result),
        ]
        .join("\n");
        prop_assert!(is_same("claude-code", text.as_bytes()));
    }
}
