//! Laws of streams, tested with random ones: the size of chunks does not matter, a snapshot can be taken at
//! every byte, changes add up to the preview. `recorded_streams.rs` tests them with streams of providers.

use crate::assemble::*;
use apex_parts_assemble::{MessageContext, OnProblem, Stream, StreamOptions};
use apex_parts_model::IdSource;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The next step of a random stream.
#[derive(Clone, Debug)]
enum Act {
    Text(String),
    Thinking(String),
    /// Text of a block, which 0 is not, with state.
    Block(bool, u8, String, u8),
    Call(u8, u8),
    Args(u8, String),
    End(u8, u8),
    Custom(u8),
    /// Takes back what came with the last deltas, as many as this.
    Reset(u8),
    Usage(u8, bool),
    Unknown,
    Rubbish(String),
    Done,
    Error,
}

/// The escaped content of a JSON string, with escapes and halves of surrogate pairs.
fn piece() -> impl Strategy<Value = String> {
    let bits = prop_oneof![
        Just("a".to_owned()),
        Just("é😀".to_owned()),
        Just(r"\n".to_owned()),
        Just(r"\ud83d".to_owned()),
        Just(r"\ude00".to_owned()),
        Just(r"\u00e9\/".to_owned()),
        "[a-z ]{1,5}",
    ];
    proptest::collection::vec(bits, 0..4).prop_map(|bits| bits.concat())
}

