// Tests may slice strings.
#![allow(clippy::string_slice)]

use super::*;
use apex_parts_fixtures::recorded;
use apex_parts_wire::{Provider, WireFormat};

const EVENTS: &str = r#"{"id":"evt_1","type":"server.connected","properties":{}}"#;
const UPDATED: &str =
    r#"{"type":"message.updated","properties":{"info":{"id":"m","role":"user"}}}"#;
const RUN: &str = r#"{"type":"step_start","timestamp":1,"sessionID":"s","part":{"id":"p"}}"#;
const WITH: &str = r#"{"info":{"id":"m","role":"user","sessionID":"s"},"parts":[]}"#;
const TURNED: &str = r#"{"parts":[],"info":{"id":"m","role":"user"}}"#;
const MESSAGE: &str = r#"{"runId":"r","role":"user","parts":[{"kind":"text","payload":{"text":"a"}}],"timestamp":"2025-01-01T00:00:00Z"}"#;
const DELTA: &str = r#"{"runId":"r","seq":1,"kind":"start","payload":{"modelId":"m","requestId":"q"},"timestamp":"2025-02-17T08:30:00Z"}"#;
const CLAUDE: &str = r#"{"parentUuid":null,"isSidechain":false,"cwd":"/a","sessionId":"s","type":"user","message":{"role":"user","content":"a"},"uuid":"u","timestamp":"2025-01-01T00:00:00Z"}"#;
const EXPORT: &str = r#"{"info":{"id":"s","slug":"a","title":"T"},"messages":[]}"#;
const ANTHROPIC: &str = r#"{"type":"message_start","message":{"id":"m"}}"#;

const DELTAS: Format = Format::Stream(WireFormat::Delta);
const CLAUDES: Format = Format::Stream(WireFormat::Provider(Provider::Anthropic));

/// The format of the whole; for every beginning the answer is the same or `More`.
fn is(text: &str) -> StructureAnswer {
    let whole = detect(text.as_bytes(), true);
    for cut in 0..text.len().min(2_000) {
        let part = detect(&text.as_bytes()[..cut], false);
        assert!(part == StructureAnswer::More || part == whole, "{part:?} at {cut} of {text}");
    }
    whole
}

#[test]
fn every_format_is_detected_in_every_layout() {
    for (record, format) in [
        (EVENTS, Format::OpenCodeEvents),
        (UPDATED, Format::OpenCodeEvents),
        (RUN, Format::OpenCodeRun),
        (WITH, Format::WithParts),
        (TURNED, Format::WithParts),
        (MESSAGE, Format::Messages),
        (CLAUDE, Format::ClaudeCode),
        (DELTA, DELTAS),
        (ANTHROPIC, CLAUDES),
    ] {
        let value: serde_json::Value = serde_json::from_str(record).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        for text in [
            record.to_owned(),
            format!("{record}\n{record}\n"),
            format!("[{record},{record}]"),
            format!(" [\n  {pretty}\n]"),
            pretty.clone(),
            format!("data: {record}\n\n"),
            format!(": ping\n\nevent: x\ndata: {record}\n\n"),
            format!("\u{feff}\r\n{record}"),
            format!("[info] exporting…\n{record}"),
            format!("Exporting session: [1/2] {{done}} {record}"),
            format!("Resumed {{}} {{x}}\n\n[]\n{pretty}"),
            format!("{{]\n{record}"),
            format!("{{\"type\":\"ping\"}}\n{record}\n").replace("\"ping\"", "null"),
            format!("log line\ndata: {record}\n\n"),
        ] {
            assert_eq!(is(&text), StructureAnswer::Is(format), "{text}");
        }
    }
}

#[test]
fn exports_in_any_order() {
    let pretty = r#"{
  "info": {
    "id": "s",
    "title": "T"
  },
  "messages": []
}"#;
    let export = StructureAnswer::Is(Format::OpenCodeExport);
    for text in [
        EXPORT.to_owned(),
        pretty.to_owned(),
        format!("Exporting session: s\n{EXPORT}"),
        format!("{{\"messages\":[{WITH}],\"info\":{{\"id\":\"s\"}}}}"),
        r#"{"version":1,"messages":[]}"#.to_owned(),
        r#"{"info":{"id":"s","x":"#.to_owned(),
    ] {
        assert_eq!(is(&text), export, "{text}");
    }
    // The session does not tell which version it is of: the first message does.
    let huge = format!("{{\"info\":{{\"id\":\"s\",\"slug\":\"a\",\"x\":\"{}", "a".repeat(1 << 20));
    assert_eq!(detect(huge.as_bytes(), false), StructureAnswer::More);
    assert_eq!(detect(format!("{huge}\"}},\"messages\":[{{\"info\":{{").as_bytes(), false), export);
    // A huge `info` need not be complete.
    let huge = format!("[{{\"info\":{{\"role\":\"user\",\"system\":\"{}", "a".repeat(1 << 20));
    assert_eq!(detect(huge.as_bytes(), false), StructureAnswer::Is(Format::WithParts));
}

#[test]
fn empty_files_and_unknown_formats() {
    assert_eq!(is("[]"), StructureAnswer::Is(Format::WithParts));
    assert_eq!(is("[ {\"info\":{"), StructureAnswer::Is(Format::WithParts));
    for text in [
        "",
        " \n",
        "hello",
        "hello {world}",
        "{}",
        "{\"a\":1}",
        "[1,2]",
        "[{\"a\":1}]",
        "data: x\n\n",
        "data",
        "{\"type\":\"object\",\"properties\":{}}",
        "{\"role\":\"guest\",\"parts\":[{\"type\":\"text\"}]}",
    ] {
        assert_eq!(is(text), StructureAnswer::Nothing, "{text}");
    }
    assert_eq!(detect("{\"a\":1}\n".repeat(100).as_bytes(), false), StructureAnswer::Nothing);
    assert_eq!(detect(b"{\"type\":", false), StructureAnswer::More);
    assert_eq!(
        is(r#"{"directory":"/d","payload":{"type":"x","properties":{}}}"#),
        StructureAnswer::Is(Format::OpenCodeEvents)
    );
    assert_eq!(
        is(&format!("{}\n{CLAUDE}", r#"{"type":"summary","summary":"S","leafUuid":"u"}"#)),
        StructureAnswer::Is(Format::ClaudeCode)
    );
    assert_eq!(
        is(r#"{"type":"error","timestamp":1,"sessionID":"s","error":{}}"#),
        StructureAnswer::Is(Format::OpenCodeRun)
    );
}

#[test]
fn recorded_files_are_told_by_any_beginning_that_is_long_enough() {
    let is_session = |name: &str| name.ends_with(".events.sse") || name.ends_with(".export.json");
    let sessions = recorded::files("opencode", is_session);
    let streams = recorded::files("providers", |name| name.ends_with(".sse"));
    for (files, is_stream) in [(sessions, false), (streams, true)] {
        for (name, bytes) in files {
            let format = match name.strip_suffix(".sse") {
                Some(stem) if is_stream => Format::parse(stem.rsplit('.').next().unwrap()).unwrap(),
                Some(_) => Format::OpenCodeEvents,
                None => Format::OpenCodeExport,
            };
            assert_eq!(detect(&bytes, true), StructureAnswer::Is(format), "{name}");
            let mut head = 1;
            while detect(&bytes[..head.min(bytes.len())], head >= bytes.len())
                == StructureAnswer::More
            {
                head *= 2;
            }
            assert_eq!(
                detect(&bytes[..head.min(bytes.len())], head >= bytes.len()),
                StructureAnswer::Is(format)
            );
        }
    }
}
