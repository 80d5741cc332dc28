//! The laws of streams, tested with streams of providers: those written by hand for every format, and recorded ones.

use crate::assemble::*;
use crate::streams::whole_streams;
use apex_parts_assemble::{MessageContext, Stream, StreamOptions, read_deltas};
use apex_parts_wire::WireFormat;
use serde_json::Value;
use std::path::PathBuf;

/// Name, format and bytes of every stream.
fn streams() -> Vec<(String, WireFormat, Vec<u8>)> {
    let read = |(path, format, text): (PathBuf, _, String)| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, WireFormat::Provider(format), text.into_bytes())
    };
    whole_streams().into_iter().map(read).collect()
}

fn options(format: WireFormat) -> StreamOptions {
    StreamOptions { format: Some(format), run_id: Some("r".into()), ..collecting() }
}

fn assemble(format: WireFormat, chunks: &mut dyn Iterator<Item = &[u8]>) -> Stream {
    let mut stream = Stream::new(options(format));
    for chunk in chunks {
        stream.push_bytes(chunk, 0.0).unwrap();
    }
    stream.end(0.0);
    stream
}

#[test]
fn chunks_do_not_matter() {
    for (name, format, bytes) in streams() {
        let want = seen(&assemble(format, &mut [bytes.as_slice()].into_iter()));
        for size in [1, 7, 100] {
            assert_eq!(seen(&assemble(format, &mut bytes.chunks(size))), want, "{name} by {size}");
        }
    }
}

#[test]
fn a_snapshot_can_be_taken_anywhere() {
    for (name, format, bytes) in streams() {
        let want = seen(&assemble(format, &mut [bytes.as_slice()].into_iter()));
        let step = (bytes.len() / 60).max(1);
        let mut stream = Stream::new(options(format));
        let mut at = 0;
        for chunk in bytes.chunks(step) {
            let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            assert_eq!(seen(&again), seen(&stream), "{name} at {at}");
            again.push_bytes(&bytes[at..], 0.0).unwrap();
            again.end(0.0);
            assert_eq!(seen(&again), want, "{name} cut at {at}");
            stream.push_bytes(chunk, 0.0).unwrap();
            at += chunk.len();
        }
    }
}

/// One stream of every format, at every byte.
#[test]
fn a_snapshot_can_be_taken_at_every_byte() {
    let mut formats = Vec::new();
    for (name, format, bytes) in streams() {
        // A prefix is enough: the others are cut at some places.
        let bytes = &bytes[..bytes.len().min(1500)];
        if formats.contains(&format) {
            continue;
        }
        formats.push(format);
        let want = seen(&assemble(format, &mut [bytes].into_iter()));
        for cut in 0..=bytes.len() {
            let mut stream = Stream::new(options(format));
            stream.push_bytes(&bytes[..cut], 0.0).unwrap();
            let snapshot = stream.snapshot();
            let mut again = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
            assert_eq!(again.snapshot(), snapshot, "{name} cut at {cut}");
            again.push_bytes(&bytes[cut..], 0.0).unwrap();
            again.end(0.0);
            assert_eq!(seen(&again), want, "{name} cut at {cut}");
        }
    }
    let count = apex_parts_wire::Provider::ALL.len();
    assert_eq!(formats.len(), count);
}

#[test]
fn changes_give_the_preview() {
    for (name, format, bytes) in streams() {
        let mut stream = Stream::new(options(format));
        let mut screen = Vec::new();
        for chunk in bytes.chunks((bytes.len() / 60).max(1)) {
            stream.push_bytes(chunk, 0.0).unwrap();
            apply(&mut screen, &take(&mut stream));
            let parts = preview(&stream)["parts"].as_array().unwrap().clone();
            assert_eq!(settled(&screen), settled(&parts), "{name}");
        }
    }
}

/// The message of these deltas, pushed one by one.
fn pushed(deltas: impl Iterator<Item = impl AsRef<[u8]>>) -> Stream {
    let mut stream = Stream::new(StreamOptions::default());
    for delta in deltas {
        stream.push(delta.as_ref()).unwrap();
    }
    stream
}

/// The preview without the `meta` fields that deltas carry in `done`, if the stream was cut off before it.
fn carried(stream: &Stream) -> Value {
    let mut preview = preview(stream);
    if !matches!(stream.status().as_str(), "done") && preview["meta"].get("error").is_none() {
        for name in ["provider", "toolResults", "compaction"] {
            preview["meta"].as_object_mut().unwrap().remove(name);
        }
    }
    preview["timestamp"] = Value::Null;
    preview
}

/// The message in the message model, with empty ids: it shows that results complete their calls.
fn parts_of(stream: &mut Stream) -> Value {
    let context = MessageContext { session_id: "s", ..MessageContext::default() };
    json_of(&stream.to_with_parts(&context, &mut String::new))
}

#[test]
fn the_deltas_of_a_recording_give_its_message() {
    let mut with_meta = 0;
    for (name, format, bytes) in streams() {
        let want = assemble(format, &mut [bytes.as_slice()].into_iter());
        let mut fresh = 0;
        let deltas = read_deltas(&bytes, &options(format), 0.0, &mut || {
            fresh += 1;
            format!("r{fresh}")
        });
        let deltas = json_of(&deltas.unwrap());
        let own = deltas.as_array().unwrap().iter().filter(|delta| delta["runId"] == "r");
        with_meta += usize::from(own.clone().any(|delta| delta["payload"].get("meta").is_some()));
        let own = own.map(ToString::to_string);
        assert_eq!(carried(&pushed(own)), carried(&want), "{name}");
    }
    assert!(with_meta > 5, "{with_meta}");
}

#[test]
fn taken_deltas_give_the_message() {
    for (name, format, bytes) in streams() {
        for pieces in [1, 60, 2000] {
            let mut stream = Stream::new(options(format));
            let mut log = String::new();
            for chunk in bytes.chunks((bytes.len() / pieces).max(1)) {
                stream.push_bytes(chunk, 0.0).unwrap();
                log.push_str(&stream.take_deltas());
            }
            stream.end(0.0);
            log.push_str(&stream.take_deltas());
            let mut again = pushed(log.lines());
            assert_eq!(carried(&again), carried(&stream), "{name} by {pieces}");
            if stream.status().as_str() == "done" {
                assert_eq!(parts_of(&mut again), parts_of(&mut stream), "{name} by {pieces}");
            }
        }
    }
}
