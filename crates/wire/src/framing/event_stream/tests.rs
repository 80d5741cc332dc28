use super::*;
use apex_parts_json::saved::Saved;
use proptest::prelude::*;

const MAX: usize = 1 << 20;

/// A header with a string.
fn string(name: &str, value: &str) -> Vec<u8> {
    let mut header = vec![name.len() as u8];
    header.extend_from_slice(name.as_bytes());
    header.push(7);
    header.extend_from_slice(&(value.len() as u16).to_be_bytes());
    header.extend_from_slice(value.as_bytes());
    header
}

fn frame(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let total = (LEAST + headers.len() + payload.len()) as u32;
    let mut frame = total.to_be_bytes().to_vec();
    frame.extend_from_slice(&(headers.len() as u32).to_be_bytes());
    let sum = crc32(&frame);
    frame.extend_from_slice(&sum.to_be_bytes());
    frame.extend_from_slice(headers);
    frame.extend_from_slice(payload);
    let sum = crc32(&frame);
    frame.extend_from_slice(&sum.to_be_bytes());
    frame
}

fn event(name: &str, payload: &[u8]) -> Vec<u8> {
    let headers = [string(":event-type", name), string(":message-type", "event")].concat();
    frame(&headers, payload)
}

/// What a frame says, in the test's own words.
type Read = Result<(MessageKind, String, Vec<u8>, u64), (FrameFault, u64)>;

fn owned(frame: EventFrame<'_>) -> Read {
    frame.map(|EventMessage { kind, name, payload, offset }| {
        (kind, name.to_owned(), payload.to_vec(), offset)
    })
}

/// Reads a stream in these chunks; its state is saved and loaded between them.
fn read(chunks: &[&[u8]], max: usize) -> Vec<Read> {
    let mut stream = EventStream::default();
    let mut all = Vec::new();
    for chunk in chunks {
        let mut at = 0;
        while let Some(frame) = stream.next(chunk, &mut at, max) {
            all.push(owned(frame));
        }
        assert_eq!(at, chunk.len());
        stream.settle();
        let again = EventStream::load(stream.save()).expect("its own state");
        assert_eq!(again, stream);
        stream = again;
    }
    while let Some(fault) = stream.finish() {
        all.push(Err(fault));
    }
    all
}

fn whole(bytes: &[u8]) -> Vec<Read> {
    read(&[bytes], MAX)
}

fn message_of(kind: MessageKind, name: &str, payload: &str, offset: u64) -> Read {
    Ok((kind, name.to_owned(), payload.as_bytes().to_vec(), offset))
}

#[test]
fn events_exceptions_and_errors() {
    let exception = [
        string(":exception-type", "throttlingException"),
        string(":content-type", "application/json"),
        string(":message-type", "exception"),
    ];
    let error = [
        string(":message-type", "error"),
        string(":error-code", "InternalError"),
        string(":error-message", "Later"),
    ];
    let first = event("messageStart", b"{}");
    let second = frame(&exception.concat(), b"{\"message\":\"Slow down\"}");
    let third = frame(&error.concat(), b"");
    let fourth = frame(&[], b"?");
    let bytes = [&*first, &*second, &*third, &*fourth].concat();
    let at = [first.len(), second.len(), third.len()].map(|length| length as u64);
    assert_eq!(
        whole(&bytes),
        [
            message_of(MessageKind::Event, "messageStart", "{}", 0),
            message_of(
                MessageKind::Exception,
                "throttlingException",
                "{\"message\":\"Slow down\"}",
                at[0]
            ),
            message_of(MessageKind::Error, "InternalError", "Later", at[0] + at[1]),
            message_of(MessageKind::Other, "", "?", at[0] + at[1] + at[2]),
        ]
    );
}

#[test]
fn headers_of_every_type() {
    let mut headers = Vec::new();
    for (kind, length) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8), (9, 16)] {
        headers.extend_from_slice(&[1, b'a' + kind, kind]);
        headers.extend(std::iter::repeat_n(0xFF, length));
    }
    headers.extend_from_slice(&[1, b'b', 6, 0, 3, 0xFF, 0xFE, 0xFD]);
    headers.extend(string(":message-type", "event"));
    headers.extend(string(":event-type", "x"));
    let bytes = frame(&headers, b"1");
    assert_eq!(whole(&bytes), [message_of(MessageKind::Event, "x", "1", 0)]);
}

