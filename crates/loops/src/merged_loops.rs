//! One row for each loop, where a detector gave several verdicts about it.

use super::found_loop::Loop;

/// The pieces of a loop are found soon after each other: so many loops before one are compared with it.
const NEAR: usize = 64;

/// The loops, each once, in the order in which they were found. Pieces are one loop where they share at least half of
/// the calls or texts of the smaller one: two kinds found it, or it went on after its warning. Of these the strongest
/// verdict stays, with the parts of all.
pub(super) fn merged(found: &[Loop]) -> Vec<Loop> {
    let mut all: Vec<Loop> = Vec::new();
    for one in found {
        let (mut one, mut place) = (one.clone(), all.len());
        // What has grown may be a piece of a further one.
        let first = place.saturating_sub(NEAR);
        while let Some(at) = (first..all.len())
            .rev()
            .find(|at| all.get(*at).is_some_and(|before| before.is_piece_of(&one)))
        {
            let mut before = all.remove(at);
            before.take_in(&one);
            (one, place) = (before, at);
        }
        all.insert(place, one);
    }
    all
}

impl Loop {
    fn is_piece_of(&self, other: &Loop) -> bool {
        let is_less = self.places.len() < other.places.len();
        let (few, many) = if is_less { (self, other) } else { (other, self) };
        let shared = few.places.iter().filter(|place| many.places.binary_search(place).is_ok());
        2 * shared.count() >= few.places.len().max(1)
    }

    /// Adds another piece of the same loop.
    fn take_in(&mut self, other: &Loop) {
        let strength = |one: &Loop| (one.verdict.action, one.verdict.repeats);
        if strength(other) > strength(self) {
            self.verdict = other.verdict.clone();
        }
        let mut own = std::mem::take(&mut self.places)
            .into_iter()
            .zip(std::mem::take(&mut self.part_ids))
            .peekable();
        for (place, id) in other.places.iter().zip(&other.part_ids) {
            while let Some((before, id)) = own.next_if(|(before, _)| before <= place) {
                self.add(before, id);
            }
            self.add(*place, id.clone());
        }
        own.for_each(|(place, id)| self.add(place, id));
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::{Action, LoopKind, Verdict};
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
