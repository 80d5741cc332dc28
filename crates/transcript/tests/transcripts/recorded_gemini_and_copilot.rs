//! Sessions of Gemini CLI and Copilot CLI: they open whole, cut anywhere and damaged.

use crate::shown::{open, shown};
use apex_parts_fixtures::recorded;
use apex_parts_model::Severity;
use apex_parts_transcript::Transcript;
use apex_parts_validate::Ids;
use serde_json::{Value, json};

const FORMATS: [&str; 2] = ["gemini-cli", "copilot-cli"];

/// The recorded files of both formats, with their names.
fn sessions() -> Vec<(String, Vec<u8>)> {
    let files = recorded::files("agents", |name| format_of(name).is_some());
    for format in FORMATS {
        assert!(files.iter().any(|(name, _)| format_of(name) == Some(format)), "{format}");
    }
    files
}

fn format_of(name: &str) -> Option<&str> {
    name.split('.').next().filter(|format| FORMATS.contains(format))
}

fn opened(name: &str) -> (Transcript, Vec<Value>) {
    let t = open(&recorded::file("agents", name)).unwrap();
    let messages = shown(&t).remove(0).1;
    (t, messages)
}

#[test]
fn they_open_whole() {
    for (name, bytes) in sessions() {
        let t = open(&bytes).unwrap();
        assert_eq!(t.format().unwrap().as_str(), format_of(&name).unwrap(), "{name}");
        let errors: Vec<_> =
            t.problems().into_iter().filter(|p| p.severity == Severity::Error).collect();
        assert_eq!(errors, [], "{name}");
        let all = shown(&t);
        assert_eq!(all, shown(&open(&bytes).unwrap()), "{name}");
        for (_, messages) in all {
            let mut found = Vec::new();
            apex_parts_validate::transcript(
                &Some(&Value::from(messages.clone())),
                Ids::OpenCode,
                &mut found,
            );
            found.retain(|problem| problem.severity == Severity::Error);
            assert_eq!(found, [], "{name}");
            for message in messages {
                let count = |kind: &str| {
                    let parts = message["parts"].as_array().unwrap();
                    parts.iter().filter(|part| part["type"] == kind).count()
                };
                let steps = usize::from(message["info"]["role"] == "assistant");
                assert_eq!((count("step-start"), count("step-finish")), (steps, steps), "{name}");
            }
        }
    }
}

#[test]
fn a_cut_file_opens_up_to_the_cut() {
    for (name, bytes) in sessions() {
        let step = if bytes.len() > 20_000 { 997 } else { 7 };
        let all = open(&bytes).unwrap().message_count();
        let mut last = 0;
        for cut in (1..bytes.len()).step_by(step) {
            let t = open(&bytes[..cut]).unwrap_or_else(|error| panic!("{name} at {cut}: {error}"));
            let count = shown(&t).first().map_or(0, |(_, messages)| messages.len());
            assert!((last..=all + 1).contains(&count), "{name} at {cut}: {count} after {last}");
            last = count;
        }
    }
}

#[test]
fn damage_is_no_panic() {
    let files = sessions();
    let mut seed = 7_u64;
    let mut below = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % end
    };
    let mut lines: Vec<&[u8]> = Vec::new();
    for (name, bytes) in &files {
        for _ in 0..if bytes.len() > 20_000 { 4 } else { 60 } {
            let mut damaged = bytes.clone();
            for _ in 0..1 + below(8) {
                let at = below(damaged.len());
                damaged[at] = u8::try_from(below(256)).unwrap();
            }
            if let Err(error) = open(&damaged) {
                assert_eq!(error.name(), "TranscriptError", "{name}");
            }
        }
        lines.extend(bytes.split_inclusive(|byte| *byte == b'\n'));
    }
    for _ in 0..20 {
        for i in (1..lines.len()).rev() {
            lines.swap(i, below(i + 1));
        }
        let _ = open(&lines.concat());
    }
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn gemini_cli_counts_each_message_once() {
    let (t, messages) = opened("gemini-cli.session.jsonl");
    let answers: Vec<_> = messages.iter().filter(|m| m["info"]["role"] == "assistant").collect();
    let mut ids: Vec<_> = answers.iter().map(|m| m["info"]["id"].as_str().unwrap()).collect();
    ids.dedup();
    assert_eq!((ids.len(), answers.len()), (6, 6));
    let total = |m: &&Value| m["info"]["tokens"]["total"].as_f64().unwrap();
    let sum = answers.iter().map(total).sum::<f64>();
    assert!(sum > 14_397.0, "{:?}", t.stats().tokens);

    let (_, messages) = opened("gemini-cli.exit-code.json");
    let exits: Vec<_> = [1, 2].map(|i| exit_of(&messages[i])).to_vec();
    assert_eq!(exits, [json!(0), json!(1)]);
    assert_eq!(messages[2]["parts"][3]["text"], "Request cancelled.");
    assert_eq!(messages[3]["parts"][1]["type"], "gemini-cli-model");
}

fn exit_of(message: &Value) -> Value {
    let parts = message["parts"].as_array().unwrap();
    parts.iter().find(|part| part["type"] == "tool").unwrap()["state"]["metadata"]["exit"].clone()
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn copilot_cli_has_every_event() {
    let (t, messages) = opened("copilot-cli.catalogue.jsonl");
    assert_eq!(t.sessions().len(), 2);
    assert_eq!(messages[0]["parts"][0]["level"], "info");
    assert_eq!(messages[0]["parts"][1]["level"], "error");
    assert_eq!(messages[0]["info"]["system"], "[trimmed for fixture]");
    assert_eq!(messages[1]["parts"][3]["state"]["output"], "a.txt\nb.txt\n");
    let files = messages.iter().flat_map(|m| m["parts"].as_array().unwrap());
    let files: Vec<_> = files.filter(|part| part["type"] == "file").collect();
    assert_eq!(files[0]["url"], "file://[trimmed for fixture]");
}
