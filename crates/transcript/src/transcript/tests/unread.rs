//! Files that are recognised but not read open without messages and with one problem, in pieces of any size;
//! what begins like them is read as before.
#![cfg(not(target_arch = "wasm32"))]

use super::{counted, lost, opened};
use crate::formats::registry::Format;
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_fixtures::recorded;
use apex_parts_model::{Path, Problem, Severity};

const QWEN: &str = r#"{"uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/w","version":"0.1","message":{"role":"user","parts":[{"text":"hi"}]}}"#;
const CLAUDE: &str = r#"{"parentUuid":null,"isSidechain":false,"cwd":"/a","sessionId":"s","type":"user","message":{"role":"user","content":"a"},"uuid":"u","timestamp":"2025-01-01T00:00:00Z"}"#;

fn assert_unread(bytes: &[u8], what: &str) {
    let t = opened(bytes, TranscriptOptions::default()).unwrap();
    assert_eq!((t.format(), t.message_count(), t.session()), (None, 0, None), "{what}");
    assert!(t.sessions().is_empty());
    let [problem] = &t.problems()[..] else { panic!("{:?}", t.problems()) };
    assert_eq!(t.looks_like(), Some(what));
    let are = if what.contains("messages")
        || ["chats", "results", "steps"].iter().any(|end| what.ends_with(end))
    {
        "are"
    } else {
        "is"
    };
    let begin =
        format!("This looks like {what}, which {are} not read yet; read are: opencode-export, ");
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
    assert_unread(&database, "an SQLite database");
    assert_unread(&database[..16], "an SQLite database");
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

#[test]
fn what_others_write_is_named() {
    for (what, file) in [
        ("Cline or Roo Code UI messages", r#"[{"ts":1,"type":"say","say":"text","text":"x"}]"#),
        ("a Goose session", r#"{"working_dir":"/w","description":"d","message_count":2}"#),
        (
            "ATIF",
            r#"{"schema_version":"ATIF-v1.4","session_id":"s","agent":{"name":"a"},"steps":[]}"#,
        ),
        ("a Langfuse trace", r#"{"id":"t","projectId":"p","observations":[]}"#),
        ("a LangSmith run", r#"{"id":"r","run_type":"llm","trace_id":"t","inputs":{}}"#),
        (
            "Cursor stream-json",
            "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"cwd\":\"/w\"}\n{\"type\":\"assistant\",\
             \"message\":{\"role\":\"assistant\",\"content\":[]},\"session_id\":\"s\"}\n",
        ),
        (
            "pi --mode json",
            "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"cwd\":\"/w\"}\n\
             {\"type\":\"agent_start\"}\n",
        ),
        ("a data stream of the AI SDK 4", "f:{\"messageId\":\"m\"}\n0:\"Hello\"\n"),
        ("assistant-stream", "aui-state:[{\"type\":\"set\",\"path\":[],\"value\":1}]\n"),
        ("LangGraph", "event: metadata\ndata: {\"run_id\":\"r\"}\n\nevent: end\ndata: null\n\n"),
        (
            "LangGraph",
            "event: messages/partial\ndata: [{\"content\":\"a\",\"type\":\"AIMessageChunk\"}]\n\n",
        ),
        ("OpenAI's Realtime API", r#"{"type":"session.created","event_id":"e","session":{}}"#),
        (
            "Baidu ERNIE",
            "data: {\"object\":\"chat.completion\",\"is_end\":false,\"result\":\"a\"}\n\n",
        ),
        ("Codex exec --json", r#"{"type":"thread.started","thread_id":"t"}"#),
        ("Gemini stream-json", r#"{"type":"init","timestamp":"t","session_id":"s","model":"m"}"#),
        ("an Aider chat history", "\n# aider chat started at 2026-01-01 10:00:00\n\n#### hi\n"),
        (
            "an Aider chat history",
            "#### fix it\n\n```json\n{\"role\":\"user\",\"content\":\"x\"}\n```\n\n\
             # aider chat started at 2026-01-01 10:00:00\n\n#### hi\n",
        ),
        (
            "tau-bench results",
            r#"[{"task_id":0,"reward":1.0,"info":{},"traj":[{"role":"user","content":"x"}],"trial":0}]"#,
        ),
        (
            "tau-bench results",
            r#"{"timestamp":"t","info":{},"tasks":[],"simulations":[{"messages":[]}]}"#,
        ),
        (
            "LangChain messages",
            r#"[{"type":"human","data":{"content":"x","type":"human"}},{"type":"ai","data":{"content":"y"}}]"#,
        ),
        (
            "LangChain messages",
            r#"[{"content":"x","additional_kwargs":{},"response_metadata":{},"type":"system"}]"#,
        ),
        (
            "LangChain messages",
            r#"{"messages":[{"content":"x","additional_kwargs":{},"response_metadata":{},"type":"human"}]}"#,
        ),
        (
            "Pydantic AI messages",
            r#"[{"parts":[{"content":"x","part_kind":"user-prompt"}],"kind":"request"}]"#,
        ),
        (
            "smolagents steps",
            r#"[{"task":"x","task_images":null},{"step_number":1,"model_input_messages":[],"model_output":"y"}]"#,
        ),
        (
            "a HAR file",
            r#"{"log":{"version":"1.2","creator":{"name":"WebInspector"},"entries":[]}}"#,
        ),
        (
            "a ChatGPT export",
            r#"[{"title":"t","create_time":1.0,"mapping":{"a":{"id":"a","message":null}},"current_node":"a"}]"#,
        ),
        (
            "a claude.ai export",
            r#"[{"uuid":"u","name":"n","account":{"uuid":"a"},"chat_messages":[{"text":"x","sender":"human"}]}]"#,
        ),
        (
            "a VS Code chat",
            r#"{"version":3,"sessionId":"v","customTitle":"t","requests":[{"message":{"text":"x"},"response":[]}]}"#,
        ),
        ("a VS Code chat", r#"{"kind":0,"v":{"version":3,"sessionId":"v","requests":[]}}"#),
        (
            "a Continue session",
            r#"{"sessionId":"s","title":"t","workspaceDirectory":"/w","history":[{"message":{"role":"user","content":"x"},"contextItems":[]}]}"#,
        ),
        ("Cline --json", "{\"type\":\"agent_event\",\"event\":{\"type\":\"content_start\"}}\n"),
        (
            "a Grok Build session",
            "{\"type\":\"system\",\"content\":\"x\"}\n{\"type\":\"user\",\"content\":[],\"prompt_index\":0}\n",
        ),
        (
            "a Grok Build session",
            "{\"type\":\"tool_result\",\"tool_call_id\":\"c\",\"content\":\"x\"}\n",
        ),
        (
            "a Kimi Code session",
            "{\"type\":\"metadata\",\"protocol_version\":\"1.5\",\"created_at\":1}\n{\"type\":\"turn.prompt\",\"input\":[]}\n",
        ),
        (
            "a Kimi Code session",
            "{\"type\":\"turn.prompt\",\"agentId\":\"main\",\"input\":[{\"type\":\"text\",\"text\":\"x\"}],\"time\":1}\n",
        ),
    ] {
        assert_unread(file.as_bytes(), what);
    }
    let database = |tables: &str| [b"SQLite format 3\0".as_slice(), tables.as_bytes()].concat();
    let opencode = "OpenCode's database (`opencode export SESSION` gives a file that is read)";
    let tables = "CREATE TABLE `session` (id)CREATE TABLE message(id)CREATE TABLE part (id)";
    assert_unread(&database(tables), opencode);
    assert_unread(&database("CREATE TABLE cursorDiskKV (key)"), "Cursor's chats");
    assert_unread(&database("CREATE TABLE parts (id)"), "an SQLite database");
}

#[test]
fn a_file_without_a_message_is_no_success() {
    let summary = "{\"type\":\"summary\",\"summary\":\"S\",\"leafUuid\":\"u\"}\n";
    for file in ["[]\n", summary, r#"{"info":{"id":"s","title":"t"},"messages":[]}"#] {
        let t = opened(file.as_bytes(), TranscriptOptions::default()).unwrap();
        assert_eq!(t.problems(), [no_messages()], "{file}");
    }
}

fn no_messages() -> Problem {
    let message = "the session holds no messages";
    let problem = Problem::new(Severity::Error, "no-messages", &Path::ROOT, message);
    Problem { offset: Some(0.0), ..problem }
}

#[test]
fn a_file_without_a_message_is_told_at_its_end() {
    counted(|env| {
        let mut t = Transcript::new(TranscriptOptions::default());
        t.push(br#"{"info":{"id":"s","title":"t"},"messages":["#, env).unwrap();
        t.refresh(env);
        assert_eq!(t.problems(), []);
        t.push(b"]}", env).unwrap();
        t.refresh(env);
        assert_eq!(t.problems(), []);
        t.end(env).unwrap();
        assert_eq!(t.problems(), [no_messages()]);
    });
}

#[test]
fn a_notice_without_a_message_is_told() {
    let line = r#"{"type":"system","subtype":"api_error","level":"error","error":{"message":"boom"},"parentUuid":null,"uuid":"u","sessionId":"s"}"#;
    let t = opened(line.as_bytes(), TranscriptOptions::default()).unwrap();
    let problems: Vec<_> = t.problems().iter().map(|p| (p.severity, p.message.clone())).collect();
    assert!(t.sessions().is_empty());
    assert!(problems.iter().any(|(severity, _)| *severity == Severity::Error), "{problems:?}");
    assert!(problems.iter().any(|(_, said)| said.contains("boom")), "{problems:?}");
}

#[test]
fn heads_of_http_before_a_stream_are_no_damage() {
    let head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200 \r\ncontent-type: text/event-stream\r\n\
                report-to: {\"group\":\"g\",\"endpoints\":[{\"url\":\"u\"}]}\r\n\r\n";
    let chunk = r#"{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let file = format!("{head}data: {chunk}\n\ndata: [DONE]\n\n");
    let t = opened(file.as_bytes(), TranscriptOptions::default()).unwrap();
    assert_eq!((t.format().map(Format::as_str), t.message_count()), (Some("openai-chat"), 1));
    assert_eq!(t.problems(), []);
    for size in [1, 7, 300] {
        let in_pieces = counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            for piece in file.as_bytes().chunks(size) {
                t.push(piece, env).unwrap();
                t.refresh(env);
            }
            t.end(env).unwrap();
            (t.format().map(Format::as_str), t.message_count(), t.problems())
        });
        assert_eq!(in_pieces, (Some("openai-chat"), 1, Vec::new()), "in pieces of {size}");
    }
    // A transcript, too; and what only begins like one is a text before the JSON.
    let t = opened(format!("{head}{CLAUDE}\n").as_bytes(), TranscriptOptions::default()).unwrap();
    assert_eq!((t.format(), t.problems().len()), (Some(Format::ClaudeCode), 0));
    let t = opened(
        format!("HTTP/1.1 is spoken\nhere {CLAUDE}\n").as_bytes(),
        TranscriptOptions::default(),
    );
    assert_eq!(t.unwrap().problems().len(), 1);
    let unread = format!("{head}{{\"type\":\"thread.started\",\"thread_id\":\"t\"}}\n");
    let t = opened(unread.as_bytes(), TranscriptOptions::default()).unwrap();
    assert_eq!(t.looks_like(), Some("Codex exec --json"));
}
