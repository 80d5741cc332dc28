//! What a rule sees of a value: [`View`] to read, [`Build`] to make.
//!
//! Every rule of this crate is written once, over these traits. Natively a value is a
//! [`serde_json::Value`]; in a file it is a span of bytes; in `src/wasm/` it is a handle to the
//! caller's own JavaScript value. So a rule pays for the facts that it judges and never for the
//! text that it passes on ("references move, text stays").

use crate::model::names::{Key, Word};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Arrays with more elements than this are refused: a proxy can claim any length, and so can an
/// empty array of JavaScript.
pub(crate) const MAX_ELEMENTS: usize = 1 << 24;

/// What sort of thing a value is. The kinds past `Object` cannot come from JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Absent, or JavaScript's `undefined`.
    Missing,
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A finite number.
    Number,
    /// `""`, told apart because several rules ask for nothing else.
    EmptyString,
    /// A string with at least one character.
    String,
    /// An array.
    Array,
    /// An object with named fields.
    Object,
    /// `NaN` or an infinity.
    NotFinite,
    /// A `Date`, a `Map`, a `Promise`: an object whose content is not in its fields.
    Exotic,
    /// A `BigInt`.
    BigInt,
    /// A function.
    Function,
    /// A `Symbol`.
    Symbol,
    /// Reading it threw: a getter or a proxy.
    Unreadable,
}

impl Kind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: &'static [Kind] = &[
        Kind::Missing,
        Kind::Null,
        Kind::False,
        Kind::True,
        Kind::Number,
        Kind::EmptyString,
        Kind::String,
        Kind::Array,
        Kind::Object,
        Kind::NotFinite,
        Kind::Exotic,
        Kind::BigInt,
        Kind::Function,
        Kind::Symbol,
        Kind::Unreadable,
    ];

    /// Is it a string, empty or not?
    #[must_use]
    pub const fn is_string(self) -> bool {
        matches!(self, Kind::String | Kind::EmptyString)
    }

    /// Is it `true` or `false`?
    #[must_use]
    pub const fn is_bool(self) -> bool {
        matches!(self, Kind::True | Kind::False)
    }

    /// Absent or `null`: what a required argument may not be.
    #[must_use]
    pub const fn is_nullish(self) -> bool {
        matches!(self, Kind::Missing | Kind::Null)
    }

    /// The kind in words, for messages: "got …".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Kind::Missing => "nothing",
            Kind::Null => "null",
            Kind::False | Kind::True => "a boolean",
            Kind::Number => "a number",
            Kind::EmptyString => "an empty string",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
            Kind::NotFinite => "a number that is not finite",
            Kind::Exotic => "an object that is no JSON object (a Date, a Map, …)",
            Kind::BigInt => "a bigint",
            Kind::Function => "a function",
            Kind::Symbol => "a symbol",
            Kind::Unreadable => "a value that throws when it is read",
        }
    }
}

/// A value as a rule reads it.
///
/// No method fails: what cannot be read is [`Kind::Missing`] or [`Kind::Unreadable`].
pub trait View: Clone {
    /// Ids seen so far, for rules about uniqueness.
    type Ids: Default;

    /// What sort of thing it is.
    fn kind(&self) -> Kind;
    /// The field of an object; [`Kind::Missing`] where there is none or it is no object.
    fn get(&self, key: Key) -> Self;
    /// The number of elements of an array, 0 for everything else.
    fn len(&self) -> usize;
    /// An element of an array.
    fn at(&self, index: usize) -> Self;
    /// The number, `NaN` for everything else.
    fn number(&self) -> f64;
    /// The fixed word that the string is, if it is one.
    fn word(&self) -> Option<Word>;
    /// The string's text; unpaired surrogates come as U+FFFD. `None` for everything else.
    fn text(&self) -> Option<Cow<'_, str>>;
    /// A string of nothing but white space, or of nothing at all.
    fn is_blank(&self) -> bool;
    /// The same string as the other.
    fn same(&self, other: &Self) -> bool;
    /// Shows every field of an object, for those objects whose names are free. False where it has
    /// names that cannot be read.
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool;
    /// Notes the string in `ids`; false when it was there.
    fn note(&self, ids: &mut Self::Ids) -> bool;

    /// Shows the first elements of an array, at most `limit` of them. What the host made for one
    /// is freed before the next.
    fn each(&self, limit: usize, look: &mut dyn FnMut(usize, &Self)) {
        for index in 0..self.len().min(limit) {
            let mark = Self::mark();
            look(index, &self.at(index));
            Self::release(mark);
        }
    }

    /// Is there no element?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fixed word that a field is, if it is one.
    fn get_word(&self, key: Key) -> Option<Word> {
        self.get(key).word()
    }

    /// A UUID in its hyphenated form, of any version and either case (BR-04).
    fn is_uuid(&self) -> bool {
        self.kind() == Kind::String && self.text().is_some_and(|t| super::id::is_uuid(&t))
    }

