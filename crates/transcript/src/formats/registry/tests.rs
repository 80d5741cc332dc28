//! A format needs no more than one module and one line: everything that knows formats finds that of `made_up.rs`.

mod readers;

use super::*;
use crate::{Env, Transcript, TranscriptOptions};

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
fn every_stream_format_is_a_transcript_format() {
    for wire in WireFormat::all() {
        let format = Format::Stream(wire);
        assert_eq!(Format::parse(format.as_str()), Some(format));
        assert!(Format::NAMES.contains(&format.as_str()));
    }
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
