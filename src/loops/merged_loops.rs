//! One row for each loop, where a detector gave several verdicts about it.

use super::found_loop::Loop;
use crate::model::order;

/// The loops, each once, in the order in which they were found. Pieces are one loop where they share at least half of
/// the calls or texts of the smaller one: two kinds found it, or it went on after its warning. Of these the strongest
/// verdict stays, with the parts of all.
pub(super) fn merged(found: &[Loop]) -> Vec<Loop> {
    let mut groups = Groups { of: (0..found.len()).collect() };
    let length = |index: usize| found.get(index).map_or(0, |one| one.places.len());
    for ((first, second), shared) in shared_places(found) {
        if 2 * shared >= length(first).min(length(second)) {
            groups.join(first, second);
        }
    }
    let mut all: Vec<Option<Loop>> = vec![None; found.len()];
    for (index, one) in found.iter().enumerate() {
        match all.get_mut(groups.first(index)) {
            Some(Some(before)) => before.take_in(one),
            Some(place) => *place = Some(one.clone()),
            None => {}
        }
    }
    all.into_iter().flatten().collect()
}

/// The pairs of loops that share places, and how many.
fn shared_places(found: &[Loop]) -> Vec<((usize, usize), usize)> {
    let places = found.iter().enumerate();
    let places = places.flat_map(|(index, one)| one.places.iter().map(move |at| (*at, index)));
    let mut places: Vec<_> = places.collect();
    order::sort_by(&mut places, Ord::cmp);
    let mut pairs = Vec::new();
    for group in places.chunk_by(|one, other| one.0 == other.0) {
        for (at, (_, first)) in group.iter().enumerate() {
            pairs.extend(group.iter().skip(at + 1).map(|(_, second)| (*first, *second)));
        }
    }
    order::sort_by(&mut pairs, Ord::cmp);
    let pairs = pairs.chunk_by(|one, other| one == other);
    pairs.filter_map(|same| Some((*same.first()?, same.len()))).collect()
}

/// Which loops are pieces of one: for each a piece before it, or itself if there is none.
struct Groups {
    of: Vec<usize>,
}

impl Groups {
    /// The first piece of a loop.
    fn first(&mut self, index: usize) -> usize {
        let mut at = index;
        while let Some(before) = self.of.get(at).copied().filter(|before| *before != at) {
            // Each step makes the next search shorter.
            let nearer = self.of.get(before).copied().unwrap_or(before);
            if let Some(place) = self.of.get_mut(at) {
                *place = nearer;
            }
            at = before;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if let Some(later) = self.of.get_mut(one.max(other)) {
            *later = one.min(other);
        }
    }
}

impl Loop {
    /// Adds another piece of the same loop.
    fn take_in(&mut self, other: &Loop) {
        let strength = |one: &Loop| (one.verdict.action, one.verdict.repeats);
        if strength(other) > strength(self) {
            self.verdict = other.verdict.clone();
        }
        let ids = self.part_ids.iter().chain(&other.part_ids).cloned();
        let places = self.places.iter().chain(&other.places).copied();
        let mut parts: Vec<_> = places.zip(ids).collect();
        order::sort_by(&mut parts, |a, b| a.0.cmp(&b.0));
        parts.dedup_by_key(|part| part.0);
        (self.places, self.part_ids) = parts.into_iter().unzip();
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::loops::{Action, LoopKind, Verdict};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn one(action: Action, repeats: u64, places: &[u32]) -> Loop {
        let kind = Some(LoopKind::ExactRepeat);
        Loop {
            verdict: Verdict { kind, action, repeats, ..Verdict::default() },
            part_ids: places.iter().map(|place| format!("p{place}")).collect(),
            places: places.iter().map(|place| (*place, 0)).collect(),
        }
    }

    #[test]
    fn a_loop_that_went_on_after_its_warning_is_one() {
        let found = [
            one(Action::Warning, 3, &[1, 2, 3]),
            one(Action::Warning, 2, &[8, 9]),
            one(Action::Interrupt, 2, &[1, 2, 3, 4, 5]),
            // Another loop that begins with the last call of the one before it.
            one(Action::Interrupt, 2, &[5, 6, 7, 10]),
        ];
        let all = merged(&found);
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].verdict.action, Action::Interrupt);
        assert_eq!(all[0].part_ids, ["p1", "p2", "p3", "p4", "p5"]);
        assert_eq!(all[1], found[1]);
        assert_eq!(merged(&[]), []);
    }

    #[test]
    fn loops_without_parts_stay_apart() {
        let found = [one(Action::Interrupt, 1, &[]), one(Action::Warning, 1, &[])];
        assert_eq!(merged(&found), found);
    }

    proptest! {
        /// No part is lost, and none is in a loop twice.
        #[test]
        fn no_part_is_lost(lists in prop::collection::vec(prop::collection::btree_set(0u32..20, 0..5), 0..8)) {
            let found: Vec<_> = lists.iter().enumerate().map(|(i, list)| {
                let action = if i % 2 == 0 { Action::Warning } else { Action::Interrupt };
                one(action, i as u64, &list.iter().copied().collect::<Vec<_>>())
            }).collect();
            let parts = |loops: &[Loop]| -> BTreeSet<String> {
                loops.iter().flat_map(|one| one.part_ids.clone()).collect()
            };
            let all = merged(&found);
            prop_assert_eq!(parts(&all), parts(&found));
            for one in &all {
                prop_assert!(one.places.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert_eq!(one.places.len(), one.part_ids.len());
            }
        }
    }
}
