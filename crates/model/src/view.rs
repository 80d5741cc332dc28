//! A value as the rules see it: [`View`] to read one, [`Build`] to build one.
//!
//! Every rule of this crate is written once, over these traits. Natively a value is a
//! [`serde_json::Value`]; in a file it is a span of bytes; in `src/wasm/` it is a handle to the
//! caller's own JavaScript value. So a rule pays for the facts that it checks and never for the text
//! that it passes on ("references move, text stays").

use super::id::is_uuid;
use super::names::{Key, Word};
use super::text::end_of;
pub use super::text::{is_blank, number_text, start_of};
use super::utf16::utf16_of;
use std::borrow::Cow;

/// Arrays with more elements than this are refused: a proxy, or an empty JavaScript array, can claim
/// any length.
pub const MAX_ELEMENTS: usize = 1 << 24;

/// The kind of a value. The kinds after `Object` cannot come from JSON.
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
    /// `""`, a kind of its own because several rules ask for it.
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

    /// Is it absent or `null`? A required argument must not be.
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
            Kind::Exotic => "an object that is not a JSON object (a Date, a Map, …)",
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

    /// The kind of the value.
    fn kind(&self) -> Kind;
    /// The field of an object; [`Kind::Missing`] if it has no such field or is not an object.
    fn get(&self, key: Key) -> Self;
    /// The number of elements of an array, 0 for everything else.
    fn len(&self) -> usize;
    /// The element of an array at this index.
    fn at(&self, index: usize) -> Self;
    /// The number, `NaN` for everything else.
    fn number(&self) -> f64;
    /// The word of the model that the string is, if it is one.
    fn word(&self) -> Option<Word>;
    /// The string's text; unpaired surrogates come as U+FFFD. `None` for everything else.
    fn text(&self) -> Option<Cow<'_, str>>;
    /// The beginning of the string, at most `most` bytes; "" for everything else. It costs the same however
    /// long the string is.
    fn text_start(&self, most: usize) -> Cow<'_, str> {
        match self.text().unwrap_or_default() {
            Cow::Borrowed(text) => Cow::Borrowed(start_of(text, most)),
            Cow::Owned(text) => Cow::Owned(start_of(&text, most).to_owned()),
        }
    }
    /// The end of the string, like [`View::text_start`]. Its first character may be another where an escape
    /// was cut.
    fn text_end(&self, most: usize) -> Cow<'_, str> {
        match self.text().unwrap_or_default() {
            Cow::Borrowed(text) => Cow::Borrowed(end_of(text, most)),
            Cow::Owned(text) => Cow::Owned(end_of(&text, most).to_owned()),
        }
    }
    /// Is it a string that is empty or nothing but white space?
    fn is_blank(&self) -> bool;
    /// The length of the string in UTF-16 units, as JavaScript measures it; 0 for everything else.
    fn units(&self) -> usize {
        self.text().map_or(0, |text| utf16_of(&text))
    }
    /// The value as `JSON.stringify` writes it; `None` if it cannot be written: it is missing, has a cycle, or
    /// what it contains is no JSON.
    fn json_text(&self) -> Option<Cow<'_, str>>;
    /// The length of [`View::json_text`] in UTF-16 units; 0 if there is none.
    fn json_units(&self) -> usize {
        self.json_text().map_or(0, |text| utf16_of(&text))
    }
    /// Is it the same string as the other?
    fn same(&self, other: &Self) -> bool;
    /// Shows every field of an object, for objects whose names are not the model's. False if the
    /// names cannot be read.
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool;
    /// Adds the string to `ids`; false if it was there already.
    fn note(&self, ids: &mut Self::Ids) -> bool;

    /// Shows the elements of an array, at most the first `limit`. What the host allocates for one is
    /// freed before the next.
    fn each(&self, limit: usize, look: &mut dyn FnMut(usize, &Self)) {
        for index in 0..self.len().min(limit) {
            let mark = Self::mark();
            look(index, &self.at(index));
            Self::release(mark);
        }
    }

    /// Does it have no elements?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word of the model that a field is, if it is one.
    fn get_word(&self, key: Key) -> Option<Word> {
        self.get(key).word()
    }

    /// The count that a field is: a number above 0; otherwise 0.
    fn get_count(&self, key: Key) -> f64 {
        Some(self.get(key).number()).filter(|number| *number > 0.0).unwrap_or(0.0)
    }

    /// Is it a UUID in its hyphenated form, of any version and either case (BR-04)?
    fn is_uuid(&self) -> bool {
        self.kind() == Kind::String && self.text().is_some_and(|t| is_uuid(&t))
    }

    /// A mark for [`View::release`]: hosts with handles free those created after it.
    #[must_use]
    fn mark() -> u32 {
        0
    }
    /// Frees what was read since `mark`.
    fn release(_mark: u32) {}
}

/// A value as a rule builds it, from values of the caller, which are not copied.
pub trait Build: View {
    /// `{}`
    fn object() -> Self;
    /// `[]`
    fn list() -> Self;
    /// A string.
    fn string(text: &str) -> Self;
    /// A number.
    fn of_number(number: f64) -> Self;
    /// Sets a field, unless the value is of [`Kind::Missing`].
    fn put(&mut self, key: Key, value: &Self);
    /// Sets a field to a fixed word.
    fn put_word(&mut self, key: Key, word: Word);
    /// Sets a field to a number.
    fn put_number(&mut self, key: Key, number: f64);
    /// Sets a field to a boolean.
    fn put_bool(&mut self, key: Key, value: bool);
    /// Adds an element.
    fn push(&mut self, value: &Self);
    /// Copies the fields of `from` that are not in `known` and not set yet, so that fields which the
    /// model does not name are kept.
    fn carry(&mut self, from: &Self, known: &[Key]);
    /// Sets a field to a string of the caller's between two fixed words.
    fn put_joined(&mut self, key: Key, before: Word, middle: &Self, after: Word);

    /// Sets the field `key` to the field `from_key` of `from`, if there is one.
    fn copy(&mut self, key: Key, from: &Self, from_key: Key) {
        let value = from.get(from_key);
        self.put(key, &value);
    }

    /// `{key: word}`
    fn object_with(key: Key, word: Word) -> Self {
        let mut object = Self::object();
        object.put_word(key, word);
        object
    }

    /// This value with a field set, unless the given value is absent or `null`.
    #[must_use]
    fn with_given(self, key: Key, value: &Self) -> Self {
        if value.kind().is_nullish() { self } else { self.with(key, value) }
    }

    /// This value with a field set.
    #[must_use]
    fn with(mut self, key: Key, value: &Self) -> Self {
        self.put(key, value);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_in_order() {
        for (i, kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, i);
            assert!(!kind.describe().is_empty());
        }
    }
}
