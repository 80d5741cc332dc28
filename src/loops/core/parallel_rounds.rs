//! Rounds: the parallel calls of one turn of the model. Their order means nothing.

use crate::loops::core::exact_cycles::{CycleFinding, ExactCycles, KEPT, ResultStatus};
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A call of the round that is under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RoundMember {
    pub(crate) print: Fingerprint,
    /// How often it was called in this round.
    pub(crate) times: u64,
    /// Where it stands in the sequence of calls.
    pub(crate) number: u64,
    pub(crate) outcome: Option<Fingerprint>,
}

/// The rounds so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParallelRounds {
    pub(crate) round: Option<f64>,
    pub(crate) members: Vec<RoundMember>,
    pub(crate) poll: bool,
    pub(crate) periods: ExactCycles,
    /// How many different calls each of the rounds had that are remembered.
    pub(crate) sizes: VecDeque<u64>,
    /// The last call of each of them.
    pub(crate) lasts: VecDeque<u64>,
}

/// So many identical calls in a round are too many.
pub(crate) const FANOUT: u64 = 8;

impl ParallelRounds {
    /// A call of this round comes next; the round before is over if it is another.
    pub(crate) fn begin(&mut self, round: Option<f64>) {
        if self.round.is_some() && self.round == round {
            return;
        }
        self.close();
        if round.is_none() {
            self.set_boundary();
        }
        self.round = round;
    }

    fn print(&self) -> Fingerprint {
        // A sum: the order of the calls means nothing.
        self.members
            .iter()
            .fold(0, |sum: Fingerprint, m| sum.wrapping_add(fingerprint::join(m.print, 0)))
    }

    /// What its calls came to, once that is known of each.
    fn outcome(&self) -> ResultStatus {
        let sum = |sum: Fingerprint, m: &RoundMember| {
            Some(sum.wrapping_add(fingerprint::join(m.print, m.outcome?)))
        };
        self.members.iter().try_fold(0, sum).map_or(ResultStatus::Unknown, ResultStatus::Good)
    }

    fn close(&mut self) {
        if self.members.is_empty() {
            return;
        }
        let (print, outcome) = (self.print(), self.outcome());
        let members = std::mem::take(&mut self.members);
        let number = self.periods.push(print, std::mem::take(&mut self.poll));
        self.periods.record(number, outcome);
        if self.sizes.len() == KEPT {
            self.sizes.pop_front();
            self.lasts.pop_front();
        }
        self.sizes.push_back(members.len() as u64);
        self.lasts.push_back(members.iter().map(|m| m.number).max().unwrap_or_default());
    }

    /// The rounds before are parted from those behind.
    pub(crate) fn set_boundary(&mut self) {
        self.members.clear();
        self.poll = false;
        self.periods.set_boundary();
    }

    /// The call of this print, if this round has it already.
    pub(crate) fn again(&mut self, print: Fingerprint) -> Option<&mut RoundMember> {
        self.round?;
        let known = self.members.iter_mut().find(|m| m.print == print)?;
        known.times += 1;
        Some(known)
    }

    /// A call that is new in this round.
    pub(crate) fn add(&mut self, print: Fingerprint, number: u64, poll: bool) {
        if self.round.is_some() && self.members.len() < KEPT * 4 {
            self.members.push(RoundMember { print, times: 1, number, outcome: None });
            self.poll |= poll;
        }
    }

    /// What a call of this round came to.
    pub(crate) fn record(&mut self, number: u64, outcome: ResultStatus) {
        let (ResultStatus::Good(print) | ResultStatus::Bad(print)) = outcome else { return };
        if let Some(member) = self.members.iter_mut().find(|m| m.number == number) {
            member.outcome.get_or_insert(print);
        }
    }

    /// Calls behind this one are taken back, and with them the rounds that they were in.
    pub(crate) fn take_back(&mut self, to: u64) {
        self.members.retain(|m| m.number <= to);
        self.poll &= !self.members.is_empty();
        let stay = self.lasts.partition_point(|last| *last <= to);
        let gone = (self.lasts.len() - stay) as u64;
        self.lasts.truncate(stay);
        self.sizes.truncate(stay);
        if stay == 0 && gone > 0 {
            // There may be more of them than are remembered.
            self.periods.set_boundary();
        }
        let count = self.periods.count.saturating_sub(gone);
        self.periods.take_back(count.max(self.periods.boundary));
    }

    /// A call that this round had before is taken back.
    pub(crate) fn once_less(&mut self, print: Fingerprint) {
        if let Some(member) = self.members.iter_mut().find(|m| m.print == print) {
            member.times = member.times.saturating_sub(1);
        }
    }

    /// The loop of rounds that this one completes, with at least one round of several calls in it.
    /// Gives its calls a round, too.
    pub(crate) fn found(&self, threshold: u64) -> Option<(CycleFinding, u64)> {
        if self.members.is_empty() {
            return None;
        }
        let found = self.periods.would_find(self.print(), self.outcome(), self.poll, threshold)?;
        let before = self.sizes.iter().rev().take(found.period - 1);
        let own = self.members.len() as u64;
        let calls = own + before.clone().sum::<u64>();
        let wide = own > 1 || before.clone().any(|size| *size > 1);
        wide.then_some((found, calls))
    }
}
