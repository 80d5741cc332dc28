//! Which lines differ between two lists: E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
//! in linear space, with a bound on its steps instead of one on time.

use std::ops::Range;

/// Lines of the old list that lines of the new one stand for; one of the ranges may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedLines {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// After so many steps, what is not compared yet counts as replaced. It takes about a tenth of a second.
const MOST_STEPS: usize = 20_000_000;

/// The changes from one list of lines to another, in order, with at least one equal line between them.
pub(crate) fn changed_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<ChangedLines> {
    within_steps(old, new, MOST_STEPS)
}

fn within_steps(old: &[&[u8]], new: &[&[u8]], steps: usize) -> Vec<ChangedLines> {
    let mut whole = ChangedLines { old: 0..old.len(), new: 0..new.len() };
    trim(&mut whole, old, new);
    if whole.old.is_empty() || whole.new.is_empty() {
        return if whole.old.is_empty() && whole.new.is_empty() { vec![] } else { vec![whole] };
    }
    // Numbers instead of lines: each is compared with others as a whole once.
    let mut texts: Vec<&[u8]> = old.get(whole.old.clone()).unwrap_or_default().to_vec();
    texts.sort_unstable();
    texts.dedup();
    let number = |line: &&[u8]| texts.binary_search(line).unwrap_or(usize::MAX);
    let a: Vec<usize> = old.iter().take(whole.old.end).map(number).collect();
    let b: Vec<usize> = new.iter().take(whole.new.end).map(number).collect();
    let mut search = Search { a, b, forward: Vec::new(), backward: Vec::new(), steps };
    let mut found: Vec<ChangedLines> = Vec::new();
    let mut left = vec![whole];
    while let Some(mut part) = left.pop() {
        trim(&mut part, &search.a, &search.b);
        let is_simple = part.old.is_empty() || part.new.is_empty();
        if !is_simple && let Some((x, y)) = search.middle(&part) {
            left.push(ChangedLines { old: x..part.old.end, new: y..part.new.end });
            left.push(ChangedLines { old: part.old.start..x, new: part.new.start..y });
            continue;
        }
        if part.old.is_empty() && part.new.is_empty() {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.old.end == part.old.start && last.new.end == part.new.start => {
                (last.old.end, last.new.end) = (part.old.end, part.new.end);
            }
            _ => found.push(part),
        }
    }
    found
}

/// Takes equal lines off both ends.
fn trim<T: PartialEq>(part: &mut ChangedLines, old: &[T], new: &[T]) {
    let a = old.get(part.old.clone()).unwrap_or_default();
    let b = new.get(part.new.clone()).unwrap_or_default();
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.iter().skip(start).rev().zip(b.iter().skip(start).rev());
    let end = rest.take_while(|(a, b)| a == b).count();
    part.old = part.old.start + start..part.old.end - end;
    part.new = part.new.start + start..part.new.end - end;
}

struct Search {
    a: Vec<usize>,
    b: Vec<usize>,
    /// The furthest places reached on each diagonal, from the start and from the end.
    forward: Vec<usize>,
    backward: Vec<usize>,
    /// Steps that are left.
    steps: usize,
}

