//! Names that are met, and what is known of each.

use super::letters::owned;
use std::collections::BTreeMap;

/// Names, each once. They have numbers in the order in which they are met.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, usize>);

impl Names {
    #[inline(never)]
    fn number(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Adds a name; false if it was met before.
    #[inline(never)]
    pub(super) fn add(&mut self, name: &str) -> bool {
        let is_new = self.number(name).is_none();
        if is_new {
            self.0.insert(owned(name), self.0.len());
        }
        is_new
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }
}

/// Records by name.
#[derive(Default)]
pub(super) struct ByName<T> {
    pub(super) names: Names,
    pub(super) records: Vec<T>,
}

impl<T: Default> ByName<T> {
    /// The record of a name, if there is one.
    pub(super) fn of(&self, name: &str) -> Option<&T> {
        self.records.get(self.names.number(name)?)
    }

    /// Changes the record of a name, which is begun if there is none.
    pub(super) fn note(&mut self, name: &str, change: impl FnOnce(&mut T)) {
        if self.names.add(name) {
            self.records.push(T::default());
        }
        let number = self.names.number(name);
        number.and_then(|number| self.records.get_mut(number)).map(change);
    }
}
