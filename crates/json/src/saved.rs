//! What is remembered from one record to the next, as JSON for a snapshot.
//!
//! Every struct lists its fields once ([`state!`]), and one that is forgotten does not compile. Both ways go through trait
//! objects, so that a struct costs a list of pointers and no code of its own. serde's visitors for the same structs made
//! a quarter of the module, and reading and writing that is inlined field by field still a twelfth of it.

use apex_parts_model::fingerprint::RunningFingerprint;
use apex_parts_model::{Problem, Severity};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};

/// A thing that can be saved as JSON and loaded again. `null` stands for its default.
pub trait Saved {
    /// As JSON; `null` if it is the default.
    fn save(&self) -> Value;
    /// Puts what was saved in its place, whatever it was before; false if the JSON does not fit. It has
    /// some valid value then.
    #[must_use]
    fn put_back(&mut self, saved: Value) -> bool;

    /// From JSON; `None` if it does not fit.
    fn load(saved: Value) -> Option<Self>
    where
        Self: Default,
    {
        let mut loaded = Self::default();
        loaded.put_back(saved).then_some(loaded)
    }
}

/// Implements [`Saved`] for a struct, field by field. Every field is named: one that is missing does not compile.
///
/// A field is saved under its own name, or under the one that follows it. Fields that are not saved come after `skip`,
/// each with the reason why it has its default whenever the state is saved. A debug build checks that it has.
///
/// ```
/// use apex_parts_json::saved::{Saved, state};
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Counter {
///     name: String,
///     count: u64,
///     /// What was counted since the last call of `flush`.
///     recent: u64,
/// }
///
/// state!(Counter { name, count: "n" } skip { recent: "a save follows `flush`, which clears it" });
///
/// let counter = Counter { name: "calls".to_owned(), count: 3, recent: 0 };
/// let saved = counter.save();
/// assert_eq!(saved, serde_json::json!({ "name": "calls", "n": 3 }));
/// assert_eq!(Counter::load(saved), Some(counter));
/// ```
///
/// A field that is neither saved nor skipped is an error of the compiler:
///
/// ```compile_fail,E0027
/// # use apex_parts_json::saved::state;
/// #[derive(Default)]
/// struct Counter {
///     name: String,
///     count: u64,
/// }
///
/// state!(Counter { name });
/// ```
#[macro_export]
macro_rules! state {
    (
        $name:ident { $($field:ident $(: $saved_as:literal)?),+ $(,)? }
        $(skip { $($skipped:ident: $reason:literal),+ $(,)? })?
    ) => {
        const _: () = {
            const NAMES: &[&str] = &[$($crate::saved_name!($field $($saved_as)?)),+];
            impl $crate::saved::Saved for $name {
                fn save(&self) -> serde_json::Value {
                    // No `..`, so that the compiler names a field that was forgotten.
                    let Self { $($field,)+ $($($skipped,)+)? } = self;
                    $($(debug_assert!(
                        $crate::saved::is_default($skipped),
                        "{}.{} is skipped, but not its default at a save: {}",
                        stringify!($name),
                        stringify!($skipped),
                        $reason
                    );)+)?
                    $crate::saved::save_fields(NAMES, &[$($field),+])
                }
                fn put_back(&mut self, saved: serde_json::Value) -> bool {
                    let Self { $($field,)+ $($($skipped,)+)? } = self;
                    $($(*$skipped = Default::default();)+)?
                    $crate::saved::put_back_fields(saved, NAMES, &mut [$($field),+])
                }
            }
        };
    };
}
pub use crate::state;

/// Whether a field that is not saved may be left out.
#[doc(hidden)]
pub fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}

/// The name that a field is saved under: its own, unless another is given.
#[doc(hidden)]
#[macro_export]
macro_rules! saved_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $saved_as:literal) => {
        $saved_as
    };
}

/// Implements [`Saved`] for an enum without fields, as the number of its variant.
#[macro_export]
macro_rules! state_choice {
    ($name:ty { $($variant:ident),+ $(,)? }) => {
        impl $crate::saved::Saved for $name {
            fn save(&self) -> serde_json::Value {
                (*self as u64).save()
            }
            fn put_back(&mut self, saved: serde_json::Value) -> bool {
                let number = $crate::saved::load_number(saved);
                let choice = [$(<$name>::$variant),+].into_iter();
                let found = number.and_then(|number| choice.into_iter().find(|choice| *choice as u64 == number));
                $crate::saved::replace(self, found)
            }
        }
    };
}
pub use crate::state_choice;

/// The number of a variant.
#[doc(hidden)]
#[inline(never)]
pub fn load_number(saved: Value) -> Option<u64> {
    u64::load(saved)
}

/// The fields of a struct as an object, without those that are their defaults; `null` if all are.
pub fn save_fields(names: &[&str], fields: &[&dyn Saved]) -> Value {
    let mut map = Map::new();
    for (name, field) in names.iter().zip(fields) {
        put(&mut map, name, field.save());
    }
    object(map)
}

