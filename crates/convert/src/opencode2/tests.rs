//! Random sessions go to messages and back, and sessions of OpenCode 1 become records.
//!
//! Long because the dice make every field of every kind of record.

use super::OpenCode2Conversion;
use crate::opencode::{MessageSource, OpenCodeOptions, SessionSource, session_of};
use apex_parts_agents::Env;
use apex_parts_model::Error;
use apex_parts_transcript::{Transcript, TranscriptOptions};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

struct Texts(Vec<Vec<u8>>);

impl MessageSource for Texts {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn json(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(self.0.get(index).map(|text| text.as_slice().into()))
    }
}

fn opened(file: &Value) -> Transcript {
    let mut count = 0;
    let mut new_id = || {
        count += 1;
        format!("id{count}")
    };
    let mut env = Env { now_ms: 1.8e12, new_id: &mut new_id };
    Transcript::open(file.to_string().as_bytes(), TranscriptOptions::default(), &mut env).unwrap()
}

fn converted(messages: &dyn MessageSource, source: &SessionSource<'_>) -> Value {
    let mut writer =
        OpenCode2Conversion::new(messages, source, &OpenCodeOptions::default()).unwrap();
    let mut records = Vec::new();
    while let Some(record) = writer.next(messages).unwrap() {
        records.push(serde_json::from_str::<Value>(&record).expect(&record));
    }
    json!({"info": serde_json::from_str::<Value>(writer.info()).unwrap(), "messages": records})
}

fn messages_of(transcript: &Transcript) -> Vec<Value> {
    let id = transcript.sessions().first().unwrap().id.clone();
    let all = transcript.messages_of(&id).unwrap();
    all.iter().map(|message| serde_json::from_slice(message).unwrap()).collect()
}

/// The records of messages that are no transcript's.
fn of_messages(messages: &[Value]) -> Value {
    let texts = Texts(messages.iter().map(|message| message.to_string().into_bytes()).collect());
    let source =
        SessionSource { id: "ses_0".to_owned(), format: "with-parts", ..SessionSource::default() };
    converted(&texts, &source)
}

fn both_ways(file: &Value) -> (Value, Vec<Value>) {
    let transcript = opened(file);
    let (place, source) = session_of(&transcript, None).unwrap();
    let records = converted(&transcript.session_messages(place), &source);
    (records, messages_of(&transcript))
}

