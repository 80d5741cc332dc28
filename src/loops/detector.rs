//! The detector: takes calls, results, events and text, and asks each kind of loop in turn.

use super::call::{Call, CallResult, RunEvent};
use super::canonical;
use super::canonical::LONGEST_ARGUMENTS;
use super::config::Config;
use super::escalation::Escalation;
use super::evidence::{EvidenceEntry, RecentCalls, kept_id};
use super::text_channel::TextChannel;
use super::verdict::{Action, LoopKind, Verdict, advice, clip};
use crate::loops::core::exact_cycles::{CycleFinding, ExactCycles, KEPT, ResultStatus};
use crate::loops::core::parallel_rounds::{FANOUT, ParallelRounds};
use crate::loops::error_normalizer::masked;
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::loops::kinds::rereads::{ReadRange, Rereads};
use crate::loops::kinds::results::{Finding, KnownResult, ResultKinds};

/// Compactions with nothing between.
pub(crate) const COMPACTIONS: u64 = 3;

/// Detects loops. Its memory is bounded, whatever it is told.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    pub(crate) config: Config,
    pub(crate) calls: RecentCalls,
    /// Calls that count, since the user said something.
    pub(crate) counted: u64,
    pub(crate) core: ExactCycles,
    /// The last call of the sequence with a result; how many calls were checked, and counted, by then.
    pub(crate) told: u64,
    pub(crate) told_calls: u64,
    pub(crate) told_counted: u64,
    pub(crate) rounds: ParallelRounds,
    pub(crate) outcomes: ResultKinds,
    pub(crate) reads: Rereads,
    /// What was read before the calls that have no result yet.
    pub(crate) reads_told: Rereads,
    pub(crate) escalation: Escalation,
    pub(crate) text: TextChannel,
    pub(crate) reasoning: TextChannel,
    pub(crate) compactions: u64,
    /// The standing verdict.
    pub(crate) verdict: Verdict,
}

impl Detector {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new(config: Config) -> Detector {
        Detector { config, ..Detector::default() }
    }

    /// How it is set.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Before a call runs: is it one more round of a loop?
    pub fn check(&mut self, call: &Call<'_>) -> Verdict {
        if call.id.is_some_and(|id| self.calls.by_id(id).is_some()) {
            return self.verdict.clone(); // a replay of a call that was counted
        }
        let mut entry = self.entry(call);
        if self.config.ignores(call.tool) {
            self.calls.push(entry);
            return self.none();
        }
        self.compactions = 0;
        for stream in [&mut self.text, &mut self.reasoning] {
            stream.echo.restart();
            stream.chant.clear();
        }
        let mut verdict = Verdict::default();
        if self.config.is_boundary(call.tool) {
            self.core.set_boundary();
            self.rounds.set_boundary();
            self.calls.push(entry);
        } else {
            self.counted += 1;
            (entry.counts, entry.counted) = (true, self.counted);
            self.rounds.begin(call.round);
            let again = self.rounds.again(entry.print).map(|m| (m.number, m.times));
            let (number, times) = again.unwrap_or_else(|| {
                let number = self.core.push(entry.print, entry.poll);
                self.rounds.add(entry.print, number, entry.poll);
                (number, 1)
            });
            entry.number = number;
            let (print, range) = (entry.print, call.range.as_ref());
            entry.reads = range.is_some();
            self.calls.push(entry);
            if self.config.threshold > 0 {
                verdict = self.find(again.is_none());
                self.soft(&mut verdict, range, print, times);
            }
        }
        #[allow(clippy::cast_precision_loss)] // it is compared with a limit
        let over = self.counted as f64 > self.config.max_iterations;
        if over && verdict.action != Action::Interrupt {
            let last = self.counted;
            verdict =
                self.calls.verdict(LoopKind::MaxIterations, (1, last), &|e| e.counted == last);
            (verdict.action, verdict.loop_of) = (Action::Interrupt, 0);
        }
        self.set_verdict(verdict)
    }

