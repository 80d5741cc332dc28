//! A record that is an object is read alike from its bytes and from its tape.

use super::reading::made;
use crate::{
    ClaudeCode, ClaudeStream, Codex, CopilotCli, Env, FormatReader, LoadedSessions, Pi, Record,
    TranscriptFormat,
};
use apex_parts_fixtures::recorded;
use apex_parts_json::tape::Tape;
use std::fs;
use std::path::{Path, PathBuf};

/// The sessions of a file whose lines are given to the reader on a tape.
fn made_of_objects(mut reader: Box<dyn FormatReader>, bytes: &[u8]) -> LoadedSessions {
    let mut new_id = String::new;
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id };
    let (mut tape, mut offset) = (Tape::default(), 0);
    for line in bytes.split(|byte| *byte == b'\n') {
        let record = Record { json: line, event: "", offset };
        offset += line.len() as u64 + 1;
        if line.is_empty() {
            continue;
        }
        let text = std::str::from_utf8(line).unwrap();
        assert_eq!(tape.read(line, 0), Ok(line.len()));
        let objects = reader.objects().unwrap();
        objects.object(record, text, tape.root(line), &mut env);
    }
    reader.finish(bytes.len() as u64, &mut env)
}

/// The files of recorded runs below a folder.
fn lines_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lines_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            found.push(path);
        }
    }
}

#[test]
fn recorded_lines_are_read_alike() {
    type NewReader = fn() -> Option<Box<dyn FormatReader>>;
    let readers: [(&str, NewReader); 4] = [
        ("codex.", Codex::reader),
        ("copilot-cli.", CopilotCli::reader),
        ("pi.", Pi::reader),
        ("claude-code.", ClaudeCode::reader),
    ];
    let mut files = recorded::paths("agents", |name| name.ends_with(".jsonl"));
    lines_below(&apex_parts_fixtures::path("recorded/runs"), &mut files);
    for (begin, reader) in readers {
        let is_of =
            |path: &&PathBuf| path.iter().any(|name| name.to_string_lossy().starts_with(begin));
        let own: Vec<&PathBuf> = files.iter().filter(is_of).collect();
        assert!(own.len() >= 2, "{begin}: {} files", own.len());
        for path in own {
            let bytes = fs::read(path).unwrap();
            let lines = made_of_objects(reader().unwrap(), &bytes);
            assert_eq!(lines, made(reader().unwrap(), &bytes), "{}", path.display());
            assert!(!lines.sessions.is_empty(), "{}", path.display());
        }
    }
    assert!(ClaudeStream::reader().unwrap().objects().is_some());
}
