//! Files of agents as transcripts: what they are told by, whole or truncated, and while they arrive. What their messages
//! say is tested where the formats are read, in `crates/agents`.

use super::shown::open;
use apex_parts_model::Severity;
use apex_parts_transcript::{Env, Format, Transcript, TranscriptOptions};
use apex_parts_zip::writer::{NewEntry, zip};
use serde_json::{Value, json};

fn lines(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

/// The format that a file is told to have, and the number of messages and of problems.
fn told(file: &str) -> (Option<Format>, usize, usize) {
    let t = open(file.as_bytes()).unwrap();
    (t.format(), t.message_count(), t.problems().len())
}

#[test]
fn bare_items_of_old_files_of_codex() {
    let file = concat!(
        "{\"id\":\"old\",\"timestamp\":\"2025-08-01T00:00:00Z\",\"instructions\":null,\"git\":{}}\n",
        "{\"record_type\":\"state\"}\n",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}],\"id\":null}\n",
        "{\"record_type\":\"state\"}\n",
        "{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{}\",\"call_id\":\"c\"}\n",
        "{broken}\n",
        "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"Output:\\n\"}\n",
        "{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"bye\"}]}\n",
    );
    for skip in [0, 1] {
        let rest: String = file.split_inclusive('\n').skip(skip).collect();
        assert_eq!(told(&rest), (Some(Format::Codex), 3, 1));
    }
}

#[test]
fn a_session_of_copilot_cli_is_told_by_an_event() {
    let event = |kind: &str, id: &str, data: Value| json!({"type": kind, "data": data, "id": id, "timestamp": "2026-01-01T00:00:00.000Z", "parentId": null});
    let user = event("user.message", "e2", json!({"content": "Hi", "attachments": []}));
    for file in [
        vec![event("session.start", "e0", json!({"sessionId": "S", "copilotVersion": "1.0.7"}))],
        vec![event("hook.start", "e0", json!({})), event("abort", "e1", json!({})), user],
        vec![
            json!({"parentId": "e0", "id": "e1", "data": {"content": "x"}, "type": "user.message"}),
        ],
    ] {
        assert_eq!(told(&lines(&file)).0, Some(Format::CopilotCli));
    }
}