    fn entry(&self, call: &Call<'_>) -> EvidenceEntry {
        let of_tool = fingerprint::of(call.tool.as_bytes(), 0);
        let args = call.print.map_or_else(
            || canonical::print(call.parameters, self.config.volatile(call.tool)),
            canonical::of_host,
        );
        let cut = call.parameters.len() > LONGEST_ARGUMENTS;
        EvidenceEntry {
            call: self.calls.checked,
            number: 0,
            id: call.id.map(kept_id),
            tool: clip(call.tool, 200),
            args: if cut {
                clip(call.parameters, LONGEST_ARGUMENTS)
            } else {
                call.parameters.to_owned()
            },
            print: fingerprint::join(of_tool, args),
            words: canonical::words(call.parameters),
            outcome: ResultStatus::Unknown,
            poll: self.config.is_poll(call.tool),
            reads: false,
            time: call.time_ms,
            counts: false,
            counted: self.counted,
        }
    }

    /// The core's verdict about the last call, or the round that it is in.
    fn find(&self, fresh: bool) -> Verdict {
        let threshold = self.config.threshold;
        if fresh && let Some(found) = self.core.found(threshold, false) {
            return self.core_verdict(found);
        }
        let Some((found, calls)) = self.rounds.found(threshold) else { return Verdict::default() };
        let from = self.core.count.saturating_sub(calls * found.repeats);
        let mut verdict =
            self.calls.verdict(LoopKind::Cycle, (calls, found.repeats), &|e| e.number > from);
        verdict.action = Action::Interrupt;
        verdict
    }

    fn core_verdict(&self, found: CycleFinding) -> Verdict {
        let period = found.period as u64;
        let calls = period * found.repeats;
        let kind = match found.period {
            1 if self.core.all_fail(calls) => LoopKind::ExactError,
            1 => LoopKind::ExactRepeat,
            _ => LoopKind::Cycle,
        };
        let from = self.core.count.saturating_sub(calls);
        let mut verdict = self.calls.verdict(kind, (period, found.repeats), &|e| e.number > from);
        verdict.action = Action::Interrupt;
        verdict
    }

    /// The soft kinds that need no result.
    fn soft(
        &mut self,
        verdict: &mut Verdict,
        range: Option<&ReadRange>,
        print: Fingerprint,
        times: u64,
    ) {
        if let Some(sight) = range.and_then(|range| self.reads.take(range)) {
            self.warn(verdict, sight, &|e| e.reads);
        }
        if times >= FANOUT {
            let kind = LoopKind::DuplicateFanout;
            let sight = Finding { kind, loop_of: print, result: None, repeats: times };
            self.warn(verdict, sight, &|e| e.print == print);
        }
    }

    /// A soft kind sees a loop. What interrupts already is not overruled.
    fn warn(&mut self, verdict: &mut Verdict, sight: Finding, is: &dyn Fn(&EvidenceEntry) -> bool) {
        if self.config.is_off(sight.kind) {
            return;
        }
        let action = self.escalation.sees(sight.kind, sight.loop_of, sight.result);
        let stronger = action == Action::Interrupt || verdict.action == Action::Continue;
        if action == Action::Continue || verdict.action == Action::Interrupt || !stronger {
            return;
        }
        // The last ones of those that it is about.
        let most = usize::try_from(sight.repeats).unwrap_or(KEPT);
        let named = self.calls.entries.iter().rev().filter(|e| e.counts && is(e)).take(most);
        let first = named.last().map_or(0, |e| e.call);
        *verdict =
            self.calls.verdict(sight.kind, (1, sight.repeats), &|e| e.call >= first && is(e));
        (verdict.action, verdict.loop_of) = (action, sight.loop_of);
    }

    pub(super) fn none(&self) -> Verdict {
        Verdict { step_count: self.counted, ..Verdict::default() }
    }

    pub(super) fn set_verdict(&mut self, verdict: Verdict) -> Verdict {
        self.verdict = Verdict { step_count: self.counted, ..verdict };
        self.verdict.clone()
    }

