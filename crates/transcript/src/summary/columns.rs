//! [`SummaryColumns`]: what the index does not know of messages and calls: models and files.

use crate::index::interner::Interner;
use apex_parts_model::sorted_map::SortedMap;

/// The most different files, and the most bytes of a path that are kept.
const MOST_PATHS: usize = 100_000;
const LONGEST_PATH: usize = 1000;

/// The number of the model of messages that the program itself wrote.
pub(crate) const NO_MODEL: u16 = u16::MAX;

/// The model of each message, the requests, and the file of each call that has one, of a list of messages.
#[derive(Debug, Default)]
pub(crate) struct SummaryColumns {
    /// By message.
    model_of: Vec<u16>,
    /// The indexes of messages that a person wrote.
    requests: Vec<u32>,
    /// Indexes of parts, and of their paths.
    pub(crate) path_of: Vec<(u32, u32)>,
}

/// The names of models and files in all lists.
#[derive(Debug, Default)]
pub(crate) struct SummaryNames {
    pub(crate) models: Interner,
    paths: Vec<Box<str>>,
    places: SortedMap<Box<str>, u32>,
}

impl SummaryColumns {
    /// Adds the model of the message at an index, which is behind those before, and whether a person wrote it.
    pub(crate) fn message(&mut self, index: usize, model: u16, is_request: bool) {
        self.model_of.resize(index, 0);
        if is_request {
            self.requests.extend(u32::try_from(index));
        }
        self.model_of.push(model);
    }

    /// Did a person write the message?
    pub(crate) fn is_request(&self, message: usize) -> bool {
        u32::try_from(message).is_ok_and(|at| self.requests.binary_search(&at).is_ok())
    }

    /// Adds the file of the call at the index of a part.
    pub(crate) fn call(&mut self, part: usize, path: u32) {
        self.path_of.extend(u32::try_from(part).ok().map(|part| (part, path)));
    }

    /// The number of a message's model.
    pub(crate) fn model_of(&self, message: usize) -> usize {
        self.model_of.get(message).map_or(0, |number| usize::from(*number))
    }
}

impl SummaryNames {
    /// The number of a path; `None` if it is too long, or there are too many.
    pub(crate) fn path_number(&mut self, path: &str) -> Option<u32> {
        if path.len() > LONGEST_PATH {
            return None;
        }
        if let Some(known) = self.places.get(path) {
            return Some(*known);
        }
        let place =
            u32::try_from(self.paths.len()).ok().filter(|_| self.paths.len() < MOST_PATHS)?;
        self.places.insert(path.into(), place);
        self.paths.push(path.into());
        Some(place)
    }

    /// The path with a number.
    pub(crate) fn path(&self, number: usize) -> Option<&str> {
        self.paths.get(number).map(|path| &**path)
    }
}
