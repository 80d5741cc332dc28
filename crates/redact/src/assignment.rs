//! Values that a name says are secret: `PASSWORD=…`, `"api_key": "…"`, `--token …`.

use super::byte_class::{is_blank, is_word};
use super::command_password::is_given;
use super::haystack::{Haystack, Spans};
use super::named_value::{is_given_as, is_secret};
use super::neighbor;
use super::secret_name::{LONGEST_NAME, NamedSecret, named_secret};
use super::strength::{holds, is_password, is_wordy};
use std::ops::Range;

/// The most bytes of a value.
const LONGEST: usize = 4096;

/// Reads the value that is given a name at this sign, or behind these dashes: of which kind it is, if it is a secret,
/// and the place before which no other is looked for.
pub(super) fn read(text: Haystack<'_>, at: usize) -> (Option<(NamedSecret, Range<usize>)>, usize) {
    let found = match text.at(at) {
        Some(b'-') => option(text, at),
        _ => assigned(text, at),
    };
    let Some((kind, value, is_secret)) = found else { return (None, at + 1) };
    let end = value.end;
    if is_secret {
        return (Some((kind, value)), end);
    }
    // Within a long value nothing is looked for again: it would be read once for each sign in it.
    (None, if end - at > LONG { end } else { at + 1 })
}

/// What a name says that is told in one word with its value.
fn named(name: &[u8]) -> Option<NamedSecret> {
    named_secret(name)
        .filter(|kind| !matches!(kind, NamedSecret::Authorization | NamedSecret::Cookie))
}

/// A value of more bytes than this is read once.
const LONG: usize = 64;

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The last letters of names that are looked for: nearly every `=` and `:` has none of them before it.
fn may_end_name(byte: u8) -> bool {
    byte.is_ascii_digit()
        || matches!(byte | 0x20, b'd' | b'e' | b't' | b'y' | b'n' | b's' | b'l' | b'h')
}

/// `name = value` and its like, at the `=` or the `:`: the value, and whether it is a secret.
fn assigned(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    let sign = text.at(at)?;
    // Most signs stand behind a letter that ends none of the names: nothing else is looked at.
    if text.before(at).is_some_and(|byte| byte.is_ascii_alphanumeric() && !may_end_name(byte)) {
        return None;
    }
    let mut end = text.run_back(at, 4, is_blank);
    let is_spaced = end < at;
    if matches!(text.before(end), Some(b']')) {
        end -= 1;
    }
    if matches!(text.before(end), Some(b'"' | b'\'' | b'`')) {
        end = text.run_back(end - 1, 4, |byte| byte == b'\\');
    }
    if !text.before(end).is_some_and(may_end_name) {
        return None;
    }
    let start = text.run_back(end, LONGEST_NAME, is_name);
    let name = text.slice(start..end);
    let beside =
        if name.eq_ignore_ascii_case(b"value") { neighbor::name_beside(text, start) } else { None };
    let kind = named(beside.unwrap_or(name))?;
    let from = match (sign, text.at(at + 1)) {
        (b':', Some(b':')) => return None,
        (b':', Some(b'=')) | (b'=', Some(b'=' | b'>')) => at + 2,
        _ => at + 1,
    };
    let from = text.skip_blanks(from);
    let nested = neighbor::nested_value(text, from);
    let (value, is_quoted) = value_at(text, nested.unwrap_or(from), sign == b'=')?;
    let bytes = text.slice(value.clone());
    let is_placed = beside.is_some()
        || nested.is_some()
        || name.eq_ignore_ascii_case(b"_auth")
        || (kind == NamedSecret::Password && neighbor::is_in_list(text, start, value.end));
    if is_placed {
        let is_secret = match kind {
            NamedSecret::Login => is_given(bytes),
            _ => is_given_as(kind, bytes),
        };
        return Some((kind, value, is_secret));
    }
    // Without quotation marks and with blanks around the sign it is most often code, and this a name in it.
    let is_name = !is_quoted && (is_spaced || sign == b':') && is_code(bytes);
    let is_secret = !is_name && is_secret(kind, name, bytes);
    Some((kind, value, is_secret))
}

/// Names joined by points and underscores, as `config.password_2`, `process.env.PASSWORD!`; `!given`.
fn is_code(value: &[u8]) -> bool {
    if value == b"Uint8Array" {
        return true;
    }
    if let Some(negated) = value.strip_prefix(b"!") {
        return negated.iter().all(u8::is_ascii_alphabetic);
    }
    let value = value.strip_suffix(b"!").filter(|name| holds(name, b"env.")).unwrap_or(value);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'?');
    let begins = value.first().is_some_and(u8::is_ascii_alphabetic);
    let joined = value.iter().any(|byte| matches!(byte, b'_' | b'.'));
    let ends: Vec<u8> = value.iter().rev().skip_while(|b| b.is_ascii_digit()).copied().collect();
    begins && joined && value.iter().all(is_name) && is_wordy(&ends)
}

/// `--token value`, at the dashes.
fn option(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    if text.before(at).is_some_and(|byte| is_word(byte) || byte == b'-') {
        return None;
    }
    let start = at + 2;
    let end = text.run(start, LONGEST_NAME, is_name);
    let name = text.slice(start..end);
    let kind = named(name)?;
    let from = text.skip_blanks(end);
    if from == end || text.at(from) == Some(b'-') {
        return None;
    }
    let (value, _) = value_at(text, from, true)?;
    let is_secret = is_secret(kind, name, text.slice(value.clone()));
    Some((kind, value, is_secret))
}

/// The value that begins here, and whether it has quotation marks around it. In a shell and in a form it ends at an
/// ampersand.
fn value_at(text: Haystack<'_>, from: usize, is_form: bool) -> Option<(Range<usize>, bool)> {
    if let Some((quote, start)) = text.quote(from) {
        let is_inside = |byte: u8| byte != quote && !matches!(byte, b'\\' | b'\n' | b'\r');
        let end = text.run(start, LONGEST, is_inside);
        let has_blanks = text.slice(start..end).iter().any(|byte| is_blank(*byte));
        return (!has_blanks && end > start).then_some((start..end, true));
    }
    let is_inside = |byte: u8| {
        let is_end = byte.is_ascii_whitespace() || b"\"'`,;|<>(){}[]\\".contains(&byte);
        !is_end && (byte != b'&' || !is_form)
    };
    let end = text.run(from, LONGEST, is_inside);
    // A call or an index: code.
    if matches!(text.at(end), Some(b'(' | b'[' | b'{')) {
        return None;
    }
    let end = text.run_back(end, 2, |byte| matches!(byte, b'.' | b':')).max(from);
    (end > from).then_some((from..end, false))
}

/// `-u name:password`, as curl takes it, at the `-u `.
pub(super) fn login(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let blank = text.run(at, 8, |byte| !is_blank(byte));
    let mut from = text.skip_blanks(blank);
    if let Some((_, inside)) = text.quote(from) {
        from = inside;
    }
    let colon = text.run(from, 128, |byte| is_name(byte) || matches!(byte, b'@' | b'+'));
    if colon == from
        || text.at(colon) != Some(b':')
        || text.before(at).is_some_and(|b| !is_blank(b))
    {
        return at + 1;
    }
    if let Some((value, _)) = value_at(text, colon + 1, true).filter(|(_, quoted)| !quoted)
        && is_password(text.slice(value.clone()))
    {
        spans.push(value);
    }
    at + 1
}
