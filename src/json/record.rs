//! One record of a stream, whose grammar is checked: values are looked up where they stand, nothing
//! is copied until it is said.

use super::error::JsonError;
use super::float;
use super::scan::{self, Span, TokenKind};
use super::writer::value_text;
use crate::model::delta::Piece;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Objects and arrays of a record nest at most so deep, whatever is set: trees of values are made
/// and written by functions that call themselves.
pub(crate) const MAX_DEPTH: usize = 1024;
/// What is nested deeper is not read by a fast path.
pub(crate) const FAST_PATH_DEPTH: usize = 64;

/// A value of a record, or its absence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Val<'a> {
    /// As it stands on the wire.
    raw: &'a str,
    kind: Option<TokenKind>,
}

/// What is not there.
const MISSING: Val<'_> = Val { raw: "", kind: None };

/// The record in this text, whose objects and arrays nest at most so deep.
///
/// # Errors
/// It is no JSON, nests too deep, or is followed by something.
pub(crate) fn read(json: &str, depth: usize) -> Result<Val<'_>, JsonError> {
    let depth = depth.min(MAX_DEPTH);
    let span = scan::value(json.as_bytes(), 0, depth)?;
    scan::end_of(json.as_bytes(), span.end)?;
    Ok(Val::of(json, span))
}

/// The tree of a JSON text that was written here.
///
/// # Errors
/// It is no JSON, or nests deeper than `depth`.
pub(crate) fn tree(json: &str, depth: usize) -> Result<Value, JsonError> {
    scan::value(json.as_bytes(), 0, depth)?;
    Ok(build(json, &mut 0))
}

/// The fields of these names of a record that is an object and nothing else; `None` where there is
/// more to say about it.
pub(crate) fn fast_path_fields<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Option<[Val<'a>; N]> {
    let bytes = json.as_bytes();
    let start = scan::skip_space(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    let (spans, end) = scan::fields(json, start, names, FAST_PATH_DEPTH).ok()?;
    let whole = scan::skip_space(bytes, end) == json.len();
    whole.then(|| spans.map(|span| span.map_or(MISSING, |span| Val::of(json, span))))
}

/// The string that begins (its quote included) where this text does, and what follows it.
pub(crate) fn leading_string(json: &str) -> Option<(Val<'_>, &str)> {
    let bytes = json.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let (quote, escaped) = scan::string(bytes, 1).ok()?;
    let (raw, rest) = json.split_at_checked(quote + 1)?;
    Some((Val { raw, kind: Some(TokenKind::String(escaped)) }, rest))
}

/// The fields of these names of an object, if every other field is null or of those `quiet`.
pub(crate) fn only_fields<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
    quiet: &[&str],
) -> Option<[Val<'a>; N]> {
    let bytes = json.as_bytes();
    let mut found = [MISSING; N];
    let mut at = scan::skip_space(bytes, 0);
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    at = scan::skip_space(bytes, at + 1);
    while bytes.get(at) == Some(&b'"') {
        let (end, escaped) = scan::string(bytes, at + 1).ok()?;
        let name = json.get(at + 1..end).filter(|_| !escaped)?;
        at = scan::skip_space(bytes, end + 1);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        let span = scan::value(bytes, at + 1, FAST_PATH_DEPTH).ok()?;
        match names.iter().position(|n| *n == name).and_then(|i| found.get_mut(i)) {
            Some(slot) => *slot = Val::of(json, span),
            None if span.kind == TokenKind::Null || quiet.contains(&name) => {}
            None => return None,
        }
        at = scan::skip_space(bytes, span.end);
        match bytes.get(at) {
            Some(b',') => {
                at = scan::skip_space(bytes, at + 1);
                if bytes.get(at) != Some(&b'"') {
                    return None;
                }
            }
            Some(b'}') => {}
            _ => return None,
        }
    }
    let closed = bytes.get(at) == Some(&b'}') && scan::skip_space(bytes, at + 1) == json.len();
    closed.then_some(found)
}

