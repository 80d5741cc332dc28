//! Refused input: errors with positions, limits, and a stream that still works afterwards.

use crate::assemble::*;
use apex_parts_assemble::{Stream, StreamOptions, Violation, read_deltas};
use apex_parts_wire::{Provider, WireFormat};
use serde_json::{Value, json};

fn lines(deltas: &[Value]) -> Vec<u8> {
    deltas.iter().map(|d| format!("{d}\n")).collect::<String>().into_bytes()
}

/// The violation of these bytes after a valid start. The message can still be finished.
fn violation(bytes: &[u8]) -> Violation {
    let mut stream = of(&[start(1)]);
    let violation = stream.push_bytes(bytes, 0.0).unwrap_err();
    assert_eq!(preview(&stream)["parts"], json!([]));
    push(&mut stream, &done(100)).unwrap();
    assert!(stream.message().is_some());
    violation
}

#[test]
fn a_violation_has_its_position() {
    let mut bytes = lines(&[text(2, "x")]);
    let offset = bytes.len() as u64;
    bytes.extend(lines(&[
        json!({"runId": "r", "seq": 3, "kind": "text", "payload": {}, "timestamp": ""}),
    ]));
    let mut stream = of(&[start(1)]);
    let violation = stream.push_bytes(&bytes, 0.0).unwrap_err();
    assert_eq!(violation.rule, "schema");
    assert_eq!(violation.path, "/payload/textDelta");
    assert_eq!(
        (violation.seq, violation.run_id.as_deref(), violation.offset),
        (Some(3), Some("r"), Some(offset))
    );
    assert_eq!(
        violation.to_string(),
        "`payload.textDelta` is missing; it must be a string (seq 3) (schema)"
    );
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "x");

    let sse = b": hello\n\ndata: {\"a\":1}\n\ndata: {oops}\n\n";
    let mut stream = Stream::new(collecting());
    stream.push_bytes(sse, 0.0).unwrap();
    let at: Vec<(&str, Option<f64>)> =
        stream.problems().iter().map(|p| (p.rule.as_str(), p.offset)).collect();
    assert_eq!(at, [("schema", Some(15.0)), ("json", Some(30.0))]);
}

#[test]
fn other_text_than_json() {
    for bytes in [&b"nonsense\n"[..], b"{\"runId\":}\n", b"\x02\n", b"}{}\n", b"\xf0\x9f\x98\n"] {
        assert_eq!(violation(bytes).rule, "json", "{}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(violation(b"{}{}\n").rule, "schema");
    assert_eq!(violation(b"[[]]\n").rule, "schema");
    assert_eq!(violation(b"12\n").rule, "schema");
}

#[test]
fn an_escaped_nul_is_a_character() {
    let mut stream = of(&[start(1), text(2, "a\0b")]);
    let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    for stream in [&mut stream, &mut again] {
        assert_eq!(preview(stream)["parts"][0]["payload"]["text"], "a\0b");
    }
}

#[test]
fn a_stream_that_is_cut_off() {
    let bytes = lines(&[start(1), text(2, "x"), text(3, "y")]);
    let mut stream = Stream::new(StreamOptions::default());
    stream.push_bytes(&bytes[..bytes.len() - 20], 0.0).unwrap();
    stream.end(0.0);
    let rules: Vec<&str> = stream.problems().iter().map(|p| p.rule.as_str()).collect();
    assert_eq!(rules, ["json", "DC-2"]);
    assert_eq!(stream.status().as_str(), "error");
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "x");

    // The last record counts if only its line break is missing.
    let sse: String = [start(1), done(2)].iter().map(|d| format!("data: {d}\n\n")).collect();
    for cut in [2, 1, 0] {
        let mut stream = Stream::new(StreamOptions::default());
        stream.push_bytes(&sse.as_bytes()[..sse.len() - cut], 0.0).unwrap();
        stream.end(0.0);
        assert_eq!(stream.problems(), []);
        assert!(stream.message().is_some());
    }
}

#[test]
fn done_of_sse_is_not_a_record() {
    let sse: String = [start(1), done(2)].iter().map(|d| format!("data: {d}\n\n")).collect();
    let mut stream = Stream::new(StreamOptions::default());
    stream.push_bytes((sse + "data: [DONE]\n\n").as_bytes(), 0.0).unwrap();
    stream.end(0.0);
    assert_eq!(stream.problems(), []);
}

#[test]
fn the_list_of_problems_is_bounded() {
    let mut stream = Stream::new(collecting());
    let rubbish = b"?\n".repeat(50_000);
    stream.push_bytes(&rubbish, 0.0).unwrap();
    assert_eq!(stream.problems().len(), 10_001);
    assert_eq!(stream.problems().last().unwrap().rule, "limit");
}

#[test]
fn thrown_violations_take_no_memory() {
    let mut stream =
        Stream::new(StreamOptions { max_bytes: Some(1 << 16), ..StreamOptions::default() });
    let rubbish = b"?\n".repeat(1000);
    for _ in 0..1000 {
        stream.push_bytes(&rubbish, 0.0).unwrap_err();
    }
    assert!(stream.snapshot().len() < 1 << 18);
    stream.end(0.0);
}

#[test]
fn random_bytes_for_every_format() {
    let bytes: Vec<u8> =
        (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for format in Provider::ALL {
        let options = StreamOptions {
            format: Some(WireFormat::Provider(*format)),
            run_id: Some("r".into()),
            ..collecting()
        };
        let mut stream = Stream::new(options.clone());
        stream.push_bytes(&bytes, 0.0).unwrap();
        stream.push_bytes(b"\n\ndata: 5\n\ndata: {}\n\n", 0.0).unwrap();
        stream.end(0.0);
        let _ = (seen(&stream), stream.snapshot());
        assert!(read_deltas(&bytes, &options, 0.0, &mut || "r".into()).is_ok());
    }
}

#[test]
fn all_deltas_of_a_recording() {
    let mut deltas = vec![start(1), text(2, "x"), done(3)];
    deltas.push(delta(4, "brand_new", json!({})));
    deltas.extend([start(1), done(2)]);
    let read = |bytes: &[u8], options: &StreamOptions| {
        read_deltas(bytes, options, 0.0, &mut || "r".into()).map(|json| json_of(&json))
    };
    let all = read(&lines(&deltas), &StreamOptions::default()).unwrap();
    deltas.remove(3);
    assert_eq!(all, Value::Array(deltas.clone()));
    let mut bad = lines(&deltas);
    bad.extend(b"oops");
    assert_eq!(read(&bad, &StreamOptions::default()).unwrap_err().rule, "json");
    assert_eq!(read(&bad, &collecting()).unwrap(), Value::Array(deltas));
    assert_eq!(read(b"", &StreamOptions::default()).unwrap(), json!([]));
}
