//! Damaged and hostile files: what can be read is read, losses are reported, and nothing panics. Tested with files
//! written by hand, and with recorded ones.

use apex_parts_fixtures::recorded;
use apex_parts_loops::Config;
use apex_parts_model::Error;
use apex_parts_transcript::search::query::Query;
use apex_parts_transcript::{Env, Transcript, TranscriptOptions};
use std::fs;
use std::path::PathBuf;

/// A random generator, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [
        apex_parts_fixtures::path("streams"),
        apex_parts_fixtures::path("formats"),
        recorded::folder("opencode"),
        recorded::folder("providers"),
    ] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if name.ends_with(".sse") || name.ends_with(".txt") || name.ends_with(".export.json") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// Opens a file and calls everything that reads it. Returns the number of its messages too.
fn open(bytes: &[u8]) -> Result<(Transcript, usize), Error> {
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut || "id".to_owned() };
    let t = Transcript::open(bytes, TranscriptOptions::default(), &mut env)?;
    for index in 0..t.message_count() {
        let message = t.message(index).unwrap().unwrap();
        let lossy = String::from_utf8_lossy(&message);
        // Messages of damaged files are JSON too.
        assert!(apex_parts_json::tape::Tape::default().read(&message, 0).is_ok(), "{lossy}");
    }
    for problem in t.problems() {
        assert!(!problem.message.is_empty());
    }
    for session in t.sessions() {
        let _ = t.messages_of(&session.id).unwrap();
    }
    let _ = t.search(&Query::new("the", false), 50).unwrap();
    let _ = t.loops(&Config::default()).unwrap();
    let count = t.message_count();
    Ok((t, count))
}

/// Opens a damaged file; it may be refused.
fn damaged(bytes: &[u8], name: &str) {
    match open(bytes) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.name(), "TranscriptError", "{name}"),
    }
}

#[test]
fn recorded_files_cut_anywhere() {
    for path in files() {
        let whole = fs::read(&path).unwrap();
        let name = path.display().to_string();
        let (_, all) = open(&whole).unwrap_or_else(|e| panic!("{name}: {e}"));
        let step = if whole.len() > 50_000 { 9_970 } else { 997 };
        for cut in (0..whole.len()).step_by(step) {
            match open(&whole[..cut]) {
                Ok((_, count)) => assert!(count <= all + 1, "{name} cut at {cut}"),
                Err(error) => assert_eq!(error.name(), "TranscriptError", "{name} cut at {cut}"),
            }
        }
    }
}

