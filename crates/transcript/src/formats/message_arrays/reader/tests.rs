//! Arrays, bodies and records.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use super::*;
use crate::{Format, Transcript, TranscriptOptions};
use serde_json::{Value, json};

/// Opens a file in pieces of this size.
fn opened(file: &str, format: Option<&str>, size: usize) -> Transcript {
    let format = format.map(|name| Format::parse(name).unwrap());
    let mut env = Env { now_ms: 5.0, new_id: &mut || panic!("no id is made up") };
    let options = TranscriptOptions { format, ..Default::default() };
    let mut transcript = Transcript::new(options);
    for piece in file.as_bytes().chunks(size) {
        transcript.push(piece, &mut env).unwrap();
        transcript.refresh(&mut env);
    }
    transcript.end(&mut env).unwrap();
    transcript
}

/// The first text of a message.
fn text_of(message: &Value) -> Option<&str> {
    message["parts"].as_array()?.iter().find_map(|part| part["text"].as_str())
}

/// The texts of each session, and the problems.
fn shown(transcript: &Transcript) -> (Vec<Vec<String>>, Vec<String>) {
    let text = |message: Vec<u8>| {
        let message: Value = serde_json::from_slice(&message).unwrap();
        text_of(&message).unwrap_or_default().to_owned()
    };
    let sessions = transcript.sessions().into_iter();
    let texts = sessions.map(|session| {
        transcript.messages_of(&session.id).unwrap().into_iter().map(text).collect()
    });
    let place = |p: &Problem| format!("{} {} {:?}: {}", p.rule, p.path, p.offset, p.message);
    (texts.collect(), transcript.problems().iter().map(place).collect())
}

/// The format and the texts of each session, the same however the file arrives.
fn read_of(file: &str) -> (&'static str, Vec<Vec<String>>) {
    let whole = opened(file, None, usize::MAX);
    let (texts, problems) = shown(&whole);
    assert_eq!(problems, Vec::<String>::new(), "{file}");
    for size in [1, 7, 300] {
        let pieces = opened(file, None, size);
        assert_eq!((pieces.format(), shown(&pieces)), (whole.format(), (texts.clone(), vec![])));
    }
    (whole.format().unwrap().as_str(), texts)
}

#[test]
fn an_array_and_messages_one_a_line_are_a_session() {
    let messages = [
        r#"{"role":"system","content":"x"}"#,
        r#"{"role":"user","content":"y"}"#,
        r#"{"content":"z","role":"assistant"}"#,
    ];
    // Instructions are no message.
    let texts = vec![["y", "z"].map(str::to_owned).to_vec()];
    for file in [format!("[{}]", messages.join(",")), messages.join("\n")] {
        assert_eq!(read_of(&file), ("messages-openai-chat", texts.clone()));
    }
}

#[test]
fn each_body_and_each_record_is_a_session() {
    let record = |text: &str| json!({"messages": [{"role": "user", "content": text}]}).to_string();
    let (a, b) = (record("a"), record("b"));
    let texts = vec![vec!["a".to_owned()], vec!["b".to_owned()]];
    for file in [format!("{a}\n{b}\n"), format!("[{a},\n{b}]")] {
        assert_eq!(read_of(&file), ("messages-openai-chat", texts.clone()));
    }
    let (format, texts) = read_of(&a);
    assert_eq!((format, texts), ("messages-openai-chat", vec![vec!["a".to_owned()]]));
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&a).unwrap());
    assert_eq!(read_of(&pretty.unwrap()).1, vec![vec!["a".to_owned()]]);
    // Messages between records are sessions, too.
    let mixed = format!("{a}\n{{\"role\":\"user\",\"content\":\"c\"}}\n{b}");
    assert_eq!(read_of(&mixed).1.concat().concat(), "acb");
}

