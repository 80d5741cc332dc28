//! Things by number, as a snapshot saves them.

use super::saved::{Saved, elements, list};
use serde_json::Value;
use std::collections::BTreeMap;

/// Things by number, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Slots<T> {
    /// The index of each number's thing. (One kind of map for all things: a map's code is large.)
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
    pub fn get(&self, number: u64) -> Option<&T> {
        self.things.get(index(*self.places.get(&number)?))?.as_ref()
    }

    /// The thing of this number.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.things.get_mut(index(*self.places.get(&number)?))?.as_mut()
    }

    /// Puts a thing in the place of the one that had this number.
    pub fn insert(&mut self, number: u64, thing: T) {
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
    pub fn remove(&mut self, number: u64) -> Option<T> {
        let place = self.places.remove(&number)?;
        self.free.push(place);
        self.things.get_mut(index(place))?.take()
    }

    /// The numbers, from the lowest on.
    pub fn numbers(&self) -> Vec<u64> {
        self.places.keys().copied().collect()
    }

    /// The lowest number.
    pub fn first(&self) -> Option<u64> {
        self.places.first_key_value().map(|(number, _)| *number)
    }

    /// The highest number below this one.
    pub fn last_below(&self, number: u64) -> Option<u64> {
        self.places.range(..number).next_back().map(|(number, _)| *number)
    }

    /// Takes the thing of the lowest number out.
    pub fn pop(&mut self) -> Option<T> {
        self.remove(self.first()?)
    }

    /// The things, in no order.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.things.iter_mut().flatten()
    }
}

impl<T: Default> Slots<T> {
    /// The thing of this number, made if it is not there.
    pub fn or_default(&mut self, number: u64) -> Option<&mut T> {
        if self.get(number).is_none() {
            self.insert(number, T::default());
        }
        self.get_mut(number)
    }
}

/// `[number, thing, number, thing, …]`
impl<T: Saved + Default> Saved for Slots<T> {
    fn save(&self) -> Value {
        // `get` finds the things; which places are free is not part of the state.
        let Slots { places, things: _, free: _ } = self;
        save_things(places, &|number| self.get(number).map_or(Value::Null, T::save))
    }
    fn put_back(&mut self, saved: Value) -> bool {
        *self = Slots::default();
        put_back_things(saved, &mut |number, thing| {
            self.or_default(number).is_some_and(|slot| slot.put_back(thing))
        })
    }
}

// These are compiled once, not for every type of things.

#[inline(never)]
fn save_things(places: &BTreeMap<u64, u64>, save: &dyn Fn(u64) -> Value) -> Value {
    let mut all = Vec::new();
    for number in places.keys() {
        all.push(Value::from(*number));
        all.push(save(*number));
    }
    list(all)
}

#[inline(never)]
fn put_back_things(saved: Value, put_back: &mut dyn FnMut(u64, Value) -> bool) -> bool {
    let Some(saved) = elements(saved) else { return false };
    let mut saved = saved.into_iter();
    while let Some(number) = saved.next() {
        let (Some(number), Some(thing)) = (number.as_u64(), saved.next()) else {
            return false;
        };
        if !put_back(number, thing) {
            return false;
        }
    }
    true
}