fn args_piece() -> impl Strategy<Value = String> {
    let bits = prop_oneof![
        Just(r#"{\"k\":"#.to_owned()),
        Just(r#"\"v"#.to_owned()),
        Just(r#"\","#.to_owned()),
        Just(r#"[1,"#.to_owned()),
        Just("}".to_owned()),
        Just("]".to_owned()),
        Just("tru".to_owned()),
        Just("-1.5".to_owned()),
        Just(r#"\\ud83d\\ude00"#.to_owned()),
        Just(r"\ud83d".to_owned()),
        Just(r"\ude00".to_owned()),
        Just(" ".to_owned()),
    ];
    proptest::collection::vec(bits, 0..4).prop_map(|bits| bits.concat())
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        5 => piece().prop_map(Act::Text),
        3 => piece().prop_map(Act::Thinking),
        5 => (any::<bool>(), 0u8..4, piece(), 0u8..4)
            .prop_map(|(kind, block, text, state)| Act::Block(kind, block, text, state)),
        3 => (0u8..4, 0u8..4).prop_map(|(id, state)| Act::Call(id, state)),
        6 => (0u8..4, args_piece()).prop_map(|(id, text)| Act::Args(id, text)),
        2 => (0u8..4, 0u8..4).prop_map(|(id, state)| Act::End(id, state)),
        1 => (1u8..4).prop_map(Act::Custom),
        1 => (0u8..8).prop_map(Act::Reset),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(n, more)| Act::Usage(n, more)),
        1 => Just(Act::Unknown),
        1 => "[\\[{\"a:0 ]{0,6}".prop_map(Act::Rubbish),
        1 => Just(Act::Done),
        1 => Just(Act::Error),
    ]
}

/// A field with state of a provider, or nothing.
fn state_of(number: u8) -> &'static str {
    match number {
        0 => "",
        1 => r#","provider":{"openai":{}}"#,
        2 => r#","provider":{"a":{"x":"\u00e9","y":[1.50]},"providerExecuted":true}"#,
        _ => r#","provider":{"a":{"x":null},"openai":{"itemId":"i"},"citations":[1]}"#,
    }
}

/// The records of a stream as NDJSON or SSE, and the offset at which each ends.
fn write(acts: &[Act], sse: bool, end: &str) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut ends = Vec::new();
    let mut add = |record: String, seq: usize| {
        let line = match (sse, seq % 3) {
            (false, _) => format!("{record}{end}"),
            (true, 0) => format!("event: delta{end}data: {record}{end}{end}"),
            (true, 1) => format!("data:{record}{end}: hi{end}id: 5{end}{end}"),
            (true, _) => {
                let (a, b) = record.split_once(',').unwrap_or((&record, ""));
                let comma = if b.is_empty() && !record.contains(',') { "" } else { "," };
                format!("data: {a}{comma}{end}data: {b}{end}{end}")
            }
        };
        bytes.extend(line.into_bytes());
        ends.push(bytes.len());
    };
    let record = |seq: usize, kind: &str, payload: String| {
        let second = seq % 60;
        format!(
            r#"{{"runId":"r","seq":{},"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T08:30:{second:02}.5Z"}}"#,
            seq * 2
        )
    };
    add(record(1, "start", r#"{"modelId":"m","requestId":"q"}"#.into()), 1);
    for (i, act) in acts.iter().enumerate() {
        let seq = i + 2;
        add(
            match act {
                Act::Text(text) => record(seq, "text", format!(r#"{{"textDelta":"{text}"}}"#)),
                Act::Thinking(text) => {
                    record(seq, "thinking", format!(r#"{{"textDelta":"{text}"}}"#))
                }
                Act::Block(is_text, block, text, state) => {
                    let block = match block {
                        0 => String::new(),
                        1 => r#","block":"b""#.to_owned(),
                        n => format!(r#","block":{n}"#),
                    };
                    let payload = format!(r#"{{"textDelta":"{text}"{block}{}}}"#, state_of(*state));
                    record(seq, if *is_text { "text" } else { "thinking" }, payload)
                }
                Act::Custom(state) => {
                    let payload = format!(r#"{{"type":"x-y"{}}}"#, state_of(*state));
                    record(seq, "custom", payload)
                }
                Act::Reset(back) => {
                    let since = (seq * 2).saturating_sub(usize::from(*back) * 2);
                    record(seq, "reset", format!(r#"{{"since":{since}}}"#))
                }
                Act::Call(id, state) => {
                    let state = state_of(*state);
                    let payload = format!(r#"{{"toolCallId":"c{id}","toolName":"t"{state}}}"#);
                    record(seq, "tool_call_start", payload)
                }
                Act::Args(id, text) => record(
                    seq,
                    "tool_call_args",
                    format!(r#"{{"toolCallId":"c{id}","argsTextDelta":"{text}"}}"#),
                ),
                Act::End(id, state) => {
                    let payload = format!(r#"{{"toolCallId":"c{id}"{}}}"#, state_of(*state));
                    record(seq, "tool_call_end", payload)
                }
                Act::Usage(n, more) => {
                    let more = if *more {
                        format!(r#","cost":0.{n},"reasoningTokens":{n}"#)
                    } else {
                        String::new()
                    };
                    record(
                        seq,
                        "usage",
                        format!(
                            r#"{{"inputTokens":{n},"outputTokens":1,"totalTokens":{n}{more}}}"#
                        ),
                    )
                }
                Act::Unknown => record(seq, "brand_new", "5".into()),
                Act::Rubbish(text) => text.clone(),
                Act::Done => record(
                    seq,
                    "done",
                    r#"{"finishReason":"stop","meta":{"provider":{"id":7},"mine":[{"a":"é"}]}}"#
                        .into(),
                ),
                Act::Error => record(
                    seq,
                    "error",
                    r#"{"errorCode":"e","retryable":false,"meta":{"compaction":{"b":1}}}"#.into(),
                ),
            },
            seq,
        );
    }
    (bytes, ends)
}

fn stream() -> impl Strategy<Value = (Vec<u8>, Vec<usize>)> {
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    (proptest::collection::vec(act(), 0..24), any::<bool>(), end)
        // A lone CR does not end a line of NDJSON.
        .prop_map(|(acts, sse, end)| {
            write(&acts, sse, if sse { end } else { end.trim_start_matches('\r') })
        })
        .prop_map(|(mut bytes, ends)| {
            if ends.is_empty() || bytes.is_empty() {
                bytes = b"\n".to_vec();
            }
            (bytes, ends)
        })
}

fn throwing() -> StreamOptions {
    StreamOptions { on_problem: Some(OnProblem::Throw), ..StreamOptions::default() }
}

type Seen = (Value, Option<Value>, &'static str, Vec<String>);

fn whole(bytes: &[u8]) -> Seen {
    let mut stream = Stream::new(collecting());
    stream.push_bytes(bytes, 0.0).unwrap();
    stream.end(0.0);
    seen(&stream)
}

/// The `seq` of a line that may be no JSON to serde: half of a surrogate pair.
fn seq_of(line: &str) -> i64 {
    let (_, rest) = line.split_once("\"seq\":").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn chunks_do_not_matter((bytes, _) in stream(), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        let want = whole(&bytes);
        let mut cuts: Vec<usize> = cuts.iter().map(|c| c.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut stream = Stream::new(collecting());
        for cut in cuts.windows(2) {
            stream.push_bytes(&bytes[cut[0]..cut[1]], 0.0).unwrap();
        }
        stream.end(0.0);
        prop_assert_eq!(seen(&stream), want.clone());

        let mut stream = Stream::new(collecting());
        for byte in &bytes {
            stream.push_bytes(&[*byte], 0.0).unwrap();
        }
        stream.end(0.0);
        prop_assert_eq!(seen(&stream), want);
    }

    #[test]
    fn nothing_is_lost_if_violations_are_thrown((bytes, _) in stream(), size in 1usize..400) {
        let mut stream = Stream::new(StreamOptions::default());
        for chunk in bytes.chunks(size) {
            let _ = stream.push_bytes(chunk, 0.0);
        }
        while stream.push_bytes(b"", 0.0).is_err() {}
        stream.end(0.0);
        let (want, got) = (whole(&bytes), seen(&stream));
        prop_assert_eq!((got.0, got.1, got.2), (want.0, want.1, want.2));
    }

    #[test]
    fn a_snapshot_can_be_taken_at_every_byte((bytes, _) in stream(), cut in any::<prop::sample::Index>(), given_again in any::<bool>()) {
        let want = whole(&bytes);
        let (first, rest) = bytes.split_at(cut.index(bytes.len() + 1));
        let mut stream = Stream::new(collecting());
        stream.push_bytes(first, 0.0).unwrap();
        let snapshot = stream.snapshot();
        let options = if given_again { collecting() } else { StreamOptions::default() };
        let mut again = Stream::restore(&snapshot, options).unwrap();
        prop_assert_eq!(seen(&again), seen(&stream));
        // The snapshot of a restored stream is the same snapshot.
        prop_assert_eq!(again.snapshot(), snapshot);
        again.push_bytes(rest, 0.0).unwrap();
        again.end(0.0);
        prop_assert_eq!(seen(&again), want.clone());
        // After the end, too.
        let ended = Stream::restore(&again.snapshot(), StreamOptions::default()).unwrap();
        prop_assert_eq!(seen(&ended), want);
        prop_assert_eq!(ended.snapshot(), again.snapshot());
    }

    #[test]
    fn changes_give_the_preview((bytes, ends) in stream(), takes in proptest::collection::vec(any::<bool>(), 30), restored in any::<prop::sample::Index>()) {
        let mut stream = Stream::new(collecting());
        let mut screen = Vec::new();
        let mut at = 0;
        let restored = restored.index(ends.len().max(1));
        for (i, end) in ends.iter().enumerate() {
            stream.push_bytes(&bytes[at..*end], 0.0).unwrap();
            at = *end;
            if takes[i % takes.len()] {
                apply(&mut screen, &take(&mut stream));
                let parts = preview(&stream)["parts"].as_array().unwrap().clone();
                prop_assert_eq!(settled(&screen), settled(&parts));
            }
            if i == restored {
                stream = Stream::restore(&stream.snapshot(), collecting()).unwrap();
                screen.clear();
            }
        }
        stream.end(0.0);
        apply(&mut screen, &take(&mut stream));
        let parts = preview(&stream)["parts"].as_array().unwrap().clone();
        prop_assert_eq!(settled(&screen), settled(&parts));
        prop_assert!(take(&mut stream).is_empty());
        if stream.message().is_some() {
            prop_assert_eq!(screen, parts);
        }
    }

    #[test]
    fn taken_deltas_give_the_message((bytes, ends) in stream(), takes in proptest::collection::vec(any::<bool>(), 30), restored in any::<prop::sample::Index>()) {
        let mut stream = Stream::new(collecting());
        // The content of a log: deltas, after a snapshot in place of all earlier ones.
        let (mut base, mut log) = (None, String::new());
        // What each call gave, for who has to write it again.
        let mut given = Vec::new();
        stream.forget_deltas(i64::MIN);
        let restored = restored.index(ends.len() * 2 + 1);
        let mut at = 0;
        for (i, end) in ends.iter().enumerate() {
            stream.push_bytes(&bytes[at..*end], 0.0).unwrap();
            at = *end;
            if takes[i % takes.len()] {
                given.push(stream.take_deltas());
                log.push_str(given.last().unwrap());
            }
            if i == restored {
                let snapshot = stream.snapshot();
                stream = Stream::restore(&snapshot, collecting()).unwrap();
                stream.forget_deltas(i64::MIN);
                given.clear();
                (base, log) = (Some(snapshot), String::new());
            }
        }
        given.push(stream.take_deltas());
        log.push_str(given.last().unwrap());
        prop_assert!(stream.take_deltas().is_empty());
        prop_assert_eq!(stream.deltas_again(i64::MIN, i64::MAX), given.concat());
        let mut from = i64::MIN;
        for text in given.iter().filter(|text| !text.is_empty()) {
            let to = seq_of(text.lines().last().unwrap());
            prop_assert_eq!(&stream.deltas_again(from, to), text);
            if to % 2 == 0 {
                stream.forget_deltas(to);
                prop_assert!(stream.deltas_again(from, to).is_empty());
            }
            from = to;
        }
        // No delta in it breaks a rule.
        let mut again = match &base {
            Some(snapshot) => Stream::restore(snapshot, throwing()).unwrap(),
            None => Stream::new(throwing()),
        };
        // Not as bytes: the stream of the snapshot may be in the middle of an event.
        for delta in log.lines() {
            again.push(delta.as_bytes()).unwrap();
        }
        prop_assert_eq!(preview(&again), preview(&stream));
        prop_assert_eq!(again.status(), stream.status());
        prop_assert_eq!(seen(&again).1, seen(&stream).1);
    }

    #[test]
    fn a_snapshot_is_a_stream_that_any_assembler_reads((bytes, _) in stream()) {
        let mut stream = Stream::new(collecting());
        stream.push_bytes(&bytes, 0.0).unwrap();
        let mut plain = Stream::new(StreamOptions::default());
        plain.push_bytes(&stream.snapshot(), 0.0).unwrap();
        let (one, two) = (seen(&plain), seen(&stream));
        prop_assert_eq!((one.0, one.1, one.2), (two.0, two.1, two.2));
    }

    #[test]
    fn part_ids_sort_as_the_parts_stand((bytes, _) in stream(), cut in any::<prop::sample::Index>(), seed in any::<u64>()) {
        // All in one millisecond, so that only the counter tells the ids apart.
        let mut source = IdSource::default();
        let mut state = seed;
        let mut fresh = || {
            source.next(1_700_000_000_000.0, &mut |random| {
                for byte in random {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *byte = state.to_le_bytes()[7];
                }
            })
        };
        let mut stream = Stream::new(collecting());
        let (first, rest) = bytes.split_at(cut.index(bytes.len() + 1));
        for part in [first, rest] {
            let _ = stream.push_bytes(part, 0.0);
            let message: Value = serde_json::from_str(&stream.to_with_parts(&MessageContext::default(), &mut fresh)).unwrap();
            let own = message["info"]["id"].as_str().into_iter();
            let parts = message["parts"].as_array().unwrap().iter().filter_map(|part| part["id"].as_str());
            let ids: Vec<&str> = own.chain(parts).collect();
            prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        }
    }

    #[test]
    fn any_bytes_can_be_pushed_and_restored(bytes in proptest::collection::vec(any::<u8>(), 0..200), size in 1usize..50) {
        let mut stream = Stream::new(StreamOptions::default());
        for chunk in bytes.chunks(size) {
            let _ = stream.push_bytes(chunk, 0.0);
        }
        stream.end(0.0);
        let _ = (seen(&stream), stream.snapshot(), take(&mut stream));
        let _ = Stream::restore(&bytes, StreamOptions::default());
    }

    #[test]
    fn damaged_streams_can_be_restored((mut bytes, _) in stream(), at in any::<prop::sample::Index>(), with in any::<u8>()) {
        let at = at.index(bytes.len());
        bytes[at] = with;
        let mut stream = Stream::new(collecting());
        stream.push_bytes(&bytes, 0.0).unwrap();
        let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
        prop_assert_eq!(seen(&again), seen(&stream));
        stream.end(0.0);
        again.end(0.0);
        prop_assert_eq!(seen(&again), seen(&stream));
    }
}

#[test]
fn a_snapshot_at_every_byte_of_one_stream() {
    let acts = [
        Act::Text(r"a\ud83d".into()),
        Act::Text(r"\ude00é😀".into()),
        Act::Call(1, 0),
        Act::Thinking("t".into()),
        Act::Args(1, r#"{\"x\":\"é"#.into()),
        Act::Usage(7, true),
        Act::Rubbish("{]".into()),
        Act::Call(2, 0),
        Act::Args(2, r#"{\"y\":1}"#.into()),
        Act::End(2, 0),
        Act::Args(1, r#"\"}"#.into()),
        Act::Done,
        Act::Text("late".into()),
    ];
    for (sse, end) in [(false, "\n"), (true, "\r\n")] {
        let (bytes, _) = write(&acts, sse, end);
        let want = whole(&bytes);
        assert_eq!(want.0["meta"]["unclosedToolCalls"], json!(["c1"]));
        for cut in 0..=bytes.len() {
            let mut stream = Stream::new(collecting());
            stream.push_bytes(&bytes[..cut], 0.0).unwrap();
            let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            again.push_bytes(&bytes[cut..], 0.0).unwrap();
            again.end(0.0);
            assert_eq!(seen(&again), want, "cut at {cut}");
        }
    }
}