impl<'a> Val<'a> {
    fn of(json: &'a str, span: Span) -> Val<'a> {
        Val { raw: span.text(json), kind: Some(span.kind) }
    }

    /// As if it began where its text does.
    fn span(self) -> Option<Span> {
        Some(Span { kind: self.kind?, start: 0, end: self.raw.len() })
    }

    /// Is there a value that is not `null`?
    pub(crate) fn exists(self) -> bool {
        !matches!(self.kind, None | Some(TokenKind::Null))
    }

    /// Is it an object?
    pub(crate) fn is_object(self) -> bool {
        self.kind == Some(TokenKind::Object)
    }

    /// Is it an array?
    pub(crate) fn is_array(self) -> bool {
        self.kind == Some(TokenKind::Array)
    }

    /// Is it a string?
    pub(crate) fn is_string(self) -> bool {
        matches!(self.kind, Some(TokenKind::String(_)))
    }

    /// Is it a number?
    pub(crate) fn is_number(self) -> bool {
        self.kind == Some(TokenKind::Number)
    }

    /// Is it `true`?
    pub(crate) fn is_true(self) -> bool {
        self.raw() == "true"
    }

    /// Is it `{}`?
    pub(crate) fn is_empty_object(self) -> bool {
        self.is_object() && self.entries().next().is_none()
    }

    /// Its kind in words.
    pub(crate) fn describe(self) -> &'static str {
        self.kind.map_or("missing", TokenKind::describe)
    }

    /// The JSON text as it stands on the wire; empty for what is missing.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    /// What stands between the quotes of a string, escapes unresolved: a part of a JSON text.
    pub(crate) fn token(self) -> &'a str {
        let inside = self.raw().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.unwrap_or_default()
    }

    /// What a string says; `None` for everything else.
    pub(crate) fn str(self) -> Option<Cow<'a, str>> {
        self.span()?.string(self.raw)
    }

    /// What a string says; empty for everything else.
    pub(crate) fn text(self) -> Cow<'a, str> {
        self.str().unwrap_or_default()
    }

    /// The text of a string, a number's digits as well: ids and codes come as either.
    pub(crate) fn word(self) -> Cow<'a, str> {
        if self.is_number() { Cow::Borrowed(self.raw()) } else { self.text() }
    }

    /// What a string says, as a piece of a longer text; `None` for an empty one and for what is no
    /// string.
    pub(crate) fn piece(self) -> Option<Piece<'a>> {
        let piece = self.span()?.piece(self.raw)?;
        let silent = piece.text.is_empty() && piece.low.is_none() && piece.high.is_none();
        (!silent).then_some(piece)
    }

    /// A finite number.
    pub(crate) fn number(self) -> Option<f64> {
        let number = self.is_number().then(|| float::parse(self.raw()))??;
        number.is_finite().then_some(number)
    }

    /// A whole number from 0.
    pub(crate) fn index(self) -> Option<u64> {
        self.is_number().then(|| self.raw().parse().ok())?
    }

    /// The field of this name.
    pub(crate) fn get(self, name: &str) -> Val<'a> {
        let [found] = self.fields(&[name]);
        found
    }

    /// The fields of these names, in one pass.
    pub(crate) fn fields<const N: usize>(self, names: &[&str; N]) -> [Val<'a>; N] {
        let mut found = [MISSING; N];
        self.find(names, &mut found);
        found
    }

    /// Once for all numbers of names.
    #[inline(never)]
    fn find(self, names: &[&str], found: &mut [Val<'a>]) {
        if !self.is_object() {
            return;
        }
        let mut put = |slot: usize, span| {
            if let Some(found) = found.get_mut(slot) {
                *found = Val::of(self.raw, span);
            }
        };
        if scan::find(self.raw, 0, names, MAX_DEPTH, &mut put).is_err() {
            found.fill(MISSING);
        }
    }

    /// The elements of an array.
    pub(crate) fn items(self) -> Items<'a> {
        Items { json: self.raw, at: self.is_array().then_some(1) }
    }

    /// The fields of an object, in their order.
    pub(crate) fn entries(self) -> Entries<'a> {
        Entries { json: self.raw, at: self.is_object().then_some(1) }
    }

    /// The value as JSON text without white space, its fields in their order and its numbers as they
    /// stand; `null` for what is missing. Unpaired surrogates become U+FFFD.
    pub(crate) fn json(self) -> String {
        if self.kind.is_none() {
            return "null".to_owned();
        }
        let (json, mut out, mut at) = (self.raw, String::with_capacity(self.raw.len()), 0);
        while let Some(byte) = json.as_bytes().get(at) {
            let start = at;
            at += 1;
            if *byte != b'"' {
                if !byte.is_ascii_whitespace() {
                    out.push(char::from(*byte));
                }
                continue;
            }
            let Ok((quote, escaped)) = scan::string(json.as_bytes(), at) else { break };
            at = quote + 1;
            match json.get(start + 1..quote).filter(|_| escaped) {
                Some(inside) => out.push_str(&value_text(&Value::String(scan::unescaped(inside)))),
                None => out.push_str(json.get(start..at).unwrap_or_default()),
            }
        }
        out
    }

    /// The value as a tree. Unpaired surrogates become U+FFFD.
    pub(crate) fn value(self) -> Value {
        if self.kind.is_some() { build(self.raw, &mut 0) } else { Value::Null }
    }
}

