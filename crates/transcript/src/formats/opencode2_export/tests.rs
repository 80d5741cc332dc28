use crate::Format;
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_agents::Env;
use apex_parts_model::Error;

fn open(text: &str) -> Result<Transcript, Error> {
    let mut count = 0;
    let mut new_id = || {
        count += 1;
        format!("id{count}")
    };
    let mut env = Env { now_ms: 0.0, new_id: &mut new_id };
    Transcript::open(text.as_bytes(), TranscriptOptions::default(), &mut env)
}

const INFO: &str =
    r#"{"id":"ses_1","projectID":"global","title":"T","location":{"directory":"/d"}}"#;
const OLD_INFO: &str =
    r#"{"id":"ses_1","slug":"s","projectID":"global","directory":"/d","title":"t","version":"1"}"#;
const RECORD: &str = r#"{"id":"msg_1","type":"user","text":"hi","time":{"created":1}}"#;
const MESSAGE: &str = r#"{"info":{"id":"m","sessionID":"ses_1","role":"user"},"parts":[]}"#;

#[test]
fn the_two_models_are_told_apart() {
    let second = Some(Format::OpenCode2Export);
    let first = Some(Format::OpenCodeExport);
    for (text, format) in [
        (format!(r#"{{"info":{INFO},"messages":[{RECORD}]}}"#), second),
        (format!(r#"{{"messages":[{RECORD}],"info":{INFO}}}"#), second),
        (format!("Exporting session…\n{{\"info\":{INFO},\"messages\":[{RECORD}]}}"), second),
        (format!("\u{feff}{{\"info\":{INFO},\"messages\":[{RECORD}]}}"), second),
        (format!(r#"{{"info":{INFO},"messages":[]}}"#), second),
        (format!(r#"{{"messages":[],"info":{INFO}}}"#), second),
        (format!(r#"{{"data":[{RECORD}],"cursor":{{}}}}"#), second),
        (format!(r#"{{"cursor":{{}},"data":[{RECORD}]}}"#), second),
        (format!(r#"{{"data":[{RECORD}]}}"#), second),
        // The session of the first model may be anywhere.
        (format!(r#"{{"info":{OLD_INFO},"messages":[{RECORD}]}}"#), second),
        (format!(r#"{{"info":{INFO},"messages":[{MESSAGE}]}}"#), first),
        (format!(r#"{{"info":{OLD_INFO},"messages":[{MESSAGE}]}}"#), first),
        (format!(r#"{{"info":{OLD_INFO},"messages":[]}}"#), first),
        (format!(r#"{{"messages":[{MESSAGE}],"info":{OLD_INFO}}}"#), first),
    ] {
        assert_eq!(open(&text).unwrap().format(), format, "{text}");
    }
}

#[test]
fn what_is_neither_is_named() {
    for (text, names) in [
        (r#"{"info":{"id":"s"},"messages":[{"uid":"a","body":[]}]}"#, "uid, body"),
        (r#"{"messages":[{"id":"a","kind":1}],"info":{"id":"s"}}"#, "id, kind"),
        (r#"{"info":{"id":"s","location":{}},"messages":[{"time":1,"type":"x"}]}"#, "time, type"),
    ] {
        let transcript = open(text).unwrap();
        assert_eq!((transcript.format(), transcript.message_count()), (None, 0), "{text}");
        let problems = transcript.problems();
        let [problem] = problems.as_slice() else { panic!("{problems:?}") };
        assert_eq!(problem.rule, "unknown-opencode");
        assert!(problem.message.ends_with(&format!("(first element has: {names})")), "{problem:?}");
    }
}

#[test]
fn a_file_opens_wherever_it_is_cut() {
    let text = format!(r#"{{"info":{INFO},"messages":[{RECORD},{RECORD}]}}"#);
    for end in text.find("\"location\"").unwrap() + 20..text.len() {
        let cut = open(text.get(..end).unwrap()).unwrap();
        assert_eq!(cut.format(), Some(Format::OpenCode2Export), "{end}");
        let whole = text.get(..end).unwrap().matches(RECORD).count();
        assert!((whole..=whole + 1).contains(&cut.message_count()), "{end}");
    }
}

#[test]
fn records_are_found_after_damage() {
    let broken = RECORD.replace("\"text\":", "\"text\"");
    let text = format!(r#"{{"info":{INFO},"messages":[{RECORD},{broken},{RECORD}]}}"#);
    let transcript = open(&text).unwrap();
    assert_eq!(transcript.message_count(), 2);
    assert_eq!(transcript.problems().iter().filter(|problem| problem.rule == "json").count(), 1);
}
