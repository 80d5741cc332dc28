//! A loop that was found in finished messages, with the parts that belong to it.

use super::verdict::Verdict;
use apex_parts_model::{Key, View};
use serde_json::Value;
use std::borrow::Cow;

/// A loop that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The last verdict of the detector about the loop: it goes on as long as its calls do.
    pub verdict: Verdict,
    /// The ids of the parts that hold its calls, all of them, or its text.
    pub part_ids: Vec<String>,
    /// Where each of these parts is: the index of its message among those that were looked at, and its index
    /// in the message.
    pub places: Vec<(u32, u32)>,
}

impl Loop {
    /// As a `DoomLoopDetectionResult` of the JavaScript API, with `partIDs` and `places`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut value = self.verdict.to_value();
        if let Some(map) = value.as_object_mut() {
            map.insert("partIDs".to_owned(), Value::from(self.part_ids.clone()));
            let places = self.places.iter().map(|(message, part)| Value::from([*message, *part]));
            map.insert("places".to_owned(), places.collect());
        }
        value
    }

    pub(super) fn push(&mut self, part: &LoopPart) {
        self.add(part.place, part.id.clone());
    }

    /// Adds a part, unless it is the last one: the check of a call and its result are two verdicts about one call.
    pub(super) fn add(&mut self, place: (u32, u32), id: String) {
        if self.places.last() != Some(&place) {
            self.places.push(place);
            self.part_ids.push(id);
        }
    }
}

/// A part that holds a call or a text.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopPart {
    id: String,
    place: (u32, u32),
}

impl LoopPart {
    pub(super) fn new<V: View>(part: &V, place: (u32, u32)) -> LoopPart {
        let id = part.get(Key::Id).text().map(Cow::into_owned).unwrap_or_default();
        LoopPart { id, place }
    }
}
