//! Files whose records are of two formats: they are refused, or one problem says how many were left out.
#![cfg(not(target_arch = "wasm32"))]

use super::*;
use apex_parts_model::Severity;

const MESSAGE: &str = "{\"role\":\"user\",\"content\":\"m\"}\n";
/// A record of another program, with content of its own.
const PROMPT: &str = "{\"type\":\"app.prompt\",\"kind\":\"prompt\",\"input\":[{\"type\":\"text\",\"text\":\"lost\"}]}\n";
/// One that does not say what it is.
const NOTE: &str = "{\"stamp\":1,\"body\":\"other program\"}\n";

/// How a file opens: its format and how many messages it has, or that it is refused; and its problems of the rule
/// `schema`. The same in pieces of any size.
fn outcome(file: &str) -> (Option<&'static str>, usize, Vec<(Severity, String)>) {
    let shown = |opened: Result<Transcript, Error>| match opened {
        Ok(t) => {
            let problems = t.problems().into_iter().filter(|problem| problem.rule == "schema");
            let problems = problems.map(|problem| (problem.severity, problem.message)).collect();
            (t.format().map(Format::as_str), t.total_messages(), problems)
        }
        Err(error) => (None, 0, vec![(Severity::Error, error.to_string())]),
    };
    let whole = shown(opened(file.as_bytes(), TranscriptOptions::default()));
    for size in [97, 4_096] {
        let pieces = counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            for piece in file.as_bytes().chunks(size) {
                t.push(piece, env).unwrap();
                if size > 1_000 {
                    t.refresh(env);
                }
            }
            t.end(env).map(|()| t)
        });
        assert_eq!(shown(pieces), whole, "in pieces of {size}");
    }
    whole
}

fn count_of_errors(problems: &[(Severity, String)]) -> usize {
    problems.iter().filter(|(severity, _)| *severity == Severity::Error).count()
}

#[test]
fn one_field_is_no_sign_of_messages() {
    let telegram = r#"{"name":"A","type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date":"2026-01-01T00:00:00","from":"Ann","from_id":"user1","text":"hello"}]}"#;
    for file in [PROMPT.to_owned(), PROMPT.repeat(30), telegram.to_owned()] {
        let (format, messages, problems) = outcome(&file);
        assert_eq!((format, messages), (None, 0), "{problems:?}");
        assert!(!problems[0].1.contains("{info, parts}"), "{problems:?}");
    }
}

#[test]
fn files_between_messages_and_another_program_are_no_success() {
    for other in [PROMPT, NOTE] {
        for (messages, others) in [(1, 1), (5, 5), (1, 99), (30, 12), (12, 30), (400, 400)] {
            for file in [
                MESSAGE.repeat(messages) + &other.repeat(others),
                other.repeat(others) + &MESSAGE.repeat(messages),
            ] {
                let (.., problems) = outcome(&file);
                assert_eq!(count_of_errors(&problems), 1, "{messages} and {others}: {problems:?}");
            }
        }
    }
    // Where it begins as messages for long, what was read stays.
    let long = format!("{{\"role\":\"user\",\"content\":\"{}\"}}\n", "x".repeat(10_000)).repeat(30);
    let (format, messages, problems) = outcome(&(long + &PROMPT.repeat(12)));
    assert_eq!((format, messages), (Some("messages-openai-chat"), 30));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].1.starts_with("12 of 42 records are not of OpenAI Chat messages"));
}

#[test]
fn a_few_late_records_of_another_program_are_a_warning() {
    let (format, messages, problems) = outcome(&(MESSAGE.repeat(3_000) + &NOTE.repeat(30)));
    assert_eq!((format, messages), (Some("messages-openai-chat"), 3_000));
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].0, Severity::Warning);
    // Damage is not another program.
    let broken = "{\"role\":\"us\n".repeat(40);
    let (format, messages, problems) = outcome(&(MESSAGE.repeat(20) + &broken));
    assert_eq!((format, messages), (Some("messages-openai-chat"), 20));
    assert_eq!(count_of_errors(&problems), 0, "{problems:?}");
}

#[test]
fn another_format_may_follow() {
    let claude = r#"{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":"a"},"uuid":"u","timestamp":"2025-01-01T00:00:00Z"}"#;
    let file = MESSAGE.to_owned() + &format!("{claude}\n").repeat(3);
    assert_eq!(outcome(&file).0, Some("claude-code"));
    let kimi = format!("{MESSAGE}{{\"type\":\"metadata\",\"protocol_version\":\"1.5\"}}\n");
    let (format, _, problems) = outcome(&(kimi + PROMPT));
    assert_eq!(format, None);
    assert!(problems[0].1.contains("Kimi Code"), "{problems:?}");
}

/// A file of each format whose records are lines.
fn files_of_lines() -> Vec<(&'static str, String)> {
    let recordings = [
        ("claude-code", "claude-code.ordinary"),
        ("codex", "codex.ordinary"),
        ("copilot-cli", "copilot-cli.ordinary"),
        ("gemini-cli", "gemini-cli.ordinary"),
        ("pi", "pi.ordinary"),
    ];
    let root = apex_parts_fixtures::path("recorded/runs");
    let mut files: Vec<_> = recordings
        .map(|(format, run)| {
            let files: Vec<_> =
                fs::read_dir(root.join(run)).unwrap().map(|file| file.unwrap().path()).collect();
            let lines =
                files.iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl"));
            let texts = lines.map(|file| fs::read_to_string(file).unwrap());
            (format, texts.max_by_key(String::len).unwrap_or_else(|| panic!("no lines in {run}")))
        })
        .into();
    for format in ["opencode-run", "claude-stream"] {
        let path = apex_parts_fixtures::path("formats").join(format!("{format}.txt"));
        files.push((format, fs::read_to_string(path).unwrap()));
    }
    files
}

#[test]
fn more_than_half_of_another_program_is_one_error_in_every_format() {
    for (format, file) in files_of_lines() {
        let lines = file.lines().count();
        let before = outcome(&file);
        assert_eq!(before.0, Some(format));
        assert_eq!(count_of_errors(&before.2), 0, "{format}: {:?}", before.2);
        let file = format!("{}\n", file.trim_end());
        // Of some formats a record without a type is an error of its own, too.
        let told = |problems: &[(Severity, String)]| {
            problems.iter().filter(|(_, message)| message.contains("records are not of")).count()
        };
        for other in [PROMPT, NOTE] {
            let (own, messages, problems) = outcome(&(file.clone() + &other.repeat(lines + 9)));
            assert_eq!((own, told(&problems)), (Some(format), 1), "{problems:?}");
            assert!(messages >= before.1, "{format}: what was read stays");
            let few = outcome(&(file.clone() + &other.repeat(lines / 100 + 1)));
            assert!(lines < 5 || told(&few.2) == 0, "{format}: {:?}", few.2);
            let many = outcome(&(file.clone() + &other.repeat(lines * 99)));
            assert_eq!(told(&many.2), 1, "{format}");
        }
        let damaged = outcome(&(file.clone() + &"{\"timestamp\":\"2026-01-0\n".repeat(lines * 2)));
        assert_eq!(count_of_errors(&damaged.2), 0, "{format}: damage does not count");
    }
}

#[test]
fn every_record_of_recorded_sessions_is_its_format_s() {
    let root = apex_parts_fixtures::path("recorded");
    let mut folders = vec![root];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(t) = opened(&fs::read(&path).unwrap(), TranscriptOptions::default()) else {
                continue;
            };
            if t.records.total() > 0 {
                assert_eq!(t.records.foreign, 0, "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}
