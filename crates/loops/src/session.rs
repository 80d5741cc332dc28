//! Finds loops in finished messages, across message boundaries.

use super::call::{Call, CallResult, Channel, RunEvent};
use super::config::Config;
use super::detector::{COMPACTIONS, Detector};
use super::found_loop::{Loop, LoopPart};
use super::merged_loops::merged;
use super::reported_loops::ReportedLoops;
use super::verdict::{Action, LoopKind, Verdict, advice};
use crate::core::exact_cycles::MAX_KEPT;
use apex_parts_json::saved::Numbering;
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::{Key, Outcome, View, Word, outcome};
use std::borrow::Cow;
use std::collections::VecDeque;

/// A call of the current round.
#[derive(Debug)]
struct RoundCall {
    call: Fingerprint,
    /// When it began and ended, in milliseconds since the Unix epoch; NaN if that is not known.
    began: f64,
    ended: f64,
}

/// A session, with a detector of its own.
#[derive(Debug)]
struct LoopSession {
    detector: Detector,
    /// The number of the current round, and its last calls.
    round: u32,
    round_calls: VecDeque<RoundCall>,
    /// The numbers of the last calls, and their parts.
    parts: VecDeque<(u64, LoopPart)>,
    /// The last part of text, of reasoning, and of compaction.
    last_parts: [Option<LoopPart>; 3],
    /// The loops reported since the last user message, each once per action.
    reported: ReportedLoops,
}

/// Finds loops in a list of finished messages (`WithParts`), in their order, each session on its own.
/// `json` writes a value as JSON text.
///
/// ```
/// use apex_parts_loops::{Config, find_loops};
/// let part = |id| serde_json::json!({"id": id, "type": "tool", "tool": "read", "callID": id,
///     "state": {"status": "completed", "input": {"path": "a"}, "output": "text of a"}});
/// let message = |id| serde_json::json!({"info": {"role": "assistant"}, "parts": [part(id)]});
/// let messages = serde_json::json!([message("p1"), message("p2"), message("p3")]);
/// let loops = find_loops(&Some(&messages), &Config::default(), &|v| v.unwrap().to_string());
/// assert_eq!(loops[0].part_ids, ["p1", "p2", "p3"]);
/// ```
pub fn find_loops<V: View>(
    messages: &V,
    config: &Config,
    json: &dyn Fn(&V) -> String,
) -> Vec<Loop> {
    let mut finder = Finder::new(config.clone());
    messages.each(usize::MAX, &mut |_, message| finder.message(message, json));
    finder.loops()
}

/// Finds loops in finished messages that are passed one by one.
#[derive(Debug, Default)]
pub struct Finder {
    config: Config,
    sessions: Vec<LoopSession>,
    /// The index of each session in `sessions`, by its id.
    indices: Numbering,
    found: Vec<Loop>,
    /// How many messages it has taken.
    taken: u32,
}

/// The most sessions that are kept apart; messages of further ones count as those of the last.
const MAX_SESSIONS: usize = 4_096;

fn text<V: View>(value: &V) -> String {
    value.text().map(Cow::into_owned).unwrap_or_default()
}

impl Finder {
    /// A new finder with these settings.
    #[must_use]
    pub fn new(config: Config) -> Finder {
        Finder { config, ..Finder::default() }
    }

    /// The loops found so far, each once.
    #[must_use]
    pub fn loops(&self) -> Vec<Loop> {
        merged(&self.found)
    }

    fn session(&mut self, id: &str) -> Option<&mut LoopSession> {
        let known = self.indices.get(id).and_then(|index| usize::try_from(*index).ok());
        let index = known.unwrap_or_else(|| {
            if self.sessions.len() < MAX_SESSIONS {
                self.indices.insert(id.to_owned(), self.sessions.len() as u64);
                self.sessions.push(LoopSession {
                    detector: Detector::new(self.config.clone()),
                    round: 0,
                    round_calls: VecDeque::new(),
                    parts: VecDeque::new(),
                    last_parts: Default::default(),
                    reported: ReportedLoops::default(),
                });
            }
            self.sessions.len() - 1
        });
        self.sessions.get_mut(index)
    }

    /// The next message that it takes is the one with this index: those before it cannot be read.
    pub fn skip_to(&mut self, index: usize) {
        self.taken = u32::try_from(index).unwrap_or(u32::MAX);
    }

    /// Takes the next message with its parts (`WithParts`); `json` writes a value as JSON text.
    pub fn message<V: View>(&mut self, message: &V, json: &dyn Fn(&V) -> String) {
        let info = message.get(Key::Info);
        let session = text(&info.get(Key::SessionID));
        let parts = message.get(Key::Parts);
        let number = self.taken;
        self.taken = number.saturating_add(1);
        let place = |index: usize| (number, u32::try_from(index).unwrap_or(u32::MAX));
        let mut loops = std::mem::take(&mut self.found);
        if let Some(session) = self.session(&session) {
            session.message(&info, &parts, &place, json, &mut loops);
        }
        self.found = loops;
    }
}

