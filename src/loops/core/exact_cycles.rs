//! The core: how long calls have matched those p calls before them, for every p from 1 to 8. No
//! rescans: a call costs the same whatever came before it.

use crate::loops::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// The longest period.
pub(crate) const MOST: usize = 8;
/// So many calls are remembered.
pub(crate) const KEPT: usize = 64;

/// What is known of a call's outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ResultStatus {
    /// Nothing.
    #[default]
    Unknown,
    /// It gave this.
    Good(Fingerprint),
    /// It failed with this.
    Bad(Fingerprint),
}

impl ResultStatus {
    /// Were two identical calls seen to end in different ways? One after another (p = 1), calls
    /// that fail are equal whatever the error says.
    fn differs(self, other: ResultStatus, period: usize) -> bool {
        match (self, other) {
            (ResultStatus::Unknown, _) | (_, ResultStatus::Unknown) => false,
            (ResultStatus::Bad(a), ResultStatus::Bad(b)) => period > 1 && a != b,
            (a, b) => a != b,
        }
    }
}

/// One call of the sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SequenceCall {
    pub(crate) print: Fingerprint,
    pub(crate) outcome: ResultStatus,
    pub(crate) poll: bool,
    /// How long the calls had matched before it.
    pub(crate) before: [u64; MOST],
}

/// A loop that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CycleFinding {
    pub(crate) period: usize,
    pub(crate) repeats: u64,
}

/// The sequence of calls, or of rounds of calls. They are numbered from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExactCycles {
    pub(crate) count: u64,
    pub(crate) kept: VecDeque<SequenceCall>,
    /// How long the calls have matched those p before.
    pub(crate) matched: [u64; MOST],
    /// The last call whose outcome differed from that of the one p before.
    pub(crate) differed: [u64; MOST],
    /// Calls without an outcome so far; of those that are not remembered any more, the last.
    pub(crate) unknown: Vec<u64>,
    pub(crate) unknown_before: u64,
    /// Calls up to this one are parted from those behind.
    pub(crate) boundary: u64,
}

fn at(number: usize) -> u64 {
    number as u64
}

impl ExactCycles {
    /// Where a call stands among those that are remembered.
    fn place(&self, number: u64) -> Option<usize> {
        let first = self.count - at(self.kept.len()) + 1;
        usize::try_from(number.checked_sub(first)?).ok().filter(|i| *i < self.kept.len())
    }

    /// The call of this number, as far as it is remembered.
    pub(crate) fn seen(&self, number: u64) -> Option<&SequenceCall> {
        self.kept.get(self.place(number)?)
    }

    /// Does a call of this print, were it the next, match the one p before it?
    fn matches(&self, print: Fingerprint, period: usize) -> bool {
        let number = (self.count + 1).checked_sub(at(period)).filter(|n| *n > self.boundary);
        number.and_then(|n| self.seen(n)).is_some_and(|seen| seen.print == print)
    }

    /// Takes the next call.
    pub(crate) fn push(&mut self, print: Fingerprint, poll: bool) -> u64 {
        let before = self.matched;
        let now: [bool; MOST] = std::array::from_fn(|i| self.matches(print, i + 1));
        for (length, matches) in self.matched.iter_mut().zip(now) {
            *length = if matches { *length + 1 } else { 0 };
        }
        self.count += 1;
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(SequenceCall { print, outcome: ResultStatus::Unknown, poll, before });
        if self.unknown.len() == KEPT {
            self.unknown_before = self.unknown.remove(0);
        }
        self.unknown.push(self.count);
        self.count
    }

