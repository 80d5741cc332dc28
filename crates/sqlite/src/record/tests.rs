use super::*;

fn read(record: &[u8]) -> Result<Vec<SqliteValue>, &'static str> {
    values(record, 9, DatabaseEncoding::Utf8)
}

#[test]
fn every_type_of_value() {
    use SqliteValue::{Blob, Integer, Null, Real, Text};
    let record = [&[10, 0, 1, 5, 8, 9, 7, 16, 17, 12, 0xff][..], &[0, 0, 0, 0, 1, 0]].concat();
    let rest = [&1.5_f64.to_be_bytes()[..], b"ab", b"cd"].concat();
    let found = read(&[record, rest].concat()).unwrap();
    let texts = [Blob(b"ab".to_vec()), Text("cd".to_owned()), Blob(vec![])];
    let numbers = [Null, Integer(-1), Integer(256), Integer(0), Integer(1), Real(1.5)];
    assert_eq!(found, [&numbers[..], &texts[..]].concat());
    let nan = [&[2, 7][..], &f64::NAN.to_be_bytes()].concat();
    assert_eq!(read(&nan), Ok(vec![Null]));
}

#[test]
fn damaged_records_are_errors() {
    for (record, expected) in [
        (&[][..], "a record ends within its header"),
        (&[0], "a record ends within its header"),
        (&[3, 1], "a record ends within its header"),
        (&[2, 0x81, 0], "a record ends within its header"),
        (&[2, 1], "a record is shorter than its values"),
        (&[2, 10], "a value has a type that SQLite does not have"),
        (&[2, 11], "a value has a type that SQLite does not have"),
        (&[2, 15, 0xff], "a text is not valid"),
        (
            &[10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            "a record is shorter than its values",
        ),
    ] {
        assert_eq!(read(record), Err(expected), "{record:?}");
    }
}

#[test]
fn values_beyond_the_columns_are_not_read() {
    assert_eq!(values(&[4, 8, 9, 10], 2, DatabaseEncoding::Utf8).unwrap().len(), 2);
}

#[test]
fn texts_have_three_encodings() {
    for encoding in [DatabaseEncoding::Utf8, DatabaseEncoding::Utf16Le, DatabaseEncoding::Utf16Be] {
        let bytes = encoded("ä😀", encoding);
        assert_eq!(text(&bytes, encoding).as_deref(), Some("ä😀"));
        assert_eq!(text(&bytes[..bytes.len() - 1], encoding), None);
    }
    assert_eq!(text(&[0x00, 0xd8], DatabaseEncoding::Utf16Le), None, "half of a pair");
}
