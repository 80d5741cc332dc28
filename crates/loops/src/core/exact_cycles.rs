//! Finds sequences of calls that repeat with a period p from 1 to 8. For each p it counts how many
//! consecutive calls equalled the call p before them, so a call costs the same however many came before.

use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// The longest period.
pub(crate) const MAX_PERIOD: usize = 8;
/// The number of calls that are kept; the other tables of the detector have the same limit.
pub(crate) const MAX_KEPT: usize = 64;

/// Whether a call has succeeded or failed, and the fingerprint of its result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ResultStatus {
    /// No result was recorded.
    #[default]
    Unknown,
    /// It succeeded with this result.
    Good(Fingerprint),
    /// It failed with this error.
    Bad(Fingerprint),
}

impl ResultStatus {
    /// Are the results of two identical calls known to differ? At p = 1 all failures are equal,
    /// whatever the error text.
    fn differs(self, other: ResultStatus, period: usize) -> bool {
        match (self, other) {
            (ResultStatus::Unknown, _) | (_, ResultStatus::Unknown) => false,
            (ResultStatus::Bad(a), ResultStatus::Bad(b)) => period > 1 && a != b,
            (a, b) => a != b,
        }
    }
}

/// A call of the sequence, or a round of calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SequenceCall {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) outcome: ResultStatus,
    pub(crate) poll: bool,
    /// The value of `ExactCycles::matched` before this call, to undo it.
    pub(crate) matched_before: [u64; MAX_PERIOD],
}

/// A loop that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CycleFinding {
    pub(crate) period: usize,
    pub(crate) repeats: u64,
}

/// The sequence of calls, or of rounds of calls; numbered from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExactCycles {
    pub(crate) count: u64,
    pub(crate) kept: VecDeque<SequenceCall>,
    /// At index p - 1: how many of the last calls in a row equalled the call p before them.
    pub(crate) matched: [u64; MAX_PERIOD],
    /// At index p - 1: the last call whose result differed from that of the call p before it.
    pub(crate) differed: [u64; MAX_PERIOD],
    /// The last calls without a result; and the last one that was dropped from this list.
    pub(crate) unknown: Vec<u64>,
    pub(crate) unknown_before: u64,
    /// No call after this one is compared with it or with those before it.
    pub(crate) boundary: u64,
}

fn as_u64(number: usize) -> u64 {
    number as u64
}

impl ExactCycles {
    /// The index in `kept` of the call with this number.
    fn index_of(&self, number: u64) -> Option<usize> {
        let first = self.count - as_u64(self.kept.len()) + 1;
        usize::try_from(number.checked_sub(first)?).ok().filter(|i| *i < self.kept.len())
    }

    /// The call with this number, if it is still kept.
    pub(crate) fn call(&self, number: u64) -> Option<&SequenceCall> {
        self.kept.get(self.index_of(number)?)
    }

    /// Would a next call with this fingerprint equal the call `period` before it?
    fn matches(&self, fingerprint: Fingerprint, period: usize) -> bool {
        let number = (self.count + 1).checked_sub(as_u64(period)).filter(|n| *n > self.boundary);
        number.and_then(|n| self.call(n)).is_some_and(|seen| seen.fingerprint == fingerprint)
    }

    /// Adds the next call; returns its number.
    pub(crate) fn push(&mut self, fingerprint: Fingerprint, poll: bool) -> u64 {
        let matched_before = self.matched;
        let now: [bool; MAX_PERIOD] = std::array::from_fn(|i| self.matches(fingerprint, i + 1));
        for (length, matches) in self.matched.iter_mut().zip(now) {
            *length = if matches { *length + 1 } else { 0 };
        }
        self.count += 1;
        if self.kept.len() == MAX_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(SequenceCall {
            fingerprint,
            outcome: ResultStatus::Unknown,
            poll,
            matched_before,
        });
        if self.unknown.len() == MAX_KEPT {
            self.unknown_before = self.unknown.remove(0);
        }
        self.unknown.push(self.count);
        self.count
    }

    /// Records the result of a call. Only the first one counts, but it `replaces` an assumed one.
    pub(crate) fn record(&mut self, number: u64, outcome: ResultStatus, replaces: bool) {
        let Some(index) = self.index_of(number) else {
            self.unknown.retain(|n| *n != number);
            return;
        };
        let Some(seen) = self.kept.get_mut(index) else { return };
        let is_known = seen.outcome != ResultStatus::Unknown && !replaces;
        if outcome == ResultStatus::Unknown || is_known {
            return;
        }
        seen.outcome = outcome;
        let fingerprint = seen.fingerprint;
        self.unknown.retain(|n| *n != number);
        for period in 1..=MAX_PERIOD {
            // Results may arrive out of order: compare with the call before and with the call after.
            for (other, later) in [
                (number.checked_sub(as_u64(period)), number),
                (Some(number + as_u64(period)), number + as_u64(period)),
            ] {
                let other = other.filter(|n| *n > self.boundary).and_then(|n| self.call(n));
                let differs = other.is_some_and(|other| {
                    other.fingerprint == fingerprint && outcome.differs(other.outcome, period)
                });
                if differs && let Some(last) = self.differed.get_mut(period - 1) {
                    *last = later.max(*last);
                }
            }
        }
    }

