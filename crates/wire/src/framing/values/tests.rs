use crate::framing::framing::tests::{data, frames};
use crate::framing::values::JsonValues;

#[test]
fn a_record_a_line() {
    assert_eq!(
        data(b"{\"a\":1}\n\r\n  \n {\"b\":2} \r\n{\"c\":3}"),
        ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]
    );
}

#[test]
fn an_offset_is_that_of_the_first_byte() {
    let found = frames(&[&b"{}\n\n  {}\n"[..], b"{", b"}"], 99);
    assert_eq!(found.iter().map(|f| f.2).collect::<Vec<_>>(), [0, 6, 9]);
}

#[test]
fn a_record_that_is_too_long_is_reported_and_dropped() {
    for chunks in [vec![&b"{}\n{123456789}\n{}\n"[..]], vec![b"{}\n{1234", b"56", b"789}\n{}\n"]] {
        let found = frames(&chunks, 8);
        let data: Vec<Option<&str>> = found.iter().map(|f| f.1.as_deref()).collect();
        assert_eq!(data, [Some("{}"), None, Some("{}")]);
        assert_eq!(found[1].2, 3);
    }
}

#[test]
fn the_first_record_may_have_several_lines() {
    let refusal = "{\n  \"error\": {\n    \"code\": 429\n  }\n}";
    assert_eq!(data(refusal.as_bytes()), [refusal]);
    let more = format!("(429)\n\n{refusal}\n{{\"a\":1}}\n{{\n");
    assert_eq!(data(more.as_bytes()), ["(429)", refusal, "{\"a\":1}", "{"]);
    let found = frames(&[b"\n ", refusal.as_bytes(), b"\n{}"], 99);
    assert_eq!(found.iter().map(|f| f.2).collect::<Vec<_>>(), [2, 2 + refusal.len() as u64 + 1]);
}

#[test]
fn a_broken_first_record_does_not_hide_the_next() {
    for broken in ["{\"a\":", "{\"a\":\"b", "{\"a\":1,", "{", "{\"a\":{\"b\":1}", "{]", "{\"a\" 1}"]
    {
        let stream = format!("{broken}\n{{\"b\":2}}\n\n{{\"c\":3}}\n");
        assert_eq!(data(stream.as_bytes()), [broken, "{\"b\":2}", "{\"c\":3}"]);
        let cut = format!("{broken}\n{{\"b\":2}}");
        assert_eq!(data(cut.as_bytes()), [broken, "{\"b\":2}"]);
    }
}

#[test]
fn a_value_that_is_too_long_is_one_record() {
    for chunk in [1, 5, 100] {
        let stream = b"{\n\"a\":\n1234567890\n}\n{}\n{\"abc\":\"\n\"}\n{}";
        let found = frames(&stream.chunks(chunk).collect::<Vec<_>>(), 9);
        let data: Vec<Option<&str>> = found.iter().map(|f| f.1.as_deref()).collect();
        assert_eq!(data, [None, Some("{}"), Some("{\"abc\":\""), Some("\"}"), Some("{}")]);
        assert_eq!(found.iter().map(|f| f.2).collect::<Vec<_>>(), [0, 20, 23, 32, 35]);
    }
}

#[test]
fn nothing_has_to_stand_between_values() {
    assert_eq!(
        data(b"{\"a\":\"}{\"}{}  {\"b\":[{}]}\n{}"),
        ["{\"a\":\"}{\"}", "{}", "{\"b\":[{}]}", "{}"]
    );
    let values = frames(&[b"{\"a\":1}{\n\"b\":", b"2}"], 99);
    assert_eq!(values.iter().map(|f| f.2).collect::<Vec<_>>(), [0, 7]);
}

#[test]
fn an_array_is_a_stream_of_its_elements() {
    assert_eq!(
        data(b"[{\"a\":1},\n{\"b\":\n2}\n,\n{}]\n{\"c\":3}[{}]"),
        ["{\"a\":1}", "{\"b\":\n2}", "{}", "{\"c\":3}", "{}"]
    );
    assert_eq!(data(b"[]"), [""; 0]);
    for size in [1, 2, 9] {
        let found = frames(&b"{}\n[DONE]\n[ \n{}]".chunks(size).collect::<Vec<_>>(), 99);
        let found: Vec<_> = found.iter().map(|f| (f.1.as_deref().unwrap(), f.2)).collect();
        assert_eq!(found, [("{}", 0), ("[DONE]", 3), ("{}", 13)]);
    }
    assert_eq!(data(b"[1, null,[2],{}"), ["1", "null", "[2]", "{}"]);
    assert_eq!(data(b"[{\"a\":1},{\"b\":"), ["{\"a\":1}", "{\"b\":"]);
}

#[test]
fn a_deep_value_that_goes_on_is_given_up() {
    let deep = "[{\"a\":\n".repeat(3000);
    let stream = format!("{deep}\n{{\"b\":2}}");
    assert_eq!(data(stream.as_bytes()).last().unwrap(), "{\"b\":2}");
}

#[test]
fn a_page_is_one_record() {
    let pages = ["<!DOCTYPE html>\n<p>\n</p>\n", "  <html>\n\n{}\n"].map(str::as_bytes);
    for page in pages.into_iter().chain([&b"\x1f\x8b\x08\n{}\n"[..]]) {
        assert_eq!(frames(&[page], 99).len(), 1, "{}", String::from_utf8_lossy(page));
    }
    assert_eq!(data(b"<info> a log\n{}\n").len(), 2);
    // A line that is too long is not looked at, whether it lies in one chunk or in several.
    for size in [1, 5, 99] {
        let found = frames(&b"<html><body>\n{}\n".chunks(size).collect::<Vec<_>>(), 8);
        assert_eq!(found.iter().map(|f| f.2).collect::<Vec<_>>(), [0, 13], "chunks of {size}");
    }
}

#[test]
fn after_a_value_a_line_begins() {
    let (mut values, mut at) = (JsonValues::default(), 0);
    let chunk = b"{\"a\":1}\r\n{\"b\":2}\n";
    assert!(values.next(chunk, &mut at, 99).is_some());
    let line = values.line(chunk, at, 99).unwrap();
    assert_eq!((line.text, line.offset, line.used), (&b"{\"b\":2}"[..], 9, 8));
}

#[test]
fn a_line_may_begin_in_an_earlier_chunk() {
    let rest = b":2}\n{}\n";
    for is_taken in [true, false] {
        let mut values = JsonValues::default();
        assert_eq!(values.next(b"\n{\"b\"", &mut 0, 99), None);
        assert!(values.line(rest, 0, 6).is_none(), "it is too long");
        let line = values.line(rest, 0, 7).unwrap();
        assert_eq!((line.text, line.offset, line.used), (&b"{\"b\":2}"[..], 1, 4));
        let mut at = 0;
        if is_taken {
            at = 4;
            values.skip_line(4);
        } else {
            // What was offered and not taken is read again.
            let data = values.next(rest, &mut at, 99).unwrap().data;
            assert_eq!(data, b"{\"b\":2}");
        }
        assert_eq!((at, values.consumed()), (4, 9));
        assert_eq!(values.next(rest, &mut at, 99).unwrap().offset, 9);
    }
}
