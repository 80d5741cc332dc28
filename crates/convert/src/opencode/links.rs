//! Which id each message has now, for what refers to it.

use super::ids;
use super::places::{IdRules, Place};
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::sorted_map::SortedMap;

/// The messages whose id was made, by their old one.
#[derive(Debug, Default)]
pub(crate) struct MessageLinks {
    made: SortedMap<Fingerprint, (u64, Fingerprint)>,
}

impl MessageLinks {
    /// Notes the place of a message; the first of an id is the one that is meant.
    pub(crate) fn note(&mut self, old: &str, place: &Place) {
        if place.is_made && !old.is_empty() {
            self.made.or_insert(ids::hash(old), (place.stamp, place.key));
        }
    }

    /// The id now of the message that had this one; `None` if there is no such message and the id is not OpenCode's.
    pub(crate) fn of(&self, old: &str, rules: &IdRules) -> Option<String> {
        let hash = ids::hash(old);
        match self.made.get(&hash) {
            Some((stamp, key)) => Some(ids::id("msg", *stamp, *key)),
            None if rules.keeps(old, "msg") => Some(old.to_owned()),
            // A copy refers to nothing of the original.
            None if rules.is_own(old, "msg") => Some(ids::id("msg", 0, rules.key(hash))),
            None => None,
        }
    }
}