    /// What a call came to.
    pub(crate) fn record(&mut self, number: u64, outcome: ResultStatus) {
        let Some(place) = self.place(number) else {
            self.unknown.retain(|n| *n != number);
            return;
        };
        let Some(seen) = self.kept.get_mut(place) else { return };
        if outcome == ResultStatus::Unknown || seen.outcome != ResultStatus::Unknown {
            return;
        }
        seen.outcome = outcome;
        let print = seen.print;
        self.unknown.retain(|n| *n != number);
        for period in 1..=MOST {
            // With the one before and, where outcomes come late, the one behind.
            for (other, later) in [
                (number.checked_sub(at(period)), number),
                (Some(number + at(period)), number + at(period)),
            ] {
                let other = other.filter(|n| *n > self.boundary).and_then(|n| self.seen(n));
                let differs = other.is_some_and(|other| {
                    other.print == print && outcome.differs(other.outcome, period)
                });
                if differs && let Some(last) = self.differed.get_mut(period - 1) {
                    *last = later.max(*last);
                }
            }
        }
    }

    /// The calls before are parted from those behind.
    pub(crate) fn set_boundary(&mut self) {
        self.boundary = self.count;
    }

    /// Takes the last calls back, down to this number of them.
    pub(crate) fn take_back(&mut self, to: u64) {
        while self.count > to {
            let Some(last) = self.kept.pop_back() else {
                // More than is remembered: what was before it is not known any more.
                (self.count, self.boundary, self.matched) = (to, to, [0; MOST]);
                break;
            };
            self.matched = last.before;
            self.count -= 1;
        }
        self.unknown.retain(|n| *n <= to);
        self.unknown_before = self.unknown_before.min(to);
    }

    /// The loop that the last call completes. Where each is `wide`, a round of several calls, it is a
    /// cycle of them also where one such round follows another.
    pub(crate) fn found(&self, threshold: u64, wide: bool) -> Option<CycleFinding> {
        (1..=MOST).find_map(|period| self.found_by(period, threshold, period == 1 && !wide))
    }

    fn found_by(&self, period: usize, threshold: u64, single: bool) -> Option<CycleFinding> {
        let matched = *self.matched.get(period - 1)?;
        let differed = *self.differed.get(period - 1)?;
        // What may be said of the last so many calls.
        let same = self.count.saturating_sub(differed).min(matched);
        let p = at(period);
        let round = same.checked_div(p)?;
        let least = if single { threshold } else { threshold.max(2) };
        // The cheap test first: there are hardly ever loops.
        if threshold == 0 || round + 1 < least {
            return None;
        }
        let poll = self.kept.iter().rev().take(period).any(|seen| seen.poll);
        let least =
            if poll { threshold * crate::loops::config::Config::patience(true) } else { least };
        let unknown = self.unknown.iter().rev().find(|n| **n != self.count);
        let unknown = unknown.copied().unwrap_or(self.unknown_before);
        let known = self.count.saturating_sub(unknown);
        let needed = if single || known >= p * (least - 1) {
            least
        } else {
            least.max(crate::loops::config::UNKNOWN_CYCLES)
        };
        (same >= p * (needed - 1)).then_some(CycleFinding { period, repeats: round + 1 })
    }

    /// Did every outcome that is known of the last so many calls say that it failed?
    pub(crate) fn all_fail(&self, calls: u64) -> bool {
        let last = self.kept.iter().rev().take(usize::try_from(calls).unwrap_or(KEPT));
        let mut known = last.filter(|seen| seen.outcome != ResultStatus::Unknown).peekable();
        known.peek().is_some() && known.all(|seen| matches!(seen.outcome, ResultStatus::Bad(_)))
    }

    /// As if a call of this print came next, and to this: the loop that it would complete.
    pub(crate) fn would_find(
        &self,
        print: Fingerprint,
        outcome: ResultStatus,
        poll: bool,
        threshold: u64,
    ) -> Option<CycleFinding> {
        // Rounds are few: a copy of what counts is cheap enough only where something matches.
        if !(1..=MOST).any(|period| self.matches(print, period)) {
            return None;
        }
        let mut next = self.clone();
        let number = next.push(print, poll);
        next.record(number, outcome);
        next.found(threshold, true)
    }
}
