//! [`LinesByName`]: numbers of lines, by a name.

use std::collections::BTreeMap;

/// Numbers, as of lines, by the name that they have in common.
#[derive(Debug, Default)]
pub(super) struct LinesByName {
    places: BTreeMap<Box<str>, usize>,
    lists: Vec<Vec<usize>>,
}

impl LinesByName {
    /// Adds a number.
    pub(super) fn add(&mut self, name: &str, line: usize) {
        let place = match self.places.get(name) {
            Some(place) => *place,
            None => {
                self.places.insert(name.into(), self.lists.len());
                self.lists.push(Vec::new());
                self.lists.len() - 1
            }
        };
        if let Some(list) = self.lists.get_mut(place) {
            list.push(line);
        }
    }

    /// Takes the numbers of a name away.
    pub(super) fn take(&mut self, name: &str) -> Vec<usize> {
        let list = self.places.get(name).and_then(|place| self.lists.get_mut(*place));
        list.map(std::mem::take).unwrap_or_default()
    }

    /// The numbers of a name.
    pub(super) fn get(&mut self, name: &str) -> Option<&mut Vec<usize>> {
        self.places.get(name).and_then(|place| self.lists.get_mut(*place))
    }
}
