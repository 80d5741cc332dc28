//! The values of `Authorization` headers, and of `Bearer` anywhere.

use super::byte_class::{is_base64_url, is_blank};
use super::haystack::{Haystack, Spans};
use super::strength::{is_credential, is_machine_made, is_stand_in};
use std::ops::Range;

/// The most bytes of a credential.
const LONGEST: usize = 8192;
const SCHEMES: &[&[u8]] = &[b"bearer", b"basic", b"token", b"apikey", b"bot", b"key", b"negotiate"];

fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/=:".contains(&byte)
}

/// `Authorization: Bearer …`, at the name.
pub(super) fn authorization(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let mut from = at + b"authorization".len();
    if let Some((_, after)) = text.quote(from) {
        from = after;
    }
    from = text.skip_blanks(from);
    from = text.run(from, 2, |byte| matches!(byte, b':' | b'=' | b',' | b'>'));
    from = text.skip_blanks(from);
    if let Some((_, after)) = text.quote(from) {
        from = after;
    }
    if let Some(found) = credential(text, from) {
        spans.push(found);
    }
    at + 1
}

/// The credential of a header's value that begins here, behind its scheme if it has one.
pub(super) fn credential(text: Haystack<'_>, from: usize) -> Option<Range<usize>> {
    let word = text.run(from, LONGEST, is_inside);
    let scheme = text.slice(from..word);
    let is_scheme = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let start = text.skip_blanks(word);
    if is_scheme && start > word {
        let end = text.run(start, LONGEST, is_inside);
        let value = text.slice(start..end);
        let is_secret = is_credential(value)
            || (scheme.eq_ignore_ascii_case(b"basic") && is_basic_login(value));
        return is_secret.then_some(start..end);
    }
    if start > word && (scheme.starts_with(b"AWS4-") || scheme.eq_ignore_ascii_case(b"digest")) {
        return signature(text, start);
    }
    // Of another scheme what looks like one, with nothing behind it.
    if start > word && scheme.iter().all(u8::is_ascii_alphabetic) {
        let end = text.run(start, LONGEST, is_inside);
        let ends = |byte: u8| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`' | b',' | b'\\');
        let is_one = text.at(end).is_none_or(ends) && is_machine_made(text.slice(start..end));
        return is_one.then_some(start..end);
    }
    // Without a scheme what is a token by itself.
    let is_alone = !text.at(word).is_some_and(is_blank);
    (is_alone && is_machine_made(scheme)).then_some(from..word)
}

/// The value of the field that only who has the key can tell, among those of a header.
fn signature(text: Haystack<'_>, from: usize) -> Option<Range<usize>> {
    let line = text.slice(from..text.run(from, LONGEST, |byte| !matches!(byte, b'\n' | b'\r')));
    let field = [&b"Signature="[..], b"response="]
        .into_iter()
        .find_map(|name| Some(from + memchr::memmem::find(line, name)? + name.len()))?;
    let start = text.quote(field).map_or(field, |(_, inside)| inside);
    let end = text.run(start, LONGEST, is_base64_url);
    (end >= start + 16).then_some(start..end)
}

/// A name and a password, as the scheme `Basic` writes them: they need not have a digit in base64.
fn is_basic_login(value: &[u8]) -> bool {
    value.len() >= 8
        && value.len().is_multiple_of(4)
        && value.iter().any(u8::is_ascii_lowercase)
        && value.iter().any(u8::is_ascii_uppercase)
        && !is_stand_in(value)
}

/// `Bearer …` anywhere: most often prose, so that what follows must look random.
pub(super) fn bearer(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = text.skip_blanks(at + b"bearer".len());
    let end = text.run(start, LONGEST, is_inside);
    let end = text.run_back(end, 2, |byte| matches!(byte, b'.' | b':')).max(start);
    let value = text.slice(start..end);
    if start > at + b"bearer".len() && value.len() >= 16 && is_machine_made(value) {
        spans.push(start..end);
    }
    at + 1
}
