//! The detector: takes calls, results, events and text, and passes them to each kind of loop.

use super::call::{Call, CallResult, RunEvent};
use super::canonical;
use super::canonical::MAX_ARGUMENTS;
use super::config::Config;
use super::escalation::Escalation;
use super::evidence::{EvidenceEntry, RecentCalls, kept_id};
use super::text_channel::TextChannel;
use super::verdict::{Action, LoopKind, Verdict, advice, clip};
use crate::core::exact_cycles::{CycleFinding, ExactCycles, ResultStatus};
use crate::core::parallel_rounds::{FANOUT, ParallelRounds};
use crate::error_normalizer::masked;
use crate::kinds::rereads::{ReadRange, Rereads};
use crate::kinds::results::{Finding, KnownResult, ResultKinds};
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;

/// This many compactions in a row with nothing in between are a loop.
pub(crate) const COMPACTIONS: u64 = 3;

/// Detects loops in the calls and texts of one run. Its memory is bounded, whatever the input.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    pub(crate) config: Config,
    pub(crate) calls: RecentCalls,
    /// How many calls were counted since the last reset.
    pub(crate) counted: u64,
    pub(crate) core: ExactCycles,
    /// The highest number of a call with a result, in the sequence of `core`.
    pub(crate) last_with_result: u64,
    /// How many calls were checked, and counted, up to the last one with a result. A retry undoes the
    /// calls after it.
    pub(crate) checked_at_result: u64,
    pub(crate) counted_at_result: u64,
    pub(crate) rounds: ParallelRounds,
    pub(crate) outcomes: ResultKinds,
    pub(crate) reads: Rereads,
    /// The value of `reads` at that call's result. A retry goes back to it.
    pub(crate) reads_at_result: Rereads,
    pub(crate) escalation: Escalation,
    pub(crate) text: TextChannel,
    pub(crate) reasoning: TextChannel,
    pub(crate) compactions: u64,
    /// The current verdict.
    pub(crate) verdict: Verdict,
    /// The loops of soft kinds that the last call continues, with their repeats, whether or not there is a
    /// verdict about them. For a session, which takes them after each call.
    pub(crate) continued: Vec<(LoopKind, Fingerprint, u64)>,
}

