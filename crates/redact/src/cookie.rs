//! The values of cookies, of `Cookie` and `Set-Cookie` headers. Their names stay.

use super::byte_class::is_blank;
use super::haystack::{Haystack, Spans};
use super::strength::{holds, is_credential, is_stand_in};

/// The most bytes of a header.
const LONGEST: usize = 8192;
/// Parts of the names of cookies by which a server knows somebody.
const SESSIONS: &[&[u8]] =
    &[b"sess", b"sid", b"auth", b"token", b"csrf", b"xsrf", b"jwt", b"login"];
/// What a server says of a cookie.
const ATTRIBUTES: &[&[u8]] =
    &[b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"];

/// `Cookie: name=value; …`, at the word.
pub(super) fn cookie(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let mut from = at + b"cookie".len();
    if let Some((_, after)) = text.quote(from) {
        from = after;
    }
    from = text.skip_blanks(from);
    let is_option = text.has_before(at, b"--");
    if text.at(from) == Some(b':') {
        from = text.skip_blanks(from + 1);
    } else if !is_option {
        return at + 1;
    }
    if let Some((_, after)) = text.quote(from) {
        from = after;
    }
    pairs(text, from, spans).max(at + 1)
}

/// `curl -b 'name=value; …'`, at the option.
pub(super) fn option(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let line = text.run_back(at, 512, |byte| byte >= b' ');
    if !text.before(at).is_some_and(is_blank) || !holds(text.slice(line..at), b"curl ") {
        return at + 1;
    }
    let from = text.skip_blanks(at + 2);
    pairs(text, text.quote(from).map_or(from, |(_, inside)| inside), spans).max(at + 1)
}

/// The values of the pairs that begin here; gives where they end.
pub(super) fn pairs(text: Haystack<'_>, from: usize, spans: &mut Spans) -> usize {
    let limit = from + LONGEST;
    let mut at = from;
    while at < limit {
        let name =
            text.run(at, 128, |byte| byte.is_ascii_alphanumeric() || b"-_.%".contains(&byte));
        if name == at {
            break;
        }
        let mut end = name;
        if text.at(name) == Some(b'=') {
            let is_inside = |byte: u8| {
                byte > b' ' && !matches!(byte, b';' | b',' | b'"' | b'\'' | b'\\' | b'[')
            };
            end = text.run(name + 1, LONGEST, is_inside);
            if is_session(text.slice(at..name), text.slice(name + 1..end)) {
                spans.push(name + 1..end);
            }
        }
        // `Expires=Wed, 09 Jun …` has blanks within.
        let rest =
            text.run(end, 40, |byte| byte >= b' ' && !matches!(byte, b';' | b'"' | b'\'' | b'\\'));
        if text.at(rest) != Some(b';') {
            return rest;
        }
        at = text.run(rest + 1, 8, is_blank);
    }
    at
}

/// Is it the value of a cookie by which a server knows somebody?
pub(super) fn is_session(name: &[u8], value: &[u8]) -> bool {
    if ATTRIBUTES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return false;
    }
    match is_of_session(name) {
        true => value.len() >= 4 && !is_stand_in(value),
        false => is_credential(value),
    }
}

/// Does the name of a cookie say that a server knows somebody by it?
pub(super) fn is_of_session(name: &[u8]) -> bool {
    SESSIONS.iter().any(|part| holds(name, part))
}

/// A line of a file of cookies: `HOST TRUE / TRUE 0 NAME VALUE`, parted by tabs, at the tab before the second `TRUE` or
/// `FALSE`.
pub(super) fn jar(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let is_field = |byte: u8| byte > b' ';
    let mut from = at;
    let mut field = at..at;
    let mut name = at..at;
    for number in 0..4 {
        // The flag, when it ends, the name, the value.
        if text.at(from) != Some(b'\t') {
            return at + 1;
        }
        name = field;
        field = from + 1..text.run(from + 1, LONGEST, is_field);
        from = field.end;
        let is_time = || text.slice(field.clone()).iter().all(u8::is_ascii_digit);
        if field.is_empty() || (number == 1 && !is_time()) {
            return at + 1;
        }
    }
    if is_session(text.slice(name), text.slice(field.clone())) {
        spans.push(field);
    }
    at + 1
}
