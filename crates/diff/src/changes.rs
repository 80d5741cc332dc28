//! Which lines differ between two lists: E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
//! in linear space, with a bound on its steps instead of one on time.

use apex_parts_model::order;
use std::ops::Range;

/// Lines of the old list that lines of the new one stand for; one of the ranges may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLines {
    /// Lines of the old list, counted from 0.
    pub old: Range<usize>,
    /// Lines of the new list that stand for them.
    pub new: Range<usize>,
}

/// After so many steps, what is not compared yet counts as replaced. They take about a tenth of a second.
const MOST_STEPS: usize = 8_000_000;

/// The changes from one list of lines to another, in order, with at least one equal line between them.
pub fn changed_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<ChangedLines> {
    within_steps(old, new, MOST_STEPS)
}

fn within_steps(old: &[&[u8]], new: &[&[u8]], steps: usize) -> Vec<ChangedLines> {
    let mut whole = ChangedLines { old: 0..old.len(), new: 0..new.len() };
    trim(&mut whole, old, new);
    let (first_old, first_new) = (whole.old.start, whole.new.start);
    let a = old.get(whole.old).unwrap_or_default();
    let b = new.get(whole.new).unwrap_or_default();
    // Lines that the other list has not are changes; only the rest is searched.
    let (texts_a, texts_b) = (sorted(a), sorted(b));
    let mut changed_a: Vec<bool> = a.iter().map(|l| texts_b.binary_search(l).is_err()).collect();
    let mut changed_b: Vec<bool> = b.iter().map(|l| texts_a.binary_search(l).is_err()).collect();
    let (places_a, places_b) = (unchanged(&changed_a), unchanged(&changed_b));
    // Numbers instead of lines: each is compared as a whole only once.
    let numbers = |places: &[usize], lines: &[&[u8]]| -> Vec<usize> {
        let texts = places.iter().filter_map(|place| lines.get(*place));
        texts.map(|line| texts_a.binary_search(line).unwrap_or_default()).collect()
    };
    let (a, b) = (numbers(&places_a, a), numbers(&places_b, b));
    let mut left = vec![ChangedLines { old: 0..a.len(), new: 0..b.len() }];
    let mut search = Search { a, b, forward: Vec::new(), backward: Vec::new(), steps };
    while let Some(mut part) = left.pop() {
        trim(&mut part, &search.a, &search.b);
        if part.old.is_empty() || part.new.is_empty() {
            mark(&mut changed_a, &places_a, part.old);
            mark(&mut changed_b, &places_b, part.new);
        } else if let Some((x, y)) = search.middle(&part) {
            left.push(ChangedLines { old: x..part.old.end, new: y..part.new.end });
            left.push(ChangedLines { old: part.old.start..x, new: part.new.start..y });
        } else {
            mark(&mut changed_a, &places_a, part.old);
            mark(&mut changed_b, &places_b, part.new);
        }
    }
    // The lines that are left on both sides are the same.
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < changed_a.len() || j < changed_b.len() {
        let removed = run(&changed_a, i);
        let added = run(&changed_b, j);
        if removed + added > 0 {
            found.push(ChangedLines {
                old: first_old + i..first_old + i + removed,
                new: first_new + j..first_new + j + added,
            });
        }
        (i, j) = (i + removed + 1, j + added + 1);
    }
    found
}

fn sorted<'l>(lines: &[&'l [u8]]) -> Vec<&'l [u8]> {
    let mut texts = lines.to_vec();
    order::sort_by(&mut texts, Ord::cmp);
    texts.dedup();
    texts
}

/// The places of the lines that are not marked.
fn unchanged(changed: &[bool]) -> Vec<usize> {
    changed.iter().enumerate().filter(|(_, is)| !**is).map(|(place, _)| place).collect()
}

fn mark(changed: &mut [bool], places: &[usize], range: Range<usize>) {
    for place in places.get(range).unwrap_or_default() {
        if let Some(is_changed) = changed.get_mut(*place) {
            *is_changed = true;
        }
    }
}

/// The number of marked lines from a place on.
fn run(changed: &[bool], from: usize) -> usize {
    changed.iter().skip(from).take_while(|is| **is).count()
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
#[cfg(not(target_arch = "wasm32"))]
mod tests;
