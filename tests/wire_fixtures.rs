//! Our own small streams, one or two a provider: what the readers make of them, that a snapshot at
//! any record goes on as if nothing had been, and that no change to a record makes a reader panic.
#![cfg(all(not(target_arch = "wasm32"), feature = "full"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod streams;

use apex_parts::model::delta::{Payload, ReaderOutput};
use apex_parts::wire::reader::{Provider, Reader, reader, sniff};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use streams::{Collected, Response, collect, feed, split};

type Records = Vec<(String, String)>;

fn fixtures() -> Vec<(PathBuf, Provider, Records)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams");
    let entries = [folder.clone(), folder.join("cut")].map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<_> = entries.into_iter().flatten().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "sse"));
    paths.sort();
    assert!(paths.len() >= 15);
    let read = |path: PathBuf| {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let format = Provider::parse(stem.rsplit('.').next().unwrap()).unwrap();
        let records = split(&fs::read_to_string(&path).unwrap());
        (path, format, records)
    };
    paths.into_iter().map(read).collect()
}

fn dump(all: &Collected) -> Value {
    let response = |r: &Response| {
        let parts: Vec<_> = r.parts.iter().map(|(kind, text)| json!([kind, text])).collect();
        let calls: Vec<_> = r
            .calls
            .iter()
            .map(|c| json!({ "id": c.id, "name": c.name, "args": c.args, "ended": c.ended }))
            .collect();
        let results: Vec<_> = r.results.iter().map(|(id, e, v)| json!([id, e, v])).collect();
        let usage = r.usage.map(|u| {
            json!({
                "input": u.input, "output": u.output, "total": u.total, "cost": u.cost,
                "cacheRead": u.cache_read, "cacheWrite": u.cache_write, "reasoning": u.reasoning,
            })
        });
        json!({
            "model": r.model, "request": r.request, "parts": parts, "calls": calls,
            "results": results, "usage": usage, "finish": r.finish, "error": r.error,
            "compaction": r.compaction, "provider": r.provider, "late": r.late,
        })
    };
    let responses: Vec<_> = all.responses.iter().map(response).collect();
    json!({ "responses": responses, "faults": all.faults })
}

#[test]
fn what_the_readers_make_of_them() {
    for (path, format, records) in fixtures() {
        let told = records.iter().find_map(|(_, data)| sniff(data.as_bytes()));
        assert_eq!(told, Some(format), "{}", path.display());
        let made = dump(&collect(format, &records));
        let expected = path.with_extension("expected.json");
        if !expected.exists() {
            // A new fixture: look at what was written before it is committed.
            fs::write(&expected, serde_json::to_string_pretty(&made).unwrap() + "\n").unwrap();
        }
        let expected: Value = serde_json::from_slice(&fs::read(expected).unwrap()).unwrap();
        assert_eq!(made, expected, "{}", path.display());
    }
}

