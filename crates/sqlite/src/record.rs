//! Records: the values of a row.

use crate::header::TextEncoding;
use crate::numbers::{signed, varint};

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqliteValue {
    /// `NULL`.
    Null,
    /// An integer.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl SqliteValue {
    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let SqliteValue::Text(text) = self { Some(text) } else { None }
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        if let SqliteValue::Integer(number) = self { Some(*number) } else { None }
    }
}

/// The text of bytes in an encoding; `None` if they are none.
fn text(bytes: &[u8], encoding: TextEncoding) -> Option<String> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let (units, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = units.iter().map(|pair| unit(*pair)).collect();
        rest.is_empty().then(|| String::from_utf16(&units).ok()).flatten()
    };
    match encoding {
        TextEncoding::Utf8 => std::str::from_utf8(bytes).ok().map(str::to_owned),
        TextEncoding::Utf16Le => wide(u16::from_le_bytes),
        TextEncoding::Utf16Be => wide(u16::from_be_bytes),
    }
}

/// The length in bytes of a value of a serial type.
fn length(serial: u64) -> Option<usize> {
    match serial {
        0 | 8 | 9 => Some(0),
        1..=4 => usize::try_from(serial).ok(),
        5 => Some(6),
        6 | 7 => Some(8),
        10 | 11 => None,
        _ => usize::try_from((serial - 12) / 2).ok(),
    }
}

fn value(serial: u64, bytes: &[u8], encoding: TextEncoding) -> Result<SqliteValue, &'static str> {
    Ok(match serial {
        0 => SqliteValue::Null,
        1..=6 => SqliteValue::Integer(signed(bytes)),
        7 => match bytes.first_chunk().map(|eight| f64::from_be_bytes(*eight)) {
            Some(number) if !number.is_nan() => SqliteValue::Real(number),
            _ => SqliteValue::Null,
        },
        8 => SqliteValue::Integer(0),
        9 => SqliteValue::Integer(1),
        _ if serial % 2 == 0 => SqliteValue::Blob(bytes.to_vec()),
        _ => SqliteValue::Text(text(bytes, encoding).ok_or("a text is not valid")?),
    })
}

/// The values of a record; the error says what is wrong with it.
pub(crate) fn values(
    record: &[u8],
    encoding: TextEncoding,
) -> Result<Vec<SqliteValue>, &'static str> {
    const SHORT: &str = "a record ends within its header";
    let (header, mut at) = varint(record, 0).ok_or(SHORT)?;
    let header = usize::try_from(header).map_err(|_| SHORT)?;
    if header < at || header > record.len() {
        return Err(SHORT);
    }
    let mut body = header;
    let mut values = Vec::new();
    while at < header {
        let (serial, length_of_serial) = varint(record, at).ok_or(SHORT)?;
        at += length_of_serial;
        if at > header {
            return Err(SHORT);
        }
        let length = length(serial).ok_or("a value has a type that SQLite does not have")?;
        let bytes = body.checked_add(length).and_then(|end| record.get(body..end));
        values.push(value(serial, bytes.ok_or("a record is shorter than its values")?, encoding)?);
        body += length;
    }
    Ok(values)
}
