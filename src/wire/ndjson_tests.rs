use crate::wire::framing::tests::{data, frames};

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
fn what_is_too_long_is_said_so_and_forgotten() {
    for chunks in [vec![&b"{}\n{123456789}\n{}\n"[..]], vec![b"{}\n{1234", b"56", b"789}\n{}\n"]] {
        let found = frames(&chunks, 8);
        let data: Vec<Option<&str>> = found.iter().map(|f| f.1.as_deref()).collect();
        assert_eq!(data, [Some("{}"), None, Some("{}")]);
        assert_eq!(found[1].2, 3);
    }
}
