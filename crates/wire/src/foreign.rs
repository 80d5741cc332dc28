//! Content that is often sent instead of JSON, recognised and named: a proxy's page, compressed
//! bytes, plain text.

use apex_parts_json::JsonError;

/// Content that is not JSON, recognised by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// HTML or XML, such as a proxy's error page.
    Markup,
    /// Compressed by this method.
    Compressed(&'static str),
    /// A ZIP archive.
    Zip,
    /// Text in UTF-16.
    Utf16,
}

impl Foreign {
    /// What begins with these bytes; `None` if it may be JSON or text.
    pub fn detect(bytes: &[u8]) -> Option<Foreign> {
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

    /// Is all of the stream such a document, so that no line of it is a record?
    pub(crate) fn is_all(self, line: &[u8]) -> bool {
        const PAGES: [&[u8]; 4] = [b"<!doctype", b"<html", b"<?xml", b"<head"];
        let is_page =
            |page: &&[u8]| line.get(..page.len()).is_some_and(|l| l.eq_ignore_ascii_case(page));
        self != Foreign::Markup || PAGES.iter().any(is_page)
    }

    /// The sentence that reports it for a `thing` ("file", "stream").
    pub fn message(self, thing: &str) -> String {
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

/// The message for a record that is not JSON: it names other content, or quotes the record.
pub(crate) fn no_json(error: JsonError, record: &[u8]) -> String {
    let quote = quote(&String::from_utf8_lossy(record), error.offset);
    match Foreign::detect(record) {
        Some(Foreign::Markup) => format!("{}: {quote}", Foreign::Markup.message("stream")),
        Some(foreign) => foreign.message("stream"),
        None => {
            format!("the record is not JSON: {} at byte {}: {quote}", error.message, error.offset)
        }
    }
}

/// At most this number of characters of a record is quoted.
const QUOTED: usize = 80;

/// The text around this byte, as a Rust string literal, so that control characters are escaped.
fn quote(record: &str, at: usize) -> String {
    let before = record.get(..at).unwrap_or(record);
    let skip = before.chars().count().saturating_sub(QUOTED / 2);
    let shorter = record.chars().count() <= QUOTED;
    let skip = if shorter { 0 } else { skip };
    let text: String = record.chars().skip(skip).take(QUOTED).collect();
    let more = if record.chars().nth(skip + QUOTED).is_some() { "…" } else { "" };
    format!("{}{text:?}{more}", if skip > 0 { "…" } else { "" })
}
