//! Passwords and tokens in URLs.

use super::byte_class::is_alphanumeric;
use super::haystack::{Haystack, Spans};
use super::strength::{is_given, is_machine_made};

/// The most bytes of what stands before a host, and of a value in a query.
const LONGEST: usize = 512;
const LONGEST_VALUE: usize = 4096;

/// `scheme://name:password@host`, at the `://`: the password, or a token that stands for a name.
pub(super) fn password(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = at + 3;
    if !text.before(at).is_some_and(is_alphanumeric) {
        return at + 1;
    }
    let is_inside = |byte: u8| byte > b' ' && !b"/?\"'`<>()[]{}|\\,".contains(&byte);
    let end = text.run(start, LONGEST, is_inside);
    let authority = text.slice(start..end);
    let Some(sign) = memchr::memrchr(b'@', authority) else { return at + 1 };
    let user = memchr::memchr(b':', authority.get(..sign).unwrap_or_default());
    let (from, to) = (user.map_or(start, |colon| start + colon + 1), start + sign);
    let value = text.slice(from..to);
    // `http://localhost:3000#a@b`: a port, and no password.
    let hash = value.iter().position(|byte| *byte == b'#');
    let is_port = hash.is_some_and(|at| value.iter().take(at).all(u8::is_ascii_digit));
    let is_secret = match user {
        Some(_) => !value.is_empty() && !is_template(value) && !is_port,
        None => value.len() >= 16 && is_machine_made(value),
    };
    if is_secret {
        spans.push(from..to);
    }
    at + 1
}

/// `$PASSWORD`, `***`: nothing that could be used.
fn is_template(value: &[u8]) -> bool {
    matches!(value, [b'$' | b'%', ..])
        || value.iter().all(|byte| matches!(byte, b'*' | b'.' | b'x'))
}

/// `thin:NAME/PASSWORD@` of Oracle, `NAME:PASSWORD@tcp(` of Go, at what is the same in each.
pub(super) fn data_source(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let is_inside = |byte: u8| byte > b' ' && !b"\"'`<>()[]{}".contains(&byte);
    let (value, sign) = match text.at(at) {
        Some(b'@') => (text.run_back(at, LONGEST, is_inside)..at, b':'),
        _ => {
            let start = at + b"thin:".len();
            let end = text.run(start, LONGEST, |byte| is_inside(byte) && byte != b'@');
            (start..if text.at(end) == Some(b'@') { end } else { start }, b'/')
        }
    };
    let sign = text.slice(value.clone()).iter().position(|byte| *byte == sign).unwrap_or_default();
    let value = value.start + sign + 1..value.end;
    if sign > 0 && is_given(text.slice(value.clone())) {
        spans.push(value);
    }
    at + 1
}

/// Names in a query that are of secrets, without what joins their words …
const NAMES: &[&str] = &[
    "token",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "apitoken",
    "sessiontoken",
    "apikey",
    "accesskey",
    "secret",
    "clientsecret",
    "password",
    "passwd",
    "pwd",
    "auth",
    "signature",
    "xamzsignature",
    "xamzsecuritytoken",
    "xgoogsignature",
    "sessionid",
];
/// … and names that are of others too.
const WEAK_NAMES: &[&str] = &["key", "sig", "code", "session", "sid", "pass", "jwt", "hmac"];

/// `?token=…` and `&api_key=…`, at the `?` or `&`.
pub(super) fn query_value(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = at + 1;
    let is_name = |byte: u8| is_alphanumeric(byte) || matches!(byte, b'_' | b'-' | b'.');
    let end = text.run(start, 40, is_name);
    // `it?.token == x` is code.
    if end == start || text.at(end) != Some(b'=') || text.at(end + 1) == Some(b'=') {
        return at + 1;
    }
    let name: Vec<u8> = text
        .slice(start..end)
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let is_of = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    let (is_strong, is_weak) = (is_of(NAMES), is_of(WEAK_NAMES));
    if !is_strong && !is_weak {
        return at + 1;
    }
    let is_inside = |byte: u8| byte > b' ' && !b"&#\"'`<>()[]{}|\\,;".contains(&byte);
    let to = text.run(end + 1, LONGEST_VALUE, is_inside);
    let to = text.run_back(to, 2, |byte| byte == b'.').max(end + 1);
    let value = text.slice(end + 1..to);
    let is_secret = match is_strong {
        true => value.len() >= 6 && is_given(value),
        false => value.len() >= 16 && is_machine_made(value),
    };
    if is_secret {
        spans.push(end + 1..to);
    }
    at + 1
}
