//! Finds rounds that repeat. A round is the set of the parallel calls of one turn of the model; their
//! order does not matter.

use crate::core::exact_cycles::{CycleFinding, ExactCycles, MAX_KEPT, ResultStatus};
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A call of the current round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RoundMember {
    pub(crate) fingerprint: Fingerprint,
    /// How many times it was made in this round.
    pub(crate) times: u64,
    /// Its number in the sequence of calls.
    pub(crate) number: u64,
    pub(crate) outcome: Option<Fingerprint>,
}

/// The rounds so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParallelRounds {
    pub(crate) round: Option<f64>,
    /// The number of the first call of the current round, by which the round is known; 0 without one.
    pub(crate) first_call: u64,
    pub(crate) members: Vec<RoundMember>,
    pub(crate) poll: bool,
    pub(crate) cycles: ExactCycles,
    /// The number of distinct calls of each round that is kept.
    pub(crate) sizes: VecDeque<u64>,
    /// The highest call number of each round that is kept.
    pub(crate) last_calls: VecDeque<u64>,
}

/// This many identical calls in one round are a loop.
pub(crate) const FANOUT: u64 = 8;

impl ParallelRounds {
    /// Called before each call. If its round is another one, the current round is closed. `number` is that
    /// of the call if no equal one was made in its round.
    pub(crate) fn begin(&mut self, round: Option<f64>, number: u64) {
        if self.round.is_some() && self.round == round {
            return;
        }
        self.close();
        if round.is_none() {
            self.set_boundary();
        }
        self.round = round;
        self.first_call = if round.is_some() { number } else { 0 };
    }

    fn fingerprint(&self) -> Fingerprint {
        // A sum, because the order of the calls does not matter.
        self.members
            .iter()
            .fold(0, |sum: Fingerprint, m| sum.wrapping_add(fingerprint::join(m.fingerprint, 0)))
    }

    /// The combined result of the current round, unknown until each call has a result.
    fn outcome(&self) -> ResultStatus {
        let sum = |sum: Fingerprint, m: &RoundMember| {
            Some(sum.wrapping_add(fingerprint::join(m.fingerprint, m.outcome?)))
        };
        self.members.iter().try_fold(0, sum).map_or(ResultStatus::Unknown, ResultStatus::Good)
    }

    fn close(&mut self) {
        if self.members.is_empty() {
            return;
        }
        let (fingerprint, outcome) = (self.fingerprint(), self.outcome());
        let members = std::mem::take(&mut self.members);
        let number = self.cycles.push(fingerprint, std::mem::take(&mut self.poll));
        self.cycles.record(number, outcome, false);
        if self.sizes.len() == MAX_KEPT {
            self.sizes.pop_front();
            self.last_calls.pop_front();
        }
        self.sizes.push_back(members.len() as u64);
        self.last_calls.push_back(members.iter().map(|m| m.number).max().unwrap_or_default());
    }

    /// No round that follows is compared with one before.
    pub(crate) fn set_boundary(&mut self) {
        self.members.clear();
        self.poll = false;
        self.cycles.set_boundary();
    }

    /// Counts a repetition within the current round; `None` if the call is new in it.
    pub(crate) fn repeat(&mut self, fingerprint: Fingerprint) -> Option<&mut RoundMember> {
        self.round?;
        let known = self.members.iter_mut().find(|m| m.fingerprint == fingerprint)?;
        known.times += 1;
        Some(known)
    }

    /// Adds a call that is new in the current round.
    pub(crate) fn add(&mut self, fingerprint: Fingerprint, number: u64, poll: bool) {
        if self.round.is_some() && self.members.len() < MAX_KEPT * 4 {
            self.members.push(RoundMember { fingerprint, times: 1, number, outcome: None });
            self.poll |= poll;
        }
    }

    /// Records the result of a call of the current round. Only the first one counts, but it `replaces` an
    /// assumed one.
    pub(crate) fn record(&mut self, number: u64, outcome: ResultStatus, replaces: bool) {
        let (ResultStatus::Good(fingerprint) | ResultStatus::Bad(fingerprint)) = outcome else {
            return;
        };
        if let Some(member) = self.members.iter_mut().find(|m| m.number == number)
            && (member.outcome.is_none() || replaces)
        {
            member.outcome = Some(fingerprint);
        }
    }

    /// Removes the calls after number `to`, and the closed rounds that contain one of them.
    pub(crate) fn take_back(&mut self, to: u64) {
        self.members.retain(|m| m.number <= to);
        self.poll &= !self.members.is_empty();
        let stay = self.last_calls.partition_point(|last| *last <= to);
        let gone = (self.last_calls.len() - stay) as u64;
        self.last_calls.truncate(stay);
        self.sizes.truncate(stay);
        if stay == 0 && gone > 0 {
            // Rounds that are no longer kept may be affected too.
            self.cycles.set_boundary();
        }
        let count = self.cycles.count.saturating_sub(gone);
        self.cycles.take_back(count.max(self.cycles.boundary));
    }

    /// Undoes one [`repeat`](Self::repeat).
    pub(crate) fn undo_repeat(&mut self, fingerprint: Fingerprint) {
        if let Some(member) = self.members.iter_mut().find(|m| m.fingerprint == fingerprint) {
            member.times = member.times.saturating_sub(1);
        }
    }

    /// The loop that the current round completes, and the number of calls in one period of it. Loops of
    /// rounds with a single call each are left to the sequence of calls.
    pub(crate) fn finding(&self, threshold: u64) -> Option<(CycleFinding, u64)> {
        if self.members.is_empty() {
            return None;
        }
        let found =
            self.cycles.would_find(self.fingerprint(), self.outcome(), self.poll, threshold)?;
        let before = self.sizes.iter().rev().take(found.period - 1);
        let own = self.members.len() as u64;
        let calls = own + before.clone().sum::<u64>();
        let wide = own > 1 || before.clone().any(|size| *size > 1);
        wide.then_some((found, calls))
    }
}
