//! Deltas that break a rule: none of them changes anything.

use super::texts;
use crate::assemble::*;
use apex_parts_assemble::{OnDuplicate, Stream, StreamOptions};
use serde_json::{Value, json};

/// A record with exactly this text.
fn record(seq: &str, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"runId":"r","seq":{seq},"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T08:30:21Z"}}"#
    )
}

fn plain(seq: &str) -> String {
    record(seq, "text", r#"{"textDelta":"x"}"#)
}

/// A message with everything in progress: halves of surrogate pairs at the ends of a text and of arguments,
/// a call with bad arguments, one with good ones. The last `seq` is 20.
fn midst() -> Stream {
    let half = |seq: &str, kind: &str, field: &str, text: &str| {
        record(seq, kind, &format!(r#"{{"toolCallId":"open","{field}":"{text}"}}"#))
    };
    let mut stream = of(&[
        start(1),
        thinking(2, "hm"),
        call(3, "open"),
        call(4, "bad"),
        args(5, "bad", "{oops"),
        call_end(6, "bad"),
        call(7, "good"),
        args(8, "good", "{\"a\":[]}"),
        call_end(9, "good"),
        delta(10, "usage", json!({"inputTokens": 1, "outputTokens": 2, "totalTokens": 3})),
    ]);
    for record in [
        half("11", "tool_call_args", "argsTextDelta", r#"{\"a\":\"b\ud83d"#),
        half("20", "text", "textDelta", r"text\ud83d"),
    ] {
        stream.push(record.as_bytes()).unwrap();
    }
    let _ = take(&mut stream);
    stream
}

/// The snapshot without the state of the framing.
fn without_framing(stream: &Stream) -> (Value, String) {
    let snapshot = String::from_utf8(stream.snapshot()).unwrap();
    let (first, lines) = snapshot.split_once('\n').unwrap();
    let mut first = json_of(first);
    let rest = first["snapshot"].as_object_mut().unwrap();
    assert!(rest.remove("framing").is_some());
    rest.remove("backlog");
    (first, lines.to_owned())
}

/// Asserts that the record breaks the rule and changes nothing: neither what the stream shows, nor its
/// snapshot, nor the changes for a screen; and that the next delta counts.
fn breaks(record: &str, rule: &str) {
    let mut stream = midst();
    let was = (seen(&stream), stream.snapshot());
    let violation = stream.push(record.as_bytes()).unwrap_err();
    assert_eq!(violation.rule, rule, "{record}: {violation:?}");
    assert_eq!((seen(&stream), stream.snapshot()), was, "{record}");
    assert!(take(&mut stream).is_empty(), "{record}");

    let mut bytes = midst();
    let was = (seen(&bytes), without_framing(&bytes));
    let thrown = bytes.push_bytes(format!("{record}\n").as_bytes(), 0.0).unwrap_err();
    assert_eq!((thrown.rule, thrown.offset), (rule, Some(0)), "{record}");
    assert_eq!((seen(&bytes), without_framing(&bytes)), was, "{record}");
    assert!(take(&mut bytes).is_empty(), "{record}");

    let mut collected = Stream::restore(&midst().snapshot(), collecting()).unwrap();
    let was = preview(&collected);
    collected.push(record.as_bytes()).unwrap();
    assert_eq!(preview(&collected), was, "{record}");
    assert_eq!(collected.problems(), [violation.problem()]);

    let next = record_of_next();
    for mut stream in [stream, bytes, collected] {
        stream.push(next.as_bytes()).unwrap();
        assert_eq!(texts(&stream), ["text😀"], "the halves have found each other");
        push(&mut stream, &done(22)).unwrap();
        assert!(stream.message().is_some());
    }
}

fn record_of_next() -> String {
    record("21", "text", r#"{"textDelta":"\ude00"}"#)
}

#[test]
fn a_violation_of_any_rule_changes_nothing() {
    let other_run = plain("21").replace(r#""runId":"r""#, r#""runId":"s""#);
    let deep = "[".repeat(513);
    for (record, rule) in [
        (record("21", "start", r#"{"modelId":"m","requestId":"q"}"#), "DC-1"),
        (plain("20"), "DC-3"),
        (other_run, "DC-4"),
        (record("21", "tool_call_args", r#"{"toolCallId":"nobody","argsTextDelta":"1"}"#), "DC-6"),
        (record("21", "tool_call_args", r#"{"toolCallId":"good","argsTextDelta":"1"}"#), "DC-6"),
        (record("21", "tool_call_end", r#"{"toolCallId":"bad"}"#), "DC-6"),
        (record("21", "tool_call_start", r#"{"toolCallId":"good","toolName":"t"}"#), "DC-8"),
        (record("21", "tool_call_start", r#"{"toolCallId":"open","toolName":"t"}"#), "DC-8"),
        (record("21", "text", "{}"), "schema"),
        (record("21", "text", "[]"), "schema"),
        (record("21", "usage", r#"{"inputTokens":1,"outputTokens":1}"#), "schema"),
        (
            record("21", "usage", r#"{"inputTokens":1e999,"outputTokens":1,"totalTokens":1}"#),
            "schema",
        ),
        ("{}".to_owned(), "schema"),
        ("5".to_owned(), "schema"),
        (plain("21").replacen(":", "", 1), "json"),
        (plain("21").replace("\"x\"", "\"\\x\""), "json"),
        (plain("21").replace(",", ";"), "json"),
        (plain("21")[..60].to_owned(), "json"),
        ("]".to_owned(), "json"),
        (
            record(
                "21",
                "text",
                &format!(r#"{{"more":{deep}{},"textDelta":"x"}}"#, "]".repeat(513)),
            ),
            "limit",
        ),
    ] {
        breaks(&record, rule);
    }
    // The depth of arguments counts, although they are in a string.
    let deep = "[".repeat(512);
    let args = format!(r#"{{"toolCallId":"fresh","argsTextDelta":"[{deep}"}}"#);
    let mut stream = midst();
    push(&mut stream, &call(21, "fresh")).unwrap();
    let was = (seen(&stream), stream.snapshot());
    let violation = stream.push(record("22", "tool_call_args", &args).as_bytes()).unwrap_err();
    assert_eq!(violation.rule, "limit");
    assert_eq!((seen(&stream), stream.snapshot()), was);
}

#[test]
fn nothing_follows_the_end() {
    let error = delta(21, "error", json!({"errorCode": "e"}));
    for end in [done(21), error] {
        let mut stream = midst();
        push(&mut stream, &end).unwrap();
        let _ = take(&mut stream);
        let was = (seen(&stream), stream.snapshot());
        for late in [text(22, "x"), call(22, "n"), args(22, "open", "1"), done(22), start(22)] {
            assert_eq!(push(&mut stream, &late).unwrap_err().rule, "DC-2");
            assert_eq!((seen(&stream), stream.snapshot()), was);
            assert!(take(&mut stream).is_empty());
        }
        // An unknown kind is skipped with a warning here too.
        push(&mut stream, &delta(22, "trailer", json!({}))).unwrap();
        assert_eq!(stream.problems()[0].rule, "DC-15");
    }
}

#[test]
fn invalid_numbers_in_seq() {
    // Beyond 2^53 - 1, JavaScript cannot distinguish all integers.
    for seq in [
        "9007199254740992",
        "9007199254740993",
        "-9007199254740992",
        "18446744073709551616",
        "1e16",
        "1e300",
        "1e999",
        "1.5",
        "20.0000001",
        "1e-1",
        "\"1\"",
        "\"21\"",
        "null",
        "true",
        "[]",
        "[21]",
        "{}",
    ] {
        let record = plain(seq);
        breaks(&record, "schema");
        assert_eq!(midst().push(record.as_bytes()).unwrap_err().path, "/seq", "{seq}");
    }
    // Valid integers, but not greater than the last one.
    for seq in ["-1", "0", "-0", "20", "2e1", "20.0", "-9007199254740991"] {
        breaks(&plain(seq), "DC-3");
    }
    for bad in ["+21", "021", ".5", "21.", "0x15", "NaN", "Infinity", ""] {
        breaks(&plain(bad), "json");
    }
    for seq in ["21", "21.0", "2.1e1", "9007199254740991", "9.007199254740991e15"] {
        let mut stream = midst();
        stream.push(plain(seq).as_bytes()).unwrap();
        assert_eq!(stream.push(plain(seq).as_bytes()).unwrap_err().rule, "DC-3", "{seq}");
    }
}

#[test]
fn duplicates_are_dropped_even_if_they_are_invalid() {
    let options =
        StreamOptions { on_duplicate: Some(OnDuplicate::Ignore), ..StreamOptions::default() };
    let mut stream = Stream::restore(&midst().snapshot(), options).unwrap();
    let was = (seen(&stream), stream.snapshot());
    for dropped in [
        plain("20"),
        plain("-1"),
        plain("2e1").replace("\"r\"", "\"s\""),
        record("20", "text", "5"),
        record("7", "not_known_here", "5"),
        r#"{"seq":3}"#.to_owned(),
    ] {
        stream.push(dropped.as_bytes()).unwrap();
        assert_eq!((seen(&stream), stream.snapshot()), was, "{dropped}");
    }
    // A record without a valid lower `seq` is not a duplicate.
    for (bad, rule) in [
        (plain("\"20\""), "schema"),
        (plain("1.5"), "schema"),
        (plain("9007199254740992"), "schema"),
        (plain("20") + "!", "json"),
        (plain("21").replace("\"r\"", "\"s\""), "DC-4"),
    ] {
        assert_eq!(stream.push(bad.as_bytes()).unwrap_err().rule, rule, "{bad}");
        assert_eq!((seen(&stream), stream.snapshot()), was, "{bad}");
    }
}

#[test]
fn unknown_and_repeated_fields() {
    let good = record_of_next();
    let more = r#"{"deeper":[{"textDelta":"no"},null,1e5]}"#;
    for odd in [
        good.replacen('{', &format!(r#"{{"more":{more},"#), 1),
        good.replace(r#""textDelta""#, &format!(r#""more":{more},"textDelta""#)),
        good.replace(r#"},"timestamp""#, &format!(r#","more":{more}}},"timestamp""#)),
        good.replacen('{', r#"{"":0,"__proto__":{"seq":1},"#, 1),
        // If a name comes twice, the last one counts, as for `JSON.parse`.
        good.replacen('{', r#"{"seq":5,"runId":7,"kind":"done","payload":[],"timestamp":0,"#, 1),
        good.replace(r#""textDelta""#, r#""textDelta":5,"textDelta""#),
        good.replace(r#""textDelta""#, r#""textDelta":"no","text\u0044elta""#),
    ] {
        let mut stream = midst();
        stream.push(odd.as_bytes()).unwrap_or_else(|violation| panic!("{violation}: {odd}"));
        assert_eq!(texts(&stream), ["text😀"], "{odd}");
        assert_eq!(stream.push(good.as_bytes()).unwrap_err().rule, "DC-3", "its number was taken");
    }
    for bad in [
        good.replace(r#"},"timestamp""#, r#","textDelta":5},"timestamp""#),
        good.replacen('}', r#"},"seq":"21""#, 1),
        good.replacen('}', r#"},"payload":null"#, 1),
    ] {
        breaks(&bad, "schema");
    }
}

#[test]
fn unknown_kinds() {
    let long = "k".repeat(1 << 20);
    for kind in ["citation", "", "Text", "text ", "tool_call_arg", "k\\u0000", &long] {
        for payload in ["{}", "5", "null", r#"{"textDelta":"no"}"#] {
            let unknown = record("21", kind, payload);
            for options in [StreamOptions::default(), collecting()] {
                let mut stream = Stream::restore(&midst().snapshot(), options).unwrap();
                let was = preview(&stream);
                stream.push(unknown.as_bytes()).unwrap();
                assert_eq!(preview(&stream), was);
                let [problem] = stream.problems() else { panic!("{:?}", stream.problems()) };
                assert_eq!((problem.severity.as_str(), &*problem.rule), ("warning", "DC-15"));
                assert!(problem.message.len() < 200, "{}", problem.message);
                // Its `seq` is used up, and the text goes on after it.
                stream.push(plain("21").as_bytes()).err();
                stream.push(record_of_next().replace("21", "22").as_bytes()).unwrap();
                assert_eq!(texts(&stream), ["text😀"]);
                push(&mut stream, &done(23)).unwrap();
                assert!(stream.message().is_some());
            }
        }
    }
    // Also before the start, and without a payload.
    for options in [StreamOptions::default(), collecting()] {
        let mut stream = Stream::new(options);
        let bare = r#"{"runId":"r","seq":-3,"kind":"hello","timestamp":""}"#;
        stream.push(bare.as_bytes()).unwrap();
        assert_eq!(stream.status().as_str(), "empty");
        push(&mut stream, &start(1)).unwrap();
        assert_eq!(stream.status().as_str(), "streaming");
    }
    // A `kind` that is not a string breaks the schema, and so does any other invalid field.
    for bad in [
        plain("21").replace("\"text\"", "5"),
        plain("21").replace("\"text\"", "null"),
        record("\"21\"", "citation", "{}"),
        record("21", "citation", "{}").replace("\"r\"", "7"),
    ] {
        breaks(&bad, "schema");
    }
}
