use super::*;
use crate::{ChosenText, RedactOptions};

fn places(redactor: &Redactor) -> Vec<(Option<usize>, String, bool)> {
    let all = redactor.findings().flat_map(|found| found.places.to_vec());
    all.map(|place| (place.line, place.pointer, place.is_beside)).collect()
}

#[test]
fn a_file_is_looked_through_as_it_stands() {
    type Place = (Option<usize>, &'static str);
    let cases: [(&str, &[Place]); 7] = [
        (r#"{"a":{"b~/":["x","ann@acme.io"]}}"#, &[(None, "/a/b~0~1/1")]),
        ("\u{feff}{\"a\":\"ann@acme.io\"}", &[(None, "/a")]),
        ("{\"a\":1}\n{\"a\":\"ann@acme.io\"}\n", &[(Some(2), "/a")]),
        ("event: x\ndata: {\"a\":\"ann@acme.io\"}\n\n", &[(Some(2), "/a")]),
        ("# chat\n\n> mail ann@acme.io\n", &[(Some(1), "")]),
        ("{\"a\":\"ann@acme.io\"}\nno JSON bob@acme.io", &[(Some(1), "/a"), (Some(2), "")]),
        ("", &[]),
    ];
    for (file, expected) in cases {
        let mut redactor = Redactor::default();
        assert!(redactor.find_in_file(file.as_bytes()), "{file}");
        let expected: Vec<_> =
            expected.iter().map(|(line, pointer)| (*line, (*pointer).to_owned(), true)).collect();
        assert_eq!(places(&redactor), expected, "{file}");
    }
}

#[test]
fn a_key_of_several_lines_is_found() {
    let body = ["MIIEpAIBAAKCAQEA7bqVtRk9sXw2LmZc4uHyTf1oNpQeJd8gKa3"; 3].join("\n");
    let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----");
    let mut redactor = Redactor::default();
    assert!(redactor.find_in_file(format!("chat\n{key}\n").as_bytes()));
    let found = redactor.findings().next().map(|found| (found.kind.name, found.count));
    assert_eq!(found, Some(("private-key", 1)));
}

#[test]
fn what_was_found_before_is_not_listed_again() {
    let mut redactor = Redactor::default();
    redactor.redact_text("ann@acme.io");
    redactor.find_in_note(br#"{"title":"ann@acme.io to bob@acme.io"}"#);
    redactor.find_in_file(b"{\"a\":\"ann@acme.io bob@acme.io eve@acme.io eve@acme.io\"}");
    let found = redactor.findings().next().map(|found| (found.count, found.distinct));
    assert_eq!(found, Some((4, 3)));
    let is_beside: Vec<bool> = places(&redactor).into_iter().map(|(_, _, beside)| beside).collect();
    assert_eq!(is_beside, [false, false, true, true]);
    // Afterwards everything counts again.
    redactor.redact_text("ann@acme.io");
    assert_eq!(redactor.findings().next().map(|found| found.count), Some(5));
}

#[test]
fn what_is_no_text_is_not_looked_through() {
    for file in [&b"PK\x03\x04ann@acme.io\0"[..], b"\xff\xfeann@acme.io"] {
        let mut redactor = Redactor::default();
        assert!(!redactor.find_in_file(file));
        assert_eq!(redactor.findings().count(), 0);
    }
}

#[test]
fn only_what_prints_as_it_is_is_clean() {
    let cases: [(&[u8], bool); 11] = [
        (br#"[{"a":"b","c":{"a":"b"}},{"a":1}]"#, true),
        (b" {\"a\": \"x\"}\n", true),
        (br#"{"a":1,"a":2}"#, false),
        (br#"[{"b":{"a":1,"a":2}}]"#, false),
        (br#"{"a":1,"\u0061":2}"#, false),
        (br#"{"id":"ann@acme.io"}"#, false),
        (br#"{"password":"hunter2!"}"#, false),
        (b"[] []", false),
        (b"\xef\xbb\xbf[]", false),
        (b"[\"\xff\"]", false),
        (b"[", false),
    ];
    for (json, expected) in cases {
        let text = String::from_utf8_lossy(json);
        assert_eq!(Redactor::default().is_clean(json), expected, "{text}");
    }
    let options = RedactOptions { keep: vec!["email".to_owned()], ..RedactOptions::default() };
    assert!(Redactor::new(&options).is_clean(br#"{"a":"ann@acme.io"}"#));
    let texts = vec![ChosenText::literal("Adler").unwrap()];
    assert!(!Redactor::default().with_texts(texts).is_clean(br#"{"a":"Adler"}"#));
}
