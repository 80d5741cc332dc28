//! [`SummaryColumns`]: what the index does not know of messages and calls: models and files.

use crate::json::tape::Node;
use crate::transcript::index::interner::Interner;
use std::collections::BTreeMap;

/// The most different files, and the most bytes of a path that are kept.
const MOST_PATHS: usize = 100_000;
const LONGEST_PATH: usize = 1000;

/// The model of each message, the requests, and the file of each call that has one, of the shown session.
#[derive(Debug, Default)]
pub(crate) struct SummaryColumns {
    pub(crate) models: Interner,
    /// By message.
    model_of: Vec<u16>,
    /// The indexes of messages that a person wrote.
    requests: Vec<u32>,
    /// Indexes of parts, and of their paths.
    pub(crate) path_of: Vec<(u32, u32)>,
    paths: Vec<Box<str>>,
    places: BTreeMap<Box<str>, u32>,
}

impl SummaryColumns {
    /// Adds the model of the next message, and whether a person wrote it.
    pub(crate) fn message(&mut self, model: Node<'_>, is_request: bool) {
        if is_request {
            self.requests.extend(u32::try_from(self.model_of.len()));
        }
        let number = self.models.number(model);
        self.model_of.push(number);
    }

    /// Did a person write the message?
    pub(crate) fn is_request(&self, message: usize) -> bool {
        u32::try_from(message).is_ok_and(|at| self.requests.binary_search(&at).is_ok())
    }

    /// Adds the file of the call at the index of a part.
    pub(crate) fn call(&mut self, part: usize, path: &str) {
        let Ok(part) = u32::try_from(part) else { return };
        if path.len() > LONGEST_PATH {
            return;
        }
        let place = match self.places.get(path) {
            Some(place) => *place,
            None if self.paths.len() == MOST_PATHS => return,
            None => {
                let place = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
                self.places.insert(path.into(), place);
                self.paths.push(path.into());
                place
            }
        };
        self.path_of.push((part, place));
    }

    /// The number of a message's model.
    pub(crate) fn model_of(&self, message: usize) -> usize {
        self.model_of.get(message).map_or(0, |number| usize::from(*number))
    }

    /// The path at an index.
    pub(crate) fn path(&self, index: usize) -> Option<&str> {
        self.paths.get(index).map(|path| &**path)
    }
}
