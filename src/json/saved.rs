//! What is remembered from one record to the next, as JSON for a snapshot. Written out by
//! [`state!`], not derived: serde's visitors for the same structs made a quarter of the module.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};

/// A thing that can be written down and read again. `null` stands for its default.
pub(crate) trait Saved: Sized {
    /// As JSON; `null` where it is the default.
    fn save(&self) -> Value;
    /// From JSON; `None` where it is none of these.
    fn load(saved: Value) -> Option<Self>;
}

/// Writes a struct down field by field. Fields that are not named are their defaults again.
macro_rules! state {
    ($name:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::json::saved::Saved for $name {
            fn save(&self) -> serde_json::Value {
                let mut map = serde_json::Map::new();
                $($crate::json::saved::put(&mut map, stringify!($field), self.$field.save());)+
                $crate::json::saved::object(map)
            }
            fn load(saved: serde_json::Value) -> Option<Self> {
                let mut map = $crate::json::saved::fields(saved)?;
                let mut made = <$name>::default();
                $(made.$field =
                    $crate::json::saved::Saved::load(
                        $crate::json::saved::take(&mut map, stringify!($field)))?;)+
                Some(made)
            }
        }
    };
}
pub(crate) use state;

/// A choice without fields, as the number of its variant.
macro_rules! state_choice {
    ($name:ty { $($variant:ident),+ $(,)? }) => {
        impl $crate::json::saved::Saved for $name {
            fn save(&self) -> serde_json::Value {
                (*self as u64).save()
            }
            fn load(saved: serde_json::Value) -> Option<Self> {
                [$(<$name>::$variant),+].into_iter().find(|choice| choice.save() == saved)
            }
        }
    };
}
pub(crate) use state_choice;

