//! Other input in place of a stream: a provider's refusal, an HTML page, another format.

use super::{formats, options};
use crate::assemble::*;
use crate::streams::whole_streams;
use apex_parts_assemble::{MessageStatus, Stream, StreamOptions, read_deltas};
use apex_parts_wire::{Provider, WireFormat, detect};
use serde_json::json;

fn providers() -> impl Iterator<Item = WireFormat> {
    Provider::ALL.iter().copied().map(WireFormat::Provider)
}

/// The stream of these bytes in chunks of this size, with problems collected.
fn read(format: WireFormat, bytes: &[u8], chunk: usize) -> Stream {
    let mut stream = Stream::new(options(format));
    for chunk in bytes.chunks(chunk) {
        stream.push_bytes(chunk, 0.0).unwrap();
    }
    stream.end(0.0);
    stream
}

fn problems(stream: &Stream) -> Vec<(&str, &str)> {
    stream.problems().iter().map(|p| (p.rule.as_str(), p.message.as_str())).collect()
}

#[test]
fn a_refusal_over_several_lines_is_an_error_in_every_format() {
    let bodies = [
        json!({ "error": { "message": "slow down", "type": "requests", "param": null,
            "code": "rate_limit_exceeded" } }),
        json!({ "type": "error", "error": { "type": "rate_limit_error", "message": "slow down" } }),
        json!([{ "error": { "code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED" } }]),
    ];
    for body in &bodies {
        let pretty = serde_json::to_string_pretty(body).unwrap();
        let texts =
            [body.to_string(), pretty.clone(), format!("{pretty}\n"), format!("\n{pretty}")];
        for (format, text) in providers().flat_map(|f| texts.iter().map(move |t| (f, t))) {
            for chunk in [1, 7, text.len()] {
                let stream = read(format, text.as_bytes(), chunk);
                let what = format!("{} {text}: {:?}", format.as_str(), problems(&stream));
                let error = &preview(&stream)["meta"]["error"];
                assert_eq!(stream.status(), MessageStatus::Error, "{what}");
                assert_eq!(error["message"], "slow down", "{what}");
                assert_ne!(error["errorCode"], "", "{what}");
                assert!(stream.problems().is_empty(), "{what}");
            }
        }
    }
}

#[test]
fn a_refusal_is_read_across_a_snapshot() {
    let body = "{\n \"error\": {\n  \"message\": \"slow down\"\n }\n}\n";
    for cut in 0..body.len() {
        let format = WireFormat::Provider(Provider::OpenAiChat);
        let mut stream = Stream::new(options(format));
        stream.push_bytes(&body.as_bytes()[..cut], 0.0).unwrap();
        let mut stream = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
        stream.push_bytes(&body.as_bytes()[cut..], 0.0).unwrap();
        assert_eq!(preview(&stream)["meta"]["error"]["message"], "slow down", "cut at {cut}");
    }
}

#[test]
fn html_and_compressed_bytes_are_one_problem() {
    let page = "<!DOCTYPE html>\n<html>\n<body>502 Bad Gateway</body>\n</html>\n";
    let packed = [&[0x1f, 0x8b, 8, 0][..], b"\nabc\n\ndef\n"].concat();
    for format in formats() {
        for (bytes, what) in [(page.as_bytes(), "HTML"), (&packed, "gzip")] {
            let stream = read(format, bytes, 5);
            let found = problems(&stream);
            assert_eq!(
                found.iter().map(|p| p.0).collect::<Vec<_>>(),
                ["json", "DC-2"],
                "{found:?}"
            );
            assert!(found[0].1.contains(what), "{found:?}");
        }
    }
}

#[test]
fn the_problem_quotes_text_that_is_not_json() {
    for format in formats() {
        let long = format!("upstream connect error{}", " and more".repeat(40));
        let stream = read(format, long.as_bytes(), 64);
        let message = problems(&stream)[0].1;
        assert!(message.contains("\"upstream connect error and"), "{message}");
        assert!(message.chars().count() < 200, "{message}");
        let far = format!("{{\"a\":\"{}\",\u{1}}}", "x".repeat(500));
        let stream = read(format, far.as_bytes(), 64);
        let message = problems(&stream)[0].1;
        assert!(message.contains("xx\\\",\\u{1}}"), "{message}");
    }
}

