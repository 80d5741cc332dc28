//! A format needs no more than one module and one line: everything that knows formats finds those of
//! `made_up.rs`, here and in `wire`.

use super::*;
use crate::assemble::{Stream, StreamOptions};
use crate::transcript::{Env, Transcript, TranscriptOptions};
use crate::wire::{Provider, detect};

const STREAM: &str = concat!(
    r#"{"madeUp":"begin"}"#,
    "\n",
    r#"{"madeUp":"text","text":"Hi"}"#,
    "\n",
    r#"{"madeUp":"end"}"#,
    "\n"
);
const FILE: &str = "{\"madeUpSession\":\"s\",\"say\":\"Hi\"}\n";

fn opened(text: &str, format: Option<Format>) -> Transcript {
    let mut made = 0;
    let mut new_id = || {
        made += 1;
        format!("0190a3c5-0000-7000-8000-{made:012}")
    };
    let mut env = Env { now_ms: 0.0, new_id: &mut new_id };
    let options = TranscriptOptions { format, ..TranscriptOptions::default() };
    Transcript::open(text.as_bytes(), options, &mut env).unwrap()
}

#[test]
fn every_name_belongs_to_one_format() {
    let all: Vec<_> = Format::all().map(Format::as_str).collect();
    assert_eq!(all, Format::NAMES);
    let streams: Vec<_> = WireFormat::all().map(WireFormat::as_str).collect();
    assert_eq!(streams, WireFormat::NAMES);
    for (names, count) in [(&all, Format::NAMES.len()), (&streams, WireFormat::NAMES.len())] {
        let once: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(once.len(), count);
    }
}

#[test]
fn a_provider_with_one_line_is_found_everywhere() {
    assert_eq!(Provider::parse("made-up"), Some(Provider::MadeUp));
    let wire = WireFormat::parse("made-up").unwrap();
    assert_eq!(detect(STREAM.as_bytes()), Some(wire));
    // Its reader is used with the format given, and for a transcript whose format is detected.
    let mut stream = Stream::new(StreamOptions { format: Some(wire), ..StreamOptions::default() });
    stream.push_bytes(STREAM.as_bytes(), 0.0).unwrap();
    let message = stream.message().unwrap();
    let parts: Vec<_> = message.parts().map(|part| part.to_json()).collect();
    assert_eq!(parts, [r#"{"kind":"text","payload":{"text":"Hi"}}"#]);
    for format in [None, Format::parse("made-up")] {
        let transcript = opened(STREAM, format);
        assert_eq!(transcript.format(), Some(Format::Stream(wire)));
        assert_eq!((transcript.message_count(), transcript.problems().len()), (1, 0));
    }
    // Error messages of other readers name it.
    let mut other = Provider::Anthropic.reader();
    let error = other.record("", br#"{"madeUp":"begin"}"#, &mut |_| {}).unwrap_err();
    assert!(error.message.contains(r#"one of the format "made-up""#), "{}", error.message);
}

#[test]
fn a_transcript_format_with_one_line_is_found_everywhere() {
    assert_eq!(Format::parse("made-up-file"), Some(Format::MadeUp));
    assert!(Format::NAMES.contains(&"made-up-file"));
    for format in [None, Some(Format::MadeUp)] {
        let transcript = opened(FILE, format);
        assert_eq!(transcript.format(), Some(Format::MadeUp));
        let message = transcript.message(0).unwrap().unwrap();
        assert!(String::from_utf8_lossy(&message).contains("\"text\":\"Hi\""));
    }
}
