//! Archives, files that are cut off or damaged, and recorded logs.

use super::*;
use crate::formats::registry::Format;
use apex_parts_fixtures::recorded;
use apex_parts_zip::writer::{NewEntry, zip};

fn eval(entries: &[NewEntry]) -> Vec<u8> {
    zip(entries)
}

fn sample(text: &str) -> Vec<u8> {
    let sample = with_ids(json!({"id": text, "messages": [{"role": "user", "content": text}]}));
    sample.to_string().into_bytes()
}

fn entries() -> Vec<NewEntry> {
    let head = header().to_string().into_bytes();
    vec![
        NewEntry::stored("_journal/start.json", &head),
        NewEntry::deflated("samples/b_epoch_2.json", &sample("b")),
        NewEntry::deflated("samples/a/c_epoch_2.json", &sample("a/c")),
        NewEntry::stored("_journal/summaries/1.json", b"[{\"id\": 1}]"),
        NewEntry::stored("summaries.json", b"["),
        NewEntry::deflated("header.json", &head),
    ]
}

#[test]
fn an_archive_has_its_samples_in_its_order() {
    let made = read(&eval(&entries()));
    assert_eq!(shared::problems(&made), Vec::<String>::new());
    let ids: Vec<_> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["R/b_2", "R/a/c_2"]);
    let transcript = open(&eval(&entries())).unwrap();
    assert_eq!(transcript.format(), Some(Format::Inspect));
    assert_eq!((transcript.message_count(), transcript.problems()), (1, vec![]));
    // While it is being written, there is only the start; later entries count.
    let mut some = entries();
    some.truncate(3);
    some.push(NewEntry::stored("samples/b_epoch_2.json", &sample("new")));
    let made = read(&eval(&some));
    let ids: Vec<_> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!((ids, made.problems.len()), (vec!["R/a/c_2", "R/new_2"], 1));
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
    let mut transcript = Transcript::new(TranscriptOptions::default());
    with_env(|env| {
        transcript.push(&docx, env).unwrap();
        assert!(transcript.end(env).is_err());
    });
    assert_eq!(transcript.format(), None);
}

#[test]
fn damage_in_an_archive_is_told() {
    let mut some = entries();
    some[1].method = 93;
    let broken = sample("a/c");
    some[2] = NewEntry::deflated("samples/a/c_epoch_2.json", &broken[..broken.len() - 4]);
    some[5] = NewEntry::stored("header.json", b"{\"version\": ");
    let made = read(&eval(&some));
    let problems = shared::problems(&made);
    assert_eq!(made.sessions.len(), 1);
    assert_eq!(made.sessions[0].title.as_deref(), Some("T a/c (epoch 2)"));
    assert!(
        problems.iter().any(|p| p.contains("samples/b_epoch_2.json: it is compressed with zstd"))
    );
    assert!(problems.iter().any(|p| p.contains("samples/a/c_epoch_2.json: ")), "{problems:?}");
    assert!(problems.iter().any(|p| p.contains("header.json: ")), "{problems:?}");
    // Bounds.
    let mut reader = InspectReader::new(ZipBounds { unpacked: 200, ..ZipBounds::default() });
    reader.archive(Record { json: &eval(&entries()), event: "", offset: 0 });
    let made = reader.loaded(true);
    assert!(made.problems.iter().any(|p| p.rule == "limit"));
}

/// Each cut opens with the messages before it, and nothing but problems.
fn assert_cuts_open(bytes: &[u8], step: usize, from: usize) {
    let whole = open(bytes).unwrap();
    let all: usize = whole.sessions().iter().map(|s| whole.messages_of(&s.id).unwrap().len()).sum();
    let mut most = 0;
    for cut in (from..bytes.len()).step_by(step) {
        let transcript = open(&bytes[..cut]).unwrap_or_else(|e| panic!("{cut}: {e}"));
        assert!(!transcript.problems().is_empty(), "{cut}");
        let sessions = transcript.sessions();
        let count: usize =
            sessions.iter().map(|s| transcript.messages_of(&s.id).unwrap().len()).sum();
        assert!(count >= most && count <= all, "{cut}: {count} {most}");
        most = count;
    }
    assert!(most == all || step > 1, "{most} of {all}");
}

#[test]
fn a_file_opens_up_to_its_cut() {
    assert_cuts_open(&eval(&entries()), 1, 6);
    let bytes = log(json!({"messages": [{"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "text", "text": "b"}]}], "events": []}));
    // `serde_json` sorts the fields: `eval` is the first.
    let at = bytes.windows(8).position(|w| w == b"\"samples").unwrap();
    let head = format!(
        "{{\"version\":2,\"status\":\"started\",{}",
        &String::from_utf8_lossy(&bytes[1..at - 1])
    );
    let whole = format!("{head},\"samples\":{}", String::from_utf8_lossy(&bytes[at + 10..]));
    assert_cuts_open(whole.as_bytes(), 1, 14);
}

#[test]
fn a_log_is_shown_while_it_arrives() {
    let bytes = eval(&entries());
    let mut transcript = Transcript::new(TranscriptOptions::default());
    with_env(|env| {
        transcript.push(&bytes[..bytes.len() - 300], env).unwrap();
        transcript.refresh(env);
        assert_eq!((transcript.message_count(), transcript.problems()), (1, vec![]));
        transcript.push(&bytes[bytes.len() - 300..], env).unwrap();
        transcript.end(env).unwrap();
    });
    assert_eq!((transcript.sessions().len(), transcript.problems()), (2, vec![]));
}

/// The logs among the recorded files.
fn logs() -> Vec<(String, Vec<u8>)> {
    recorded::files("agents", |name| name.starts_with("inspect."))
}

#[test]
fn recorded_logs_open() {
    for (name, bytes) in logs() {
        let transcript = open(&bytes).unwrap();
        assert_eq!(transcript.format(), Some(Format::Inspect), "{name}");
        let errors: Vec<_> =
            transcript.problems().into_iter().filter(|p| p.severity == Severity::Error).collect();
        assert_eq!(errors, [], "{name}");
        let made = read(&bytes);
        shared::assert_valid(&made, Ids::OpenCode);
        assert_eq!(made, read(&bytes), "{name}");
        let (step, from) = if name.ends_with(".eval") { (7, 6) } else { (101, 14) };
        assert_cuts_open(&bytes, step, from);
    }
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn recorded_logs_have_what_their_programs_wrote() {
    for (name, bytes) in logs() {
        let (transcript, made) = (open(&bytes).unwrap(), read(&bytes));
        let count = match name.as_str() {
            "inspect.guess-number.eval" => 7,
            "inspect.no-samples.json" => 0,
            "inspect.tool-errors.json" => 1,
            _ => 2,
        };
        assert_eq!(transcript.message_count(), count, "{name}");
        if name == "inspect.guess-number.eval" {
            assert!(transcript.problems().is_empty(), "{name}");
            let found = shared::root(&made);
            let state = &found[1]["parts"][2]["state"];
            assert_eq!(state["status"], "completed");
            assert_eq!(
                state["time"],
                json!({"start": 1_759_745_745_377_u64, "end": 1_759_745_745_470_u64})
            );
            assert_eq!(types(&found[6]), ["step-start", "text", "step-finish", "score"]);
        }
        if name.starts_with("inspect.read-sample") {
            let found = shared::root(&made);
            assert_eq!(found[1]["info"]["tokens"]["total"], 69);
            assert_eq!(found[1]["info"]["providerID"], "ollama");
        }
    }
}
