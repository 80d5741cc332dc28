//! Archives, also damaged ones, and recorded logs.

use super::*;
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
    // While it is being written, there is only the start; later entries count.
    let mut some = entries();
    some.truncate(3);
    some.push(NewEntry::stored("samples/b_epoch_2.json", &sample("new")));
    let made = read(&eval(&some));
    let ids: Vec<_> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!((ids, made.problems.len()), (vec!["R/a/c_2", "R/new_2"], 1));
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
    let made = reader.into_loaded();
    assert!(made.problems.iter().any(|p| p.rule == "limit"));
}

/// The logs among the recorded files.
fn logs() -> Vec<(String, Vec<u8>)> {
    recorded::files("agents", |name| name.starts_with("inspect."))
}

#[test]
fn recorded_logs_are_read() {
    for (name, bytes) in logs() {
        let made = read(&bytes);
        assert!(made.problems.iter().all(|p| p.severity != Severity::Error), "{name}");
        shared::assert_valid(&made, Ids::OpenCode);
        assert_eq!(made, read(&bytes), "{name}");
    }
}

#[test]
#[ignore = "a recording of other people: npm run test:recorded -- DIR"]
fn recorded_logs_have_what_their_programs_wrote() {
    for (name, bytes) in logs() {
        let made = read(&bytes);
        if name == "inspect.guess-number.eval" {
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