/// The name of a field, and what makes its value.
type DiceField = (&'static str, fn(&mut Dice) -> Value);

/// Random values; the same seed gives the same ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len() as u64) as usize]
    }

    fn is(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn text(&mut self) -> Value {
        let piece = [
            "",
            "a",
            "a\nb",
            "\n",
            "ü 世界 🚀",
            "\u{0}",
            "\\u0041\"",
            "  ",
            "x\n\ny",
            "providerExecuted",
        ];
        let count = self.below(3);
        let text: String = (0..count).map(|_| self.one(&piece)).collect();
        json!(text)
    }

    /// A value that is hardly what a field holds.
    fn odd(&mut self) -> Value {
        match self.below(9) {
            0 => Value::Null,
            1 => json!(7),
            2 => json!([]),
            3 => json!({}),
            4 => json!([{"type": "text", "text": "x"}, 1]),
            5 => json!({"id": "x", "message": "m", "type": "t", "status": 3}),
            6 => json!(true),
            7 => json!(""),
            _ => json!("odd"),
        }
    }

    fn object(&mut self, fields: &[DiceField]) -> Value {
        let mut object = Map::new();
        for (name, value) in fields {
            match self.below(14) {
                0 | 1 => {}
                2 => drop(object.insert((*name).to_owned(), self.odd())),
                _ => drop(object.insert((*name).to_owned(), value(self))),
            }
        }
        if self.is(8) {
            object.insert("more".to_owned(), self.odd());
        }
        Value::Object(object)
    }

    fn list(&mut self, of: fn(&mut Dice) -> Value) -> Value {
        let count = self.below(4);
        (0..count).map(|_| of(self)).collect()
    }

    fn time(&mut self) -> Value {
        let mut time = json!({"created": 1_760_000_000_000_u64 + self.below(9)});
        for name in ["completed", "ran", "streamed"] {
            if self.is(3) {
                time[name] = json!(1_760_000_000_000_u64 + self.below(9));
            }
        }
        time
    }

    fn model(&mut self) -> Value {
        let unknown = self.is(6);
        let name = if unknown { "unknown" } else { "m" };
        let mut model = json!({"id": name, "providerID": if unknown { "unknown" } else { self.one(&["p", "anthropic"]) }});
        if self.is(2) {
            model["variant"] = json!("high");
        }
        model
    }

    fn tokens(&mut self) -> Value {
        let mut tokens = json!({"input": self.below(3), "output": 0, "reasoning": 0, "cache": {"read": self.below(2), "write": 0}});
        if self.is(5) {
            tokens["total"] = json!(3);
        }
        tokens
    }

    fn native(&mut self) -> Value {
        match self.below(4) {
            0 => json!({"anthropic": {"signature": "s"}}),
            1 => json!({"p": {"a": 1}}),
            2 => json!({}),
            _ => json!({"signature": "s", "providerExecuted": true}),
        }
    }

    fn error(&mut self) -> Value {
        let kind = self.one(&[
            "provider.auth",
            "provider.content-filter",
            "aborted",
            "provider.error",
            "tool.interrupted",
            "unknown",
            "x",
        ]);
        let mut error = json!({"type": kind, "message": self.text()});
        if self.is(3) {
            error["status"] = json!(503);
        }
        if self.is(4) {
            error["response"] = json!({"body": "b"});
        }
        error
    }

    fn block(&mut self) -> Value {
        let kind = self.one(&["text", "text", "file", "odd"]);
        let mut block = json!({"type": kind});
        match kind {
            "text" => block["text"] = self.text(),
            "file" => {
                block["uri"] = json!("data:image/png;base64,AA==");
                block["mime"] = json!("image/png");
                if self.is(2) {
                    block["name"] = json!("n.png");
                }
            }
            _ => {}
        }
        if self.is(7) {
            block["more"] = json!(1);
        }
        block
    }

    fn state(&mut self) -> Value {
        let status = self.one(&[
            "streaming",
            "pending",
            "running",
            "completed",
            "completed",
            "error",
            "error",
            "gone",
        ]);
        let mut state = self.object(&[
            ("input", |dice| json!({"command": dice.text()})),
            ("structured", |dice| json!({"title": dice.text(), "output": "o"})),
            ("metadata", |_| json!({"exit": 0})),
            ("content", |dice| dice.list(Dice::block)),
            ("error", Dice::error),
            ("attachments", |dice| dice.list(Dice::block)),
            ("result", Dice::odd),
        ]);
        state["status"] = json!(status);
        if matches!(status, "streaming" | "pending") && !self.is(5) {
            state["input"] = self.text();
        }
        state
    }

    fn item(&mut self) -> Value {
        let kind =
            self.one(&["text", "reasoning", "tool", "tool", "video", "file", "idle", "skill", ""]);
        let mut item = match kind {
            "tool" => self.object(&[
                ("id", |_| json!("call_1")),
                ("name", |_| json!("shell")),
                ("state", Dice::state),
                ("time", Dice::time),
                ("executed", |dice| json!(dice.is(2))),
                ("provider", |dice| {
                    dice.object(&[
                        ("executed", |dice| json!(dice.is(2))),
                        ("metadata", Dice::native),
                        ("resultMetadata", Dice::native),
                    ])
                }),
                ("native", Dice::native),
                ("providerState", Dice::native),
            ]),
            _ => self.object(&[
                ("id", |_| json!("text-0")),
                ("text", Dice::text),
                ("native", Dice::native),
                ("state", Dice::native),
                ("providerMetadata", Dice::native),
                ("time", Dice::time),
                ("sessionID", |_| json!("s")),
            ]),
        };
        item["type"] = json!(kind);
        if self.is(15) { self.odd() } else { item }
    }

    fn place(&mut self) -> Value {
        json!({"start": self.below(4), "end": 5, "text": self.text()})
    }

    fn file(&mut self) -> Value {
        if self.is(2) {
            return self.object(&[
                ("uri", |dice| json!(dice.one(&["file:///a", "data:text/plain;base64,aGk="]))),
                ("mime", |_| json!("text/plain")),
                ("name", Dice::text),
                ("source", Dice::place),
            ]);
        }
        self.object(&[
            ("data", |_| json!("aGk=")),
            ("mime", |_| json!("text/plain")),
            ("source", |dice| {
                if dice.is(2) {
                    json!({"type": "inline"})
                } else {
                    json!({"type": "uri", "uri": "x:y"})
                }
            }),
            ("name", Dice::text),
            ("mention", Dice::place),
            ("description", Dice::text),
        ])
    }

    fn metadata(&mut self) -> Value {
        match self.below(4) {
            0 => json!({"apex": {"parts": [
                {"id": "prt_1", "sessionID": "s", "messageID": "m", "type": "notice", "text": "n"},
                {"id": "prt_2", "sessionID": "s", "messageID": "m", "type": "text", "text": "n", "ignored": true},
            ], "x": 1}, "y": 2}),
            1 => json!({"apex": {"parts": [{"type": "text", "text": "own"}]}}),
            2 => json!({"apex": {"parts": []}}),
            _ => json!({"note": self.text(), "n": [1, null, 2.5]}),
        }
    }

    fn record(&mut self, number: usize) -> Value {
        let kind = self.one(&[
            "user",
            "user",
            "assistant",
            "assistant",
            "assistant",
            "compaction",
            "shell",
            "synthetic",
            "system",
            "skill",
            "agent-switched",
            "model-switched",
            "location-switched",
            "idle",
            "dream",
            "patch",
        ]);
        let mut record = match kind {
            "user" => self.object(&[
                ("text", Dice::text),
                ("files", |dice| dice.list(Dice::file)),
                ("agents", |dice| {
                    dice.list(|dice| {
                        dice.object(&[
                            ("name", Dice::text),
                            ("mention", Dice::place),
                            ("source", Dice::place),
                        ])
                    })
                }),
                ("skills", |dice| {
                    dice.list(|dice| {
                        dice.object(&[
                            ("id", Dice::text),
                            ("name", Dice::text),
                            ("text", Dice::text),
                            ("mention", Dice::place),
                        ])
                    })
                }),
                ("metadata", Dice::metadata),
            ]),
            "assistant" => self.object(&[
                ("agent", |dice| json!(dice.one(&["build", "plan"]))),
                ("model", Dice::model),
                ("content", |dice| dice.list(Dice::item)),
                ("snapshot", |dice| {
                    dice.object(&[
                        ("start", |_| json!("aa")),
                        ("end", |_| json!("bb")),
                        ("files", |dice| dice.list(|dice| dice.text())),
                    ])
                }),
                ("finish", |dice| {
                    json!(dice.one(&["stop", "tool-calls", "error", "end_turn", ""]))
                }),
                ("rawFinish", |_| json!("raw")),
                ("cost", |dice| json!(dice.below(2))),
                ("tokens", Dice::tokens),
                ("error", Dice::error),
                ("retry", |dice| {
                    dice.object(&[
                        ("attempt", |_| json!(1)),
                        ("at", |_| json!(5)),
                        ("error", Dice::error),
                    ])
                }),
                ("native", Dice::native),
                ("metadata", Dice::metadata),
            ]),
            "compaction" => self.object(&[
                ("status", |dice| json!(dice.one(&["completed", "running", "failed", "odd"]))),
                ("reason", |dice| json!(dice.one(&["auto", "manual", "why"]))),
                ("summary", Dice::text),
                ("recent", Dice::text),
                ("error", Dice::error),
                ("model", Dice::model),
                ("cost", |dice| json!(dice.below(2))),
                ("tokens", Dice::tokens),
                ("providerContext", Dice::native),
                ("metadata", Dice::metadata),
            ]),
            "shell" => self.object(&[
                ("shellID", |_| json!("sh_1")),
                ("callID", |_| json!("call_1")),
                ("command", Dice::text),
                ("status", |dice| {
                    json!(dice.one(&["running", "exited", "timeout", "killed", "odd"]))
                }),
                ("exit", |dice| if dice.is(3) { json!("Infinity") } else { json!(1) }),
                ("output", |dice| {
                    if dice.is(2) {
                        dice.text()
                    } else {
                        dice.object(&[
                            ("output", Dice::text),
                            ("cursor", |_| json!(1)),
                            ("truncated", |dice| json!(dice.is(2))),
                        ])
                    }
                }),
                ("metadata", Dice::metadata),
            ]),
            _ => self.object(&[
                ("text", Dice::text),
                ("skill", Dice::text),
                ("name", Dice::text),
                ("agent", |_| json!("plan")),
                ("model", Dice::model),
                ("location", |_| json!({"directory": "/d"})),
                ("previous", Dice::odd),
                ("messageID", |_| json!("m")),
                ("metadata", Dice::metadata),
            ]),
        };
        record["id"] = json!(format!("msg_{number:04}"));
        record["type"] = json!(kind);
        record["time"] = if self.is(10) { json!({}) } else { self.time() };
        record
    }

    fn session(&mut self) -> Value {
        let count = 1 + self.below(7) as usize;
        let records: Vec<Value> = (0..count).map(|number| self.record(number)).collect();
        let mut info = json!({"id": "ses_0", "projectID": "global", "location": {"directory": "/work"},
            "time": {"created": 1, "updated": 2}});
        if self.is(3) {
            info["directory"] = json!("/own");
            info["title"] = self.text();
        }
        json!({"info": info, "messages": records})
    }
}

