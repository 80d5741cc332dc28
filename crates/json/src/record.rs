//! One record of a stream, its grammar checked: values are looked up in its text, and nothing is
//! copied until it is asked for.

use super::cursor::{self, Cursor, end_of};
use super::error::JsonError;
use super::fields::{fields, find};
use super::float;
use super::span::{Span, TokenKind};
use super::string::{string, unescaped};
use super::tree::build;
use super::white_space::skip_space;
use super::writer::value_text;
use apex_parts_model::delta::Piece;
use serde_json::Value;
use std::borrow::Cow;

pub use super::tree::{MAX_DEPTH, literal, tree};

/// Fast paths leave what is nested deeper to the general readers.
pub const FAST_PATH_DEPTH: usize = 64;

/// A value of a record, or its absence.
#[derive(Clone, Copy, Debug)]
pub struct Val<'a> {
    /// Its JSON text.
    raw: &'a str,
    kind: Option<TokenKind>,
}

impl Default for Val<'_> {
    /// The absence of a value.
    fn default() -> Self {
        MISSING
    }
}

/// The absence of a value.
const MISSING: Val<'_> = Val { raw: "", kind: None };

/// The record in this text, whose objects and arrays nest at most `depth` deep.
///
/// # Errors
/// It is not JSON, nests deeper, or is followed by something.
pub fn read(json: &str, depth: usize) -> Result<Val<'_>, JsonError> {
    let depth = depth.min(MAX_DEPTH);
    let span = cursor::value(json.as_bytes(), 0, depth)?;
    end_of(json.as_bytes(), span.end)?;
    Ok(Val::new(json, span))
}

/// The fields of these names of a record that is one object and nothing else; `None` for any other,
/// which is left to [`read`].
pub fn fast_path_fields<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Option<[Val<'a>; N]> {
    let bytes = json.as_bytes();
    let start = skip_space(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    let (spans, end) = fields(json, start, names, FAST_PATH_DEPTH).ok()?;
    let whole = skip_space(bytes, end) == json.len();
    whole.then(|| spans.map(|span| span.map_or(MISSING, |span| Val::new(json, span))))
}

/// The string at the beginning of this text, quotes included, and what follows it.
pub fn leading_string(json: &str) -> Option<(Val<'_>, &str)> {
    let bytes = json.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let (quote, escaped) = string(bytes, 1).ok()?;
    let (raw, rest) = json.split_at_checked(quote + 1)?;
    Some((Val { raw, kind: Some(TokenKind::String(escaped)) }, rest))
}

/// The fields of these names of an object, if every other field is null or one of `ignored`.
pub fn only_fields<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
    ignored: &[&str],
) -> Option<[Val<'a>; N]> {
    let mut found = [MISSING; N];
    find_only(json, &names, ignored, &mut found)?;
    Some(found)
}