/// Puts each field back out of an object that [`save_fields`] wrote.
pub fn put_back_fields(saved: Value, names: &[&str], parts: &mut [&mut dyn Saved]) -> bool {
    let Some(mut map) = fields(saved) else { return false };
    names.iter().zip(parts).all(|(name, part)| part.put_back(take(&mut map, name)))
}

/// A map of what comes, one by one: `collect` would bring a sort of its own for every kind of map.
pub fn map_of<V>(
    entries: impl Iterator<Item = Option<(String, V)>>,
) -> Option<BTreeMap<String, V>> {
    let mut map = BTreeMap::new();
    for entry in entries {
        let (name, value) = entry?;
        map.insert(name, value);
    }
    Some(map)
}

/// An object of what comes, one by one: see [`map_of`].
pub fn object_of(entries: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in entries {
        map.insert(name, value);
    }
    map
}

/// An object with these fields. (`json!` would take each value through a serializer.)
pub fn object_with(fields: Vec<(&str, Value)>) -> Map<String, Value> {
    object_of(fields.into_iter().map(|(name, value)| (name.to_owned(), value)))
}

/// Adds a field, unless it is its default.
pub fn put(map: &mut Map<String, Value>, name: &str, value: Value) {
    if !value.is_null() {
        map.insert(name.to_owned(), value);
    }
}

/// Takes a field out; `null` where there is none.
pub fn take(map: &mut Map<String, Value>, name: &str) -> Value {
    map.remove(name).unwrap_or_default()
}

/// The fields of an object, or of a default.
pub fn fields(saved: Value) -> Option<Map<String, Value>> {
    match saved {
        Value::Object(map) => Some(map),
        Value::Null => Some(Map::new()),
        _ => None,
    }
}

/// An object, unless it is empty: then its default.
pub fn object(map: Map<String, Value>) -> Value {
    if map.is_empty() { Value::Null } else { Value::Object(map) }
}

