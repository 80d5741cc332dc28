//! Values that a name says are secret: `PASSWORD=…`, `"api_key": "…"`, `--token …`, `ENV PASSWORD …`,
//! `setItem("token", "…")`, `<passphrase>…</passphrase>`. Where a sign of giving stands between the two, most values are
//! secret; where a blank or a comma does, what looks random; and at some places whatever is given.

use super::byte_class::{is_blank, is_word};
use super::cookie;
use super::haystack::{Haystack, Spans};
use super::named_value::{is_given_as, is_secret};
use super::neighbor;
use super::secret_name::{LONGEST_NAME, NamedSecret, is_worth_reading, may_end, named_secret};
use super::strength::{holds, is_evident, is_given, is_password, is_wordy};
use std::ops::Range;

/// The most bytes of a value.
const LONGEST: usize = 4096;

/// Reads the name before this sign, or behind these dashes, and its value. Returns the kind and the place of the value
/// if it is a secret, and the place from which to look for the next one.
pub(super) fn read(text: Haystack<'_>, at: usize) -> (Option<(NamedSecret, Range<usize>)>, usize) {
    let found = match text.at(at) {
        Some(b'-') => option(text, at),
        Some(b'<') => element(text, at),
        Some(sign @ (b' ' | b'\t' | b'"' | b'\'')) => {
            let found = match sign {
                b' ' | b'\t' => spaced(text, at),
                _ => listed(text, at),
            };
            found.filter(|(_, _, is_secret)| *is_secret)
        }
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

/// What a name says of its value. Headers, whose values have several words, are read elsewhere.
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
        || matches!(
            byte | 0x20,
            b'd' | b'e'
                | b't'
                | b'y'
                | b'n'
                | b's'
                | b'l'
                | b'h'
                | b'w'
                | b'k'
                | b'v'
                | b'g'
                | b'a'
        )
}

/// `name = value` and its like, at the `=` or the `:`: the value, and whether it is a secret.
fn assigned(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    let sign = text.at(at)?;
    // Most signs stand behind a letter that ends none of the names: nothing else is looked at.
    if text.before(at).is_some_and(|byte| byte.is_ascii_alphanumeric() && !may_end_name(byte)) {
        return None;
    }
    let mut end = text.run_back(at, WIDEST, is_blank);
    let is_spaced = end < at;
    if matches!(text.before(end), Some(b']')) {
        end -= 1;
    }
    if matches!(text.before(end), Some(b'"' | b'\'' | b'`')) {
        end = text.run_back(end - 1, 4, |byte| byte == b'\\');
    }
    if !is_worth_reading(text.bytes, end) {
        return None;
    }
    let start = text.run_back(end, LONGEST_NAME, is_name);
    let name = text.slice(start..end);
    let is_value = name.eq_ignore_ascii_case(b"value");
    let is_attribute = is_value && sign == b'=' && text.quote(at + 1).is_some();
    let beside = match (is_value, is_attribute) {
        (true, true) => neighbor::attribute_beside(text, start),
        (true, false) => neighbor::name_beside(text, start),
        _ => None,
    };
    let told = beside.unwrap_or(name);
    let is_cookie = |value: &[u8]| {
        cookie::is_of_session(told)
            && cookie::is_session(told, value)
            && neighbor::is_of_cookie(text, start)
    };
    let Some(kind) = named(told) else {
        let from = text.skip_blanks(at + 1);
        let value = beside.and_then(|_| value_at(text, from, false)).map(|(value, _)| value);
        let value = value.filter(|value| is_cookie(text.slice(value.clone())));
        return value.map(|value| (NamedSecret::Cookie, value, true));
    };
    // What a test says that went well, and a mask.
    if (name == b"PASS" && sign == b':' && end == at) || text.has_before(start, b"[redacted ") {
        return None;
    }
    // `"Password:"` is a label; what stands behind it is the next text.
    let next = text.at(at + 1);
    if end == at && matches!(next, Some(b'"' | b'\'')) && text.before(start) == next {
        return None;
    }
    let is_arrow = sign == b'=' && next == Some(b'>');
    let is_compared = sign == b'=' && next == Some(b'=');
    let from = match (sign, next) {
        (b':', Some(b':')) => return None,
        (b'=', Some(b'=')) => text.run(at, 3, |byte| byte == b'='),
        (b':', Some(b'=')) | (b'=', Some(b'>')) => at + 2,
        _ => at + 1,
    };
    // `arn:aws:secretsmanager:eu-1:123456789012:secret:NAME`
    if sign == b':' && text.before(start) == Some(b':') && is_one_of_names(text, start) {
        return None;
    }
    let from = text.run(from, WIDEST, is_blank);
    let nested = neighbor::nested_value(text, from);
    let (value, is_quoted) = value_at(text, nested.unwrap_or(from), sign == b'=')?;
    // `this[url].password=value1`: a field of an element, in code.
    if name.first() == Some(&b'.') && !is_quoted {
        return None;
    }
    let bytes = text.slice(value.clone());
    // Behind a label in code that is a text itself: `\"Password:\"),f(\"code\"`.
    if bytes.starts_with(b")") && bytes.contains(&b'(') {
        return None;
    }
    if is_attribute {
        return Some((kind, value, is_evident(bytes)));
    }
    if is_arrow && !(is_quoted && is_mixed(bytes)) {
        return None;
    }
    let is_placed = beside.is_some()
        || nested.is_some()
        || name.eq_ignore_ascii_case(b"_auth")
        || (kind == NamedSecret::Password && neighbor::is_in_list(text, start, value.end));
    if is_placed {
        let is_secret = match kind {
            NamedSecret::Login => is_given(bytes),
            _ => is_given_as(kind, bytes),
        };
        let is_variable = !is_quoted && is_made_of_words(bytes) && named_secret(bytes).is_some();
        let is_result = told == b"PASS" && bytes == b"passed";
        return Some((kind, value, is_secret && !is_variable && !is_result));
    }
    // Without quotation marks and with blanks around the sign it is most often code, and this a name in it.
    let is_spaced = is_spaced || sign == b':' || is_compared;
    let is_name = !is_quoted && is_spaced && (is_code(bytes) || is_same(bytes, name));
    let is_secret = !is_name && is_secret(kind, bytes);
    Some((kind, value, is_secret))
}

/// Does the name of a resource, as clouds write it, go on here?
fn is_one_of_names(text: Haystack<'_>, at: usize) -> bool {
    let from = text.run_back(at, LONGEST_NAME, |byte| byte > b' ' && byte != b'"');
    holds(text.slice(from..at), b"secretsmanager:")
}

/// Letters with digits or signs among them, but no rule of a form such as `required|min:8`.
fn is_mixed(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_alphabetic)
        && value.iter().any(|byte| byte.is_ascii_digit() || b"!@#$%^&*+?".contains(byte))
        && !value.contains(&b'|')
}

