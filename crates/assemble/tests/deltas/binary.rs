//! Bedrock's binary frames: they give the message of the same records as text, in any pieces, and a damaged frame takes
//! nothing with it.

use crate::assemble::*;
use crate::streams::{own_streams, split};
use apex_parts_assemble::{Stream, StreamOptions};
use apex_parts_model::crc32::crc32;
use apex_parts_wire::{Provider, WireFormat};
use serde_json::{Value, json};

fn options_of(format: Provider) -> StreamOptions {
    let format = Some(WireFormat::Provider(format));
    StreamOptions { format, run_id: Some("r".into()), ..collecting() }
}

fn options() -> StreamOptions {
    options_of(Provider::Bedrock)
}

/// A record of one field as a frame.
fn frame(record: &Value) -> Vec<u8> {
    let (name, payload) = record.as_object().unwrap().iter().next().unwrap();
    let kind = if name.ends_with("Exception") { "exception" } else { "event" };
    let mut headers = Vec::new();
    for (header, value) in [(format!(":{kind}-type"), &**name), (":message-type".into(), kind)] {
        headers.push(header.len() as u8);
        headers.extend(header.as_bytes());
        headers.push(7);
        headers.extend((value.len() as u16).to_be_bytes());
        headers.extend(value.as_bytes());
    }
    let payload = payload.to_string();
    let mut frame = Vec::new();
    for length in [16 + headers.len() + payload.len(), headers.len()] {
        frame.extend((length as u32).to_be_bytes());
    }
    frame.extend(crc32(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload.as_bytes());
    frame.extend(crc32(&frame).to_be_bytes());
    frame
}

/// The records of a stream that can be frames.
fn records() -> Vec<Value> {
    let (_, _, text) =
        own_streams().into_iter().find(|stream| stream.1 == Provider::Bedrock).unwrap();
    let records = split(&text).into_iter().map(|(_, data)| json_of(&data));
    let records: Vec<_> = records.filter(|data| data.as_object().unwrap().len() == 1).collect();
    assert!(records.len() > 30);
    records
}

fn assembled(chunks: &mut dyn Iterator<Item = &[u8]>) -> Stream {
    let mut stream = Stream::new(options());
    for chunk in chunks {
        stream.push_bytes(chunk, 0.0).unwrap();
    }
    stream.end(0.0);
    stream
}

fn rules(stream: &Stream) -> Vec<String> {
    stream.problems().iter().map(|problem| problem.rule.to_string()).collect()
}

#[test]
fn frames_give_the_message_of_the_same_text() {
    let records = records();
    let text: String = records.iter().map(|record| format!("data: {record}\n\n")).collect();
    let frames: Vec<u8> = records.iter().flat_map(frame).collect();
    let want = assembled(&mut [text.as_bytes()].into_iter());
    let made = assembled(&mut [&frames[..]].into_iter());
    assert_eq!(preview(&made), preview(&want));
    assert_eq!((made.status(), rules(&made)), (want.status(), rules(&want)));
    for size in [1, 2, 7, 11, 12, 13, 100] {
        let pieces = assembled(&mut frames.chunks(size));
        assert_eq!(seen(&pieces), seen(&made), "chunks of {size}");
    }
}

#[test]
fn a_snapshot_can_be_taken_at_every_byte_of_frames() {
    let frames: Vec<u8> = records().iter().take(12).flat_map(frame).collect();
    let want = seen(&assembled(&mut [&frames[..]].into_iter()));
    for cut in 0..=frames.len() {
        let mut stream = Stream::new(options());
        stream.push_bytes(&frames[..cut], 0.0).unwrap();
        let snapshot = stream.snapshot();
        let mut again = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
        assert_eq!(again.snapshot(), snapshot, "cut at {cut}");
        again.push_bytes(&frames[cut..], 0.0).unwrap();
        again.end(0.0);
        assert_eq!(seen(&again), want, "cut at {cut}");
    }
}

/// One problem, and the message is that of the other records; in a prelude, of those before.
#[test]
fn a_damaged_frame_takes_nothing_with_it() {
    let records = records();
    let frames: Vec<_> = records.iter().map(frame).collect();
    let message = |frames: &[Vec<u8>]| assembled(&mut [&frames.concat()[..]].into_iter());
    for at in 1..frames.len() {
        let length = frames[at].len();
        for byte in [0, 5, 11, 12, 20, length / 2, length - 5, length - 1] {
            let mut damaged = frames.clone();
            damaged[at][byte] ^= 0x40;
            let made = message(&damaged);
            let rest = if byte < 12 { &[] } else { &frames[at + 1..] };
            let want = message(&[&frames[..at], rest].concat());
            assert_eq!(preview(&made), preview(&want), "byte {byte} of frame {at}");
            let of_frames = rules(&made).into_iter().filter(|rule| rule == "frame").count();
            assert_eq!(of_frames, 1, "byte {byte} of frame {at}");
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0, |n, at| n << 8 | usize::from(*three.get(at).unwrap_or(&0)));
        for digit in 0..4 {
            let is_there = digit <= three.len();
            let digit = DIGITS[number >> (18 - 6 * digit) & 63];
            out.push(if is_there { char::from(digit) } else { '=' });
        }
    }
    out
}

/// `InvokeModelWithResponseStream`: the frames bring records of the model's own format.
#[test]
fn chunks_give_the_message_of_the_models_own_records() {
    let options = || options_of(Provider::Anthropic);
    for (path, _, text) in own_streams().iter().filter(|(_, of, _)| *of == Provider::Anthropic) {
        let records = split(text).into_iter().map(|(_, data)| data);
        let records: Vec<_> = records.filter(|data| data.starts_with('{')).collect();
        let events: String = records.iter().map(|record| format!("data: {record}\n\n")).collect();
        let chunk = |record: &String| {
            frame(&json!({"chunk": {"bytes": base64(record.as_bytes()), "p": "abcdef"}}))
        };
        let frames: Vec<u8> = records.iter().flat_map(chunk).collect();
        let mut want = Stream::new(options());
        want.push_bytes(events.as_bytes(), 0.0).unwrap();
        want.end(0.0);
        for size in [frames.len(), 1, 50] {
            let mut made = Stream::new(options());
            for piece in frames.chunks(size) {
                made.push_bytes(piece, 0.0).unwrap();
            }
            made.end(0.0);
            assert_eq!(preview(&made), preview(&want), "{} by {size}", path.display());
            assert_eq!(made.status(), want.status(), "{}", path.display());
            assert_eq!(rules(&made), rules(&want), "{}", path.display());
        }
    }
}
