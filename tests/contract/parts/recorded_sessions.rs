//! Real sessions: nothing is lost, and the rules hold.

use apex_parts::model::{Severity, WithParts};
use apex_parts::transcript::{Env, Format, Transcript, TranscriptOptions};
use apex_parts::validate::Ids;
use apex_parts_fixtures::recorded;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn exports() -> Vec<PathBuf> {
    recorded::paths("opencode", |name| name.ends_with(".export.json"))
}

fn open(bytes: Vec<u8>, options: TranscriptOptions) -> Transcript {
    let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
    Transcript::open(&bytes, options, &mut env).unwrap()
}

#[test]
fn a_message_is_written_as_it_was_read() {
    for path in exports() {
        let json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for (i, message) in json["messages"].as_array().unwrap().iter().enumerate() {
            let typed: WithParts = serde_json::from_value(message.clone())
                .unwrap_or_else(|e| panic!("{} message {i}: {e}", path.display()));
            let out = serde_json::to_string(&typed).unwrap();
            assert_eq!(
                &serde_json::from_str::<Value>(&out).unwrap(),
                message,
                "{} message {i}",
                path.display()
            );
        }
    }
}

#[test]
fn every_session_opens_whole_and_is_valid() {
    for path in exports() {
        let bytes = fs::read(&path).unwrap();
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        let t = open(bytes, TranscriptOptions::default());
        assert_eq!(t.format(), Some(Format::OpenCodeExport));
        let messages = json["messages"].as_array().unwrap();
        assert_eq!(t.message_count(), messages.len());
        for (i, message) in messages.iter().enumerate() {
            let ours = t.message(i).unwrap().unwrap();
            assert_eq!(&serde_json::from_slice::<Value>(&ours).unwrap(), message);
        }
        let session: Value = serde_json::from_slice(t.session().unwrap()).unwrap();
        assert_eq!(session, json["info"]);
        let errors: Vec<_> =
            t.problems().into_iter().filter(|p| p.severity == Severity::Error).collect();
        assert_eq!(errors, [], "{}", path.display());
    }
}

#[test]
fn opencode_ids_are_not_uuids() {
    for path in exports() {
        let options = TranscriptOptions { ids: Some(Ids::Apex), ..TranscriptOptions::default() };
        let t = open(fs::read(&path).unwrap(), options);
        assert!(t.problems().iter().any(|p| p.rule == "BR-04"), "{}", path.display());
    }
}

#[test]
fn counts_of_parts_agree_with_the_file() {
    for path in exports() {
        let bytes = fs::read(&path).unwrap();
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        let t = open(bytes, TranscriptOptions::default());
        let stats = t.stats();
        let parts: usize = json["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["parts"].as_array().unwrap().len())
            .sum();
        assert_eq!(stats.parts.values().sum::<u32>() as usize, parts);
        assert_eq!(t.part_count(), parts);
    }
}

#[test]
#[should_panic(expected = "has no file that this test wants")]
fn a_recorded_file_that_is_not_there_fails() {
    let _ = recorded::paths("opencode", |_| false);
}