fn gemini_header() -> Value {
    json!({"sessionId": "S", "projectHash": "h", "startTime": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-01-01T00:00:00.000Z", "kind": "main"})
}

fn gemini_record(id: &str, kind: &str, content: Value) -> Value {
    json!({"id": id, "timestamp": "2026-01-01T00:00:01.000Z", "type": kind, "content": content})
}

#[test]
fn a_session_of_gemini_cli_is_one_object_or_lines() {
    let records = [
        gemini_record("u", "user", json!("Hi \"you\"")),
        gemini_record("a", "gemini", json!("Hello")),
        gemini_record("u2", "user", json!([{"text": "More"}])),
    ];
    let mut whole = gemini_header();
    whole["messages"] = json!(records);
    let pretty = serde_json::to_string_pretty(&whole).unwrap();
    let all: Vec<Value> = [gemini_header()].into_iter().chain(records.clone()).collect();
    for file in [pretty, lines(&all), json!(all).to_string()] {
        assert_eq!(told(&file), (Some(Format::GeminiCli), 3, 0));
    }
    // The messages may stand between the two names.
    let file =
        format!("{{\"sessionId\":\"S\",\"messages\":{},\"projectHash\":\"h\"}}", json!(records));
    let (format, count, _) = told(&file);
    assert_eq!((format, count), (Some(Format::GeminiCli), 3));
    // Notices alone are problems; and there is an error, because the file has no message.
    let notices = [
        gemini_header(),
        gemini_record("i", "info", json!("ready")),
        gemini_record("e", "error", json!("no \"quota\"")),
    ];
    assert_eq!(told(&lines(&notices)), (Some(Format::GeminiCli), 0, 3));
}

#[test]
fn a_trajectory_of_swe_agent_opens_up_to_a_cut() {
    let entry =
        |role: &str, content: &str| json!({"role": role, "content": content, "agent": "main"});
    let step = |thought: &str, action: &str, observation: &str| json!({"thought": thought, "action": action, "response": "all of it", "observation": observation, "execution_time": 0.25, "state": {"working_dir": "/w"}});
    let file = json!({
        "environment": "main",
        "trajectory": [step("I look.", "find_file \"a\"", "Found"), step("", "ls\n", ""), step("I wait.", "", "Go on."), step("", "", ""), step("", "exit", "bye")],
        "history": [entry("system", "Be brief."), entry("user", "Fix it."), entry("user", "Now.")],
        "info": {"exit_status": "exit_cost", "submission": ""},
    });
    let text = file.to_string();
    let alone = json!({"history": [entry("user", "x")]}).to_string();
    let pretty = serde_json::to_string_pretty(&file).unwrap();
    for text in [&text, &alone, &pretty] {
        assert_eq!(told(text).0, Some(Format::SweAgent));
    }
    // `serde_json` sorts the fields: the trajectory is the last.
    for cut in text.find("\"trajectory\"").unwrap() + 14..text.len() {
        let (format, messages, problems) = told(&text[..cut]);
        assert_eq!(format, Some(Format::SweAgent), "{cut}");
        assert!(messages > 1 && problems > 0, "{cut}");
    }
    // In real files it comes first.
    let first = format!("{{\"environment\":\"main\",\"trajectory\":{}", file["trajectory"]);
    let mut before = 0;
    for cut in first.find('[').unwrap() + 1..first.len() {
        let (format, messages, problems) = told(&first[..cut]);
        assert_eq!(format, Some(Format::SweAgent), "{cut}");
        assert!(messages >= before && problems > 0, "{cut}");
        before = messages;
    }
    assert_eq!(before, 6);
}

// Logs of Inspect.

fn header() -> Value {
    json!({"version": 2, "status": "success", "eval": {"run_id": "R", "task": "T",
        "created": "2025-01-01T00:00:00+00:00", "model": "openai/gpt-4o"}})
}

fn sample(text: &str) -> Vec<u8> {
    let messages = json!([{"role": "user", "content": text}]);
    json!({"id": text, "epoch": 2, "messages": messages}).to_string().into_bytes()
}

fn archive() -> Vec<u8> {
    let head = header().to_string().into_bytes();
    zip(&[
        NewEntry::stored("_journal/start.json", &head),
        NewEntry::deflated("samples/b_epoch_2.json", &sample("b")),
        NewEntry::deflated("samples/a/c_epoch_2.json", &sample("a/c")),
        NewEntry::stored("_journal/summaries/1.json", b"[{\"id\": 1}]"),
        NewEntry::stored("summaries.json", b"["),
        NewEntry::deflated("header.json", &head),
    ])
}

#[test]
fn a_log_of_inspect_has_a_session_for_each_sample() {
    let t = open(&archive()).unwrap();
    assert_eq!(t.format(), Some(Format::Inspect));
    assert_eq!((t.message_count(), t.sessions().len(), t.problems()), (1, 2, vec![]));
    let mut whole = header();
    whole["samples"] = json!([
        {"id": 7, "epoch": 1, "messages": [{"role": "user", "content": "a"}],
         "model_usage": {"openai/a": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
            "input_tokens_cache_read": 4, "reasoning_tokens": 2, "total_cost": 0.5},
            "x/b": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 12, "input_tokens_cache_write": 10}}},
        {"id": "x/y", "epoch": 3, "uuid": "U", "messages": []},
        {"id": 7, "epoch": 1},
        {"id": "x/y", "epoch": 3, "uuid": "U"},
        "no sample",
    ]);
    let t = open(whole.to_string().as_bytes()).unwrap();
    assert_eq!((t.message_count(), t.sessions().len()), (1, 4));
    assert_eq!(t.stats().tokens.input, 7.0);
}

