//! The state of a detector as JSON text, from which another process can continue.
//!
//! A field that was renamed is saved under its first name, so that older snapshots can be restored.

use super::config::Config;
use super::detector::Detector;
use super::escalation::{Escalation, Warned};
use super::evidence::{EvidenceEntry, RecentCalls};
use super::text_channel::TextChannel;
use super::verdict::{Action, LoopKind, Verdict};
use crate::core::exact_cycles::{ExactCycles, ResultStatus, SequenceCall};
use crate::core::parallel_rounds::{ParallelRounds, RoundMember};
use crate::kinds::repeated_text::RepeatedText;
use crate::kinds::rereads::{CoveredRanges, Rereads};
use crate::kinds::results::{NearRepeat, RepeatedResult, RepeatedToolResult, ResultKinds};
use apex_parts_json::record;
use apex_parts_json::saved::{self, Saved, state};
use apex_parts_json::writer::value_text;
use serde_json::{Map, Value};

state!(RepeatedText { text, space, last, count });
state!(Warned { kind, loop_of, result, round, further, further_at_result: "kept" });
state!(Escalation { warned });
state!(RepeatedResult {
    fingerprint: "print",
    result,
    fails,
    count,
    last,
    round,
    interleaved: "apart"
});
state!(RepeatedToolResult { tool, result, fails, count, round, args });
state!(NearRepeat { tool, words, earlier, result, number, round, count });
state!(ResultKinds { same_call: "again", same_tool: "of_tools", near, changed });
state!(CoveredRanges { resource, spans });
state!(Rereads { covered, stale, round });
state!(RoundMember { fingerprint: "print", times, number, outcome });
state!(ParallelRounds {
    round,
    first_call: "first",
    members,
    poll,
    cycles: "periods",
    sizes,
    last_calls: "lasts"
});
state!(SequenceCall { fingerprint: "print", outcome, poll, matched_before: "before" });
state!(ExactCycles { count, kept, matched, differed, unknown, unknown_before, boundary });
state!(EvidenceEntry {
    call,
    number,
    round,
    id,
    tool,
    args,
    fingerprint: "print",
    words,
    outcome,
    poll,
    reads,
    stopped,
    assumed,
    time,
    counts,
    counted
});
state!(RecentCalls { entries, checked });
state!(TextChannel { chanting: "chant", repeated_text: "echo", high_surrogate: "half" });
state!(Verdict {
    action,
    kind,
    step_count,
    pattern,
    period,
    repeats,
    calls,
    call_ids,
    message,
    loop_of
});
state!(Detector {
    config,
    calls,
    counted,
    core,
    last_with_result: "told",
    checked_at_result: "told_calls",
    counted_at_result: "told_counted",
    rounds,
    outcomes,
    reads,
    reads_at_result: "reads_told",
    escalation,
    text,
    reasoning,
    compactions,
    verdict,
} skip { continued: "`check` and `record` leave it empty; a `Session`, which reads it, is not saved" });

state!(Config {
    threshold,
    check_interval: "checkInterval",
    max_iterations: "maxIterations",
    ignored_tools: "ignoredTools",
    boundary_tools: "boundaryTools",
    poll_tools: "pollTools",
    progress_tools: "progressTools",
    volatile_arg_keys: "volatileArgKeys",
    disabled
});

/// `[true if the call succeeded, fingerprint]`; `null` if the result is unknown.
impl Saved for ResultStatus {
    fn save(&self) -> Value {
        let (good, fingerprint) = match self {
            ResultStatus::Unknown => return Value::Null,
            ResultStatus::Good(fingerprint) => (true, fingerprint),
            ResultStatus::Bad(fingerprint) => (false, fingerprint),
        };
        Value::Array(vec![Value::from(good), fingerprint.save()])
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let Value::Array(mut list) = saved else {
            *self = ResultStatus::Unknown;
            return saved.is_null();
        };
        let (Some(fingerprint), Some(good), true) = (list.pop(), list.pop(), list.is_empty())
        else {
            return false;
        };
        let status = u128::load(fingerprint).map(|fingerprint| {
            if good == Value::Bool(true) {
                ResultStatus::Good(fingerprint)
            } else {
                ResultStatus::Bad(fingerprint)
            }
        });
        saved::replace(self, status)
    }
}

impl Saved for Action {
    fn save(&self) -> Value {
        if *self == Action::Continue { Value::Null } else { Value::from(self.as_str()) }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        saved::replace(self, String::load(saved).map(|name| Action::parse(&name)))
    }
}

impl Saved for LoopKind {
    fn save(&self) -> Value {
        Value::from(self.as_str())
    }
    fn put_back(&mut self, saved: Value) -> bool {
        saved::replace(self, saved.as_str().and_then(LoopKind::parse))
    }
}

const VERSION: u64 = 1;

impl Detector {
    /// The state as JSON text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let mut map = Map::new();
        map.insert("version".to_owned(), Value::from(VERSION));
        map.insert("detector".to_owned(), self.save());
        value_text(&Value::Object(map))
    }

    /// A detector in the state of a snapshot; `None` if the text is not a snapshot of this version.
    #[must_use]
    pub fn restore(snapshot: &str) -> Option<Detector> {
        let mut map = saved::fields(record::tree(snapshot, record::MAX_DEPTH).ok()?)?;
        if saved::take(&mut map, "version").as_u64() != Some(VERSION) {
            return None;
        }
        let mut detector = Detector::load(saved::take(&mut map, "detector"))?;
        // Older snapshots do not name the first call of the current round.
        let rounds = &mut detector.rounds;
        if rounds.round.is_some() && rounds.first_call == 0 {
            let next = detector.core.count.saturating_add(1);
            rounds.first_call = rounds.members.iter().map(|m| m.number).min().unwrap_or(next);
        }
        // `ExactCycles` subtracts these numbers from each other, so they must be consistent.
        let fits = |p: &ExactCycles| p.kept.len() as u64 <= p.count && p.boundary <= p.count;
        (fits(&detector.core) && fits(&detector.rounds.cycles)).then_some(detector)
    }
}