fn is_made_of_words(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// Is a value in code of the same name: `mapToken = mapToken2`, `pass = check$messages.pass`?
fn is_same(value: &[u8], name: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let own = value.get(..value.len() - digits).unwrap_or_default();
    let is_field = value.strip_suffix(name).is_some_and(|before| before.ends_with(b"."));
    is_field || (digits > 0 && own == name && name.iter().any(u8::is_ascii_uppercase))
}

/// Names joined by points and underscores, as `config.password_2`, `process.env.PASSWORD!`; of variables for a secret and
/// of types with a number in them, as `b64Pwd`, `X509Credential`; `!given`, `*const`, `&Range`, `yield*`.
fn is_code(value: &[u8]) -> bool {
    if value == b"yield*" || holds(value, b"uint8") || holds(value, b"x509") {
        return true;
    }
    if let [b'!' | b'*' | b'&', name @ ..] = value {
        return name.iter().all(|byte| byte.is_ascii_alphabetic() || b"!._".contains(byte));
    }
    // A constant: `SOME_NAME_2`.
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    if value.contains(&b'_') && value.iter().all(is_upper) && is_wordy(value) {
        return true;
    }
    let value = value.strip_suffix(b"!").filter(|name| holds(name, b"env.")).unwrap_or(value);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'?');
    let begins = value.first().is_some_and(u8::is_ascii_alphabetic);
    let joined = value.iter().any(|byte| matches!(byte, b'_' | b'.'));
    let ends: Vec<u8> = value.iter().rev().skip_while(|b| b.is_ascii_digit()).copied().collect();
    let is_named = || ends.len() == value.len() && named_secret(value).is_some();
    begins && value.iter().all(is_name) && ((joined && is_wordy(&ends)) || is_named())
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
    let is_secret = is_secret(kind, text.slice(value.clone()));
    Some((kind, value, is_secret))
}