fn is_true<V: View>(value: &V) -> bool {
    value.kind() == apex_parts_model::Kind::True
}

/// Does the metadata of an error say that the call has no result: that the run ended before it did?
/// `aborted` is our readers' mark, `interrupted` that of OpenCode.
fn is_unanswered<V: View>(metadata: &V) -> bool {
    is_true(&metadata.get(Key::Aborted)) || is_true(&metadata.get(Key::Interrupted))
}

impl LoopSession {
    fn message<V: View>(
        &mut self,
        info: &V,
        parts: &V,
        place: &dyn Fn(usize) -> (u32, u32),
        json: &dyn Fn(&V) -> String,
        found: &mut Vec<Loop>,
    ) {
        match info.get_word(Key::Role) {
            Some(Word::User) => {
                let mut user_wrote = false;
                let mut any = false;
                parts.each(usize::MAX, &mut |index, part| {
                    any = true;
                    if part.get_word(Key::Type) == Some(Word::Compaction) {
                        self.remember_part(2, LoopPart::new(part, place(index)));
                        self.event(RunEvent::Compaction, found);
                    } else if !is_true(&part.get(Key::Synthetic)) {
                        user_wrote = true;
                    }
                });
                // A message of synthetic parts only was not written by the user.
                self.event(
                    if user_wrote || !any { RunEvent::User } else { RunEvent::Nudge },
                    found,
                );
            }
            Some(Word::Assistant) => {
                // A summary repeats the conversation by design.
                if is_true(&info.get(Key::Summary)) {
                    return;
                }
                self.next_round();
                parts.each(usize::MAX, &mut |index, part| {
                    self.part(part, place(index), json, found);
                });
                self.event(RunEvent::Assistant, found);
            }
            _ => {}
        }
    }

    fn remember_part(&mut self, which: usize, part: LoopPart) {
        if let Some(last) = self.last_parts.get_mut(which) {
            *last = Some(part);
        }
    }

    fn event(&mut self, event: RunEvent, found: &mut Vec<Loop>) {
        let verdict = self.detector.event(event);
        let [text, reasoning, compaction] = self.last_parts.clone();
        let part = match verdict.kind {
            Some(LoopKind::Monologue) => text,
            Some(LoopKind::RepeatedReasoning) => reasoning,
            _ => compaction,
        };
        self.take(verdict, part.as_ref(), found);
        if event == RunEvent::User {
            self.reported.clear();
        }
    }

