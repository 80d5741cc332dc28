//! What comes where JSON was expected, named: a proxy's page, compressed bytes, plain text.

use crate::json::JsonError;

/// Bytes of another kind, told from the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// A page, as proxies answer with.
    Markup,
    /// Compressed, by this method.
    Compressed(&'static str),
    /// A ZIP archive.
    Zip,
    /// Text in UTF-16.
    Utf16,
}

impl Foreign {
    /// What begins with these bytes; `None` where it may be JSON or text.
    pub(crate) fn of(bytes: &[u8]) -> Option<Foreign> {
        Some(match bytes {
            [0x1f, 0x8b, ..] => Foreign::Compressed("gzip"),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Foreign::Compressed("zstd"),
            [0x50, 0x4b, 3, 4, ..] => Foreign::Zip,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'{' | b'[', 0, ..] | [0, b'{' | b'[', ..] => {
                Foreign::Utf16
            }
            _ if bytes.trim_ascii_start().first() == Some(&b'<') => Foreign::Markup,
            _ => return None,
        })
    }

    /// It is a document of its own, in which no line is a record.
    pub(crate) fn is_all(self, line: &[u8]) -> bool {
        const PAGES: [&[u8]; 4] = [b"<!doctype", b"<html", b"<?xml", b"<head"];
        let is_page =
            |page: &&[u8]| line.get(..page.len()).is_some_and(|l| l.eq_ignore_ascii_case(page));
        self != Foreign::Markup || PAGES.iter().any(is_page)
    }

    /// The sentence about a `thing` ("file", "stream") that is so.
    pub(crate) fn message(self, thing: &str) -> String {
        match self {
            Foreign::Markup => format!("the {thing} is HTML or XML, not JSON"),
            Foreign::Compressed(how) => {
                format!("the {thing} is compressed ({how}): unpack it first")
            }
            Foreign::Zip => format!("the {thing} is a ZIP archive: unpack it first"),
            Foreign::Utf16 => format!("the {thing} is UTF-16: save it as UTF-8"),
        }
    }
}

/// Why a record is no JSON: named where it is something else altogether, and quoted.
pub(crate) fn no_json(error: JsonError, record: &[u8]) -> String {
    let quote = quote(&String::from_utf8_lossy(record), error.offset);
    match Foreign::of(record) {
        Some(Foreign::Markup) => format!("{}: {quote}", Foreign::Markup.message("stream")),
        Some(foreign) => foreign.message("stream"),
        None => {
            format!("the record is no JSON: {} at byte {}: {quote}", error.message, error.offset)
        }
    }
}

/// At most this number of characters of a record are quoted.
const QUOTED: usize = 80;

/// What stands around this byte, as a Rust string literal: no control character shows.
fn quote(record: &str, at: usize) -> String {
    let before = record.get(..at).unwrap_or(record);
    let skip = before.chars().count().saturating_sub(QUOTED / 2);
    let shorter = record.chars().count() <= QUOTED;
    let skip = if shorter { 0 } else { skip };
    let text: String = record.chars().skip(skip).take(QUOTED).collect();
    let more = if record.chars().nth(skip + QUOTED).is_some() { "…" } else { "" };
    format!("{}{text:?}{more}", if skip > 0 { "…" } else { "" })
}
