//! Where the fields of an object are on a tape, kept for the last few objects: a rule reads one
//! field of an object after another, and to walk the object each time costs more than the rule.

use apex_parts_model::Key;
use std::cell::{Cell, OnceCell};

/// The number of objects that are kept: a part is read in turn with its state, and that with its
/// times.
const OBJECTS: usize = 8;
/// Keys are numbered from 1.
const KEYS: usize = Key::ALL.len() + 1;

/// The last few objects that were read.
#[derive(Debug, Default)]
pub(crate) struct FieldCache(OnceCell<Box<[CachedObject; OBJECTS]>>);

/// An object, identified by its entry on the tape.
#[derive(Debug)]
pub(crate) struct CachedObject {
    entry: Cell<Option<u32>>,
    /// Increases with every object, so that the places of the last one need not be cleared.
    stamp: Cell<u32>,
    /// For each key the stamp with which it was seen last, and the entry of its value.
    places: [Cell<(u32, u32)>; KEYS],
}

impl FieldCache {
    /// Forgets all objects: the tape has another document.
    pub(crate) fn forget(&mut self) {
        for object in self.0.get_mut().into_iter().flat_map(|objects| objects.iter_mut()) {
            object.entry.set(None);
        }
    }

    /// The object of this entry; if it is not cached, `walk` puts its fields.
    #[inline]
    pub(crate) fn of(&self, entry: u32, walk: impl FnOnce(&CachedObject)) -> Option<&CachedObject> {
        let objects = self.0.get_or_init(|| Box::new(std::array::from_fn(|_| CachedObject::new())));
        let object = objects.get(entry as usize % OBJECTS)?;
        if object.entry.get() != Some(entry) {
            object.begin(entry);
            walk(object);
        }
        Some(object)
    }
}

impl CachedObject {
    fn new() -> CachedObject {
        let places = std::array::from_fn(|_| Cell::new((0, 0)));
        CachedObject { entry: Cell::new(None), stamp: Cell::new(0), places }
    }

    fn begin(&self, entry: u32) {
        self.entry.set(Some(entry));
        let stamp = self.stamp.get().checked_add(1).unwrap_or_else(|| {
            self.places.iter().for_each(|place| place.set((0, 0)));
            1
        });
        self.stamp.set(stamp);
    }

    /// Notes the entry of this key's value. Of a key that occurs twice the last one counts, as for
    /// `JSON.parse`.
    #[inline]
    pub(crate) fn put(&self, key: u8, value: u32) {
        if let Some(place) = self.places.get(usize::from(key)) {
            place.set((self.stamp.get(), value));
        }
    }

    /// The entry of this key's value.
    #[inline]
    pub(crate) fn get(&self, key: u8) -> Option<u32> {
        let (stamp, value) = self.places.get(usize::from(key))?.get();
        (stamp == self.stamp.get()).then_some(value)
    }
}
