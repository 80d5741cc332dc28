//! The detector: what it is asked and told, and which rule answers.

use super::canonical;
use super::canonical::LONGEST_ARGUMENTS;
use super::config::Config;
use super::escalation::Escalation;
use super::evidence::{EvidenceEntry, RecentCalls, kept_id};
use super::verdict::{Action, LoopKind, Verdict, advice, clip};
use crate::json::record;
use crate::json::scan::joined;
use crate::json::writer::value_text;
use crate::loops::core::exact_cycles::{CycleFinding, ExactCycles, KEPT, ResultStatus};
use crate::loops::core::parallel_rounds::{FANOUT, ParallelRounds};
use crate::loops::error_normalizer::masked;
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::loops::kinds::chanting::{ChantFinding, Chanting};
use crate::loops::kinds::repeated_text::RepeatedText;
use crate::loops::kinds::rereads::{ReadRange, Rereads};
use crate::loops::kinds::results::{Finding, KnownResult, ResultKinds};
use crate::model::delta::Piece;
use serde_json::{Value, json};

/// A call that is about to run.
#[derive(Clone, Debug, Default)]
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its arguments as JSON text; empty where it has none.
    pub parameters: &'a str,
    /// A fingerprint of its arguments, for a host that has them as very many values: those that are the
    /// same have the same, and `parameters` need be no more than the first 6,000 bytes of their text.
    pub print: Option<u64>,
    /// Its id. One that was seen already is the same call once more.
    pub id: Option<&'a str>,
    /// The turn of the model that it belongs to: parallel calls share one.
    pub round: Option<f64>,
    /// When it is made, in milliseconds since the Unix epoch.
    pub time_ms: f64,
    /// What a read covers.
    pub range: Option<ReadRange>,
}

/// A call that has run.
#[derive(Clone, Debug, Default)]
pub struct CallResult<'a> {
    /// Its id.
    pub id: Option<&'a str>,
    /// Its number, from 0, where it has no id. The last call where it has neither.
    pub call: Option<u64>,
    /// What it gave back: a text, or JSON text.
    pub result: Option<&'a str>,
    /// What stands for the result when results are compared.
    pub key: Option<&'a str>,
    /// It failed.
    pub is_error: bool,
}

/// What happens beside calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// The user said something.
    User,
    /// Something outside set the agent going.
    Trigger,
    /// The agent was told to go on.
    Nudge,
    /// The calls since the last result are about to be made again.
    Retry,
    /// The context was compacted.
    Compaction,
    /// An assistant message has ended.
    Assistant,
}

impl RunEvent {
    /// The event of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<RunEvent> {
        Some(match name {
            "user" => RunEvent::User,
            "trigger" => RunEvent::Trigger,
            "nudge" => RunEvent::Nudge,
            "retry" => RunEvent::Retry,
            "compaction" => RunEvent::Compaction,
            "assistant" => RunEvent::Assistant,
            _ => return None,
        })
    }
}

/// What a streamed text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// An answer.
    #[default]
    Text,
    /// A thought.
    Reasoning,
}

/// One channel of streamed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextChannel {
    pub(crate) chant: Chanting,
    pub(crate) echo: RepeatedText,
    /// The first half of a surrogate pair, at which a chunk was cut.
    pub(crate) half: Option<u16>,
}

impl TextChannel {
    fn take(&mut self, text: &str, is_thought: bool) -> Option<ChantFinding> {
        self.echo.take(text, is_thought);
        self.chant.take(text)
    }

    /// The message has ended: its text's fingerprint and how often it came, where that is too often.
    fn close(&mut self, is_thought: bool) -> Option<(Fingerprint, u64)> {
        if self.half.take().is_some() {
            self.take("\u{fffd}", is_thought);
        }
        self.chant.clear();
        self.echo.close()
    }
}

/// What an engine can hand back when a run is interrupted (seed 001 §6.2).
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorResponse {
    /// What happened.
    pub message: String,
    /// The calls of the loop.
    pub pattern: String,
    /// How often it came round.
    pub attempts: u64,
    /// The threshold that was set.
    pub threshold: u64,
    /// The last calls of the loop.
    pub last_calls: Vec<LastCall>,
    /// What to do.
    pub suggestion: String,
}

/// A call, as [`ErrorResponse`] shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct LastCall {
    /// The tool.
    pub tool: String,
    /// Its arguments as JSON text. (Long ones are cut, and are a string then.)
    pub parameters: String,
    /// When it was made, in milliseconds since the Unix epoch.
    pub time_ms: f64,
}