#[test]
fn each_format_is_told() {
    let conversation = json!([{"from": "human", "value": "x"}]);
    let said = json!([{"role": "user", "content": "x"}]);
    let contents = json!([{"role": "user", "parts": [{"text": "x"}]}]);
    let ui = json!([{"id": "1", "role": "user", "parts": [{"type": "text", "text": "x"}]}]);
    let item = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]});
    let call = json!({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"});
    for (format, file) in [
        ("openai-chat", json!({"model": "m", "messages": said})),
        ("openai-chat", json!([{"role": "assistant", "content": null, "tool_calls": []}])),
        ("openai-chat", json!({"prompt": "x", "completion": "y"})),
        ("openai-chat", json!({"prompt": said, "completion": said})),
        ("anthropic", json!({"model": "m", "system": "s", "messages": said})),
        (
            "anthropic",
            json!({"messages": said, "tools": ["x".repeat(100_000)], "system": [{"type": "text"}]}),
        ),
        ("openai-responses", json!({"model": "m", "input": said})),
        ("openai-responses", json!({"model": "m", "input": "x", "instructions": "y"})),
        ("openai-responses", json!([item, call])),
        ("openai-responses", json!([call])),
        ("gemini", json!({"contents": contents, "generationConfig": {}})),
        ("gemini", contents.clone()),
        ("ai-sdk", ui.clone()),
        ("ai-sdk", json!([{"id": "1", "parts": [{"type": "text"}], "role": "user"}])),
        ("ai-sdk", json!({"id": "c", "messages": ui})),
        ("sharegpt", json!([{"id": "1", "conversations": conversation}])),
        ("sharegpt", json!({"id": "1", "conversations": conversation})),
        ("sharegpt", conversation.clone()),
    ] {
        let seen = first_told(&file);
        assert_eq!(seen, Some(format!("messages-{format}")), "{file}");
    }
}

/// The format by the fields of the first record.
fn first_told(file: &Value) -> Option<String> {
    let options = TranscriptOptions::default();
    let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
    let mut transcript = Transcript::new(options);
    transcript.push(format!("{file}\n{{").as_bytes(), &mut env).unwrap();
    transcript.refresh(&mut env);
    transcript.format().map(|format| format.as_str().to_owned())
}

#[test]
fn other_files_are_not_messages() {
    for file in [
        json!({"role": "user"}),
        json!({"role": "admin", "content": "x"}),
        json!({"content": "x"}),
        json!({"input": "x", "model": "text-embedding"}),
        json!({"prompt": "x"}),
        json!({"messages": ["x"], "info": {}}),
        json!({"messages": [{"info": {"role": "user"}, "parts": []}]}),
        json!({"info": {"role": "user"}, "parts": [{"type": "text"}]}),
    ] {
        let format = first_told(&file).unwrap_or_default();
        assert!(!format.starts_with(PREFIX), "{file}: {format}");
    }
}

#[test]
fn the_messages_tell_the_format_unless_it_is_given() {
    let file =
        r#"[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use"}]}]"#;
    let format = |given| opened(file, given, 10).format().unwrap().as_str();
    assert_eq!(format(None), "messages-anthropic");
    assert_eq!(format(Some("messages-openai-chat")), "messages-openai-chat");
    // The first that is told by more than a role and a text.
    let plain = r#"{"messages":[{"role":"user","content":"x"}]}"#;
    let thinking = r#"[{"type":"thinking","thinking":"y","signature":"z"}]"#;
    let told = format!(r#"{{"messages":[{{"role":"assistant","content":{thinking}}}]}}"#);
    assert_eq!(read_of(&format!("{plain}\n{told}\n{plain}")).0, "messages-anthropic");
}

#[test]
fn problems_have_the_place_of_their_message() {
    let file = r#"[{"role":"user","content":"x"}, {"role":"system","content":"y","odd":1}, 7]"#;
    let transcript = opened(file, None, 9);
    let (texts, problems) = shown(&transcript);
    assert_eq!(texts, vec![vec!["x".to_owned()]]);
    let at = |what: &str| file.find(what).unwrap();
    let odd = format!(
        "schema  Some({}.0): /1/odd: the model has no place for it: it is left out",
        at("{\"role\":\"system")
    );
    let number = format!("schema  Some({}.0): ", at("7]"));
    assert!(problems.contains(&odd), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.starts_with(&number)), "{problems:?}");
}

#[test]
fn what_else_a_record_has_is_that_of_its_session() {
    let transcript =
        opened(r#"{"model":"m","messages":[{"role":"user","content":"x"}]}"#, None, 50);
    let session: Value = serde_json::from_slice(transcript.session().unwrap()).unwrap();
    assert_eq!(session, json!({"id": "session-1", "fields": {"model": "m"}}));
    assert_eq!(transcript.sessions()[0].id, "session-1");
}

#[test]
fn messages_have_no_time_before_1970() {
    for file in [
        r#"[{"role":"user","parts":[{"type":"text","text":"x"}]}]"#,
        r#"{"messages":[{"role":"user","content":"x"}]}"#,
    ] {
        let mut env = Env { now_ms: -1.0, new_id: &mut String::new };
        let error = Transcript::open(file.as_bytes(), TranscriptOptions::default(), &mut env);
        let message = error.unwrap_err().to_string();
        assert!(message.contains("before 1970"), "{message}");
    }
}

#[test]
fn a_session_has_the_id_of_its_record_or_its_number() {
    let said = r#""messages":[{"role":"user","content":"x"}]"#;
    let long = "x".repeat(1_000);
    let ids = [
        "\"a\"",
        "7",
        "\"a\"",
        "\"session-5\"",
        "null",
        "\"\"",
        &format!("\"{long}\""),
        "[1]",
        "0.5",
    ];
    let file: String = ids.iter().map(|id| format!("{{\"id\":{id},{said}}}\n")).collect();
    let sessions = opened(&file, None, 100).sessions();
    let ids: Vec<_> = sessions.iter().map(|session| session.id.as_str()).collect();
    let numbered = [
        "a",
        "7",
        "session-3",
        "session-5",
        "session-6",
        "session-7",
        "session-8",
        "session-9",
        "0.5",
    ];
    assert_eq!(ids, numbered);
}

#[test]
fn a_record_that_is_cut_off_is_read_as_far_as_it_goes() {
    let file = r#"{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}"#;
    let at = |what| file.find(what).unwrap();
    for (cut, texts) in [
        (at("b"), vec!["a", ""]),
        (at(r#"{"role":"user","content":"b"#), vec!["a"]),
        (file.len() - 1, vec!["a", "b"]),
    ] {
        for before in ["", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n"] {
            let (shown, problems) = shown(&opened(&format!("{before}{}", &file[..cut]), None, 13));
            assert_eq!(shown.last().unwrap(), &texts, "{cut}");
            assert_eq!(shown.len(), 1 + usize::from(!before.is_empty()));
            let [problem] = &problems[..] else { panic!("{problems:?}") };
            assert!(problem.contains("what follows the last complete value is lost"), "{problem}");
        }
    }
    // A message that is cut off is left out, as everywhere.
    let (texts, problems) =
        shown(&opened(r#"[{"role":"user","content":"a"},{"role":"us"#, None, 13));
    assert_eq!(texts, [["a"]]);
    assert!(problems[0].contains("is not whole and is left out"), "{problems:?}");
}

mod exchanges;
