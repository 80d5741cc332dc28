//! Small streams of each provider, written for these tests: that readers return the expected responses,
//! that a reader can be restored from its snapshot after any record, and that no changed record makes a
//! reader panic.

use crate::streams::{Call, Collected, Records, Response, collect, feed, own_streams, split};
use crate::variants::{with_other_values, without_a_field};
use apex_parts_model::delta::{Payload, ReaderOutput};
use apex_parts_wire::{Provider, Reader, sniff};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;

fn fixtures() -> Vec<(PathBuf, Provider, Records)> {
    let read = |(path, format, text): (_, _, String)| (path, format, split(&text));
    own_streams().into_iter().map(read).collect()
}

fn dump(all: &Collected) -> Value {
    let response = |r: &Response| {
        let part =
            |((kind, text), (_, state)): (&(&str, String), &(_, Map<String, Value>))| match state
                .is_empty()
            {
                true => json!([kind, text]),
                false => json!([kind, text, state]),
            };
        let parts: Vec<_> = r.parts.iter().zip(&r.blocks).map(part).collect();
        let call = |c: &Call| {
            let mut call = json!({ "id": c.id, "name": c.name, "args": c.args, "ended": c.ended });
            if !c.state.is_empty() {
                call["state"] = json!(c.state);
            }
            call
        };
        let calls: Vec<_> = r.calls.iter().map(call).collect();
        let results: Vec<_> = r.results.iter().map(|(id, e, v)| json!([id, e, v])).collect();
        let usage = r.usage.map(|u| {
            json!({
                "input": u.input, "output": u.output, "total": u.total, "cost": u.cost,
                "cacheRead": u.cache_read, "cacheWrite": u.cache_write, "reasoning": u.reasoning,
            })
        });
        let mut all = json!({
            "model": r.model, "request": r.request, "parts": parts, "calls": calls,
            "results": results, "usage": usage, "finish": r.finish, "error": r.error,
            "compaction": r.compaction, "provider": r.provider, "late": r.late,
        });
        if !r.custom.is_empty() {
            all["custom"] = json!(r.custom);
        }
        all
    };
    let responses: Vec<_> = all.responses.iter().map(response).collect();
    json!({ "responses": responses, "faults": all.faults })
}

#[test]
fn readers_return_the_expected_responses() {
    for (path, format, records) in fixtures() {
        let detected = records.iter().find_map(|(_, data)| sniff(data.as_bytes()));
        assert_eq!(
            detected,
            Some(format),
            "{}: write `sniff` of {} in crates/wire/src/providers",
            path.display(),
            format.as_str()
        );
        let made = dump(&collect(format, &records));
        let expected = path.with_extension("expected.json");
        if !expected.exists() {
            // A new fixture: check the written file before it is committed.
            fs::write(&expected, serde_json::to_string_pretty(&made).unwrap() + "\n").unwrap();
        }
        let expected: Value = serde_json::from_slice(&fs::read(expected).unwrap()).unwrap();
        assert_eq!(made, expected, "{}", path.display());
    }
}

#[test]
fn a_reader_is_restored_after_any_record() {
    for (path, format, records) in fixtures() {
        let whole = collect(format, &records);
        for cut in 0..=records.len() {
            let mut all = Collected::default();
            let mut first = format.reader();
            feed(&mut *first, &records[..cut], &mut all);
            let text = first.snapshot().to_string();
            let mut second = format.reader();
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
        let mut reader = format.reader();
        let before = reader.snapshot();
        for bad in [json!("x"), json!(7), json!({ "phase": 3 }), json!([])] {
            assert_eq!(reader.restore(bad).unwrap_err().rule, "schema");
            assert_eq!(reader.snapshot(), before);
        }
    }
}

/// Reads one record; an error must have no output and change nothing.
fn prod(reader: &mut dyn Reader, event: &str, data: &[u8], begun: &mut bool) {
    let before = reader.snapshot();
    let mut said = 0;
    let result = reader.record(event, data, &mut |one| {
        said += 1;
        let is_report = matches!(one, ReaderOutput::Warning { .. } | ReaderOutput::Wrong { .. });
        let is_start = matches!(one, ReaderOutput::Delta(Payload::Start { .. }));
        assert!(*begun || is_start || is_report, "{one:?} comes before a Start");
        *begun |= !is_report;
    });
    if let Err(error) = result {
        assert!(said == 0 && reader.snapshot() == before, "{error:?}");
        assert!(!error.message.is_empty());
    }
}

/// Reads all records with one of them replaced.
fn with(format: Provider, records: &Records, at: usize, other: &[u8]) {
    let mut reader = format.reader();
    let mut begun = false;
    for (i, (event, data)) in records.iter().enumerate() {
        prod(&mut *reader, event, if i == at { other } else { data.as_bytes() }, &mut begun);
    }
    reader.end(&mut |_| {});
}

#[test]
fn a_field_of_another_type_is_a_violation_or_ignored() {
    for (_, format, records) in fixtures() {
        for (at, (_, data)) in records.iter().enumerate() {
            let Ok(value) = serde_json::from_str::<Value>(data) else { continue };
            // The records near it are enough to test what it opens or closes.
            let from = at.saturating_sub(3);
            let window: Records = records[0..1]
                .iter()
                .chain(&records[from.max(1).min(records.len())..records.len().min(at + 4)])
                .cloned()
                .collect();
            let place = if at == 0 { 0 } else { 1 + at - from.max(1) };
            for other in with_other_values(&value).into_iter().chain(without_a_field(&value)) {
                with(format, &window, place, other.to_string().as_bytes());
            }
        }
    }
}

/// A random generator (xorshift) with a fixed seed, so that failures can be repeated.
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
        // Sometimes the stream of another provider.
        let format =
            if round % 10 == 0 { Provider::ALL[dice.roll(Provider::ALL.len())] } else { *format };
        let mut reader = format.reader();
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
fn other_data_than_records_are_violations() {
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
            let error = format.reader().record("", data.as_bytes(), &mut |_| {}).unwrap_err();
            assert_eq!(error.rule, rule, "{format:?} {data}");
        }
    }
}
