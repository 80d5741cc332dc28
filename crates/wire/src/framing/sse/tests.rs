use crate::framing::framing::tests::{data, frames};

/// Type and data of every event.
fn events(stream: &str) -> Vec<(String, String)> {
    let found = frames(&[stream.as_bytes()], 1 << 20);
    found.into_iter().map(|(event, data, _)| (event, data.unwrap())).collect()
}

fn pair(event: &str, data: &str) -> (String, String) {
    (event.to_owned(), data.to_owned())
}

#[test]
fn the_examples_of_the_standard() {
    let stock = "data: YHOO\ndata: +2\ndata: 10\n\n";
    assert_eq!(events(stock), [pair("", "YHOO\n+2\n10")]);

    let four = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
    assert_eq!(
        events(four),
        [pair("", "first event"), pair("", "second event"), pair("", " third event")]
    );

    // The standard drops the last one; here it counts: a stream that ends without a blank line loses nothing.
    assert_eq!(events("data\n\ndata\ndata\n\ndata:"), [pair("", ""), pair("", "\n"), pair("", "")]);
    assert_eq!(events("data:test\n\ndata: test\n\n"), [pair("", "test"), pair("", "test")]);
}

#[test]
fn every_end_of_line() {
    for end in ["\n", "\r", "\r\n"] {
        let stream = ["event: a", "data: 1", "data: 2", "", "data: 3", "", ""].join(end);
        assert_eq!(events(&stream), [pair("a", "1\n2"), pair("", "3")], "{end:?}");
    }
    let mixed = "data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\n\r";
    assert_eq!(events(mixed), [pair("", "1\n2\n3"), pair("", "4")]);
}

#[test]
fn a_crlf_between_two_chunks_is_one_end() {
    let found = frames(&[&b"data: 1\r"[..], b"\n\r", b"\ndata: 2\r", b"\n\r\n"], 99);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1], (String::new(), Some("2".into()), 17));
}

#[test]
fn a_type_belongs_to_one_event() {
    assert_eq!(events("event: a\n\ndata: 1\n\n"), [pair("", "1")]);
    assert_eq!(
        events("event: a\nevent: b\ndata: 1\n\ndata: 2\n\n"),
        [pair("b", "1"), pair("", "2")]
    );
    assert_eq!(events("data: 1\nevent: late\n\n"), [pair("late", "1")]);
}

#[test]
fn an_offset_is_that_of_the_data() {
    let found = frames(&[b": hi\nevent: a\ndata: 1\ndata: 2\n\ndata:3\n\n"], 99);
    assert_eq!(found.iter().map(|f| f.2).collect::<Vec<_>>(), [20, 36]);
}

#[test]
fn an_event_that_is_too_long_is_reported_and_dropped() {
    let found = frames(&[b"data: 1\n\ndata: 12345678901234567890\n\ndata: 2\n\n"], 12);
    let data: Vec<Option<&str>> = found.iter().map(|f| f.1.as_deref()).collect();
    assert_eq!(data, [Some("1"), None, Some("2")]);
    let found = frames(&[b"data: 123456\ndata: 123456\ndata: 1\n\ndata: 2\n\n"], 12);
    let data: Vec<Option<&str>> = found.iter().map(|f| f.1.as_deref()).collect();
    assert_eq!(data, [None, Some("2")]);
}

#[test]
fn the_last_event_may_lack_its_end() {
    assert_eq!(data(b"data: 1\n\ndata: 2"), ["1", "2"]);
    assert_eq!(data(b"data: 1\n\ndata: 2\n"), ["1", "2"]);
    assert_eq!(data(b"data: 1\n\n: bye"), ["1"]);
    assert_eq!(data(b"data: 1\n\nevent: x\n"), ["1"]);
    // A type after the data is that of the event, with its blank line and without.
    for end in ["", "\n", "\n\n"] {
        assert_eq!(events(&format!("data: 1\nevent: x{end}")), [pair("x", "1")]);
    }
}

#[test]
fn a_data_line_after_whole_data_is_another_record() {
    let single =
        b"data: {\"a\":1}\ndata: {\"b\":\ndata: 2}\ndata: [DONE]\ndata: {}\n\ndata: 1\ndata: 2\n\n";
    assert_eq!(data(single), ["{\"a\":1}", "{\"b\":\n2}", "[DONE]", "{}", "1\n2"]);
    let named = b"event: a\ndata: {}\nevent: b\ndata: {\"x\":1}\n\ndata: {}\nevent: c\n\n";
    for size in [1, 3, 100] {
        let found = frames(&named.chunks(size).collect::<Vec<_>>(), 99);
        let found: Vec<_> = found.iter().map(|f| (f.0.as_str(), f.2)).collect();
        assert_eq!(found, [("a", 15), ("b", 33), ("c", 48)]);
    }
}

#[test]
fn a_line_with_an_error_is_a_record() {
    let stream = b"data: {\"a\":1}\n\nerror: {\"code\":500}\n\ndata: {}\nerror:{}\nerror: no\n\n";
    assert_eq!(data(stream), ["{\"a\":1}", "{\"error\":{\"code\":500}}", "{}", "{\"error\":{}}"]);
    assert_eq!(data(b"error: {\"code\":1}"), ["{\"error\":{\"code\":1}}"]);
}