proptest! {
    #[test]
    fn records_come_back(seed in any::<u64>()) {
        let file = Dice(seed).session();
        let (records, messages) = both_ways(&file);
        prop_assert!(records == file, "{}", different(&records, &file));
        // A copy of the messages says everything too.
        let copied = of_messages(&messages);
        prop_assert!(copied == file, "{}", different(&copied, &file));
    }
}

/// What can be changed in a message: pointers to values, and what they become.
fn changes(message: &Value) -> Vec<(String, Value)> {
    let kind = message["info"]["opencode2"]["type"].as_str().unwrap_or_default();
    let mut all: Vec<(String, Value)> = Vec::new();
    if kind == "assistant" {
        for (name, value) in [
            ("agent", json!("other")),
            ("modelID", json!("new")),
            ("providerID", json!("new")),
            ("cost", json!(0.75)),
            ("finish", json!("length")),
        ] {
            all.push((format!("/info/{name}"), value));
        }
        all.push(("/info/tokens/input".to_owned(), json!(77)));
        all.push(("/info/time/completed".to_owned(), json!(1_760_000_000_999_u64)));
        if !message["info"]["error"].is_null() {
            all.push(("/info/error/data/message".to_owned(), json!("why not")));
        }
    }
    let texts_are_own =
        matches!(kind, "assistant" | "user" | "synthetic" | "system" | "skill" | "summary");
    for (index, part) in message["parts"].as_array().into_iter().flatten().enumerate() {
        let path = format!("/parts/{index}");
        let is_custom =
            part["opencode2"]["custom"].is_string() || !part["opencode2"]["mark"].is_null();
        match part["type"].as_str().unwrap_or_default() {
            "text" if part["ignored"] != true && texts_are_own => {
                all.push((format!("{path}/text"), json!("new\ntext 世界")));
            }
            "reasoning" => all.push((format!("{path}/text"), json!("new\ntext"))),
            "tool" if !is_custom => {
                let state = &part["state"];
                if state["status"] != "pending" {
                    all.push((format!("{path}/state/input"), json!({"command": "new"})));
                }
                match state["status"].as_str() {
                    Some("completed") => {
                        all.push((format!("{path}/state/output"), json!("new\n\noutput")));
                    }
                    Some("error") if kind == "assistant" => {
                        all.push((format!("{path}/state/error"), json!("new error")));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    all
}

/// Sets a value whose place may not be there yet.
fn set(message: &mut Value, pointer: &str, value: Value) {
    let (place, name) = pointer.rsplit_once('/').unwrap();
    message.pointer_mut(place).unwrap()[name] = value;
}

proptest! {
    #[test]
    fn what_was_changed_is_what_comes_back(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let (_, before) = both_ways(&dice.session());
        let choices: Vec<_> = before
            .iter()
            .enumerate()
            .flat_map(|(index, message)| changes(message).into_iter().map(move |change| (index, change)))
            .collect();
        if choices.is_empty() {
            return Ok(());
        }
        let (index, (pointer, value)) = &choices[dice.below(choices.len() as u64) as usize];
        let mut messages = before.clone();
        set(&mut messages[*index], pointer, value.clone());
        let file = of_messages(&messages);
        let (_, after) = both_ways(&file);
        prop_assert_eq!(after.len(), before.len());
        let found = after[*index].pointer(pointer);
        prop_assert_eq!(found, Some(value), "{} {}\n{}\n{}", index, pointer, before[*index], after[*index]);
    }
}

/// The first records that differ.
fn different(one: &Value, other: &Value) -> String {
    let list = |value: &Value| value["messages"].as_array().cloned().unwrap_or_default();
    let (left, right) = (list(one), list(other));
    let pair = left.iter().zip(&right).find(|(a, b)| a != b);
    let counts = (left.len(), right.len());
    match pair {
        Some((a, b)) => format!("{counts:?}\n{a}\n{b}"),
        None => format!("{counts:?}\n{}\n{}", one["info"], other["info"]),
    }
}

/// A session of OpenCode 1 as records.
fn migrated(messages: Value) -> Vec<Value> {
    let messages: Vec<Value> = messages.as_array().unwrap().clone();
    let file = of_messages(&messages);
    file["messages"].as_array().unwrap().clone()
}

fn user(id: &str, parts: Value) -> Value {
    json!({"info": {"id": id, "role": "user", "time": {"created": 5}}, "parts": parts})
}

fn answer(id: &str, more: Value, parts: Value) -> Value {
    let mut info = json!({"id": id, "role": "assistant", "time": {"created": 6, "completed": 9},
        "parentID": "msg_1", "agent": "build", "providerID": "anthropic", "modelID": "m", "cost": 0.5,
        "tokens": {"total": 3, "input": 1, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}}});
    for (name, value) in more.as_object().unwrap() {
        info[name] = value.clone();
    }
    json!({"info": info, "parts": parts})
}

#[test]
fn a_users_message_is_a_record_and_what_the_program_added_another() {
    let records = migrated(json!([
        user(
            "msg_1",
            json!([
                {"type": "text", "text": "Look at this"},
                {"type": "file", "mime": "text/plain", "filename": "n.txt", "url": "data:text/plain,%C3%A9%20a",
                    "source": {"type": "file", "path": "/n.txt", "text": {"value": "@n.txt", "start": 1, "end": 7}}},
                {"type": "file", "mime": "image/png", "url": "file:///p.png"},
                {"type": "file", "mime": "text/x", "url": "data:text/x;base64,aGk=",
                    "source": {"type": "resource", "uri": "mcp://r"}},
                {"type": "agent", "name": "review", "source": {"value": "@review", "start": 2, "end": 9}},
                {"type": "text", "text": "Called Read", "synthetic": true},
                {"type": "text", "text": "more", "synthetic": true},
            ])
        ),
        user("msg_2", json!([{"type": "text", "text": "only the program", "synthetic": true}])),
    ]));
    let [own, added, alone] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(
        own,
        &json!({"id": "msg_1", "type": "user",
            "text": "Look at this\n\n[Attachment unavailable after migration: file:///p.png (image/png)]",
            "files": [
                {"data": "w6kgYQ==", "mime": "text/plain", "source": {"type": "inline"}, "name": "n.txt",
                    "mention": {"start": 1, "end": 7, "text": "@n.txt"}},
                {"data": "aGk=", "mime": "text/x", "source": {"type": "uri", "uri": "mcp://r"}},
            ],
            "agents": [{"name": "review", "mention": {"start": 2, "end": 9, "text": "@review"}}],
            "time": {"created": 5}})
    );
    assert_eq!(
        (&added["type"], &added["text"]),
        (&json!("synthetic"), &json!("Called Read\n\nmore"))
    );
    assert!(added["id"].as_str().unwrap().starts_with("msg_"));
    assert_eq!((&alone["id"], &alone["type"]), (&json!("msg_2"), &json!("synthetic")));
}

#[test]
fn each_call_of_an_answer_has_a_result() {
    let time = json!({"start": 7, "end": 8});
    let records = migrated(json!([answer(
        "msg_2",
        json!({"finish": "end_turn",
            "error": {"name": "APIError", "data": {"message": "bad", "statusCode": 503, "isRetryable": true}}}),
        json!([
            {"type": "step-start", "snapshot": "aa"},
            {"type": "reasoning", "text": "Hm", "time": {"start": 6, "end": 7}, "metadata": {"anthropic": {"signature": "s"}}},
            {"type": "tool", "callID": "c1", "tool": "bash", "metadata": {"providerExecuted": true}, "state": {
                "status": "completed", "input": {}, "output": "out", "title": "t", "metadata": {"exit": 0}, "time": time,
                "attachments": [{"type": "file", "mime": "image/png", "url": "data:image/png;base64,AA==", "filename": "s.png"}]}},
            {"type": "tool", "callID": "c2", "tool": "read", "state": {"status": "completed", "input": {}, "output": "gone",
                "title": "", "metadata": {}, "time": {"start": 7, "end": 8, "compacted": 9}}},
            {"type": "tool", "callID": "c3", "tool": "bash", "state": {"status": "error", "input": {}, "error": "stop",
                "metadata": {"interrupted": true, "output": "half"}, "time": time}},
            {"type": "tool", "callID": "c4", "tool": "bash", "state": {"status": "pending", "input": {}, "raw": "{"}},
            {"type": "notice", "text": "custom"},
            {"type": "patch", "hash": "bb", "files": ["a", "b"]},
            {"type": "patch", "hash": "cc", "files": ["b"]},
            {"type": "step-finish", "reason": "stop", "snapshot": "dd"},
        ])
    )]));
    let [record] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(
        record["model"],
        json!({"id": "m", "providerID": "anthropic", "variant": "default"})
    );
    assert_eq!(record["snapshot"], json!({"start": "aa", "end": "dd", "files": ["a", "b"]}));
    assert_eq!((&record["finish"], &record["rawFinish"]), (&json!("unknown"), &json!("end_turn")));
    assert_eq!(record["error"], json!({"type": "provider.error", "message": "bad", "status": 503}));
    assert_eq!(
        record["metadata"],
        json!({"apex": {"parts": [{"type": "notice", "text": "custom"}]}})
    );
    let content = record["content"].as_array().unwrap();
    assert_eq!(
        content[0],
        json!({"type": "reasoning", "text": "Hm", "native": {"signature": "s"}, "time": {"created": 6, "completed": 7}})
    );
    assert_eq!(
        content[1],
        json!({"type": "tool", "id": "c1", "name": "bash", "executed": true, "state": {"status": "completed", "input": {},
            "content": [{"type": "text", "text": "out"},
                {"type": "file", "uri": "data:image/png;base64,AA==", "mime": "image/png", "name": "s.png"}],
            "metadata": {"exit": 0}}, "time": {"created": 7, "completed": 8}})
    );
    assert_eq!(
        content[2]["state"]["content"],
        json!([{"type": "text", "text": "[Old tool result content cleared]"}])
    );
    assert_eq!(content[3]["state"]["error"], json!({"type": "aborted", "message": "stop"}));
    assert_eq!(content[3]["state"]["content"], json!([{"type": "text", "text": "half"}]));
    assert_eq!(content[4]["state"]["error"]["type"], "tool.interrupted");
    assert_eq!(content[4]["time"], json!({"created": 6}));
}

#[test]
fn a_compaction_and_its_summary_are_one_record() {
    let request = |id: &str, tail: Value| {
        user(id, json!([{"type": "compaction", "auto": true, "tail_start_id": tail}]))
    };
    let summary = |id: &str, parent: &str, more: Value| {
        let mut info = json!({"parentID": parent, "summary": true});
        for (name, value) in more.as_object().unwrap() {
            info[name] = value.clone();
        }
        answer(id, info, json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]))
    };
    let records = migrated(json!([
        user("msg_1", json!([{"type": "text", "text": "a"}])),
        user("msg_2", json!([{"type": "text", "text": "b"}])),
        answer(
            "msg_3",
            json!({}),
            json!([{"type": "reasoning", "text": "r"}, {"type": "text", "text": "c"}])
        ),
        request("msg_4", json!("msg_2")),
        summary("msg_5", "msg_4", json!({"finish": "stop"})),
        request("msg_6", Value::Null),
        summary(
            "msg_7",
            "msg_6",
            json!({"error": {"name": "MessageAbortedError", "data": {"message": "no"}}})
        ),
        request("msg_8", Value::Null),
    ]));
    let ids: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["msg_1", "msg_2", "msg_3", "msg_4", "msg_6"]);
    assert_eq!(
        records[3],
        json!({"id": "msg_4", "type": "compaction", "status": "completed", "reason": "auto", "summary": "one\n\ntwo",
            "recent": "[User]: b\n\n[Assistant reasoning]: r\n\n[Assistant]: c", "time": {"created": 5}})
    );
    assert_eq!(records[4]["status"], "failed");
    assert_eq!(records[4]["error"], json!({"type": "aborted", "message": "no"}));
}