/// [`only_fields`], compiled once, not for every number of names.
#[inline(never)]
fn find_only<'a>(
    json: &'a str,
    names: &[&str],
    ignored: &[&str],
    found: &mut [Val<'a>],
) -> Option<()> {
    let bytes = json.as_bytes();
    let start = skip_space(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    let mut cursor = Cursor::new(bytes, start);
    while let Some(key) = cursor.hot_field().ok()? {
        let name = json.get(key.start..key.end).filter(|_| !key.is_escaped)?;
        let span = cursor.skip(FAST_PATH_DEPTH).ok()?;
        match names.iter().position(|n| *n == name).and_then(|i| found.get_mut(i)) {
            Some(slot) => *slot = Val::new(json, span),
            None if span.kind == TokenKind::Null || ignored.contains(&name) => {}
            None => return None,
        }
    }
    (skip_space(bytes, cursor.at) == json.len()).then_some(())
}

impl<'a> Val<'a> {
    fn new(json: &'a str, span: Span) -> Val<'a> {
        Val { raw: span.text(json), kind: Some(span.kind) }
    }

    /// Its span in its own text.
    fn span(self) -> Option<Span> {
        Some(Span { kind: self.kind?, start: 0, end: self.raw.len() })
    }

    /// Is there a value that is not `null`?
    pub fn exists(self) -> bool {
        !matches!(self.kind, None | Some(TokenKind::Null))
    }

    /// Is it an object?
    pub fn is_object(self) -> bool {
        self.kind == Some(TokenKind::Object)
    }

    /// Is it an array?
    pub fn is_array(self) -> bool {
        self.kind == Some(TokenKind::Array)
    }

    /// Is it a string?
    pub fn is_string(self) -> bool {
        matches!(self.kind, Some(TokenKind::String(_)))
    }

    /// Is it a string, `null` or missing?
    pub fn is_string_or_none(self) -> bool {
        self.is_string() || !self.exists()
    }

    /// Is it a number?
    pub fn is_number(self) -> bool {
        self.kind == Some(TokenKind::Number)
    }

    /// Is it `true`?
    pub fn is_true(self) -> bool {
        self.raw() == "true"
    }

    /// Is it this string, however it is spelled?
    pub fn is(self, text: &str) -> bool {
        self.str().is_some_and(|own| own == text)
    }

    /// Is it `{}`?
    pub fn is_empty_object(self) -> bool {
        self.is_object() && self.entries().next().is_none()
    }

    /// Its kind in words.
    pub fn describe(self) -> &'static str {
        self.kind.map_or("missing", TokenKind::describe)
    }

    /// Its JSON text, as it was sent; empty if it is missing.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// What is between the quotes of a string, escapes unresolved: a piece of JSON text.
    pub fn token(self) -> &'a str {
        let inside = self.raw().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.unwrap_or_default()
    }

    /// The text of a string; `None` for everything else.
    pub fn str(self) -> Option<Cow<'a, str>> {
        self.span()?.string(self.raw)
    }

    /// The text of a string; empty for everything else.
    pub fn text(self) -> Cow<'a, str> {
        self.str().unwrap_or_default()
    }

    /// The text of a string or the digits of a number: ids and codes are sent as either.
    pub fn word(self) -> Cow<'a, str> {
        if self.is_number() { Cow::Borrowed(self.raw()) } else { self.text() }
    }

    /// The text of a string, as a piece of a longer text; `None` if it is empty or not a string.
    pub fn piece(self) -> Option<Piece<'a>> {
        let piece = self.span()?.piece(self.raw)?;
        let is_empty = piece.text.is_empty() && piece.low.is_none() && piece.high.is_none();
        (!is_empty).then_some(piece)
    }

    /// Its number, if it is one and finite.
    pub fn number(self) -> Option<f64> {
        let number = self.is_number().then(|| float::parse(self.raw()))??;
        number.is_finite().then_some(number)
    }

    /// Its number, if it is a whole one from 0.
    pub fn index(self) -> Option<u64> {
        self.is_number().then(|| self.raw().parse().ok())?
    }

    /// The field of this name.
    pub fn get(self, name: &str) -> Val<'a> {
        let [found] = self.fields(&[name]);
        found
    }

    /// The fields of these names, in one pass.
    pub fn fields<const N: usize>(self, names: &[&str; N]) -> [Val<'a>; N] {
        let mut spans = [MISSING; N];
        self.find_all(names, &mut spans);
        spans
    }

    /// Compiled once, not for every number of names.
    #[inline(never)]
    fn find_all(self, names: &[&str], found: &mut [Val<'a>]) {
        if !self.is_object() {
            return;
        }
        let mut put = |slot: usize, span| {
            if let Some(found) = found.get_mut(slot) {
                *found = Val::new(self.raw, span);
            }
        };
        if find(self.raw, 0, names, MAX_DEPTH, &mut put).is_err() {
            found.fill(MISSING);
        }
    }

    /// The elements of an array.
    pub fn items(self) -> Items<'a> {
        Items { json: self.raw, cursor: self.is_array().then(|| self.cursor()) }
    }

    /// The fields of an object, in the order of the text.
    pub fn entries(self) -> Entries<'a> {
        Entries { json: self.raw, cursor: self.is_object().then(|| self.cursor()) }
    }

    fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.raw.as_bytes(), 0)
    }

    /// The value as JSON text without white space, the order of its fields and the spelling of its
    /// numbers kept; `null` if it is missing. Unpaired surrogates become U+FFFD.
    pub fn json(self) -> String {
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
            let Ok((quote, escaped)) = string(json.as_bytes(), at) else { break };
            at = quote + 1;
            match json.get(start + 1..quote).filter(|_| escaped) {
                Some(inside) => out.push_str(&value_text(&Value::String(unescaped(inside)))),
                None => out.push_str(json.get(start..at).unwrap_or_default()),
            }
        }
        out
    }

    /// The value as a tree. Unpaired surrogates become U+FFFD.
    pub fn value(self) -> Value {
        if self.kind.is_some() { build(self.raw, &mut 0) } else { Value::Null }
    }
}

/// The elements of an array.
pub struct Items<'a> {
    json: &'a str,
    cursor: Option<Cursor<'a>>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Val<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Val<'a>> {
        let cursor = self.cursor.as_mut()?;
        if !cursor.element().ok()? {
            return None;
        }
        Some(Val::new(self.json, cursor.skip(MAX_DEPTH).ok()?))
    }
}

/// The fields of an object.
pub struct Entries<'a> {
    json: &'a str,
    cursor: Option<Cursor<'a>>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, str>, Val<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.cursor.as_mut()?;
        let key = cursor.hot_field().ok()??;
        Some((key.text(self.json), Val::new(self.json, cursor.skip(MAX_DEPTH).ok()?)))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
