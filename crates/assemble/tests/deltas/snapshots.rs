//! Snapshots at every byte of the streams of this repository, damaged or not. Each is taken, restored, and goes on to
//! the next byte. A debug build also checks in each that what is not saved is empty (`skip` in `state!`).

use crate::assemble::*;
use crate::streams::own_streams;
use apex_parts_assemble::{MessageContext, OnProblem, Stream, StreamOptions};
use apex_parts_wire::{ThinkTags, WireFormat};

/// Damages a byte every now and then: records that are not JSON, and events that end too early.
fn damaged(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in (97..bytes.len()).step_by(131) {
        bytes[at] = b"}\"x{\r\n,:"[at % 8];
    }
    bytes
}

/// The streams and how each is read: its bytes in a provider's format, and its deltas as lines and as events.
fn cases() -> Vec<(String, StreamOptions, Vec<u8>)> {
    let mut cases = Vec::new();
    for (path, format, text) in own_streams() {
        let name = path.display().to_string();
        let think_tags = Some(ThinkTags { tag: "think".to_owned(), open: false });
        let options = StreamOptions {
            format: Some(WireFormat::Provider(format)),
            run_id: Some("r".to_owned()),
            ..StreamOptions::default()
        };
        let mut whole =
            Stream::new(StreamOptions { on_problem: Some(OnProblem::Collect), ..options.clone() });
        whole.push_bytes(text.as_bytes(), 0.0).unwrap();
        whole.end(0.0);
        let deltas = whole.take_deltas();
        let events: String =
            deltas.lines().map(|delta| format!("event: delta\r\ndata: {delta}\r\n\r\n")).collect();
        let limited = StreamOptions { max_bytes: Some(600), ..options.clone() };
        let tagged = StreamOptions { think_tags, ..options.clone() };
        cases.push((name.clone(), options, text.clone().into_bytes()));
        cases.push((format!("{name}, short"), limited, text.clone().into_bytes()));
        cases.push((format!("{name}, damaged"), tagged, damaged(text.as_bytes())));
        // Deltas are alike, whatever stream they come from: short ones are enough.
        if text.len() < 1200 {
            let plain = StreamOptions::default();
            cases.push((format!("{name}, deltas"), plain.clone(), damaged(deltas.as_bytes())));
            cases.push((format!("{name}, events"), plain, damaged(events.as_bytes())));
        }
    }
    cases
}

/// Pushes bytes, and what waits after each violation; calls `step` after each push.
fn push_all(stream: &mut Stream, bytes: &[u8], step: &mut dyn FnMut(&mut Stream)) {
    let mut result = stream.push_bytes(bytes, 0.0);
    step(stream);
    while result.is_err() {
        result = stream.push_bytes(b"", 0.0);
        step(stream);
    }
}

#[test]
fn a_stream_goes_on_from_a_snapshot_at_every_byte() {
    for (name, options, bytes) in cases() {
        let mut whole = Stream::new(options.clone());
        push_all(&mut whole, &bytes, &mut |_| {});
        whole.end(0.0);
        for size in [bytes.len(), 89, 1] {
            let mut stream = Stream::new(options.clone());
            for piece in bytes.chunks(size) {
                push_all(&mut stream, piece, &mut |stream| {
                    let snapshot = stream.snapshot();
                    *stream = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
                    assert!(stream.snapshot() == snapshot, "{name} in pieces of {size}");
                });
            }
            stream.end(0.0);
            assert_eq!(seen(&stream), seen(&whole), "{name} in pieces of {size}");
            let ended = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            assert_eq!(seen(&ended), seen(&whole), "{name}, ended");
        }
    }
}

#[test]
fn ids_are_kept_in_a_snapshot() {
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        format!("id{count}")
    };
    let context = MessageContext::default();
    let mut stream = Stream::new(StreamOptions::default());
    push(&mut stream, &start(1)).unwrap();
    let before = stream.snapshot();
    let message = stream.to_with_parts(&context, &mut fresh);
    let snapshot = stream.snapshot();
    assert!(snapshot.len() > before.len());
    let mut again = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
    assert_eq!(again.to_with_parts(&context, &mut || unreachable!()), message);
    // One that was taken before, by this version or an older one, has none.
    let mut older = Stream::restore(&before, StreamOptions::default()).unwrap();
    assert_ne!(older.to_with_parts(&context, &mut fresh), message);
}
