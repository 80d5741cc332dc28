//! Finds loops in finished messages, across message boundaries.

use super::call::{Call, CallResult, Channel, RunEvent};
use super::config::Config;
use super::detector::{COMPACTIONS, Detector};
use super::verdict::{LoopKind, Verdict};
use crate::json::saved::Numbering;
use crate::loops::core::exact_cycles::MAX_KEPT;
use crate::model::fingerprint;
use crate::model::fingerprint::Fingerprint;
use crate::model::{Key, View, Word};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

/// A loop that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The verdict of the detector when it found the loop.
    pub verdict: Verdict,
    /// The ids of the parts that hold its calls, or its text.
    pub part_ids: Vec<String>,
}

impl Loop {
    /// As a `DoomLoopDetectionResult` of the JavaScript API, with `partIDs`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut value = self.verdict.to_value();
        if let Some(map) = value.as_object_mut() {
            map.insert("partIDs".to_owned(), Value::from(self.part_ids.clone()));
        }
        value
    }
}

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
    /// The numbers of the last calls, and the ids of their parts.
    parts: VecDeque<(u64, String)>,
    /// The ids of the last part of text, of reasoning, and of compaction.
    last_parts: [String; 3],
    /// The loops reported since the last user message: each is reported once per action.
    reported: BTreeSet<String>,
}

/// Finds loops in a list of finished messages (`WithParts`), in their order, each session on its own.
/// `json` writes a value as JSON text.
///
/// ```
/// use apex_parts::loops::{Config, find_loops};
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
    finder.found
}

/// Finds loops in finished messages that are passed one by one.
#[derive(Debug, Default)]
pub struct Finder {
    config: Config,
    sessions: Vec<LoopSession>,
    /// The index of each session in `sessions`, by its id.
    indices: Numbering,
    found: Vec<Loop>,
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

    /// The loops found so far.
    #[must_use]
    pub fn found(&self) -> &[Loop] {
        &self.found
    }

    /// The loops that were found, in order.
    #[must_use]
    pub fn into_found(self) -> Vec<Loop> {
        self.found
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
                    reported: BTreeSet::new(),
                });
            }
            self.sessions.len() - 1
        });
        self.sessions.get_mut(index)
    }

    /// Takes the next message with its parts (`WithParts`); `json` writes a value as JSON text.
    pub fn message<V: View>(&mut self, message: &V, json: &dyn Fn(&V) -> String) {
        let info = message.get(Key::Info);
        let session = text(&info.get(Key::SessionID));
        let parts = message.get(Key::Parts);
        let mut found = Vec::new();
        let Some(session) = self.session(&session) else { return };
        match info.get_word(Key::Role) {
            Some(Word::User) => {
                let mut user_wrote = false;
                let mut any = false;
                parts.each(usize::MAX, &mut |_, part| {
                    any = true;
                    if part.get_word(Key::Type) == Some(Word::Compaction) {
                        session.remember_part(2, text(&part.get(Key::Id)));
                        session.event(RunEvent::Compaction, &mut found);
                    } else if !is_true(&part.get(Key::Synthetic)) {
                        user_wrote = true;
                    }
                });
                // A message of synthetic parts only was not written by the user.
                session.event(
                    if user_wrote || !any { RunEvent::User } else { RunEvent::Nudge },
                    &mut found,
                );
            }
            Some(Word::Assistant) => {
                // A summary repeats the conversation by design.
                if is_true(&info.get(Key::Summary)) {
                    return;
                }
                session.next_round();
                parts.each(usize::MAX, &mut |_, part| session.part(part, json, &mut found));
                session.event(RunEvent::Assistant, &mut found);
            }
            _ => {}
        }
        self.found.extend(found);
    }
}

fn is_true<V: View>(value: &V) -> bool {
    value.kind() == crate::model::Kind::True
}

impl LoopSession {
    fn remember_part(&mut self, which: usize, part: String) {
        if let Some(last) = self.last_parts.get_mut(which) {
            *last = part;
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
        self.take(verdict, &part, found);
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

    fn part<V: View>(&mut self, part: &V, json: &dyn Fn(&V) -> String, found: &mut Vec<Loop>) {
        let id = text(&part.get(Key::Id));
        let channel = match part.get_word(Key::Type) {
            Some(Word::Text) => Channel::Text,
            Some(Word::Reasoning) => Channel::Reasoning,
            Some(Word::Tool) => return self.tool(id, part, json, found),
            Some(Word::StepStart) => return self.next_round(),
            Some(Word::Retry) => return self.event(RunEvent::Retry, found),
            Some(Word::Compaction) => {
                self.remember_part(2, id);
                return self.event(RunEvent::Compaction, found);
            }
            _ => return,
        };
        if !is_true(&part.get(Key::Synthetic)) {
            self.remember_part(usize::from(channel == Channel::Reasoning), id.clone());
            let verdict = self.detector.text(&text(&part.get(Key::Text)), channel);
            self.take(verdict, &id, found);
        }
    }

    fn tool<V: View>(
        &mut self,
        part_id: String,
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
        self.parts.push_back((number, part_id));
        let checked = self.detector.check(&call);
        let (result, is_error) = match state.get_word(Key::Status) {
            Some(Word::Completed) => (text(&state.get(Key::Output)), false),
            Some(Word::Error) => (text(&state.get(Key::Error)), true),
            _ => return self.take(checked, "", found),
        };
        let ran =
            CallResult { id: call.id, call: None, result: Some(&result), key: None, is_error };
        let recorded = self.detector.record(&ran).unwrap_or_default();
        // The call has finished: a verdict that its result has withdrawn is not reported.
        if !checked.is_of_core() || recorded.is_of_core() {
            self.take(checked, "", found);
        }
        self.take(recorded, "", found);
    }

    /// Reports a verdict that was not reported yet. `part` is the id of the part for a verdict about text.
    fn take(&mut self, verdict: Verdict, part: &str, found: &mut Vec<Loop>) {
        let Some(kind) = verdict.kind else { return };
        // A loop that continues is reported once.
        let is_new = match kind {
            // All context loops are equal, so each is reported when it begins.
            LoopKind::ContextLoop => verdict.repeats == COMPACTIONS,
            _ => {
                let (kind, action) = (kind.as_str(), verdict.action.as_str());
                self.reported.insert(format!("{kind} {action} {:x}", verdict.loop_of))
            }
        };
        if !is_new {
            return;
        }
        let named = |(number, _): &&(u64, String)| verdict.calls.contains(number);
        let mut part_ids: Vec<String> =
            self.parts.iter().filter(named).map(|(_, id)| id.clone()).collect();
        if part_ids.is_empty() && !part.is_empty() {
            part_ids.push(part.to_owned());
        }
        found.push(Loop { verdict, part_ids });
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
