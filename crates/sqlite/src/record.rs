//! Records: the values of a row.

use crate::header::DatabaseEncoding;
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
fn text(bytes: &[u8], encoding: DatabaseEncoding) -> Option<String> {
    let unit = match encoding {
        DatabaseEncoding::Utf8 => return std::str::from_utf8(bytes).ok().map(str::to_owned),
        DatabaseEncoding::Utf16Le => u16::from_le_bytes,
        DatabaseEncoding::Utf16Be => u16::from_be_bytes,
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let text = char::decode_utf16(units.iter().map(|pair| unit(*pair))).collect::<Result<_, _>>();
    if rest.is_empty() { text.ok() } else { None }
}

/// The bytes of a text in an encoding.
pub(crate) fn encoded(text: &str, encoding: DatabaseEncoding) -> Vec<u8> {
    match encoding {
        DatabaseEncoding::Utf8 => text.as_bytes().to_vec(),
        DatabaseEncoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        DatabaseEncoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
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

/// A value as it stands in a record.
#[derive(Clone, Copy)]
pub(crate) struct RawValue<'a> {
    serial: u64,
    bytes: &'a [u8],
}

impl<'a> RawValue<'a> {
    /// The value.
    pub(crate) fn value(self, encoding: DatabaseEncoding) -> Result<SqliteValue, &'static str> {
        Ok(match self.serial {
            0 => SqliteValue::Null,
            1..=6 => SqliteValue::Integer(signed(self.bytes)),
            7 => match self.bytes.first_chunk().map(|eight| f64::from_be_bytes(*eight)) {
                Some(number) if !number.is_nan() => SqliteValue::Real(number),
                _ => SqliteValue::Null,
            },
            8 => SqliteValue::Integer(0),
            9 => SqliteValue::Integer(1),
            serial if serial % 2 == 0 => SqliteValue::Blob(self.bytes.to_vec()),
            _ => SqliteValue::Text(text(self.bytes, encoding).ok_or("a text is not valid")?),
        })
    }

    /// The bytes of a text; `None` if it is something that indexes have before all texts, or behind them.
    pub(crate) fn text_or(self) -> Result<&'a [u8], std::cmp::Ordering> {
        match self.serial {
            0..=11 => Err(std::cmp::Ordering::Less),
            serial if serial % 2 == 0 => Err(std::cmp::Ordering::Greater),
            _ => Ok(self.bytes),
        }
    }
}

/// Walks through the values of a record.
pub(crate) struct RecordValues<'a> {
    record: &'a [u8],
    at: usize,
    header: usize,
    body: usize,
}

const SHORT: &str = "a record ends within its header";

impl<'a> RecordValues<'a> {
    pub(crate) fn new(record: &'a [u8]) -> Result<RecordValues<'a>, &'static str> {
        let (header, at) = varint(record, 0).ok_or(SHORT)?;
        let header =
            usize::try_from(header).ok().filter(|header| (at..=record.len()).contains(header));
        let header = header.ok_or(SHORT)?;
        Ok(RecordValues { record, at, header, body: header })
    }

    /// The next value.
    pub(crate) fn next(&mut self) -> Result<Option<RawValue<'a>>, &'static str> {
        if self.at >= self.header {
            return Ok(None);
        }
        let (serial, length_of_serial) = varint(self.record, self.at).ok_or(SHORT)?;
        self.at += length_of_serial;
        if self.at > self.header {
            return Err(SHORT);
        }
        let length = length(serial).ok_or("a value has a type that SQLite does not have")?;
        let end = self.body.checked_add(length).ok_or(SHORT)?;
        let bytes = self.record.get(self.body..end).ok_or("a record is shorter than its values")?;
        self.body = end;
        Ok(Some(RawValue { serial, bytes }))
    }
}

/// The first values of a record, at most so many; the error says what is wrong with it.
pub(crate) fn values(
    record: &[u8],
    most: usize,
    encoding: DatabaseEncoding,
) -> Result<Vec<SqliteValue>, &'static str> {
    let mut reader = RecordValues::new(record)?;
    let mut values = Vec::new();
    while values.len() < most
        && let Some(raw) = reader.next()?
    {
        values.push(raw.value(encoding)?);
    }
    Ok(values)
}

#[cfg(test)]
mod tests;
