//! Files that are recognised but not read open without messages and with one problem, in pieces of any size;
//! what begins like them is read as before.
#![cfg(not(target_arch = "wasm32"))]

use super::{counted, lost, opened};
use crate::model::Severity;
use crate::recorded;
use crate::transcript::formats::registry::Format;
use crate::transcript::transcript::{Transcript, TranscriptOptions};

const QWEN: &str = r#"{"uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/w","version":"0.1","message":{"role":"user","parts":[{"text":"hi"}]}}"#;
const CLAUDE: &str = r#"{"parentUuid":null,"isSidechain":false,"cwd":"/a","sessionId":"s","type":"user","message":{"role":"user","content":"a"},"uuid":"u","timestamp":"2025-01-01T00:00:00Z"}"#;

fn assert_unread(bytes: &[u8], what: &str) {
    let t = opened(bytes, TranscriptOptions::default()).unwrap();
    assert_eq!((t.format(), t.message_count(), t.session()), (None, 0, None), "{what}");
    assert!(t.sessions().is_empty());
    let [problem] = &t.problems()[..] else { panic!("{:?}", t.problems()) };
    let begin =
        format!("This looks like {what}, which is not read yet; read are: opencode-export, ");
    assert!(problem.message.starts_with(&begin), "{}", problem.message);
    assert!(problem.message.ends_with(&Format::NAMES.join(", ")));
    assert_eq!(problem.severity, Severity::Error);
    for size in [1, 7, 300, 5_000] {
        let in_pieces = counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            for piece in bytes.chunks(size) {
                t.push(piece, env).unwrap();
                t.refresh(env);
            }
            t.end(env).unwrap();
            (t.format(), t.message_count(), t.problems())
        });
        assert_eq!(in_pieces, (None, 0, t.problems()), "{what} in pieces of {size}");
    }
}

#[test]
fn one_problem_says_what_it_looks_like() {
    let payload = r#"{"uuid":"u","parentUuid":null,"sessionId":"s","type":"system","subtype":"x","systemPayload":{}}"#;
    let turned = r#"{"message":{"role":"user","parts":[]},"type":"user","parentUuid":null,"uuid":"u","sessionId":"s"}"#;
    for record in [QWEN, payload, turned] {
        assert_unread(format!("{record}\n{record}\n").as_bytes(), "a Qwen Code session");
    }
    assert_unread(format!("log\n{QWEN}\n").as_bytes(), "a Qwen Code session");
    assert_unread(&QWEN.as_bytes()[..QWEN.len() - 10], "a Qwen Code session");
    // A damaged record before does not hide it.
    assert_unread(
        format!("{{\"uuid\":\"u\",\"parentUuid\":nul}}\n{QWEN}\n").as_bytes(),
        "a Qwen Code session",
    );
    for source in ["agent", "user", "environment"] {
        let log = "an OpenHands event log";
        let event = format!(
            r#"{{"id":1,"timestamp":"t","source":"{source}","message":"m","action":"run","args":{{}}}}"#
        );
        assert_unread(format!("[{event},{event}]").as_bytes(), log);
        assert_unread(event.as_bytes(), log);
        assert_unread(
            format!(r#"{{"observation":"run","content":"","source":"{source}"}}"#).as_bytes(),
            log,
        );
    }
    assert_unread(br#"{"resourceSpans":[{"resource":{}}]}"#, "an OpenTelemetry trace");
    let chat = r#"{"requesterUsername":"me","responderUsername":"GitHub Copilot","requests":[]}"#;
    assert_unread(chat.as_bytes(), "a VS Code chat");
    assert_unread(br#"{"requests":[{"message":{}}],"responderUsername":"x"}"#, "a VS Code chat");
    let mut database = b"SQLite format 3\0".to_vec();
    database.extend([0x10, 0, 1, 1, 0, b'{', b'"', b'<'].repeat(100));
    assert_unread(&database, "an SQLite database (Cursor keeps its chats in one)");
    assert_unread(&database[..16], "an SQLite database (Cursor keeps its chats in one)");
}

#[test]
fn a_recorded_session_of_qwen_code() {
    let bytes = recorded::file("agents", "qwen.small.jsonl");
    assert_unread(&bytes, "a Qwen Code session");
}

#[test]
fn sessions_of_claude_code_are_read_as_before() {
    let long = "a".repeat(200_000);
    let snapshot = r#"{"type":"file-history-snapshot","messageId":"x","snapshot":{}}"#;
    for text in [
        CLAUDE.to_owned(),
        format!("{CLAUDE}\n"),
        format!("{snapshot}\n{CLAUDE}\n"),
        format!("{{\"type\":\"summary\",\"summary\":\"S\",\"leafUuid\":\"u\"}}\n{CLAUDE}\n"),
        CLAUDE.replace(r#""content":"a""#, &format!(r#""content":"{long}""#)),
        // What follows so much of a record is not waited for.
        CLAUDE.replace(r#""content":"a""#, &format!(r#""content":"{long}","parts":[]"#)),
        // Damaged, and cut off.
        format!("{}\n{CLAUDE}\n", CLAUDE.replace("false", "fals")),
        format!("{{\"parentUuid\":null,\"uuid\":\"{long}"),
        "{\"parentUuid\":null,\"uuid\":\"u\",".to_owned(),
    ] {
        let t = opened(text.as_bytes(), TranscriptOptions::default());
        let (format, count, problems) = match &t {
            Ok(t) => (t.format(), t.message_count(), lost(t)),
            Err(error) => panic!("{error}: {}", &text[..80.min(text.len())]),
        };
        assert_eq!(format, Some(Format::ClaudeCode), "{problems:?}");
        let in_pieces = counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            for piece in text.as_bytes().chunks(1_000) {
                t.push(piece, env).unwrap();
            }
            // A record that is long enough is certain before its end.
            assert!(t.format().is_some() || text.len() < 200_000);
            t.end(env).unwrap();
            (t.format(), t.message_count(), lost(&t))
        });
        assert_eq!(in_pieces, (format, count, problems));
    }
}

#[test]
fn a_given_format_is_not_doubted() {
    let options =
        TranscriptOptions { format: Some(Format::ClaudeCode), ..TranscriptOptions::default() };
    let t = opened(QWEN.as_bytes(), options).unwrap();
    assert_eq!(t.format(), Some(Format::ClaudeCode));
}
