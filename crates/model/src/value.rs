//! JSON values of `serde_json` as [`View`] and [`Build`]: what the rules see natively.

use super::names::{Key, Word};
use super::text::{is_blank, json_number};
use super::view::{Build, Kind, View};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

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

/// A borrowed JSON value; `None` is what JavaScript calls `undefined`.
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
    fn json_text(&self) -> Option<Cow<'_, str>> {
        self.map(|value| serde_json::to_string(value).unwrap_or_default().into())
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

/// A JSON value that a rule builds natively.
///
/// ```
/// use apex_parts_model::{Build, Key, Owned, View};
/// let mut state = Owned::object();
/// state.put(Key::Output, &Owned::string("ok"));
/// assert_eq!(state.get(Key::Output).text().as_deref(), Some("ok"));
/// assert_eq!(state.into_json(), serde_json::json!({"output": "ok"}));
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Owned(Option<Value>);

impl Owned {
    /// The value; `null` if it is missing.
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
    fn json_text(&self) -> Option<Cow<'_, str>> {
        self.0.as_ref().map(|value| serde_json::to_string(value).unwrap_or_default().into())
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