impl Detector {
    /// A new detector with these settings.
    #[must_use]
    pub fn new(config: Config) -> Detector {
        Detector { config, ..Detector::default() }
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Takes a call that is about to run. Returns a verdict on whether it continues a loop; for a replay of
    /// a known call (by its id), the current verdict.
    pub fn check(&mut self, call: &Call<'_>) -> Verdict {
        let verdict = self.check_finished(call);
        self.continued.clear();
        verdict
    }

    /// The same for a call of a finished session, which takes what it continues.
    pub(crate) fn check_finished(&mut self, call: &Call<'_>) -> Verdict {
        if call.id.is_some_and(|id| self.calls.by_id(id).is_some()) {
            return self.verdict.clone(); // a replay
        }
        self.continued.clear();
        let mut entry = self.entry(call);
        if self.config.ignores(call.tool) {
            self.calls.push(entry);
            return self.no_loop();
        }
        self.compactions = 0;
        for stream in [&mut self.text, &mut self.reasoning] {
            stream.repeated_text.restart();
            stream.chanting.clear();
        }
        let mut verdict = Verdict::default();
        if self.config.is_boundary(call.tool) {
            self.core.set_boundary();
            self.rounds.set_boundary();
            self.calls.push(entry);
        } else {
            self.counted += 1;
            (entry.counts, entry.counted) = (true, self.counted);
            self.rounds.begin(call.round, self.core.count + 1);
            let again = self.rounds.repeat(entry.fingerprint).map(|m| (m.number, m.times));
            let (number, times) = again.unwrap_or_else(|| {
                let number = self.core.push(entry.fingerprint, entry.poll);
                self.rounds.add(entry.fingerprint, number, entry.poll);
                (number, 1)
            });
            (entry.number, entry.round) = (number, self.rounds.first_call);
            let (fingerprint, range) = (entry.fingerprint, call.range.as_ref());
            entry.reads = range.is_some();
            self.calls.push(entry);
            if self.config.threshold > 0 {
                verdict = self.find_core(again.is_none());
                self.find_soft(&mut verdict, range, fingerprint, times);
            }
        }
        #[allow(clippy::cast_precision_loss)] // it is compared with a limit
        let is_over_limit = self.counted as f64 > self.config.max_iterations;
        if is_over_limit && verdict.action != Action::Interrupt {
            let last = self.counted;
            verdict =
                self.calls.verdict(LoopKind::MaxIterations, (1, last), &|e| e.counted == last);
            (verdict.action, verdict.loop_of) = (Action::Interrupt, 0);
        }
        if let Some(entry) = self.calls.entries.back_mut() {
            entry.stopped = verdict.action == Action::Interrupt;
        }
        self.set_verdict(verdict)
    }

    fn entry(&self, call: &Call<'_>) -> EvidenceEntry {
        let of_tool = fingerprint::of(call.tool.as_bytes(), 0);
        let args = canonical::fingerprint_of(call.parameters, self.config.volatile_keys(call.tool));
        let cut = call.parameters.len() > MAX_ARGUMENTS;
        EvidenceEntry {
            call: self.calls.checked,
            number: 0,
            round: 0,
            id: call.id.map(kept_id),
            tool: clip(call.tool, 200),
            args: if cut {
                clip(call.parameters, MAX_ARGUMENTS)
            } else {
                call.parameters.to_owned()
            },
            fingerprint: fingerprint::join(of_tool, args),
            words: canonical::words(call.parameters),
            outcome: ResultStatus::Unknown,
            poll: self.config.is_poll(call.tool),
            reads: false,
            stopped: false,
            assumed: false,
            time: call.time_ms,
            counts: false,
            counted: self.counted,
        }
    }

    /// The verdict of exact repetition about the last call, or about the round that it is in.
    fn find_core(&self, fresh: bool) -> Verdict {
        let threshold = self.config.threshold;
        if fresh && let Some(found) = self.core.finding(threshold, false) {
            return self.core_verdict(found);
        }
        let Some((found, calls)) = self.rounds.finding(threshold) else {
            return Verdict::default();
        };
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

    /// The soft kinds that need no result: no_progress_read and duplicate_fanout.
    fn find_soft(
        &mut self,
        verdict: &mut Verdict,
        range: Option<&ReadRange>,
        fingerprint: Fingerprint,
        times: u64,
    ) {
        let round = self.rounds.first_call;
        if let Some(finding) = range.and_then(|range| self.reads.take(range, round)) {
            self.warn(verdict, finding, round, &|e| e.reads);
        }
        if times >= FANOUT {
            let kind = LoopKind::DuplicateFanout;
            let finding = Finding { kind, loop_of: fingerprint, result: None, repeats: times };
            // It is about one round, in which each call counts.
            self.warn(verdict, finding, 0, &|e| e.fingerprint == fingerprint);
        }
    }

    /// Records the finding of a soft kind in a call of this round (0: in none). Replaces the verdict if the
    /// action is stronger; a verdict that interrupts is kept.
    fn warn(
        &mut self,
        verdict: &mut Verdict,
        finding: Finding,
        round: u64,
        matches: &dyn Fn(&EvidenceEntry) -> bool,
    ) {
        if self.config.is_disabled(finding.kind) {
            return;
        }
        if self.escalation.knows(finding.kind, finding.loop_of) {
            self.continued.push((finding.kind, finding.loop_of, finding.repeats));
        }
        let action = self.escalation.escalate(finding.kind, finding.loop_of, finding.result, round);
        let stronger = action == Action::Interrupt || verdict.action == Action::Continue;
        if action == Action::Continue || verdict.action == Action::Interrupt || !stronger {
            return;
        }
        // The matching calls of the last rounds, as many as the loop has repeats.
        let is_fanout = finding.kind == LoopKind::DuplicateFanout;
        let (mut rounds, mut earliest) = (0, None);
        for entry in self.calls.entries.iter().rev().filter(|e| e.counts && matches(e)) {
            if is_fanout || !earliest.is_some_and(|e| entry.is_in_round_of(e)) {
                if rounds == finding.repeats {
                    break;
                }
                rounds += 1;
            }
            earliest = Some(entry);
        }
        let first = earliest.map_or(0, |e| e.call);
        *verdict = self
            .calls
            .verdict(finding.kind, (1, finding.repeats), &|e| e.call >= first && matches(e));
        (verdict.action, verdict.loop_of) = (action, finding.loop_of);
    }

    pub(super) fn no_loop(&self) -> Verdict {
        Verdict { step_count: self.counted, ..Verdict::default() }
    }

    pub(super) fn set_verdict(&mut self, verdict: Verdict) -> Verdict {
        self.verdict = Verdict { step_count: self.counted, ..verdict };
        self.verdict.clone()
    }

    /// Takes the result of a call that has run, which can withdraw a verdict or cause one. Only the first
    /// result of a call counts. Returns `None` if the call is unknown or no longer kept.
    ///
    /// A refusal is not a result: a call that was blocked, or whose `check` said to interrupt and which
    /// failed. The verdict stays, and the call counts as equal to the last identical one.
    pub fn record(&mut self, ran: &CallResult<'_>) -> Option<Verdict> {
        let verdict = self.take_result(ran, true);
        self.continued.clear();
        verdict
    }

    /// The same for a call of a finished session, which takes what it continues: it is refused only if it was blocked.
    pub(crate) fn record_finished(&mut self, ran: &CallResult<'_>) -> Option<Verdict> {
        self.take_result(ran, false)
    }

    fn take_result(&mut self, ran: &CallResult<'_>, is_live: bool) -> Option<Verdict> {
        self.continued.clear();
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
        // A call has one result.
        if entry.outcome != ResultStatus::Unknown {
            return Some(self.verdict.clone());
        }
        if entry.call >= self.checked_at_result {
            (self.checked_at_result, self.counted_at_result) = (entry.call + 1, entry.counted);
            self.reads_at_result = self.reads.clone();
            self.escalation.keep();
        }
        // Results of calls that are not counted are ignored.
        if !entry.counts {
            return Some(self.verdict.clone());
        }
        self.last_with_result = self.last_with_result.max(entry.number);
        if ran.blocked || is_live && ran.is_error && entry.stopped {
            if let Some(same) = self.core.assume(entry.number) {
                entry.assumed = true;
                self.rounds.record(entry.number, same, false);
            }
            return Some(self.verdict.clone());
        }
        entry.outcome = outcome;
        let replaces = std::mem::take(&mut entry.assumed);
        let entry = self.calls.entries.get(place)?;
        self.core.record(entry.number, outcome, replaces);
        self.rounds.record(entry.number, outcome, replaces);
        if self.config.threshold == 0 {
            return Some(self.verdict.clone());
        }
        let mut verdict = match self.core.finding(self.config.threshold, false) {
            Some(found) => self.core_verdict(found),
            // The results have withdrawn the verdict about single calls; rounds may still be a loop.
            None if self.verdict.is_of_core() => self.find_core(false),
            None => self.verdict.clone(),
        };
        let known = KnownResult {
            number: entry.number,
            round: entry.round,
            tool: &entry.tool,
            fingerprint: entry.fingerprint,
            words: &entry.words,
            outcome,
            length,
            poll: entry.poll,
            is_mutating: self.config.is_mutating(&entry.tool),
        };
        let (findings, progress) = self.outcomes.take(&known);
        if progress {
            self.reads = Rereads::default();
            self.reads_at_result = Rereads::default();
        }
        if findings.is_empty() {
            return Some(self.set_verdict(verdict));
        }
        let (tool, fingerprint, round) = (entry.tool.clone(), entry.fingerprint, entry.round);
        for finding in findings {
            match finding.kind {
                LoopKind::InterleavedRepeat => {
                    self.warn(&mut verdict, finding, round, &|e| {
                        e.fingerprint == fingerprint && e.outcome == outcome
                    });
                }
                _ => self.warn(&mut verdict, finding, round, &|e| {
                    e.tool == tool && e.outcome == outcome
                }),
            }
        }
        Some(self.set_verdict(verdict))
    }

    /// Takes an event between calls. Returns a verdict of [`LoopKind::ContextLoop`] for too many
    /// compactions, or one about the text of an assistant message that has ended; else no loop.
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
            RunEvent::Assistant => return self.end_message(),
        }
        self.no_loop()
    }

    /// Undoes the calls since the last result, which are about to be made again.
    fn take_back(&mut self) {
        let kept = self.calls.entries.partition_point(|e| e.call < self.checked_at_result);
        let undone = self.calls.entries.split_off(kept);
        let last_kept = self.calls.entries.iter().map(|e| e.number).max();
        let last = self.last_with_result.max(last_kept.unwrap_or_default());
        for entry in undone {
            if entry.counts && entry.number <= last {
                self.rounds.undo_repeat(entry.fingerprint);
            }
        }
        self.counted = self.counted_at_result;
        self.core.take_back(last.max(self.core.boundary));
        self.rounds.take_back(last);
        self.reads = self.reads_at_result.clone();
        self.escalation.take_back();
        self.verdict = Verdict::default();
    }

    /// How many calls were counted so far.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.counted
    }

    /// The current verdict. The state does not change.
    #[must_use]
    pub fn detect(&self) -> Verdict {
        Verdict { step_count: self.counted, ..self.verdict.clone() }
    }

    /// Clears the state; the settings and the numbering of calls are kept.
    pub fn reset(&mut self) {
        let checked = self.calls.checked;
        *self = Detector { config: std::mem::take(&mut self.config), ..Detector::default() };
        self.calls.checked = checked;
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