    /// After a call ran: its result can withdraw a verdict or sharpen it. `None` for a call that is
    /// not known.
    pub fn record(&mut self, ran: &CallResult<'_>) -> Option<Verdict> {
        let place = match (ran.id, ran.call) {
            (Some(id), _) => self.calls.by_id(id),
            (None, Some(call)) => self.calls.by_call(call),
            (None, None) => self.calls.entries.len().checked_sub(1),
        }?;
        let text = ran.key.or(ran.result).unwrap_or_default();
        let length = ran.result.or(ran.key).unwrap_or_default().len() as u64;
        let outcome = if ran.is_error {
            ResultStatus::Bad(fingerprint::of(masked(text).as_bytes(), 0))
        } else {
            ResultStatus::Good(fingerprint::of(text.as_bytes(), 0))
        };
        let entry = self.calls.entries.get_mut(place)?;
        // One result a call.
        if entry.outcome != ResultStatus::Unknown {
            return Some(self.verdict.clone());
        }
        if entry.call >= self.told_calls {
            (self.told_calls, self.told_counted) = (entry.call + 1, entry.counted);
            self.reads_told = self.reads.clone();
            self.escalation.keep();
        }
        // Calls that do not count have no result that does.
        if !entry.counts {
            return Some(self.verdict.clone());
        }
        entry.outcome = outcome;
        self.told = self.told.max(entry.number);
        let entry = self.calls.entries.get(place)?;
        self.core.record(entry.number, outcome);
        self.rounds.record(entry.number, outcome);
        if self.config.threshold == 0 {
            return Some(self.verdict.clone());
        }
        let mut verdict = match self.core.found(self.config.threshold, false) {
            Some(found) => self.core_verdict(found),
            // It was one of calls alone; the results have withdrawn it, unless it is one of rounds.
            None if self.verdict.is_of_core() => self.find(false),
            None => self.verdict.clone(),
        };
        let told = KnownResult {
            number: entry.number,
            tool: &entry.tool,
            print: entry.print,
            words: &entry.words,
            outcome,
            length,
            poll: entry.poll,
            changes: self.config.changes(&entry.tool),
        };
        let (sights, progress) = self.outcomes.take(&told);
        if progress {
            self.reads = Rereads::default();
            self.reads_told = Rereads::default();
        }
        if sights.is_empty() {
            return Some(self.set_verdict(verdict));
        }
        let (tool, print) = (entry.tool.clone(), entry.print);
        for sight in sights {
            match sight.kind {
                LoopKind::InterleavedRepeat => {
                    self.warn(&mut verdict, sight, &|e| e.print == print && e.outcome == outcome);
                }
                _ => self.warn(&mut verdict, sight, &|e| e.tool == tool && e.outcome == outcome),
            }
        }
        Some(self.set_verdict(verdict))
    }

    /// Something beside calls.
    pub fn event(&mut self, event: RunEvent) -> Verdict {
        match event {
            RunEvent::User | RunEvent::Trigger => self.reset(),
            RunEvent::Nudge => {}
            RunEvent::Retry => self.take_back(),
            RunEvent::Compaction => {
                self.compactions += 1;
                if self.compactions >= COMPACTIONS {
                    let repeats = self.compactions;
                    return self.set_verdict(Verdict {
                        action: Action::Interrupt,
                        kind: Some(LoopKind::ContextLoop),
                        pattern: "compaction".to_owned(),
                        period: 1,
                        repeats,
                        message: advice(LoopKind::ContextLoop, "", repeats, false),
                        ..Verdict::default()
                    });
                }
            }
            RunEvent::Assistant => return self.closed(),
        }
        self.none()
    }

    /// The calls since the last result are about to be made again: they do not count.
    fn take_back(&mut self) {
        let stay = self.calls.entries.partition_point(|e| e.call < self.told_calls);
        let gone = self.calls.entries.split_off(stay);
        let stays = self.calls.entries.iter().map(|e| e.number).max();
        let told = self.told.max(stays.unwrap_or_default());
        for entry in gone {
            if entry.counts && entry.number <= told {
                self.rounds.once_less(entry.print);
            }
        }
        self.counted = self.told_counted;
        self.core.take_back(told.max(self.core.boundary));
        self.rounds.take_back(told);
        self.reads = self.reads_told.clone();
        self.escalation.take_back();
        self.verdict = Verdict::default();
    }

    /// The calls that count, so far.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.counted
    }

    /// The standing verdict; nothing is recorded.
    #[must_use]
    pub fn detect(&self) -> Verdict {
        Verdict { step_count: self.counted, ..self.verdict.clone() }
    }

    /// Forgets everything but how it is set. (Calls go on being numbered.)
    pub fn reset(&mut self) {
        let checked = self.calls.checked;
        *self = Detector { config: std::mem::take(&mut self.config), ..Detector::default() };
        self.calls.checked = checked;
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
