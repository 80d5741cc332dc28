use super::*;
use proptest::prelude::*;

/// Every record of a stream that arrives in these chunks: type, data, offset.
pub(crate) fn frames(chunks: &[&[u8]], max: usize) -> Vec<(String, Option<String>, u64)> {
    let mut framing = Framing::default();
    let mut found = Vec::new();
    let own = |f: Frame<'_>| {
        let data = f.fault.is_none().then(|| String::from_utf8_lossy(f.data).into_owned());
        (f.event.to_owned(), data, f.offset)
    };
    for chunk in chunks {
        let mut at = 0;
        loop {
            // Every other event is read ahead, if it can be.
            if framing.is_sse()
                && found.len() % 2 == 0
                && let Some(line) = framing.line(chunk, at, max)
            {
                let data = String::from_utf8_lossy(line.text).into_owned();
                found.push((line.event.to_owned(), Some(data), line.offset));
                let used = line.used;
                framing.skip_line(used, &mut at);
                continue;
            }
            let Some(frame) = framing.next(chunk, &mut at, max) else { break };
            found.push(own(frame));
        }
        assert_eq!(at, chunk.len());
        // The state at every cut can be saved and restored.
        let json = framing.save().to_string();
        let back = Framing::load(serde_json::from_str(&json).unwrap()).unwrap();
        assert_eq!(back, framing, "{json}");
        framing = back;
    }
    while let Some(frame) = framing.finish(max) {
        found.push(own(frame));
    }
    found
}

pub(crate) fn data(stream: &[u8]) -> Vec<String> {
    frames(&[stream], 1 << 20).into_iter().map(|f| f.1.unwrap()).collect()
}

#[test]
fn the_first_bytes_distinguish_sse_from_ndjson() {
    for (stream, is_sse) in [
        (&b"data: 1\n\n"[..], true),
        (b"\r\n\r\ndata:1\n\n", true),
        (b"\xef\xbb\xbfdata: 1\n\n", true),
        (b": a comment\n\ndata: 1\n\n", true),
        (b"event: x\ndata: 1\n\n", true),
        (b"data\ndata: 1\n\n", true),
        (b"x-own: 7\ndata: 1\n\n", true),
        (b"{\"a\":1}\n", false),
        (b" {\"data\": 1}\n", false),
        (b"\n{}", false),
        (b"\xef\xbb\xbf{}\n", false),
        (b"nonsense\n", false),
        (b"not json: at all\n", false),
        (b"true\n", false),
    ] {
        let mut framing = Framing::default();
        framing.next(stream, &mut 0, 1000);
        assert_eq!(framing.is_sse(), is_sse, "{}", String::from_utf8_lossy(stream));
    }
}

#[test]
fn a_word_alone_is_a_record() {
    assert_eq!(data(b"dat"), ["dat"]);
    assert_eq!(data(b""), [""; 0]);
    assert_eq!(data(b"\n\r\n"), [""; 0]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(frames(&[b"\xef\xbb\xbf{}"], 9), [(String::new(), Some("{}".into()), 3)]);
    assert_eq!(
        frames(&[&b"\xef"[..], b"\xbb", b"\xbf{}"], 9),
        [(String::new(), Some("{}".into()), 3)]
    );
}

proptest! {
    #[test]
    fn chunks_do_not_matter(
        stream in proptest::collection::vec(
            proptest::sample::select(b"data: {\"a\":1}[,]\n\r\n:evn\xef\xbb\xbf\xf0\x9f\x98\x80".to_vec()),
            0..80,
        ),
        sse in any::<bool>(),
        cuts in proptest::collection::vec(0usize..90, 0..6),
        max in 1usize..40,
    ) {
        let mut whole = if sse { b"data:x\n\n".to_vec() } else { b"\n{".to_vec() };
        whole.extend(stream);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(whole.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut at = 0;
        for cut in cuts {
            chunks.push(&whole[at..cut]);
            at = cut;
        }
        chunks.push(&whole[at..]);
        prop_assert_eq!(frames(&chunks, max), frames(&[&whole], max));
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        prop_assert_eq!(frames(&bytes, max), frames(&[&whole], max));
    }
}

proptest! {
    /// What is skipped of a whole file, and what a stream skips, is the same.
    #[test]
    fn heads_of_http_are_skipped_as_a_whole_and_in_pieces(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "HTTP/1.1 200 OK", "HTTP/2 100", "HTTP", "HTTP/x", "a: b", "report-to: {\"a\":1}", "no field",
                ": x", "\r\n", "\n", "\r\n\r\n", "data: {\"a\":1}\n\n", "{\"b\":2}\n", " ",
            ]),
            0..12,
        ),
        size in 1usize..9,
    ) {
        let bytes = format!("HTTP/1.1 200\r\n{}", pieces.concat()).into_bytes();
        let chunks: Vec<&[u8]> = bytes.chunks(size).collect();
        let found = frames(&chunks, 1 << 20);
        prop_assert_eq!(&found, &frames(&[&bytes], 1 << 20));
        if let Some(content) = after_http_heads(&bytes).filter(|content| *content > 0) {
            let mut rest = frames(&[&bytes[content..]], 1 << 20);
            rest.iter_mut().for_each(|(.., offset)| *offset += content as u64);
            prop_assert_eq!(found, rest);
        }
    }
}

/// A caller need not settle it: what it was given is not read again.
#[test]
fn a_snapshot_is_without_the_record_that_was_given_last() {
    let json = b"[DONE]\n{\"a\":1}\n".as_slice();
    let frame = b"\0\0\0\x10\0\0\0\0\x05\xC2\x48\xEB\x98\xc8\x48\xff".as_slice();
    for stream in [b"data: 1\n\ndata: 2\n\n".as_slice(), b"{\"a\":1}\n{\"b\":2}\n", json, frame] {
        let mut framing = Framing::default();
        for byte in stream.chunks(1) {
            let mut at = 0;
            while at < 1 {
                let is_given = framing.next(byte, &mut at, 1 << 20).is_some();
                let saved = framing.snapshot();
                framing.settle();
                assert_eq!(saved, framing.save(), "after a record: {is_given}");
                assert_eq!(Framing::restore(saved), Some(framing.clone()));
            }
            // A line that is offered and not taken.
            let _ = framing.line(b"3}\n", 0, 1 << 20);
            let saved = framing.snapshot();
            framing.settle();
            assert_eq!(saved, framing.save());
        }
    }
}
