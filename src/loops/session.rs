//! Loops in messages that are finished, across their boundaries.

use super::call::{Call, CallResult, Channel, RunEvent};
use super::config::Config;
use super::detector::{COMPACTIONS, Detector};
use super::verdict::{LoopKind, Verdict};
use crate::json::saved::Numbering;
use crate::loops::core::exact_cycles::KEPT;
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::model::{Key, View, Word};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

/// A loop that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What the detector said when it saw it.
    pub verdict: Verdict,
    /// The parts of its calls, or of its text.
    pub part_ids: Vec<String>,
}

impl Loop {
    /// As a `DoomLoopDetectionResult` with `partIDs`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut value = self.verdict.to_value();
        if let Some(map) = value.as_object_mut() {
            map.insert("partIDs".to_owned(), Value::from(self.part_ids.clone()));
        }
        value
    }
}

/// A call of the round that is under way.
#[derive(Debug)]
struct RoundCall {
    call: Fingerprint,
    /// When it began and ended, in milliseconds since the Unix epoch; not a number where that is not
    /// known.
    began: f64,
    ended: f64,
}

/// One session: a run of its own.
#[derive(Debug)]
struct LoopSession {
    detector: Detector,
    /// The number of the round that is under way, and its last calls.
    round: u32,
    made: VecDeque<RoundCall>,
    /// The parts of the last calls, by their numbers.
    parts: VecDeque<(u64, String)>,
    /// The last part of text, of thought, and of compaction.
    last: [String; 3],
    /// The loops that were told since the user said something, so that each is told once an action.
    told: BTreeSet<String>,
}

/// Finds loops in finished messages (`WithParts`), in their order, session by session. `json` writes
/// a value as JSON text.
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

/// Finds loops in messages that are shown one after another.
#[derive(Debug, Default)]
pub struct Finder {
    config: Config,
    sessions: Vec<LoopSession>,
    /// Where they stand there, by their ids.
    places: Numbering,
    found: Vec<Loop>,
}

/// So many sessions are told apart.
const MOST_SESSIONS: usize = 4_096;

fn text<V: View>(value: &V) -> String {
    value.text().map(Cow::into_owned).unwrap_or_default()
}

impl Finder {
    /// A finder that has seen nothing.
    #[must_use]
    pub fn new(config: Config) -> Finder {
        Finder { config, ..Finder::default() }
    }

    /// The loops so far.
    #[must_use]
    pub fn found(&self) -> &[Loop] {
        &self.found
    }

    /// The loops that were found.
    #[must_use]
    pub fn into_found(self) -> Vec<Loop> {
        self.found
    }

    fn session(&mut self, id: &str) -> Option<&mut LoopSession> {
        let known = self.places.get(id).and_then(|place| usize::try_from(*place).ok());
        let place = known.unwrap_or_else(|| {
            if self.sessions.len() < MOST_SESSIONS {
                self.places.insert(id.to_owned(), self.sessions.len() as u64);
                self.sessions.push(LoopSession {
                    detector: Detector::new(self.config.clone()),
                    round: 0,
                    made: VecDeque::new(),
                    parts: VecDeque::new(),
                    last: Default::default(),
                    told: BTreeSet::new(),
                });
            }
            self.sessions.len() - 1
        });
        self.sessions.get_mut(place)
    }

    /// The next message with its parts; `json` writes a value as JSON text.
    pub fn message<V: View>(&mut self, message: &V, json: &dyn Fn(&V) -> String) {
        let info = message.get(Key::Info);
        let session = text(&info.get(Key::SessionID));
        let parts = message.get(Key::Parts);
        let mut found = Vec::new();
        let Some(session) = self.session(&session) else { return };
        match info.get_word(Key::Role) {
            Some(Word::User) => {
                let mut said = false;
                let mut any = false;
                parts.each(usize::MAX, &mut |_, part| {
                    any = true;
                    if part.get_word(Key::Type) == Some(Word::Compaction) {
                        session.note(2, text(&part.get(Key::Id)));
                        session.tell(RunEvent::Compaction, &mut found);
                    } else if !is_true(&part.get(Key::Synthetic)) {
                        said = true;
                    }
                });
                // What only a program wrote is no word of the user's.
                session
                    .tell(if said || !any { RunEvent::User } else { RunEvent::Nudge }, &mut found);
            }
            Some(Word::Assistant) => {
                // What sums the conversation up repeats it.
                if is_true(&info.get(Key::Summary)) {
                    return;
                }
                session.next_round();
                parts.each(usize::MAX, &mut |_, part| session.part(part, json, &mut found));
                session.tell(RunEvent::Assistant, &mut found);
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
    fn note(&mut self, which: usize, part: String) {
        if let Some(last) = self.last.get_mut(which) {
            *last = part;
        }
    }

    fn tell(&mut self, event: RunEvent, found: &mut Vec<Loop>) {
        let verdict = self.detector.event(event);
        let [text, thought, compaction] = self.last.clone();
        let part = match verdict.kind {
            Some(LoopKind::Monologue) => text,
            Some(LoopKind::RepeatedReasoning) => thought,
            _ => compaction,
        };
        self.take(verdict, &part, found);
        if event == RunEvent::User {
            self.told.clear();
        }
    }

    fn next_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.made.clear();
    }

    /// A message may hold several rounds without a step between them, where it was put together from
    /// a stream: a call that was made when the very same had ended is of a later one.
    fn makes(&mut self, made: RoundCall) {
        let again =
            |m: &RoundCall| m.call == made.call && m.ended <= made.began && m.began < made.began;
        if self.made.iter().any(again) {
            self.next_round();
        }
        if self.made.len() == KEPT {
            self.made.pop_front();
        }
        self.made.push_back(made);
    }

    fn part<V: View>(&mut self, part: &V, json: &dyn Fn(&V) -> String, found: &mut Vec<Loop>) {
        let id = text(&part.get(Key::Id));
        let channel = match part.get_word(Key::Type) {
            Some(Word::Text) => Channel::Text,
            Some(Word::Reasoning) => Channel::Reasoning,
            Some(Word::Tool) => return self.tool(id, part, json, found),
            Some(Word::StepStart) => return self.next_round(),
            Some(Word::Retry) => return self.tell(RunEvent::Retry, found),
            Some(Word::Compaction) => {
                self.note(2, id);
                return self.tell(RunEvent::Compaction, found);
            }
            _ => return,
        };
        if !is_true(&part.get(Key::Synthetic)) {
            self.note(usize::from(channel == Channel::Reasoning), id.clone());
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
        self.makes(RoundCall { call, began, ended });
        let call = Call {
            tool: &tool,
            parameters: &input,
            id: Some(call_id.as_str()).filter(|id| !id.is_empty()),
            round: Some(f64::from(self.round)),
            time_ms: began,
            ..Call::default()
        };
        let number = self.detector.calls.checked;
        if self.parts.len() == KEPT {
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
        // The call has run: what its result has withdrawn was no loop.
        if !checked.is_of_core() || recorded.is_of_core() {
            self.take(checked, "", found);
        }
        self.take(recorded, "", found);
    }

    /// Keeps a verdict that was not told yet.
    fn take(&mut self, verdict: Verdict, part: &str, found: &mut Vec<Loop>) {
        let Some(kind) = verdict.kind else { return };
        // The same loop going on is no other one.
        let is_new = match kind {
            // Nothing tells them apart but that something was between.
            LoopKind::ContextLoop => verdict.repeats == COMPACTIONS,
            _ => {
                let (kind, action) = (kind.as_str(), verdict.action.as_str());
                self.told.insert(format!("{kind} {action} {:x}", verdict.loop_of))
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
