use crate::{Env, Transcript, TranscriptOptions};
use serde_json::{Value, json};
use std::ops::Range;

const MESSAGES: usize = 3;
const PARTS: usize = 4;

fn part(message: usize, part: usize) -> Value {
    let (id, of) = (format!("prt_{message}{part}"), format!("msg_{message}"));
    if part == 2 {
        let file = json!({ "id": format!("{id}a"), "sessionID": "s", "messageID": of, "type": "file",
            "mime": "text/plain", "url": "data:,x" });
        return json!({
            "id": id, "sessionID": "s", "messageID": of, "type": "tool", "callID": "c", "tool": "read",
            "state": { "status": "completed", "input": { "a": { "b": [1, { "c": 2 }] } },
                "output": "{\"x\": [1]} \"quoted\"", "title": "", "metadata": {},
                "time": { "start": 1, "end": 2 }, "attachments": [file] },
        });
    }
    json!({ "id": id, "sessionID": "s", "messageID": of, "type": "text",
        "text": format!("some words of part {part}, {}", "and more ".repeat(6)) })
}

fn message(index: usize) -> (Value, Vec<Value>) {
    let info = json!({ "id": format!("msg_{index}"), "sessionID": "s", "role": "user",
        "time": { "created": index } });
    (info, (0..PARTS).map(|i| part(index, i)).collect())
}

/// A file, and the ranges of each message's parts and `info` in it.
struct File {
    text: String,
    parts: Vec<(String, Range<usize>)>,
    heads: Vec<Range<usize>>,
}

/// Messages as an array or as lines.
fn file(lines: bool) -> File {
    let mut file = File { text: String::new(), parts: Vec::new(), heads: Vec::new() };
    if !lines {
        file.text.push('[');
    }
    for index in 0..MESSAGES {
        let (info, parts) = message(index);
        let start = file.text.len();
        file.text.push_str(&format!("{{\"info\":{info},\"parts\":["));
        file.heads.push(start..file.text.len());
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                file.text.push(',');
            }
            let start = file.text.len();
            file.text.push_str(&part.to_string());
            file.parts.push((format!("msg_{index} prt_{index}{i}"), start..file.text.len()));
        }
        file.text.push_str("]}");
        file.text.push_str(if lines {
            "\n"
        } else if index + 1 < MESSAGES {
            ","
        } else {
            "]"
        });
    }
    file
}

/// The ids of the parts that can be read, with those of their messages.
fn read(bytes: &[u8], chunk: usize, host: bool) -> (Vec<String>, Vec<String>) {
    let own = bytes.to_vec();
    let read: crate::Read = Box::new(move |from, to| {
        let (from, to) = (usize::try_from(from).unwrap(), usize::try_from(to).unwrap());
        Ok(own[from..to].to_vec())
    });
    let mut transcript = Transcript::new(TranscriptOptions {
        read: host.then_some(read),
        ..TranscriptOptions::default()
    });
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".into() };
    for piece in bytes.chunks(chunk) {
        transcript.push(piece, &mut env).unwrap();
    }
    transcript.end(&mut env).unwrap();
    let mut found = Vec::new();
    for index in 0..transcript.message_count() {
        let json = transcript.message(index).unwrap().unwrap().into_owned();
        let message: Value = serde_json::from_slice(&json).expect("what is given is JSON");
        for part in message["parts"].as_array().unwrap() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            found.push(format!("{} {}", text(&message["info"]["id"]), text(&part["id"])));
        }
    }
    let problems = transcript.problems();
    (found, problems.iter().filter(|p| p.rule == "json").map(|p| p.message.clone()).collect())
}

/// The text with a range overwritten by one byte.
fn spoilt(text: &str, at: usize, length: usize, byte: u8) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let end = (at + length).min(bytes.len());
    bytes[at..end].fill(byte);
    bytes
}

#[test]
fn only_what_is_damaged_is_lost() {
    for lines in [false, true] {
        let file = file(lines);
        for (at, byte) in (1..file.text.len()).flat_map(|at| [(at, 1), (at, b'"'), (at, b'{')]) {
            let damage = at..at + 30;
            let touched =
                |place: &Range<usize>| place.start < damage.end && damage.start < place.end;
            // The separator of messages is gone, or the head of one.
            let ends = |head: &Range<usize>| touched(&(head.start.saturating_sub(3)..head.end));
            if file.heads.iter().any(ends) || damage.end + 3 >= file.text.len() {
                continue;
            }
            let bytes = spoilt(&file.text, at, 30, byte);
            let (found, problems) = read(&bytes, bytes.len(), false);
            for (name, place) in &file.parts {
                // A quote or a brace changes the meaning of the text after it.
                let near = if byte == 1 { place.clone() } else { place.start - 40..place.end + 40 };
                assert!(
                    touched(&near) || found.contains(name),
                    "{name} is lost where {byte} stands at {at}: {found:?} {problems:?}"
                );
            }
            assert!(byte != 1 || !problems.is_empty());
        }
    }
}

#[test]
fn the_repair_is_the_same_in_pieces_and_with_a_host() {
    for lines in [false, true] {
        let file = file(lines);
        for at in (file.heads[0].end..file.text.len()).step_by(37) {
            let bytes = spoilt(&file.text, at, 30, 1);
            let whole = read(&bytes, bytes.len(), false);
            for (chunk, host) in [(1, false), (50, false), (bytes.len(), true), (50, true)] {
                assert_eq!(read(&bytes, chunk, host), whole, "at {at}, {chunk}, {host}");
            }
        }
    }
}

#[test]
fn a_message_with_too_many_errors_ends() {
    let parts = "{\"id\":\"p\",\"type\":\"text\",\"text\":\u{1}},{\"id\":\"q\",\"type\":\"text\"},"
        .repeat(2000);
    let text = format!("[{{\"info\":{{\"id\":\"m\",\"role\":\"user\"}},\"parts\":[{parts}]}}]");
    let (found, problems) = read(text.as_bytes(), text.len(), false);
    assert_eq!((problems.len(), found.len()), (17, 16));
}