#[test]
fn headers_that_are_none() {
    let cases: [&[u8]; 5] = [
        &[1, b'a', 10],                            // no such type
        &[9, b'a', 0],                             // the name is longer than the headers
        &[1, b'a', 7, 0, 9, b'x'],                 // the value is
        &[1, b'a'],                                // without a type
        &[11, b':', b'e', b'v', b'e', b'n', b't'], // interrupted
    ];
    for headers in cases {
        let bytes = [frame(headers, b"{}"), event("after", b"{}")].concat();
        let read = whole(&bytes);
        assert_eq!(read.first(), Some(&Err((FrameFault::Headers, 0))), "{headers:?}");
        assert!(matches!(read.get(1), Some(Ok((_, name, ..))) if name == "after"));
    }
    let not_text =
        [string(":message-type", "event"), vec![11], b":event-type".to_vec(), vec![7, 0, 1, 0xFF]];
    assert_eq!(whole(&frame(&not_text.concat(), b"")), [Err((FrameFault::Headers, 0))]);
}

#[test]
fn a_damaged_payload_is_one_fault_and_the_rest_is_read() {
    let mut bytes = event("first", b"{\"a\":1}");
    let length = bytes.len();
    *bytes.get_mut(length - 6).expect("a byte of the payload") ^= 1;
    bytes.extend(event("second", b"{}"));
    let expected = [
        Err((FrameFault::Checksum, 0)),
        message_of(MessageKind::Event, "second", "{}", length as u64),
    ];
    assert_eq!(whole(&bytes), expected);
}

#[test]
fn a_damaged_prelude_ends_the_stream() {
    let first = event("first", b"{}");
    for at in 0..PRELUDE {
        let mut second = event("second", b"{}");
        *second.get_mut(at).expect("a byte of the prelude") ^= 0x10;
        let bytes = [&*first, &*second, &*event("third", b"{}")].concat();
        let expected = [
            message_of(MessageKind::Event, "first", "{}", 0),
            Err((FrameFault::Prelude, first.len() as u64)),
        ];
        assert_eq!(whole(&bytes), expected, "byte {at}");
    }
}

#[test]
fn a_frame_without_its_end() {
    let first = event("first", b"{}");
    let second = event("second", b"{\"long\":\"payload\"}");
    for length in 1..second.len() {
        let bytes = [&*first, second.get(..length).expect("a part of it")].concat();
        let expected = [
            message_of(MessageKind::Event, "first", "{}", 0),
            Err((FrameFault::Truncated, first.len() as u64)),
        ];
        assert_eq!(whole(&bytes), expected, "{length} bytes");
    }
}

#[test]
fn a_frame_that_is_too_long_is_left_out_wherever_it_ends() {
    let long = event("long", &[b' '; 500]);
    let bytes = [&*long, &*event("next", b"{}")].concat();
    let expected = [
        Err((FrameFault::TooLong, 0)),
        message_of(MessageKind::Event, "next", "{}", long.len() as u64),
    ];
    for size in 1..bytes.len() {
        assert_eq!(
            read(&bytes.chunks(size).collect::<Vec<_>>(), 200),
            expected,
            "chunks of {size}"
        );
    }
    let cut = long.get(..100).expect("a part of it");
    assert_eq!(read(&[cut], 200), [Err((FrameFault::TooLong, 0))]);
}

#[test]
fn lengths_that_cannot_be() {
    for (total, headers) in [(15, 0), (16, 1), (LONGEST as u32 + 1, 0), (u32::MAX, u32::MAX)] {
        let mut bytes = u32::to_be_bytes(total).to_vec();
        bytes.extend_from_slice(&headers.to_be_bytes());
        let sum = crc32(&bytes);
        bytes.extend_from_slice(&sum.to_be_bytes());
        assert_eq!(lengths(&bytes), None, "{total}, {headers}");
    }
    assert_eq!(lengths(&event("a", b"{}")).map(|(total, _)| total), Some(event("a", b"{}").len()));
    assert_eq!(lengths(&event("a", b"{}")[..PRELUDE - 1]), None);
}

proptest! {
    #[test]
    fn any_split_gives_the_same(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..5),
        damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        cut in any::<prop::sample::Index>(),
        sizes in prop::collection::vec(1usize..40, 1..10),
    ) {
        let mut bytes: Vec<u8> = payloads.iter().flat_map(|payload| event("e", payload)).collect();
        if let Some((at, bits)) = damage && !bytes.is_empty() {
            let at = at.index(bytes.len());
            *bytes.get_mut(at).expect("within") ^= bits;
        }
        bytes.truncate(bytes.len() - cut.index(bytes.len() + 1).min(20).min(bytes.len()));
        let mut chunks = Vec::new();
        let mut rest = &*bytes;
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        prop_assert_eq!(read(&chunks, MAX), whole(&bytes));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        whole(&bytes);
    }
}