#[test]
fn a_stream_of_another_format_is_a_problem() {
    for (_, own, text) in whole_streams() {
        let own = own.as_str();
        for format in formats().filter(|format| format.as_str() != own) {
            let stream = read(format, text.as_bytes(), text.len());
            let found = problems(&stream);
            assert!(!found.is_empty(), "{own} read as {}", format.as_str());
            // Apex-bridge may wrap chat completions, and so can read them.
            if stream.status() == MessageStatus::Done {
                assert_eq!((own, format.as_str()), ("openai-chat", "apex-bridge"));
                assert!(found.iter().any(|p| p.0 == "schema"), "{found:?}");
            }
        }
    }
}

#[test]
fn the_error_names_what_the_stream_looks_like() {
    let chunk = br#"data: {"id":"x","choices":[{"index":0,"delta":{"content":"a"}}]}

data: [DONE]

"#;
    assert_eq!(detect(chunk).map(WireFormat::as_str), Some("openai-chat"));
    for format in ["gemini", "anthropic", "delta"] {
        let given = StreamOptions { format: WireFormat::parse(format), ..StreamOptions::default() };
        let violation = Stream::new(given.clone()).push_bytes(chunk, 0.0).unwrap_err();
        assert_eq!(violation.rule, "schema");
        assert!(violation.message.contains("\"openai-chat\""), "{}", violation.message);
        assert!(violation.message.contains(&format!("{format:?}")), "{}", violation.message);
        let again = read_deltas(chunk, &given, 0.0, &mut || "r".into()).unwrap_err();
        assert_eq!((again.message, again.offset), (violation.message, violation.offset));
    }
}

#[test]
fn a_stream_without_a_known_record_is_an_error() {
    for format in providers() {
        for records in [&["[DONE]"][..], &[r#"{"a":1}"#, "[DONE]"], &[r#"{"a":1}"#]] {
            let stream: String =
                records.iter().map(|record| format!("data: {record}\n\n")).collect();
            let stream = read(format, stream.as_bytes(), 9);
            let found = problems(&stream);
            assert_eq!(stream.status(), MessageStatus::Error, "{found:?}");
            assert!(found.iter().any(|p| p.0 == "schema"), "{found:?}");
        }
    }
}

#[test]
fn mixed_responses_are_not_merged() {
    let chat = |id: &str, text: &str| json!({ "id": id, "choices": [{ "index": 0, "delta": { "role": "assistant", "content": text } }] });
    let records = [chat("x", "a"), chat("y", "b"), chat("x", "c"), chat("y", "d")];
    let bytes: String = records.iter().map(|record| format!("{record}\n")).collect();
    let format = WireFormat::Provider(Provider::OpenAiChat);
    let stream = read(format, bytes.as_bytes(), 11);
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "ac");
    let rules: Vec<&str> = problems(&stream).iter().map(|p| p.0).collect();
    assert_eq!(rules, ["DC-2", "DC-2", "DC-2"]);
    assert!(problems(&stream)[0].1.contains("\"y\""));
    // Once it is certain that ids distinguish responses, another id begins another response, and later
    // records of the first are left out.
    let records = [chat("x", "a"), chat("x", "b"), chat("y", "c"), chat("x", "d"), chat("y", "e")];
    let bytes: String = records.iter().map(|record| format!("{record}\n")).collect();
    let deltas = read_deltas(bytes.as_bytes(), &options(format), 0.0, &mut || "q".into()).unwrap();
    let text = |run: &str| -> String {
        let own = json_of(&deltas).as_array().unwrap().clone().into_iter();
        let own = own.filter(|delta| delta["runId"] == run);
        own.filter_map(|delta| Some(delta["payload"]["textDelta"].as_str()?.to_owned())).collect()
    };
    assert_eq!((text("r"), text("q")), ("ab".to_owned(), "ce".to_owned()));
}