    fn next_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.round_calls.clear();
    }

    /// Adds a call to the current round, or begins the next round with it. A message that was assembled
    /// from a stream may hold several rounds without a step between them: a call that began when an
    /// equal one had ended is in a later round.
    fn push_round_call(&mut self, new: RoundCall) {
        let again =
            |m: &RoundCall| m.call == new.call && m.ended <= new.began && m.began < new.began;
        if self.round_calls.iter().any(again) {
            self.next_round();
        }
        if self.round_calls.len() == MAX_KEPT {
            self.round_calls.pop_front();
        }
        self.round_calls.push_back(new);
    }

    fn part<V: View>(
        &mut self,
        part: &V,
        place: (u32, u32),
        json: &dyn Fn(&V) -> String,
        found: &mut Vec<Loop>,
    ) {
        let channel = match part.get_word(Key::Type) {
            Some(Word::Text) => Channel::Text,
            Some(Word::Reasoning) => Channel::Reasoning,
            Some(Word::Tool) => return self.tool(LoopPart::new(part, place), part, json, found),
            Some(Word::StepStart) => return self.next_round(),
            Some(Word::Retry) => return self.event(RunEvent::Retry, found),
            Some(Word::Compaction) => {
                self.remember_part(2, LoopPart::new(part, place));
                return self.event(RunEvent::Compaction, found);
            }
            _ => return,
        };
        if !is_true(&part.get(Key::Synthetic)) {
            let here = LoopPart::new(part, place);
            self.remember_part(usize::from(channel == Channel::Reasoning), here.clone());
            let verdict = self.detector.text(&text(&part.get(Key::Text)), channel);
            self.take(verdict, Some(&here), found);
        }
    }

    fn tool<V: View>(
        &mut self,
        here: LoopPart,
        part: &V,
        json: &dyn Fn(&V) -> String,
        found: &mut Vec<Loop>,
    ) {
        let state = part.get(Key::State);
        let (tool, call_id) = (text(&part.get(Key::Tool)), text(&part.get(Key::CallID)));
        let input = json(&state.get(Key::Input));
        let time = state.get(Key::Time);
        let (began, ended) = (time.get(Key::Start).number(), time.get(Key::End).number());
        let call = fingerprint::join(
            fingerprint::of(tool.as_bytes(), 0),
            fingerprint::of(input.as_bytes(), 0),
        );
        self.push_round_call(RoundCall { call, began, ended });
        let call = Call {
            tool: &tool,
            parameters: &input,
            id: Some(call_id.as_str()).filter(|id| !id.is_empty()),
            round: Some(f64::from(self.round)),
            time_ms: began,
            ..Call::default()
        };
        let number = self.detector.calls.checked;
        if self.parts.len() == MAX_KEPT {
            self.parts.pop_front();
        }
        self.parts.push_back((number, here));
        let checked = self.detector.check_finished(&call);
        self.go_on(found);
        let metadata = state.get(Key::Metadata);
        let mut blocked = false;
        let (result, is_error) = match outcome(part) {
            Some(Outcome::Completed) => (text(&state.get(Key::Output)), false),
            // A command that failed says why in its output.
            Some(Outcome::Failed) => (text(&state.get(Key::Output)), true),
            // It never ran, so it has no result.
            Some(Outcome::Error) if is_unanswered(&metadata) => {
                return self.take(checked, None, found);
            }
            Some(Outcome::Error) => {
                // A detector refused it while the session ran.
                blocked = text(&metadata.get(Key::Kind)) == "loop";
                (text(&state.get(Key::Error)), true)
            }
            _ => return self.take(checked, None, found),
        };
        let result = Some(result.as_str());
        let ran = CallResult { id: call.id, result, is_error, blocked, ..CallResult::default() };
        let recorded = self.detector.record_finished(&ran).unwrap_or_default();
        // The call has finished: a verdict that its result has withdrawn is not reported.
        if !checked.is_of_core() || recorded.is_of_core() {
            self.take(checked, None, found);
        }
        self.take(recorded, None, found);
        self.go_on(found);
    }

    /// Adds the last call to the loops that it continues without a verdict: a soft kind warns once.
    fn go_on(&mut self, found: &mut [Loop]) {
        let Some((_, here)) = self.parts.back() else { return };
        for (kind, loop_of, repeats) in self.detector.continued.drain(..) {
            let of = |action| self.reported.get(&key_of(kind, action, loop_of));
            let at = of(Action::Interrupt).or_else(|| of(Action::Warning));
            let Some(one) = at.and_then(|(at, _)| found.get_mut(at)) else { continue };
            one.push(here);
            let verdict = &mut one.verdict;
            verdict.repeats = verdict.repeats.max(repeats);
            verdict.message = advice(kind, &verdict.pattern, verdict.repeats, false);
        }
    }

    /// Reports a verdict, or adds what is new in it to the loop that it continues. `part` is the part of a
    /// verdict about text.
    fn take(&mut self, verdict: Verdict, part: Option<&LoopPart>, found: &mut Vec<Loop>) {
        let Some(kind) = verdict.kind else { return };
        // All context loops are equal, so each is another one when it begins.
        let begins = kind == LoopKind::ContextLoop && verdict.repeats == COMPACTIONS;
        let key = key_of(kind, verdict.action, verdict.loop_of);
        let reported = self.reported.get(&key).filter(|_| !begins);
        // A text that goes on is in the same part, and a run that is too long is so once.
        let is_of_calls = kind != LoopKind::MaxIterations && !verdict.calls.is_empty();
        if reported.is_some() && !is_of_calls {
            return;
        }
        let is_new = |number: &u64| reported.is_none_or(|(_, last)| *number > last);
        let named = |(number, _): &&(u64, LoopPart)| {
            is_new(number) && verdict.calls.binary_search(number).is_ok()
        };
        let mut parts: Vec<&LoopPart> =
            self.parts.iter().filter(named).map(|(_, part)| part).collect();
        if verdict.calls.is_empty() {
            parts.extend(part);
        }
        let last = verdict.calls.last().copied().unwrap_or_default();
        let at = reported.map_or(found.len(), |(at, _)| at);
        if at == found.len() {
            let verdict = verdict.clone();
            found.push(Loop { verdict, part_ids: Vec::new(), places: Vec::new() });
        }
        let Some(one) = found.get_mut(at) else { return };
        parts.into_iter().for_each(|part| one.push(part));
        // When it comes again after other calls it counts from 1.
        if verdict.repeats >= one.verdict.repeats {
            one.verdict = verdict;
        }
        self.reported.insert(key, (at, last));
    }
}

/// Tells loops apart.
fn key_of(kind: LoopKind, action: Action, loop_of: Fingerprint) -> String {
    format!("{} {} {loop_of:x}", kind.as_str(), action.as_str())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