    /// A mark to give to [`View::release`]: hosts with handles free those made after it.
    #[must_use]
    fn mark() -> u32 {
        0
    }
    /// Frees what was read since `mark`.
    fn release(_mark: u32) {}
}

/// A value as a rule makes it: out of values it was given, which it does not copy.
pub trait Build: View {
    /// `{}`
    fn object() -> Self;
    /// `[]`
    fn list() -> Self;
    /// A string.
    fn string(text: &str) -> Self;
    /// A number.
    fn of_number(number: f64) -> Self;
    /// Sets a field. A value of [`Kind::Missing`] leaves the field out.
    fn put(&mut self, key: Key, value: &Self);
    /// Sets a field to a fixed word.
    fn put_word(&mut self, key: Key, word: Word);
    /// Sets a field to a number.
    fn put_number(&mut self, key: Key, number: f64);
    /// Sets a field to a boolean.
    fn put_bool(&mut self, key: Key, value: bool);
    /// Adds an element.
    fn push(&mut self, value: &Self);
    /// Sets the fields of `from` that are not in `known` and not here yet: nothing that the model
    /// does not name is lost.
    fn carry(&mut self, from: &Self, known: &[Key]);
    /// Sets a field to a string of the caller's with fixed words around it.
    fn put_joined(&mut self, key: Key, before: Word, middle: &Self, after: Word);

    /// Sets the field `key` to what `from` has under `from_key`, if it has it.
    fn copy(&mut self, key: Key, from: &Self, from_key: Key) {
        let value = from.get(from_key);
        self.put(key, &value);
    }

    /// `{key: word}`
    fn object_with(key: Key, word: Word) -> Self {
        let mut made = Self::object();
        made.put_word(key, word);
        made
    }

    /// With a field set where the caller gave one: `null` is none.
    #[must_use]
    fn with_given(self, key: Key, value: &Self) -> Self {
        if value.kind().is_nullish() { self } else { self.with(key, value) }
    }

    /// With a field set; for chains.
    #[must_use]
    fn with(mut self, key: Key, value: &Self) -> Self {
        self.put(key, value);
        self
    }
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(false) => Kind::False,
        Value::Bool(true) => Kind::True,
        Value::Number(_) => Kind::Number,
        Value::String(s) if s.is_empty() => Kind::EmptyString,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}

/// A number in words of JSON: the formatter that is in the program anyway, where the standard
/// library's would bring 17 KB of its own to WebAssembly.
pub(crate) fn number_text(number: f64) -> String {
    match json_number(number) {
        Value::Number(number) if let Some(integer) = number.as_i64() => integer.to_string(),
        Value::Null => "not a number".to_owned(),
        number => number.to_string(),
    }
}

/// Nothing but white space, as JavaScript's `trim` sees it, so that every host agrees.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'))
}

/// Natively a value, or none: `None` is what JavaScript calls `undefined`.
pub type Json<'a> = Option<&'a Value>;

impl<'a> View for Json<'a> {
    type Ids = BTreeSet<&'a str>;

    fn kind(&self) -> Kind {
        self.map_or(Kind::Missing, kind_of)
    }
    fn get(&self, key: Key) -> Self {
        self.and_then(Value::as_object).and_then(|o| o.get(key.as_str()))
    }
    fn len(&self) -> usize {
        self.and_then(Value::as_array).map_or(0, Vec::len)
    }
    fn at(&self, index: usize) -> Self {
        self.and_then(|v| v.get(index))
    }
    fn number(&self) -> f64 {
        self.and_then(Value::as_f64).unwrap_or(f64::NAN)
    }
    fn word(&self) -> Option<Word> {
        self.and_then(Value::as_str).and_then(Word::parse)
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        self.and_then(Value::as_str).map(Cow::Borrowed)
    }
    fn is_blank(&self) -> bool {
        self.and_then(Value::as_str).is_some_and(is_blank)
    }
    fn same(&self, other: &Self) -> bool {
        match (self.and_then(Value::as_str), other.and_then(Value::as_str)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool {
        for (name, value) in self.and_then(Value::as_object).into_iter().flatten() {
            look(name, &Some(value));
        }
        true
    }
    fn note(&self, ids: &mut Self::Ids) -> bool {
        self.and_then(Value::as_str).is_none_or(|s| ids.insert(s))
    }
}

/// A JSON value that a rule makes natively.
///
/// ```
/// use apex_parts::model::{Build, Key, Owned, View};
/// let mut state = Owned::object();
/// state.put(Key::Output, &Owned::string("ok"));
/// assert_eq!(state.get(Key::Output).text().as_deref(), Some("ok"));
/// assert_eq!(state.into_json(), serde_json::json!({"output": "ok"}));
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Owned(Option<Value>);

impl Owned {
    /// The value, `null` where there is none.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.0.unwrap_or(Value::Null)
    }
    fn set(&mut self, key: Key, value: Value) {
        if let Some(Value::Object(object)) = &mut self.0 {
            object.insert(key.as_str().to_owned(), value);
        }
    }
}

impl From<Value> for Owned {
    fn from(value: Value) -> Self {
        Owned(Some(value))
    }
}

impl View for Owned {
    type Ids = BTreeSet<String>;