/// A map of what comes, one by one: `collect` would bring a sort of its own for every kind of map.
pub(crate) fn map_of<V>(
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
pub(crate) fn object_of(entries: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in entries {
        map.insert(name, value);
    }
    map
}

/// Adds a field, unless it is its default.
pub(crate) fn put(map: &mut Map<String, Value>, name: &str, value: Value) {
    if !value.is_null() {
        map.insert(name.to_owned(), value);
    }
}

/// Takes a field out; `null` where there is none.
pub(crate) fn take(map: &mut Map<String, Value>, name: &str) -> Value {
    map.remove(name).unwrap_or_default()
}

/// The fields of an object, or of a default.
pub(crate) fn fields(saved: Value) -> Option<Map<String, Value>> {
    match saved {
        Value::Object(map) => Some(map),
        Value::Null => Some(Map::new()),
        _ => None,
    }
}

/// An object, unless it is empty: then its default.
pub(crate) fn object(map: Map<String, Value>) -> Value {
    if map.is_empty() { Value::Null } else { Value::Object(map) }
}

/// The elements of a list, or of a default.
fn elements(saved: Value) -> Option<Vec<Value>> {
    match saved {
        Value::Array(list) => Some(list),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// A list, unless it is empty: then its default.
fn list(list: Vec<Value>) -> Value {
    if list.is_empty() { Value::Null } else { Value::Array(list) }
}

impl Saved for bool {
    fn save(&self) -> Value {
        if *self { Value::Bool(true) } else { Value::Null }
    }
    fn load(saved: Value) -> Option<Self> {
        if saved.is_null() { Some(false) } else { saved.as_bool() }
    }
}

impl Saved for u64 {
    fn save(&self) -> Value {
        if *self == 0 { Value::Null } else { Value::from(*self) }
    }
    fn load(saved: Value) -> Option<Self> {
        if saved.is_null() { Some(0) } else { saved.as_u64() }
    }
}

impl Saved for u32 {
    fn save(&self) -> Value {
        u64::from(*self).save()
    }
    fn load(saved: Value) -> Option<Self> {
        u32::try_from(u64::load(saved)?).ok()
    }
}

impl Saved for u16 {
    fn save(&self) -> Value {
        u64::from(*self).save()
    }
    fn load(saved: Value) -> Option<Self> {
        u16::try_from(u64::load(saved)?).ok()
    }
}

/// As hexadecimal digits: JSON's numbers are not that long.
impl Saved for u128 {
    fn save(&self) -> Value {
        if *self == 0 { Value::Null } else { Value::String(format!("{self:x}")) }
    }
    fn load(saved: Value) -> Option<Self> {
        match saved {
            Value::String(digits) => u128::from_str_radix(&digits, 16).ok(),
            other => other.is_null().then_some(0),
        }
    }
}

impl Saved for f64 {
    fn save(&self) -> Value {
        if *self == 0.0 { Value::Null } else { Value::from(*self) }
    }
    fn load(saved: Value) -> Option<Self> {
        if saved.is_null() { Some(0.0) } else { saved.as_f64() }
    }
}

impl Saved for String {
    fn save(&self) -> Value {
        if self.is_empty() { Value::Null } else { Value::String(self.clone()) }
    }
    fn load(saved: Value) -> Option<Self> {
        match saved {
            Value::String(text) => Some(text),
            Value::Null => Some(String::new()),
            _ => None,
        }
    }
}

/// A value of a record; `null` is none.
impl Saved for Value {
    fn save(&self) -> Value {
        self.clone()
    }
    fn load(saved: Value) -> Option<Self> {
        Some(saved)
    }
}

impl Saved for Map<String, Value> {
    fn save(&self) -> Value {
        object(self.clone())
    }
    fn load(saved: Value) -> Option<Self> {
        fields(saved)
    }
}

/// `[value]`: what is there may be its own default.
impl<T: Saved> Saved for Option<T> {
    fn save(&self) -> Value {
        self.as_ref().map_or(Value::Null, |value| Value::Array(vec![value.save()]))
    }
    fn load(saved: Value) -> Option<Self> {
        match elements(saved)?.pop() {
            Some(value) => Some(Some(T::load(value)?)),
            None => Some(None),
        }
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn save(&self) -> Value {
        list(self.iter().map(T::save).collect())
    }
    fn load(saved: Value) -> Option<Self> {
        let saved = elements(saved)?;
        let mut list = Vec::with_capacity(saved.len());
        for one in saved {
            list.push(T::load(one)?);
        }
        Some(list)
    }
}

impl<T: Saved> Saved for VecDeque<T> {
    fn save(&self) -> Value {
        list(self.iter().map(T::save).collect())
    }
    fn load(saved: Value) -> Option<Self> {
        Vec::load(saved).map(VecDeque::from)
    }
}

impl<const N: usize> Saved for [u64; N] {
    fn save(&self) -> Value {
        if self.iter().all(|n| *n == 0) { Value::Null } else { self.to_vec().save() }
    }
    fn load(saved: Value) -> Option<Self> {
        if saved.is_null() { Some([0; N]) } else { Vec::load(saved)?.try_into().ok() }
    }
}

/// Numbers by name.
pub(crate) type Numbering = BTreeMap<String, u64>;

impl Saved for Numbering {
    fn save(&self) -> Value {
        object(object_of(self.iter().map(|(name, number)| (name.clone(), Value::from(*number)))))
    }
    fn load(saved: Value) -> Option<Self> {
        let one = |(name, number): (String, Value)| Some((name, number.as_u64()?));
        map_of(fields(saved)?.into_iter().map(one))
    }
}

/// Things by number, in the order of their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    /// Where each number's thing stands. (One map for all kinds of thing: a map's code is large.)
    places: BTreeMap<u64, u64>,
    things: Vec<Option<T>>,
    free: Vec<u64>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { places: BTreeMap::new(), things: Vec::new(), free: Vec::new() }
    }
}

fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

impl<T> Slots<T> {
    /// The thing of this number.
    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.things.get(index(*self.places.get(&number)?))?.as_ref()
    }

    /// The thing of this number.
    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.things.get_mut(index(*self.places.get(&number)?))?.as_mut()
    }

    /// Puts a thing in the place of the one that had this number.
    pub(crate) fn insert(&mut self, number: u64, thing: T) {
        if let Some(there) = self.get_mut(number) {
            *there = thing;
        } else if let Some(place) = self.free.pop() {
            self.places.insert(number, place);
            if let Some(slot) = self.things.get_mut(index(place)) {
                *slot = Some(thing);
            }
        } else {
            self.places.insert(number, self.things.len() as u64);
            self.things.push(Some(thing));
        }
    }

    /// Takes the thing of this number out.
    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        let place = self.places.remove(&number)?;
        self.free.push(place);
        self.things.get_mut(index(place))?.take()
    }

    /// The lowest number.
    pub(crate) fn first(&self) -> Option<u64> {
        self.places.first_key_value().map(|(number, _)| *number)
    }

    /// The highest number below this one.
    pub(crate) fn last_below(&self, number: u64) -> Option<u64> {
        self.places.range(..number).next_back().map(|(number, _)| *number)
    }

    /// Takes the thing of the lowest number out.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.remove(self.first()?)
    }

    /// The things, in no order.
    pub(crate) fn each_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.things.iter_mut().flatten()
    }
}

impl<T: Default> Slots<T> {
    /// The thing of this number, made if it is not there.
    pub(crate) fn or_default(&mut self, number: u64) -> Option<&mut T> {
        if self.get(number).is_none() {
            self.insert(number, T::default());
        }
        self.get_mut(number)
    }
}

/// `[number, thing, number, thing, …]`
impl<T: Saved> Saved for Slots<T> {
    fn save(&self) -> Value {
        let mut all = Vec::new();
        for number in self.places.keys() {
            all.push(Value::from(*number));
            all.push(self.get(*number).map_or(Value::Null, T::save));
        }
        list(all)
    }
    fn load(saved: Value) -> Option<Self> {
        let mut slots = Slots::default();
        let mut all = elements(saved)?.into_iter();
        while let Some(number) = all.next() {
            slots.insert(number.as_u64()?, T::load(all.next()?)?);
        }
        Some(slots)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