impl ErrorResponse {
    /// As a `DoomLoopErrorResponse`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let call = |call: &LastCall| {
            let parameters = record::tree(&call.parameters, record::MAX_DEPTH).unwrap_or_default();
            json!({
                "toolName": call.tool, "parameters": parameters, "timestamp": call.time_ms,
            })
        };
        json!({
            "error": {
                "name": "DoomLoopDetected",
                "message": self.message,
                "details": {
                    "pattern": self.pattern,
                    "attemptCount": self.attempts,
                    "threshold": self.threshold,
                    "lastToolCalls": self.last_calls.iter().map(call).collect::<Vec<_>>(),
                },
            },
            "suggestion": self.suggestion,
        })
    }
}

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

    fn none(&self) -> Verdict {
        Verdict { step_count: self.counted, ..Verdict::default() }
    }

    fn set_verdict(&mut self, verdict: Verdict) -> Verdict {
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

    /// More of a text or a thought, as it streams.
    pub fn text(&mut self, chunk: &str, channel: Channel) -> Verdict {
        self.push_text(&chunk.into(), channel).unwrap_or_else(|| self.none())
    }

    /// The same as [`text`](Self::text) for text that may be cut within a surrogate pair. Makes a
    /// verdict only where there is a loop: text comes by the hundred thousand chunks.
    pub fn push_text(&mut self, piece: &Piece<'_>, channel: Channel) -> Option<Verdict> {
        if piece.text.is_empty() && piece.low.is_none() && piece.high.is_none() {
            return None;
        }
        self.compactions = 0;
        let is_thought = channel == Channel::Reasoning;
        let stream = if is_thought { &mut self.reasoning } else { &mut self.text };
        let mut chanted = None;
        if stream.half.is_some() || piece.low.is_some() {
            let joined = stream.half.take().zip(piece.low).map(|(high, low)| joined(high, low));
            let joined = joined.unwrap_or(char::REPLACEMENT_CHARACTER);
            chanted = stream.take(joined.encode_utf8(&mut [0; 4]), is_thought);
        }
        let chanted = stream.take(&piece.text, is_thought).or(chanted);
        stream.half = piece.high;
        let chanted = chanted?;
        let pattern = clip(chanted.unit.trim(), 160);
        let loop_of = fingerprint::of(chanted.unit.trim().as_bytes(), 0);
        let said = format!("{:?}", clip(&pattern, 60));
        Some(self.set_verdict(Verdict {
            action: Action::Interrupt,
            kind: Some(LoopKind::Chanting),
            message: advice(LoopKind::Chanting, &said, chanted.repeats, false),
            pattern,
            period: chanted.unit.chars().count() as u64,
            repeats: chanted.repeats,
            loop_of,
            ..Verdict::default()
        }))
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

    /// An assistant message has ended.
    fn closed(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        for kind in [LoopKind::Monologue, LoopKind::RepeatedReasoning] {
            let is_text = kind == LoopKind::Monologue;
            let stream = if is_text { &mut self.text } else { &mut self.reasoning };
            let Some((print, repeats)) = stream.close(!is_text) else { continue };
            if self.config.is_off(kind) {
                continue;
            }
            let action = self.escalation.sees(kind, print, None);
            if action > verdict.action {
                let what = if is_text { "answer" } else { "thought" };
                verdict = Verdict {
                    action,
                    kind: Some(kind),
                    pattern: format!("the same {what}"),
                    period: 1,
                    repeats,
                    message: advice(kind, "", repeats, false),
                    loop_of: print,
                    ..Verdict::default()
                };
            }
        }
        if verdict.is_detected() { self.set_verdict(verdict) } else { self.none() }
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

    /// What to hand back for a run that is to be interrupted; `None` where none is.
    #[must_use]
    pub fn error_response(&self) -> Option<ErrorResponse> {
        let verdict = &self.verdict;
        if verdict.action != Action::Interrupt {
            return None;
        }
        let named = |e: &&EvidenceEntry| verdict.calls.contains(&e.call);
        let last = |e: &EvidenceEntry| {
            let whole = canonical::text(&e.args);
            let is_json =
                whole != e.args || e.args.starts_with(['{', '[', '"']) && !e.args.ends_with('…');
            LastCall {
                tool: e.tool.clone(),
                parameters: match e.args.as_str() {
                    "" => "{}".to_owned(),
                    _ if is_json => whole,
                    cut => value_text(&Value::from(cut)),
                },
                time_ms: e.time,
            }
        };
        let most =
            usize::try_from(self.config.threshold.max(1) * verdict.period.max(1)).unwrap_or(KEPT);
        let calls = self.calls.entries.iter().filter(named);
        let skipped = calls.clone().count().saturating_sub(most);
        Some(ErrorResponse {
            message: format!("Doom loop detected: {}", clip(&verdict.pattern, 160)),
            pattern: verdict.pattern.clone(),
            attempts: verdict.repeats,
            threshold: self.config.threshold,
            last_calls: calls.skip(skipped).map(last).collect(),
            suggestion: verdict.message.clone(),
        })
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
