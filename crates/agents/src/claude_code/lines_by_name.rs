//! [`LinesByName`]: numbers of lines, by a name.

use apex_parts_model::text_map::TextMap;
use std::collections::VecDeque;

/// Numbers, as of lines, by the name that they have in common.
#[derive(Debug, Default)]
pub(super) struct LinesByName {
    places: TextMap,
    lists: Vec<VecDeque<usize>>,
}

impl LinesByName {
    /// Adds a number.
    pub(super) fn add(&mut self, name: &str, line: usize) {
        let place = match self.places.get(name) {
            Some(place) => place,
            None => {
                self.places.insert(name, self.lists.len());
                self.lists.push(VecDeque::new());
                self.lists.len() - 1
            }
        };
        if let Some(list) = self.lists.get_mut(place) {
            list.push_back(line);
        }
    }

    /// Takes the numbers of a name away.
    pub(super) fn take(&mut self, name: &str) -> VecDeque<usize> {
        let list = self.places.get(name).and_then(|place| self.lists.get_mut(place));
        list.map(std::mem::take).unwrap_or_default()
    }

    /// Takes the first number of a name away.
    pub(super) fn next(&mut self, name: &str) -> Option<usize> {
        let list = self.places.get(name).and_then(|place| self.lists.get_mut(place))?;
        list.pop_front()
    }

    /// The numbers of a name.
    pub(super) fn get(&self, name: &str) -> Option<&VecDeque<usize>> {
        self.places.get(name).and_then(|place| self.lists.get(place))
    }
}