    fn kind(&self) -> Kind {
        self.0.as_ref().kind()
    }
    fn get(&self, key: Key) -> Self {
        Owned(self.0.as_ref().get(key).cloned())
    }
    fn len(&self) -> usize {
        self.0.as_ref().len()
    }
    fn at(&self, index: usize) -> Self {
        Owned(self.0.as_ref().at(index).cloned())
    }
    fn number(&self) -> f64 {
        self.0.as_ref().number()
    }
    fn word(&self) -> Option<Word> {
        self.0.as_ref().word()
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        self.0.as_ref().and_then(Value::as_str).map(Cow::Borrowed)
    }
    fn is_blank(&self) -> bool {
        self.0.as_ref().is_blank()
    }
    fn same(&self, other: &Self) -> bool {
        self.0.as_ref().same(&other.0.as_ref())
    }
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool {
        self.0.as_ref().each_field(&mut |name, value| look(name, &Owned(value.cloned())))
    }
    fn note(&self, ids: &mut Self::Ids) -> bool {
        self.0.as_ref().and_then(Value::as_str).is_none_or(|s| ids.insert(s.to_owned()))
    }
}

impl Build for Owned {
    fn object() -> Self {
        Owned(Some(Value::Object(serde_json::Map::new())))
    }
    fn list() -> Self {
        Owned(Some(Value::Array(Vec::new())))
    }
    fn string(text: &str) -> Self {
        Owned(Some(Value::String(text.to_owned())))
    }
    fn of_number(number: f64) -> Self {
        Owned(Some(json_number(number)))
    }
    fn put(&mut self, key: Key, value: &Self) {
        if let Some(value) = &value.0 {
            self.set(key, value.clone());
        }
    }
    fn put_word(&mut self, key: Key, word: Word) {
        self.set(key, Value::String(word.as_str().to_owned()));
    }
    fn put_number(&mut self, key: Key, number: f64) {
        self.set(key, json_number(number));
    }
    fn put_bool(&mut self, key: Key, value: bool) {
        self.set(key, Value::Bool(value));
    }
    fn push(&mut self, value: &Self) {
        if let (Some(Value::Array(list)), Some(value)) = (&mut self.0, &value.0) {
            list.push(value.clone());
        }
    }
    fn carry(&mut self, from: &Self, known: &[Key]) {
        if let (Some(Value::Object(to)), Some(Value::Object(from))) = (&mut self.0, &from.0) {
            for (name, value) in from {
                if !to.contains_key(name) && !known.iter().any(|k| k.as_str() == name) {
                    to.insert(name.clone(), value.clone());
                }
            }
        }
    }
    fn put_joined(&mut self, key: Key, before: Word, middle: &Self, after: Word) {
        let text = middle.text().unwrap_or_default();
        let (before, after) = (before.as_str(), after.as_str());
        self.set(key, Value::String(format!("{before}{text}{after}")));
    }
}

/// A number as JSON has it: integers stay integers.
fn json_number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: beyond it not every integer is a double
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[allow(clippy::cast_possible_truncation)]
        return Value::from(number as i64);
    }
    serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kinds_of_json() {
        let value =
            json!({"text": "", "title": "x", "time": 1, "auto": true, "files": [], "raw": null});
        let view = Some(&value);
        assert_eq!(view.get(Key::Text).kind(), Kind::EmptyString);
        assert_eq!(view.get(Key::Title).kind(), Kind::String);
        assert_eq!(view.get(Key::Time).kind(), Kind::Number);
        assert_eq!(view.get(Key::Auto).kind(), Kind::True);
        assert_eq!(view.get(Key::Files).kind(), Kind::Array);
        assert_eq!(view.get(Key::Raw).kind(), Kind::Null);
        assert_eq!(view.get(Key::Url).kind(), Kind::Missing);
        assert_eq!(view.get(Key::Title).get(Key::Url).kind(), Kind::Missing);
    }

    #[test]
    fn kinds_are_numbered_in_order() {
        for (i, kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, i);
            assert!(!kind.describe().is_empty());
        }
    }

    #[test]
    fn numbers_keep_their_kind() {
        let mut o = Owned::object();
        o.put_number(Key::Start, 0.0);
        o.put_number(Key::Cost, 0.5);
        o.put_number(Key::End, 1e300);
        o.put_number(Key::Total, f64::NAN);
        assert_eq!(o.into_json(), json!({"start": 0, "cost": 0.5, "end": 1e300, "total": null}));
    }

    #[test]
    fn carry_keeps_what_is_unknown() {
        let from = Owned::from(json!({"raw": "{}", "mode": "build", "input": {}}));
        let mut to = Owned::object();
        to.put(Key::Input, &Owned::from(json!({"a": 1})));
        to.carry(&from, &[Key::Raw, Key::Input]);
        assert_eq!(to.into_json(), json!({"input": {"a": 1}, "mode": "build"}));
    }
}
