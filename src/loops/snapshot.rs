//! The state of a detector as text, for another process to go on from.

use super::config::Config;
use super::detector::{Detector, TextChannel};
use super::escalation::{Escalation, Warned};
use super::evidence::{EvidenceEntry, RecentCalls};
use super::verdict::{Action, LoopKind, Verdict};
use crate::json::record;
use crate::json::saved;
use crate::json::saved::{Saved, state};
use crate::json::writer::value_text;
use crate::loops::core::exact_cycles::{ExactCycles, ResultStatus, SequenceCall};
use crate::loops::core::parallel_rounds::{ParallelRounds, RoundMember};
use crate::loops::fingerprint::RunningFingerprint;
use crate::loops::kinds::repeated_text::RepeatedText;
use crate::loops::kinds::rereads::{CoveredRanges, Rereads};
use crate::loops::kinds::results::{NearRepeat, RepeatedResult, RepeatedToolResult, ResultKinds};
use serde_json::{Map, Value};

state!(RunningFingerprint { h1, h2, word, length });
state!(RepeatedText { text, space, last, count });
state!(Warned { kind, loop_of, result, further, kept });
state!(Escalation { warned });
state!(RepeatedResult { print, result, fails, count, last, apart });
state!(RepeatedToolResult { tool, result, fails, count, args });
state!(NearRepeat { tool, words, result, number, count });
state!(ResultKinds { again, of_tools, near, changed });
state!(CoveredRanges { resource, spans });
state!(Rereads { covered, stale });
state!(RoundMember { print, times, number, outcome });
state!(ParallelRounds { round, members, poll, periods, sizes, lasts });
state!(SequenceCall { print, outcome, poll, before });
state!(ExactCycles { count, kept, matched, differed, unknown, unknown_before, boundary });
state!(EvidenceEntry {
    call,
    number,
    id,
    tool,
    args,
    print,
    words,
    outcome,
    poll,
    reads,
    time,
    counts,
    counted
});
state!(RecentCalls { entries, checked });
state!(TextChannel { chant, echo, half });
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
    told,
    told_calls,
    told_counted,
    rounds,
    outcomes,
    reads,
    reads_told,
    escalation,
    text,
    reasoning,
    compactions,
    verdict,
});

/// `["good", print]`
impl Saved for ResultStatus {
    fn save(&self) -> Value {
        match self {
            ResultStatus::Unknown => Value::Null,
            ResultStatus::Good(print) => Value::Array(vec![Value::from(true), print.save()]),
            ResultStatus::Bad(print) => Value::Array(vec![Value::from(false), print.save()]),
        }
    }
    fn load(saved: Value) -> Option<Self> {
        let Value::Array(list) = saved else {
            return saved.is_null().then_some(ResultStatus::Unknown);
        };
        let [good, print] = list.try_into().ok()?;
        let print = Saved::load(print)?;
        Some(if good == Value::Bool(true) {
            ResultStatus::Good(print)
        } else {
            ResultStatus::Bad(print)
        })
    }
}

impl Saved for Action {
    fn save(&self) -> Value {
        if *self == Action::Continue { Value::Null } else { Value::from(self.as_str()) }
    }
    fn load(saved: Value) -> Option<Self> {
        Some(Action::parse(&String::load(saved)?))
    }
}

impl Saved for LoopKind {
    fn save(&self) -> Value {
        Value::from(self.as_str())
    }
    fn load(saved: Value) -> Option<Self> {
        LoopKind::parse(saved.as_str()?)
    }
}

impl Saved for Config {
    fn save(&self) -> Value {
        let mut map = Map::new();
        let Config { threshold, check_interval, max_iterations, .. } = self;
        map.insert("threshold".to_owned(), Value::from(*threshold));
        map.insert("checkInterval".to_owned(), Value::from(*check_interval));
        map.insert("maxIterations".to_owned(), Value::from(*max_iterations));
        saved::put(&mut map, "ignoredTools", self.ignored_tools.save());
        saved::put(&mut map, "boundaryTools", self.boundary_tools.save());
        saved::put(&mut map, "pollTools", self.poll_tools.save());
        saved::put(&mut map, "progressTools", self.progress_tools.save());
        let keys = self.volatile_arg_keys.iter();
        let keys: Map<String, Value> =
            saved::object_of(keys.map(|(tool, keys)| (tool.clone(), keys.save())));
        saved::put(&mut map, "volatileArgKeys", saved::object(keys));
        saved::put(&mut map, "disabled", self.disabled.save());
        Value::Object(map)
    }
    fn load(saved: Value) -> Option<Self> {
        let mut map = saved::fields(saved)?;
        let keys = saved::fields(saved::take(&mut map, "volatileArgKeys"))?;
        Some(Config {
            threshold: saved::take(&mut map, "threshold").as_u64()?,
            check_interval: saved::take(&mut map, "checkInterval").as_f64()?,
            max_iterations: saved::take(&mut map, "maxIterations").as_f64()?,
            ignored_tools: Saved::load(saved::take(&mut map, "ignoredTools"))?,
            boundary_tools: Saved::load(saved::take(&mut map, "boundaryTools"))?,
            poll_tools: Saved::load(saved::take(&mut map, "pollTools"))?,
            progress_tools: Saved::load(saved::take(&mut map, "progressTools"))?,
            volatile_arg_keys: saved::map_of(
                keys.into_iter().map(|(tool, keys)| Some((tool, Saved::load(keys)?))),
            )?,
            disabled: Saved::load(saved::take(&mut map, "disabled"))?,
        })
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

    /// Goes on from a snapshot; `None` where the text is none.
    #[must_use]
    pub fn restore(snapshot: &str) -> Option<Detector> {
        let mut map = saved::fields(record::tree(snapshot, record::MAX_DEPTH).ok()?)?;
        if saved::take(&mut map, "version").as_u64() != Some(VERSION) {
            return None;
        }
        let detector = Detector::load(saved::take(&mut map, "detector"))?;
        // The numbers must fit together: the core counts on it.
        let fits = |p: &ExactCycles| p.kept.len() as u64 <= p.count && p.boundary <= p.count;
        (fits(&detector.core) && fits(&detector.rounds.periods)).then_some(detector)
    }
}