/// The elements of an array.
pub(crate) struct Items<'a> {
    json: &'a str,
    at: Option<usize>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Val<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Val<'a>> {
        let span = scan::value(self.json.as_bytes(), self.at?, MAX_DEPTH).ok()?;
        self.at = behind_comma(self.json, span.end);
        Some(Val::of(self.json, span))
    }
}

/// The fields of an object.
pub(crate) struct Entries<'a> {
    json: &'a str,
    at: Option<usize>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, str>, Val<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let key = scan::value(self.json.as_bytes(), self.at?, MAX_DEPTH).ok()?;
        let name = key.string(self.json)?;
        let colon = scan::skip_space(self.json.as_bytes(), key.end);
        let span = scan::value(self.json.as_bytes(), colon + 1, MAX_DEPTH).ok()?;
        self.at = behind_comma(self.json, span.end);
        Some((name, Val::of(self.json, span)))
    }
}

/// Where the next element begins, if a comma follows.
fn behind_comma(json: &str, at: usize) -> Option<usize> {
    let at = scan::skip_space(json.as_bytes(), at);
    (json.as_bytes().get(at) == Some(&b',')).then_some(at + 1)
}

/// The tree of the value at `at`, in one pass; the text is known to be JSON and not too deep.
fn build(json: &str, at: &mut usize) -> Value {
    let bytes = json.as_bytes();
    *at = scan::skip_space(bytes, *at);
    match bytes.get(*at) {
        Some(b'{') => {
            let mut map = Map::new();
            *at = scan::skip_space(bytes, *at + 1);
            while bytes.get(*at) == Some(&b'"') {
                let name = scalar(json, at).as_str().unwrap_or_default().to_owned();
                *at = scan::skip_space(bytes, *at) + 1; // the colon
                map.insert(name, build(json, at));
                *at = scan::skip_space(bytes, *at);
                if bytes.get(*at) == Some(&b',') {
                    *at = scan::skip_space(bytes, *at + 1);
                }
            }
            *at += 1;
            Value::Object(map)
        }
        Some(b'[') => {
            let mut list = Vec::new();
            *at = scan::skip_space(bytes, *at + 1);
            while !matches!(bytes.get(*at), Some(b']') | None) {
                list.push(build(json, at));
                *at = scan::skip_space(bytes, *at);
                if bytes.get(*at) == Some(&b',') {
                    *at += 1;
                }
            }
            *at += 1;
            Value::Array(list)
        }
        _ => scalar(json, at),
    }
}

fn scalar(json: &str, at: &mut usize) -> Value {
    let Ok(span) = scan::value(json.as_bytes(), *at, MAX_DEPTH) else {
        *at = json.len();
        return Value::Null;
    };
    *at = span.end;
    match span.kind {
        TokenKind::String(_) => Value::String(span.string(json).unwrap_or_default().into_owned()),
        _ => literal(span.text(json)),
    }
}

/// The value of a number, `true`, `false` or `null`.
pub(crate) fn literal(raw: &str) -> Value {
    match raw {
        "null" => Value::Null,
        "true" | "false" => Value::Bool(raw == "true"),
        _ => number(raw),
    }
}

/// The value of a number. (The parser of serde_json would be a second one in the module, beside the
/// standard library's.)
fn number(raw: &str) -> Value {
    if let Ok(whole) = raw.parse::<u64>() {
        return Value::from(whole);
    }
    if let (Ok(whole), false) = (raw.parse::<i64>(), raw == "-0") {
        return Value::from(whole);
    }
    // Numbers beyond f64 have no value in JSON's own model; their digits are kept.
    let number = float::parse(raw).and_then(serde_json::Number::from_f64);
    number.map_or_else(|| Value::String(raw.to_owned()), Value::Number)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