/// `NAME VALUE` at the first blank between them.
fn spaced(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    if !may_end(text.bytes, at) {
        return None;
    }
    let mut end = at;
    if matches!(text.before(end), Some(b'"' | b'\'' | b'`')) {
        end = text.run_back(end - 1, 4, |byte| byte == b'\\');
    }
    let start = text.run_back(end, LONGEST_NAME, is_name);
    let name = text.slice(start..end);
    let is_server = name.eq_ignore_ascii_case(b"requirepass");
    let kind = if is_server { NamedSecret::Password } else { named(name)? };
    if kind == NamedSecret::Login {
        return None;
    }
    let from = text.run(at, WIDEST, is_blank);
    let (value, is_quoted) = value_at(text, from, true)?;
    let bytes = text.slice(value.clone());
    // In prose these are words, and a test says that it passed.
    let is_word = end == at && !name.iter().any(|byte| matches!(byte, b'_' | b'-' | b'.'));
    let is_short = is_word && name.len() < 5;
    let is_secret = is_placed(text, start..end, from)
        || (is_server && text.at(from) != Some(b'-') && is_setting(text, start))
        || (!is_short && is_evident(bytes) && (is_quoted || !is_file(bytes)));
    let is_given = is_given(bytes) && !text.has_before(start, b"[redacted ");
    Some((kind, value, is_secret && is_given))
}

/// The most blanks between a name and its value: tables have many, and so do lists whose signs are aligned.
const WIDEST: usize = 64;

/// Has it an extension, as the name of a file, or a colon, as a time and an address?
fn is_file(value: &[u8]) -> bool {
    value.iter().any(|byte| matches!(byte, b'.' | b':'))
}

/// Is a name at a place where its value is a secret whatever it looks like? The value begins at `from`.
fn is_placed(text: Haystack<'_>, name: Range<usize>, from: usize) -> bool {
    const PLACES: &[&[u8]] = &[b"ENV ", b"aws configure set ", b"npm config set "];
    let word = text.run_back(name.start, 256, |byte| byte > b' ');
    let before = text.slice(word.saturating_sub(24)..word);
    if PLACES.iter().any(|place| before.ends_with(place) && text.begins_word(word - place.len())) {
        return true;
    }
    // `set -x NAME VALUE`, also `-gx`, `-Ux`.
    let mut words = before.trim_ascii_end().rsplit(|byte| *byte == b' ');
    let option = words.next().unwrap_or_default();
    if option.starts_with(b"-") && option.contains(&b'x') && option.len() < 5 {
        return words.next().is_some_and(|word| word.ends_with(b"set"));
    }
    // `WITH PASSWORD 'VALUE'`
    if text.slice(name.clone()) == b"PASSWORD" && text.at(from) == Some(b'\'') {
        return true;
    }
    // A line of the table that `vault kv get` prints.
    let begins = matches!(text.before(name.start), None | Some(b'\n'));
    begins && from > name.end + 1 && {
        let table = text.slice(name.start.saturating_sub(1024)..name.start);
        let head =
            memchr::memmem::rfind(table, b"\nKey ").or(table.starts_with(b"Key ").then_some(0));
        head.is_some_and(|head| holds(table.get(head..).unwrap_or_default(), b"\n--- "))
    }
}

