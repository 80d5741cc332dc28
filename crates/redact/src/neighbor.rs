//! What stands beside an assignment and says what its value is: `{"name": "DB_PASSWORD", "value": …}`,
//! `host=db user=me password=…`.

use super::byte_class::is_blank;
use super::haystack::Haystack;

/// The most bytes that are looked at on either side.
const REACH: usize = 200;

/// Names that stand in one list with a password.
const CONNECTION: &[&str] = &[
    "host",
    "hostname",
    "server",
    "address",
    "addr",
    "port",
    "user",
    "username",
    "user id",
    "userid",
    "uid",
    "login",
    "dbname",
    "database",
    "db",
    "data source",
    "initial catalog",
    "sslmode",
    "protocol",
];

/// A key without what stands around it in JSON and in YAML.
fn bare(text: &[u8]) -> &[u8] {
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`\\-?".contains(byte);
    let start = text.iter().position(|byte| !is_around(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_around(byte)).map_or(start, |last| last + 1);
    text.get(start..end).unwrap_or_default()
}

/// The name that the object tells of its `value`, which begins here.
pub(super) fn name_beside<'t>(text: Haystack<'t>, at: usize) -> Option<&'t [u8]> {
    let from = text.run_back(at, REACH, |byte| !matches!(byte, b'{' | b'}'));
    for pair in text.slice(from..at).rsplit(|byte| matches!(byte, b',' | b'\n')) {
        let colon = memchr::memchr(b':', pair);
        let (key, value) = pair.split_at(colon.unwrap_or_default());
        if is_name(bare(key)) {
            return Some(bare(value.get(1..).unwrap_or_default()));
        }
        // The first pair of an element of YAML.
        if pair.trim_ascii_start().starts_with(b"- ") {
            break;
        }
    }
    name_behind(text, at)
}

/// The same behind the value.
fn name_behind<'t>(text: Haystack<'t>, at: usize) -> Option<&'t [u8]> {
    let end = text.run(at, REACH, |byte| !matches!(byte, b'{' | b'}'));
    for pair in text.slice(at..end).split(|byte| matches!(byte, b',' | b'\n')).skip(1) {
        // The next element of YAML.
        if pair.trim_ascii_start().starts_with(b"- ") {
            return None;
        }
        let colon = memchr::memchr(b':', pair);
        let (key, value) = pair.split_at(colon.unwrap_or_default());
        if is_name(bare(key)) {
            return Some(bare(value.get(1..).unwrap_or_default()));
        }
    }
    None
}

/// The name that a tag of XML tells of its `value`, which begins here: `<add key="DB_PASSWORD" value="…" />`.
pub(super) fn attribute_beside<'t>(text: Haystack<'t>, at: usize) -> Option<&'t [u8]> {
    let is_inside = |byte: u8| !matches!(byte, b'<' | b'>');
    let from = text.run_back(at, REACH, is_inside);
    let tag = text.slice(from..text.run(at, REACH, is_inside));
    let mut pieces = tag.split(|byte| matches!(byte, b'"' | b'\''));
    while let Some((head, value)) = pieces.next().zip(pieces.next()) {
        let name = head.trim_ascii_end().strip_suffix(b"=").unwrap_or_default();
        if name.rsplit(|byte| byte.is_ascii_whitespace()).next().is_some_and(is_name) {
            return Some(value);
        }
    }
    None
}

/// Does a text stand in an object with the fields of a cookie, or in a list of cookies?
pub(super) fn is_of_cookie(text: Haystack<'_>, at: usize) -> bool {
    let from = text.run_back(at, REACH, |byte| !matches!(byte, b'{' | b'}'));
    let end = text.run(at, REACH, |byte| !matches!(byte, b'{' | b'}'));
    let before = text.slice(from.saturating_sub(16)..from);
    let holds = |field: &[u8]| memchr::memmem::find(text.slice(from..end), field).is_some();
    memchr::memmem::find(before, b"ookies").is_some()
        || [&b"\"path\""[..], b"\"domain\"", b"\"httpOnly\""].into_iter().any(holds)
}

/// Is it the field that has the name of a value?
pub(super) fn is_name(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"name") || key.eq_ignore_ascii_case(b"key")
}

/// Where the value begins in `{"value": …}`, if that is here.
pub(super) fn nested_value(text: Haystack<'_>, at: usize) -> Option<usize> {
    if text.at(at) != Some(b'{') {
        return None;
    }
    let end = text.run(at + 1, REACH, |byte| !matches!(byte, b'{' | b'}'));
    let inside = text.slice(at + 1..end);
    let mut passed = at + 1;
    for pair in inside.split(|byte| *byte == b',') {
        let colon = memchr::memchr(b':', pair).unwrap_or_default();
        if bare(pair.get(..colon).unwrap_or_default()).eq_ignore_ascii_case(b"value") {
            return Some(text.skip_blanks(passed + colon + 1));
        }
        passed += pair.len() + 1;
    }
    None
}

/// Does an assignment stand in a list that tells how to connect, as that of a database does?
pub(super) fn is_in_list(text: Haystack<'_>, start: usize, end: usize) -> bool {
    is_before(text, start) || is_behind(text, end)
}

fn is_before(text: Haystack<'_>, start: usize) -> bool {
    let joint = text.before(start);
    if !joint.is_some_and(is_joint) {
        return false;
    }
    let end = text.run_back(start, 4, |byte| is_joint(byte) || byte == b'\r');
    // `User Id=me;` has a blank in its name.
    let is_inside = |byte: u8| match joint {
        Some(b';') => byte >= b' ' && !b";\"'`".contains(&byte),
        _ => byte > b' ' && !b";&?\"'`".contains(&byte),
    };
    let from = text.run_back(end, REACH, is_inside);
    is_pair(text.slice(from..end))
}

fn is_behind(text: Haystack<'_>, end: usize) -> bool {
    if !text.at(end).is_some_and(is_joint) {
        return false;
    }
    let from = text.run(end, 4, |byte| is_joint(byte) || byte == b'\r');
    let sign = text.run(from, 32, |byte| byte != b'=' && byte >= b' ' && byte != b';');
    text.at(sign) == Some(b'=') && is_pair(text.slice(from..sign + 2))
}

/// What stands between the pairs of a list. A comma is that of arguments in code.
fn is_joint(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b';' | b'&' | b'\n' | b'?')
}

/// Is it `host=…`, without what ends an argument in code?
fn is_pair(pair: &[u8]) -> bool {
    let Some(sign) = memchr::memchr(b'=', pair) else { return false };
    let name = bare(pair.get(..sign).unwrap_or_default());
    let is_known = CONNECTION.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    is_known && !pair.ends_with(b",") && pair.get(sign + 1).is_some_and(|byte| !is_blank(*byte))
}