#[test]
fn a_log_of_inspect_is_told_by_its_fields() {
    let mut whole = header();
    whole["samples"] = json!([]);
    let t = open(whole.to_string().as_bytes()).unwrap();
    assert_eq!(t.format(), Some(Format::Inspect));
    let problems: Vec<_> = t.problems().into_iter().map(|p| (p.severity, p.rule)).collect();
    let told = |severity, rule: &str| (severity, rule.to_owned());
    let expected = [told(Severity::Error, "no-messages"), told(Severity::Warning, "inspect")];
    assert_eq!(problems, expected);
    assert_eq!(t.session(), None);
    for other in [
        r#"{"version":"2","status":"x","eval":{}}"#,
        r#"{"version":2,"status":1,"eval":{}}"#,
        r#"{"version":2,"status":"x","eval":[]}"#,
    ] {
        let format = open(other.as_bytes()).ok().and_then(|t| t.format());
        assert_ne!(format, Some(Format::Inspect), "{other}");
    }
}

#[test]
fn an_archive_of_something_else_is_refused() {
    let docx = zip(&[
        NewEntry::stored("[Content_Types].xml", b"<xml/>"),
        NewEntry::stored("samples/a.json", &sample("a")),
    ]);
    for bytes in [&docx[..], &docx[..60], b"PK\x03\x04", b"PK\x03\x04....", &zip(&[])[..]] {
        let error = match open(bytes) {
            Err(error) => error.to_string(),
            // An empty archive does not begin with an entry.
            Ok(_) => panic!("{bytes:?}"),
        };
        let is_empty = bytes.starts_with(b"PK\x05");
        assert!(
            is_empty || error.contains("the file is a ZIP archive: unpack it first"),
            "{error}"
        );
    }
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let mut t = Transcript::new(TranscriptOptions::default());
    t.push(&docx, &mut env).unwrap();
    assert!(t.end(&mut env).is_err());
    assert_eq!(t.format(), None);
}

/// Each cut opens with the messages before it, and nothing but problems.
pub(crate) fn assert_cuts_open(bytes: &[u8], step: usize, from: usize) {
    let count = |t: &Transcript| {
        t.sessions().iter().map(|s| t.messages_of(&s.id).unwrap().len()).sum::<usize>()
    };
    let all = count(&open(bytes).unwrap());
    let mut most = 0;
    for cut in (from..bytes.len()).step_by(step) {
        let t = open(&bytes[..cut]).unwrap_or_else(|e| panic!("{cut}: {e}"));
        assert!(!t.problems().is_empty(), "{cut}");
        let count = count(&t);
        assert!(count >= most && count <= all, "{cut}: {count} {most}");
        most = count;
    }
    assert!(most == all || step > 1, "{most} of {all}");
}

#[test]
fn a_log_of_inspect_opens_up_to_its_cut() {
    assert_cuts_open(&archive(), 1, 6);
    let samples = json!([{"id": 1, "epoch": 2, "messages": [{"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "text", "text": "b"}]}], "events": []}]);
    // As programs write it: the samples are the last.
    let eval = header()["eval"].to_string();
    let whole =
        format!("{{\"version\":2,\"status\":\"started\",\"eval\":{eval},\"samples\":{samples}}}");
    assert_cuts_open(whole.as_bytes(), 1, 14);
}

#[test]
fn a_log_of_inspect_is_shown_while_it_arrives() {
    let bytes = archive();
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let mut t = Transcript::new(TranscriptOptions::default());
    t.push(&bytes[..bytes.len() - 300], &mut env).unwrap();
    t.refresh(&mut env);
    assert_eq!((t.message_count(), t.problems()), (1, vec![]));
    t.push(&bytes[bytes.len() - 300..], &mut env).unwrap();
    t.end(&mut env).unwrap();
    assert_eq!((t.sessions().len(), t.problems()), (2, vec![]));
}