/// Does a setting of a server begin here: alone on a line, or behind `CONFIG SET`?
fn is_setting(text: Haystack<'_>, start: usize) -> bool {
    let end = text.run_back(start, WIDEST, |byte| is_blank(byte) || byte == b'#');
    let before = text.slice(end.saturating_sub(10)..end);
    matches!(text.before(end), None | Some(b'\n')) || before.eq_ignore_ascii_case(b"config set")
}

/// `"NAME", "VALUE"` at the quotation mark behind the name: elements of a list, or arguments.
fn listed(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    if !may_end(text.bytes, at + 1) {
        return None;
    }
    let end = text.run_back(at, 4, |byte| byte == b'\\');
    let start = text.run_back(end, LONGEST_NAME, is_name);
    let kind = named(text.slice(start..end)).filter(|kind| *kind != NamedSecret::Login)?;
    if text.before(start) != text.at(at) {
        return None;
    }
    let open = text.run_back(start - 1, 4, |byte| byte == b'\\');
    let before = text.run_back(open, WIDEST, |byte| byte.is_ascii_whitespace());
    let is_constant = text.has_before(before, b"define(");
    if !matches!(text.before(before), None | Some(b'[' | b',' | b'(' | b'{' | b'\n')) {
        return None;
    }
    let from = text.run(at + 2, WIDEST, |byte| byte.is_ascii_whitespace());
    if is_constant && let Some(value) = salt(text, from) {
        return Some((kind, value, true));
    }
    let (value, is_quoted) = value_at(text, from, true)?;
    let bytes = text.slice(value.clone());
    let behind = text.run(value.end, 4, |byte| byte == b'\\') + 1;
    let behind = text.at(text.run(behind, 4, is_blank));
    let is_key = matches!(behind, Some(b':' | b'='));
    let is_secret = is_quoted && !is_key && (is_constant || is_evident(bytes)) && is_given(bytes);
    Some((kind, value, is_secret))
}

/// A key of WordPress in quotation marks, which has all kinds of signs and even blanks.
fn salt(text: Haystack<'_>, from: usize) -> Option<Range<usize>> {
    let (quote, start) = text.quote(from)?;
    let end = text.run(start, 128, |byte| byte != quote && byte >= b' ');
    let value = text.slice(start..end);
    let is_sign = |byte: &&u8| byte.is_ascii_punctuation();
    let is_salt = value.len() >= 32
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().filter(is_sign).count() >= 8
        && !holds(value, b"://");
    is_salt.then_some(start..end)
}

/// `<NAME>VALUE</NAME>`, at the last tag.
fn element(text: Haystack<'_>, at: usize) -> Option<(NamedSecret, Range<usize>, bool)> {
    let is_name = |byte: u8| is_name(byte) || byte == b':';
    let end = text.run(at + 2, LONGEST_NAME, is_name);
    let name = text.slice(at + 2..end);
    let kind = named(name)?;
    let start = text.run_back(at, LONGEST, |byte| byte >= b' ' && !matches!(byte, b'<' | b'>'));
    let tag = text.run_back(start.checked_sub(1)?, 128, |byte| !matches!(byte, b'<' | b'>'));
    let is_closed = text.at(end) == Some(b'>')
        && text.before(start) == Some(b'>')
        && text.before(tag) == Some(b'<')
        && text.has(tag, name);
    let value = text.slice(start..at);
    // Where a password must be it is one; other names have other uses.
    let is_sure = [&b"password"[..], b"passwd", b"passphrase"].iter().any(|end| {
        let tail = name.get(name.len().saturating_sub(end.len())..);
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    });
    let is_secret = if is_sure { is_given(value) } else { is_secret(kind, value) };
    let has_blank = value.iter().any(u8::is_ascii_whitespace);
    Some((kind, start..at, is_closed && is_secret && !has_blank))
}

/// `IDENTIFIED BY 'PASSWORD'` of SQL, at the first word.
pub(super) fn identified(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let from = at + b"identified by ".len();
    let value = value_at(text, from, false).map(|(value, _)| value);
    let is_placed = text.has(at, b"IDENTIFIED BY '");
    spans.extend(value.filter(|value| is_placed && is_given(text.slice(value.clone()))));
    at + 1
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