#[test]
fn recorded_files_with_flipped_bytes() {
    let mut random = Random(1);
    for path in files() {
        let whole = fs::read(&path).unwrap();
        let name = path.display().to_string();
        for _ in 0..if whole.len() > 50_000 { 4 } else { 30 } {
            let mut bytes = whole.clone();
            for _ in 0..1 + random.below(20) {
                let at = random.below(bytes.len());
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
            damaged(&bytes, &name);
        }
    }
}

#[test]
fn recorded_files_with_shuffled_lines() {
    let mut random = Random(2);
    for path in files() {
        let whole = fs::read(&path).unwrap();
        let name = path.display().to_string();
        let mut lines: Vec<&[u8]> = whole.split_inclusive(|b| *b == b'\n').collect();
        for i in (1..lines.len()).rev() {
            lines.swap(i, random.below(i + 1));
        }
        damaged(&lines.concat(), &name);
    }
}

fn refused(bytes: &[u8]) -> String {
    let error = open(bytes).map(|(_, count)| count).unwrap_err();
    assert_eq!(error.name(), "TranscriptError");
    error.to_string()
}

#[test]
fn files_of_other_kinds_are_refused_with_a_reason() {
    for (bytes, says) in [
        (&b""[..], "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\xef\xbb\xbf \r\n", "empty"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "gzip"),
        (b"PK\x03\x04....", "ZIP"),
        (b"\x28\xb5\x2f\xfd\x04", "zstd"),
        (b"\xff\xfe[\0]\0", "UTF-16"),
        (b"\xfe\xff\0[\0]", "UTF-16"),
        (b"[\0{\0", "UTF-16"),
        (b"<!doctype html><html><body>{\"a\":1}", "HTML"),
        (b"no JSON at all, only words", "no JSON"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(says), "{bytes:?}: {message}");
    }
    let utf16: Vec<u8> =
        "[{\"info\":{},\"parts\":[]}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(refused(&utf16).contains("UTF-16"));
}

const MESSAGE: &str = r#"{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]}"#;

#[test]
fn nested_a_hundred_thousand_deep() {
    let deep = "[".repeat(100_000);
    damaged(deep.as_bytes(), "open");
    let closed = format!("{deep}{}", "]".repeat(100_000));
    damaged(closed.as_bytes(), "closed");
    // A message that is too deep is left out; those before and after it are read.
    let bad = MESSAGE.replace("[]", &format!("[{{\"type\":\"text\",\"metadata\":{closed}}}]"));
    let list = format!("[{MESSAGE},{bad},{MESSAGE}]");
    let (t, count) = open(list.as_bytes()).unwrap();
    assert_eq!(count, 2);
    assert!(t.problems().iter().any(|p| p.message.contains("nested too deep")));
    let lines = format!("{MESSAGE}\n{bad}\n{MESSAGE}\n");
    let (t, count) = open(lines.as_bytes()).unwrap();
    assert_eq!(count, 2);
    assert!(t.problems().iter().any(|p| p.message.contains("nested too deep")));
    // Nested objects, and an event of a server.
    damaged("{\"a\":".repeat(100_000).as_bytes(), "objects");
    let event =
        format!("data: {{\"type\":\"message.updated\",\"properties\":{{\"info\":{closed}}}}}\n\n");
    damaged(event.as_bytes(), "event");
}

#[test]
fn one_very_long_string() {
    let long = "x".repeat(40 << 20);
    let text = MESSAGE.replace("[]", &format!("[{{\"type\":\"text\",\"text\":\"{long}\"}}]"));
    let (t, count) = open(format!("[{text}]").as_bytes()).unwrap();
    assert_eq!((count, t.part_count()), (1, 1));
    // Cut off in the string.
    damaged(&text.as_bytes()[..30 << 20], "cut");
}

#[test]
fn repeated_keys_and_names_of_object_prototypes() {
    let twice = r#"[{"info":{"id":"a","id":"b","role":"user","sessionID":"__proto__"},"parts":[],"parts":[{"type":"constructor","id":"__proto__"},{"type":"tool","tool":"toString","state":{"status":"completed","input":{"__proto__":1}}}]}]"#;
    let (t, count) = open(twice.as_bytes()).unwrap();
    assert_eq!((count, t.part_count()), (1, 2));
    assert_eq!(t.stats().parts.get("constructor"), Some(&1));
    assert_eq!(t.stats().tools.get("toString").unwrap().calls, 1);
    assert_eq!(t.sessions()[0].id, "__proto__");
    assert_eq!(t.messages_of("__proto__").unwrap().len(), 1);
    assert_eq!(t.messages_of("toString").unwrap().len(), 0);
}

/// With one problem per byte, an unbounded list would fill the memory.
#[test]
fn the_list_of_problems_is_bounded() {
    let list = format!("[{}0]", "0,".repeat(200_000));
    let text = format!("{MESSAGE}\n{}", "rubbish\n".repeat(200_000));
    assert!(open(list.as_bytes()).is_err());
    let (t, _) = open(text.as_bytes()).unwrap();
    assert!((10_000..30_000).contains(&t.problems().len()));
    assert!(t.problems().iter().any(|p| p.message.contains("the others are not listed")));
    let parts = "{},".repeat(50_000);
    let bad = MESSAGE.replace("[]", &format!("[{parts}{{}}]"));
    let (t, _) = open(format!("[{bad}]").as_bytes()).unwrap();
    assert!((10_000..30_000).contains(&t.problems().len()));
}

/// Twice the file takes about twice the time, even if it is written to take more.
#[test]
fn the_time_is_linear() {
    let makers: [fn(usize) -> String; 5] = [
        |n| format!("[{}", "{\"info\":".repeat(n / 8)),
        |n| format!("[{}", "{\"info\":{},\"parts\":[".repeat(n / 20)),
        |n| format!("[{MESSAGE},{}", "{\"info\":{}x".repeat(n / 11)),
        |n| format!("{MESSAGE}\n{}", "{\n".repeat(n / 2)),
        |n| format!("[{MESSAGE},{}", "\"info\"".repeat(n / 6)),
    ];
    for (which, make) in makers.into_iter().enumerate() {
        let (small, large) = (make(100_000), make(800_000));
        let time = |text: &str| {
            let start = std::time::Instant::now();
            damaged(text.as_bytes(), "linear");
            start.elapsed()
        };
        // The machine may be busy with other work: the shortest of many times counts.
        let (mut short, mut long) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..30 {
            short = short.min(time(&small).as_secs_f64());
            long = long.min(time(&large).as_secs_f64());
            if long < short * 30.0 {
                break;
            }
        }
        assert!(long < short * 30.0, "{which}: {short} s, and {long} s for 8 times the length");
    }
}

/// `opencode import` stops at a file without the array, so it is told; where the array is read all the same, it is not.
#[test]
fn an_export_without_its_array_says_so() {
    let missing = |text: &str| {
        let (t, _) = open(text.as_bytes()).unwrap();
        let found =
            t.problems().into_iter().filter(|p| p.message.contains("`messages` is missing"));
        found.map(|p| (p.rule, p.offset)).collect::<Vec<_>>()
    };
    for messages in ["", r#","messages":null"#, r#","messages":{}"#] {
        let text = format!(r#"{{"info":{{"id":"s","title":"T"}}{messages}}}"#);
        let end = (text.len() - 1) as f64;
        assert_eq!(missing(&text), [("schema".to_owned(), Some(end))], "{text}");
    }
    let message = r#"{"info":{"id":"m","role":"user"},"parts":[]}"#;
    for text in [
        r#"{"info":{"id":"s","title":"T"},"messages":[]}"#.to_owned(),
        format!(r#"{{"messages":[{message}],"info":{{"id":"s","title":"T"}}}}"#),
        format!(r#"{{"info":{{"id":"s","title":NaN}},"messages":[{message}]}}"#),
        format!(r#"{{"info":{{"id":"s","title":"T"}},"messages":[{message}"#),
    ] {
        assert_eq!(missing(&text), [], "{text}");
    }
}