impl Search {
    /// A place on a shortest path of changes through a part, other than its corners; `None` if there is none
    /// or the steps are used up.
    fn middle(&mut self, part: &ChangedLines) -> Option<(usize, usize)> {
        let a = self.a.get(part.old.clone())?;
        let b = self.b.get(part.new.clone())?;
        let (n, m) = (a.len() as isize, b.len() as isize);
        let delta = n - m;
        let is_odd = delta % 2 != 0;
        let half = (n + m + 1) / 2;
        // The diagonal k is at k + zero.
        let zero = half + 1;
        let size = 2 * zero as usize + 1;
        // Clearing them is work too.
        self.steps = self.steps.checked_sub(size / 8)?;
        for reached in [&mut self.forward, &mut self.backward] {
            reached.clear();
            reached.resize(size, 0);
        }
        let at = |reached: &[usize], k: isize| {
            reached.get((k + zero) as usize).copied().unwrap_or_default() as isize
        };
        for d in 0..=half {
            for is_forward in [true, false] {
                for k in (-d..=d).rev().step_by(2) {
                    let (reached, other) = if is_forward {
                        (&mut self.forward, &self.backward)
                    } else {
                        (&mut self.backward, &self.forward)
                    };
                    let goes_down = k == -d || (k != d && at(reached, k - 1) < at(reached, k + 1));
                    let mut x = if goes_down { at(reached, k + 1) } else { at(reached, k - 1) + 1 };
                    let (from_x, from_y) = (x, x - k);
                    let line = |list: &[usize], place: isize, length: isize| {
                        let place = if is_forward { place } else { length - 1 - place };
                        usize::try_from(place).ok().and_then(|place| list.get(place).copied())
                    };
                    while x < n && x - k < m && x >= k && line(a, x, n) == line(b, x - k, m) {
                        x += 1;
                        self.steps = self.steps.checked_sub(1)?;
                    }
                    self.steps = self.steps.checked_sub(1)?;
                    if let Some(place) = reached.get_mut((k + zero) as usize) {
                        *place = usize::try_from(x).ok()?;
                    }
                    // The paths from both ends meet on this diagonal.
                    let opposite = delta - k;
                    let bound = if is_forward { d - 1 } else { d };
                    if is_odd == is_forward
                        && opposite.abs() <= bound
                        && x + at(other, opposite) >= n
                    {
                        let (x, y) =
                            if is_forward { (from_x, from_y) } else { (n - x, m - (x - k)) };
                        let is_corner = (x, y) == (0, 0) || (x, y) == (n, m);
                        let is_inside = (0..=n).contains(&x) && (0..=m).contains(&y);
                        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
                        return (is_inside && !is_corner)
                            .then_some((part.old.start + x, part.new.start + y));
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(old: &[&[u8]], new: &[&[u8]], steps: usize) -> usize {
        let found = within_steps(old, new, steps);
        let (mut made, mut at) = (Vec::new(), 0);
        for change in &found {
            assert!(made.is_empty() || change.old.start > at || at == 0, "{found:?}");
            made.extend_from_slice(&old[at..change.old.start]);
            assert_eq!(made.len(), change.new.start);
            made.extend_from_slice(&new[change.new.clone()]);
            at = change.old.end;
        }
        made.extend_from_slice(&old[at..]);
        assert_eq!(made, new);
        found.iter().map(|change| change.old.len() + change.new.len()).sum()
    }

    /// The number of lines that no shortest list of changes can do without.
    fn fewest(old: &[&[u8]], new: &[&[u8]]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for a in old {
            let mut diagonal = 0;
            for (j, b) in new.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if a == b { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        old.len() + new.len() - 2 * row[new.len()]
    }

    proptest! {
        #[test]
        fn changes_lead_from_old_to_new_and_are_the_fewest(
            old in proptest::collection::vec(0usize..4, 0..24),
            new in proptest::collection::vec(0usize..4, 0..24),
            steps in 0usize..60,
        ) {
            let texts: [&[u8]; 4] = [b"a\n", b"b\n", b"c\n", b"d"];
            let old: Vec<_> = old.iter().map(|i| texts[*i]).collect();
            let new: Vec<_> = new.iter().map(|i| texts[*i]).collect();
            prop_assert_eq!(check(&old, &new, MOST_STEPS), fewest(&old, &new));
            check(&old, &new, steps);
        }
    }

    #[test]
    fn lists_that_differ_in_very_many_places_end_soon() {
        let (old, new) = (hostile(1), hostile(2));
        let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
        let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
        check(&old, &new, 2_000_000);
    }

    fn hostile(seed: u64) -> Vec<Vec<u8>> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
            state >> 33
        };
        (0..100_000).map(|_| vec![b'a' + (next() % 20) as u8, b'\n']).collect()
    }
}