    /// A call was refused: the result of the last identical call counts as its own. Returns that result;
    /// `None` if there is none, or the call has one.
    pub(crate) fn assume(&mut self, number: u64) -> Option<ResultStatus> {
        let index = self.index_of(number)?;
        let is_known = |call: &&SequenceCall| call.outcome != ResultStatus::Unknown;
        let refused = self.kept.get(index).filter(|call| !is_known(call))?.fingerprint;
        let mut before = self.kept.iter().take(index).rev();
        let same = before.find(|call| call.fingerprint == refused && is_known(call));
        let outcome = same?.outcome;
        self.kept.get_mut(index)?.outcome = outcome;
        self.unknown.retain(|n| *n != number);
        Some(outcome)
    }

    /// No call that follows is compared with one before.
    pub(crate) fn set_boundary(&mut self) {
        self.boundary = self.count;
    }

    /// Removes the last calls, so that `to` of them remain.
    pub(crate) fn take_back(&mut self, to: u64) {
        while self.count > to {
            let Some(last) = self.kept.pop_back() else {
                // More calls are removed than are kept: nothing is known of those that remain.
                (self.count, self.boundary, self.matched) = (to, to, [0; MAX_PERIOD]);
                break;
            };
            self.matched = last.matched_before;
            self.count -= 1;
        }
        self.unknown.retain(|n| *n <= to);
        self.unknown_before = self.unknown_before.min(to);
    }

    /// The loop that the last call completes, with the smallest period. `wide`: these are rounds of
    /// several calls, so p = 1 is a cycle too and needs more repeats if results are unknown.
    pub(crate) fn finding(&self, threshold: u64, wide: bool) -> Option<CycleFinding> {
        (1..=MAX_PERIOD).find_map(|period| self.found_by(period, threshold, period == 1 && !wide))
    }

    fn found_by(&self, period: usize, threshold: u64, single: bool) -> Option<CycleFinding> {
        let matched = *self.matched.get(period - 1)?;
        let differed = *self.differed.get(period - 1)?;
        // The number of last calls that repeat and whose results do not differ.
        let same = self.count.saturating_sub(differed).min(matched);
        let p = as_u64(period);
        let round = same.checked_div(p)?;
        let least = if single { threshold } else { threshold.max(2) };
        // The cheap test first, because loops are rare.
        if threshold == 0 || round + 1 < least {
            return None;
        }
        let poll = self.kept.iter().rev().take(period).any(|seen| seen.poll);
        let least =
            if poll { threshold * crate::config::Config::threshold_factor(true) } else { least };
        let unknown = self.unknown.iter().rev().find(|n| **n != self.count);
        let unknown = unknown.copied().unwrap_or(self.unknown_before);
        let known = self.count.saturating_sub(unknown);
        let needed = if single || known >= p * (least - 1) {
            least
        } else {
            least.max(crate::config::UNKNOWN_CYCLES)
        };
        (same >= p * (needed - 1)).then_some(CycleFinding { period, repeats: round + 1 })
    }

    /// Is the result of at least one of the last `calls` calls known, and is every known one a failure?
    pub(crate) fn all_fail(&self, calls: u64) -> bool {
        let last = self.kept.iter().rev().take(usize::try_from(calls).unwrap_or(MAX_KEPT));
        let mut known = last.filter(|seen| seen.outcome != ResultStatus::Unknown).peekable();
        known.peek().is_some() && known.all(|seen| matches!(seen.outcome, ResultStatus::Bad(_)))
    }

    /// The loop that a next round with this fingerprint and result would complete.
    pub(crate) fn would_find(
        &self,
        fingerprint: Fingerprint,
        outcome: ResultStatus,
        poll: bool,
        threshold: u64,
    ) -> Option<CycleFinding> {
        // The copy is made only if something matches, which is rare.
        if !(1..=MAX_PERIOD).any(|period| self.matches(fingerprint, period)) {
            return None;
        }
        let mut next = self.clone();
        let number = next.push(fingerprint, poll);
        next.record(number, outcome, false);
        next.finding(threshold, true)
    }
}