#[test]
fn a_snapshot_at_any_record_goes_on() {
    for (path, format, records) in fixtures() {
        let whole = collect(format, &records);
        for cut in 0..=records.len() {
            let mut all = Collected::default();
            let mut first = reader(format);
            feed(&mut *first, &records[..cut], &mut all);
            let text = first.snapshot().to_string();
            let mut second = reader(format);
            second.restore(serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(second.snapshot(), first.snapshot());
            feed(&mut *second, &records[cut..], &mut all);
            second.end(&mut |said| all.take(said));
            assert_eq!(all, whole, "{} cut at {cut}", path.display());
        }
    }
}

#[test]
fn a_bad_snapshot_changes_nothing() {
    for format in Provider::ALL {
        let mut reader = reader(*format);
        let before = reader.snapshot();
        for bad in [json!("x"), json!(7), json!({ "phase": 3 }), json!([])] {
            assert_eq!(reader.restore(bad).unwrap_err().rule, "schema");
            assert_eq!(reader.snapshot(), before);
        }
    }
}

/// Takes one record and checks the promise of a fault: nothing said, nothing changed.
fn prod(reader: &mut dyn Reader, event: &str, data: &[u8], begun: &mut bool) {
    let before = reader.snapshot();
    let mut said = 0;
    let result = reader.record(event, data, &mut |one| {
        said += 1;
        let start = matches!(
            one,
            ReaderOutput::Delta(Payload::Start { .. }) | ReaderOutput::Warning { .. }
        );
        assert!(*begun || start, "{one:?} comes before a Start");
        *begun = true;
    });
    if let Err(fault) = result {
        assert!(said == 0 && reader.snapshot() == before, "{fault:?}");
        assert!(!fault.message.is_empty());
    }
}

/// Reads all records with one of them replaced.
fn with(format: Provider, records: &Records, at: usize, other: &[u8]) {
    let mut reader = reader(format);
    let mut begun = false;
    for (i, (event, data)) in records.iter().enumerate() {
        prod(&mut *reader, event, if i == at { other } else { data.as_bytes() }, &mut begun);
    }
    reader.end(&mut |_| {});
}

/// Every value that differs from this one in one place by its type, or lacks one field.
fn twisted(value: &Value, found: &mut Vec<Value>, wrap: &dyn Fn(Value) -> Value) {
    let others =
        [json!(null), json!(true), json!(-1.5), json!("x"), json!([]), json!({}), json!([[]])];
    found.extend(others.into_iter().map(wrap));
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                let mut without = map.clone();
                without.remove(name);
                found.push(wrap(Value::Object(without)));
                twisted(inner, found, &|new| {
                    let mut map = map.clone();
                    map.insert(name.clone(), new);
                    wrap(Value::Object(map))
                });
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                twisted(inner, found, &|new| {
                    let mut list = list.clone();
                    list[at] = new;
                    wrap(Value::Array(list))
                });
            }
        }
        _ => {}
    }
}

#[test]
fn a_field_of_another_type_is_a_fault_or_ignored() {
    for (_, format, records) in fixtures() {
        for (at, (_, data)) in records.iter().enumerate() {
            let Ok(value) = serde_json::from_str::<Value>(data) else { continue };
            let mut found = Vec::new();
            twisted(&value, &mut found, &|v| v);
            // The rest of the stream matters for what the record opens or closes: a window of it.
            let from = at.saturating_sub(3);
            let window: Records = records[0..1]
                .iter()
                .chain(&records[from.max(1).min(records.len())..records.len().min(at + 4)])
                .cloned()
                .collect();
            let place = if at == 0 { 0 } else { 1 + at - from.max(1) };
            for other in found {
                with(format, &window, place, other.to_string().as_bytes());
            }
        }
    }
}

/// A small generator with a fixed seed (xorshift): failures repeat.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

#[test]
fn random_damage_never_panics() {
    let mut dice = Dice(0x5eed_1234_abcd_0001);
    let pool = fixtures();
    for round in 0..4000 {
        let (_, format, records) = &pool[dice.roll(pool.len())];
        // Now and then a stream of another provider.
        let format = if round % 10 == 0 { Provider::ALL[dice.roll(6)] } else { *format };
        let mut reader = reader(format);
        let mut begun = false;
        let start = dice.roll(records.len());
        for (event, data) in records.iter().skip(start).take(12) {
            let mut bytes = data.clone().into_bytes();
            for _ in 0..dice.roll(4) {
                let at = dice.roll(bytes.len());
                match dice.roll(5) {
                    0 => bytes[at] = u8::try_from(dice.roll(256)).unwrap(),
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"{}[]\",:\\0e-un"[dice.roll(13)]),
                    3 => bytes.truncate(at + 1),
                    _ => {
                        let (a, b) = (at, dice.roll(bytes.len()));
                        bytes.swap(a, b);
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b'{');
                }
            }
            prod(&mut *reader, event, &bytes, &mut begun);
        }
        let snapshot = reader.snapshot();
        reader.restore(snapshot.clone()).unwrap();
        reader.end(&mut |_| {});
    }
}

#[test]
fn records_that_are_no_records() {
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let cases = [
        ("", "json"),
        ("{", "json"),
        ("{} {}", "json"),
        ("[]", "schema"),
        ("7", "schema"),
        ("\"x\"", "schema"),
        (&*format!("{{\"type\":{deep}}}"), "limit"),
    ];
    for format in Provider::ALL {
        for (data, rule) in cases {
            let fault = reader(*format).record("", data.as_bytes(), &mut |_| {}).unwrap_err();
            assert_eq!(fault.rule, rule, "{format:?} {data}");
        }
    }
}