/// The elements of a list, or of a default.
pub(crate) fn elements(saved: Value) -> Option<Vec<Value>> {
    match saved {
        Value::Array(list) => Some(list),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// A list, unless it is empty: then its default.
pub(crate) fn list(list: Vec<Value>) -> Value {
    if list.is_empty() { Value::Null } else { Value::Array(list) }
}

/// Puts a loaded thing in its place, if there is one.
pub fn replace<T>(place: &mut T, loaded: Option<T>) -> bool {
    match loaded {
        Some(loaded) => {
            *place = loaded;
            true
        }
        None => false,
    }
}

impl Saved for bool {
    fn save(&self) -> Value {
        if *self { Value::Bool(true) } else { Value::Null }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        replace(self, if saved.is_null() { Some(false) } else { saved.as_bool() })
    }
}

impl Saved for u64 {
    fn save(&self) -> Value {
        if *self == 0 { Value::Null } else { Value::from(*self) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        replace(self, if saved.is_null() { Some(0) } else { saved.as_u64() })
    }
}

/// Implements [`Saved`] for shorter numbers, as a `u64`.
macro_rules! state_short_number {
    ($($number:ty),+) => {$(
        impl Saved for $number {
            fn save(&self) -> Value {
                u64::from(*self).save()
            }
            fn put_back(&mut self, saved: Value) -> bool {
                replace(self, u64::load(saved).and_then(|number| Self::try_from(number).ok()))
            }
        }
    )+};
}
state_short_number!(u16, u32);

/// As hexadecimal digits: JSON's numbers are not that long.
impl Saved for u128 {
    fn save(&self) -> Value {
        if *self == 0 { Value::Null } else { Value::String(format!("{self:x}")) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let number = match saved {
            Value::String(digits) => u128::from_str_radix(&digits, 16).ok(),
            other => other.is_null().then_some(0),
        };
        replace(self, number)
    }
}

impl Saved for f64 {
    fn save(&self) -> Value {
        if *self == 0.0 { Value::Null } else { Value::from(*self) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        replace(self, if saved.is_null() { Some(0.0) } else { saved.as_f64() })
    }
}

impl Saved for String {
    fn save(&self) -> Value {
        if self.is_empty() { Value::Null } else { Value::String(self.clone()) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let text = match saved {
            Value::String(text) => Some(text),
            Value::Null => Some(String::new()),
            _ => None,
        };
        replace(self, text)
    }
}

/// A value of a record; `null` is none.
impl Saved for Value {
    fn save(&self) -> Value {
        self.clone()
    }
    fn put_back(&mut self, saved: Value) -> bool {
        *self = saved;
        true
    }
}

impl Saved for Map<String, Value> {
    fn save(&self) -> Value {
        object(self.clone())
    }
    fn put_back(&mut self, saved: Value) -> bool {
        replace(self, fields(saved))
    }
}

/// `[value]`: what is there may be its own default.
impl<T: Saved + Default> Saved for Option<T> {
    fn save(&self) -> Value {
        save_option(self.as_ref().map(|value| value as &dyn Saved))
    }
    fn put_back(&mut self, saved: Value) -> bool {
        *self = None;
        put_back_option(saved, &mut |value| self.insert(T::default()).put_back(value))
    }
}

// These are compiled once, not for every type of things.

#[inline(never)]
fn save_option(value: Option<&dyn Saved>) -> Value {
    value.map_or(Value::Null, |value| Value::Array(vec![value.save()]))
}

#[inline(never)]
fn put_back_option(saved: Value, put_back: &mut dyn FnMut(Value) -> bool) -> bool {
    elements(saved).is_some_and(|mut saved| saved.pop().is_none_or(put_back))
}

/// A list, as [`save_list`] and [`put_back_list`] need it.
trait SavedList {
    fn item(&self, index: usize) -> Option<&dyn Saved>;
    /// Removes all.
    fn empty(&mut self);
    /// Adds a default to the end.
    fn grow(&mut self) -> Option<&mut dyn Saved>;
}

impl<T: Saved + Default> SavedList for Vec<T> {
    fn item(&self, index: usize) -> Option<&dyn Saved> {
        self.get(index).map(|item| item as &dyn Saved)
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn grow(&mut self) -> Option<&mut dyn Saved> {
        self.push(T::default());
        self.last_mut().map(|item| item as &mut dyn Saved)
    }
}

impl<T: Saved + Default> SavedList for VecDeque<T> {
    fn item(&self, index: usize) -> Option<&dyn Saved> {
        self.get(index).map(|item| item as &dyn Saved)
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn grow(&mut self) -> Option<&mut dyn Saved> {
        self.push_back(T::default());
        self.back_mut().map(|item| item as &mut dyn Saved)
    }
}

#[inline(never)]
fn save_list(items: &dyn SavedList) -> Value {
    let mut saved = Vec::new();
    while let Some(item) = items.item(saved.len()) {
        saved.push(item.save());
    }
    list(saved)
}

#[inline(never)]
fn put_back_list(items: &mut dyn SavedList, saved: Value) -> bool {
    items.empty();
    let Some(saved) = elements(saved) else { return false };
    saved.into_iter().all(|value| items.grow().is_some_and(|item| item.put_back(value)))
}

impl<T: Saved + Default> Saved for Vec<T> {
    fn save(&self) -> Value {
        save_list(self)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        put_back_list(self, saved)
    }
}

impl<T: Saved + Default> Saved for VecDeque<T> {
    fn save(&self) -> Value {
        save_list(self)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        put_back_list(self, saved)
    }
}

/// As a list of as many.
impl<const N: usize> Saved for [u64; N] {
    fn save(&self) -> Value {
        if self.iter().all(|number| *number == 0) {
            return Value::Null;
        }
        Value::Array(self.iter().map(|number| Value::from(*number)).collect())
    }
    fn put_back(&mut self, saved: Value) -> bool {
        *self = [0; N];
        let Some(saved) = elements(saved) else { return false };
        let fits = saved.is_empty() || saved.len() == N;
        fits && self.iter_mut().zip(saved).all(|(number, saved)| number.put_back(saved))
    }
}

/// Numbers by name.
pub type Numbering = BTreeMap<String, u64>;

impl Saved for Numbering {
    fn save(&self) -> Value {
        object(object_of(self.iter().map(|(name, number)| (name.clone(), Value::from(*number)))))
    }
    fn put_back(&mut self, saved: Value) -> bool {
        self.clear();
        let Some(saved) = fields(saved) else { return false };
        saved
            .into_iter()
            .all(|(name, number)| number.as_u64().map(|number| self.insert(name, number)).is_some())
    }
}

/// As a text.
impl Saved for Box<str> {
    fn save(&self) -> Value {
        if self.is_empty() { Value::Null } else { Value::from(&**self) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        replace(self, String::load(saved).map(String::into_boxed_str))
    }
}

/// `severity` is saved only if it is a warning.
impl Saved for Problem {
    fn save(&self) -> Value {
        let Problem { severity, rule, path, message, offset } = self;
        let warning = *severity == Severity::Warning;
        save_fields(PROBLEM_FIELDS, &[&warning, rule, path, message, offset])
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let Problem { severity, rule, path, message, offset } = self;
        let mut warning = false;
        let loaded = put_back_fields(
            saved,
            PROBLEM_FIELDS,
            &mut [&mut warning, rule, path, message, offset],
        );
        *severity = if warning { Severity::Warning } else { Severity::Error };
        loaded
    }
}

const PROBLEM_FIELDS: &[&str] = &["warning", "rule", "path", "message", "offset"];

state!(RunningFingerprint { h1, h2, word, length });

/// Lists by name.
impl Saved for BTreeMap<String, Vec<String>> {
    fn save(&self) -> Value {
        let entries = self.iter().map(|(name, list)| (name.clone(), list.save()));
        object(object_of(entries))
    }
    fn put_back(&mut self, saved: Value) -> bool {
        self.clear();
        let Some(saved) = fields(saved) else { return false };
        saved.into_iter().all(|(name, list)| self.entry(name).or_default().put_back(list))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
