//! What the detector says, and the evidence for it.

use crate::loops::fingerprint::Fingerprint;
use serde_json::{Value, json};

/// The kinds of loop (spec/loops.md, "Kinds").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// Identical calls, one after another (BR-10, BR-11).
    #[default]
    ExactRepeat,
    /// Identical calls that all fail.
    ExactError,
    /// Two to eight calls that come round again and again, or equal sets of calls.
    Cycle,
    /// The same call with the same result, other work between.
    InterleavedRepeat,
    /// One tool, other arguments, the same error.
    SameError,
    /// Nearly the same arguments, the very same result.
    NearRepeat,
    /// One tool, other arguments, the very same long result.
    Stagnation,
    /// Reading what was read before.
    NoProgressRead,
    /// Many identical calls in one round.
    DuplicateFanout,
    /// Streamed text that says one thing over and over.
    Chanting,
    /// The same answer again and again, with no call between.
    Monologue,
    /// The same thought again and again, with no call between.
    RepeatedReasoning,
    /// Compaction after compaction with nothing between.
    ContextLoop,
    /// More calls than are allowed.
    MaxIterations,
}

impl LoopKind {
    /// Every kind.
    pub const ALL: [LoopKind; 14] = [
        LoopKind::ExactRepeat,
        LoopKind::ExactError,
        LoopKind::Cycle,
        LoopKind::InterleavedRepeat,
        LoopKind::SameError,
        LoopKind::NearRepeat,
        LoopKind::Stagnation,
        LoopKind::NoProgressRead,
        LoopKind::DuplicateFanout,
        LoopKind::Chanting,
        LoopKind::Monologue,
        LoopKind::RepeatedReasoning,
        LoopKind::ContextLoop,
        LoopKind::MaxIterations,
    ];

    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LoopKind::ExactRepeat => "exact_repeat",
            LoopKind::ExactError => "exact_error",
            LoopKind::Cycle => "cycle",
            LoopKind::InterleavedRepeat => "interleaved_repeat",
            LoopKind::SameError => "same_error",
            LoopKind::NearRepeat => "near_repeat",
            LoopKind::Stagnation => "stagnation",
            LoopKind::NoProgressRead => "no_progress_read",
            LoopKind::DuplicateFanout => "duplicate_fanout",
            LoopKind::Chanting => "chanting",
            LoopKind::Monologue => "monologue",
            LoopKind::RepeatedReasoning => "repeated_reasoning",
            LoopKind::ContextLoop => "context_loop",
            LoopKind::MaxIterations => "max_iterations",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<LoopKind> {
        LoopKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Does it warn before it interrupts? Such kinds can be left out.
    #[must_use]
    pub const fn is_soft(self) -> bool {
        matches!(
            self,
            LoopKind::InterleavedRepeat
                | LoopKind::SameError
                | LoopKind::NearRepeat
                | LoopKind::Stagnation
                | LoopKind::NoProgressRead
                | LoopKind::DuplicateFanout
                | LoopKind::Monologue
                | LoopKind::RepeatedReasoning
        )
    }
}

/// What is best done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Nothing: there is no loop.
    #[default]
    Continue,
    /// Tell the model, and go on.
    Warning,
    /// Stop the run (BR-12).
    Interrupt,
}

impl Action {
    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Continue => "continue",
            Action::Warning => "warning",
            Action::Interrupt => "interrupt",
        }
    }

    pub(crate) fn parse(name: &str) -> Action {
        [Action::Warning, Action::Interrupt]
            .into_iter()
            .find(|action| action.as_str() == name)
            .unwrap_or_default()
    }
}

/// A verdict: no loop, or one and the evidence for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What is best done.
    pub action: Action,
    /// The kind of loop; none where there is no loop.
    pub kind: Option<LoopKind>,
    /// The calls that count, so far: those of ignored and of boundary tools do not.
    pub step_count: u64,
    /// `tool(args)` of the calls that make the loop, at most 160 characters (units of UTF-16).
    pub pattern: String,
    /// How many calls make one round of it.
    pub period: u64,
    /// How often it came round.
    pub repeats: u64,
    /// The calls that are the evidence: numbers of `check`, from 0. (The last 64 of them.)
    pub calls: Vec<u64>,
    /// Their ids, as far as they have any.
    pub call_ids: Vec<String>,
    /// What is wrong and what to do about it, for the model.
    pub message: String,
    /// What makes it this loop and no other of its kind: the set of its calls, or its text.
    pub(crate) loop_of: Fingerprint,
}

impl Verdict {
    /// Is there a loop?
    #[must_use]
    pub fn is_detected(&self) -> bool {
        self.kind.is_some()
    }

    /// Is it about calls that repeat one after another? Their results can withdraw it.
    pub(crate) fn is_of_core(&self) -> bool {
        matches!(self.kind, Some(LoopKind::ExactRepeat | LoopKind::ExactError | LoopKind::Cycle))
    }
}

impl Verdict {
    /// As a `DoomLoopDetectionResult`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut value = json!({
            "isDetected": self.is_detected(),
            "stepCount": self.step_count,
            "suggestedAction": self.action.as_str(),
        });
        if let (Some(kind), Some(map)) = (self.kind, value.as_object_mut()) {
            let more = json!({
                "kind": kind.as_str(),
                "pattern": self.pattern,
                "period": self.period,
                "repeats": self.repeats,
                "calls": self.calls,
                "callIDs": self.call_ids,
                "message": self.message,
            });
            map.extend(more.as_object().cloned().unwrap_or_default());
        }
        value
    }
}

/// The longest pattern.
const LONGEST: usize = 160;

/// A text of at most so many characters, as JavaScript counts them: units of UTF-16. One that is cut
/// ends with an ellipsis; no character is cut.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let (mut units, mut end) = (0, 0);
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > most {
            return format!("{}…", text.get(..end).unwrap_or_default());
        }
        // Here is room for the ellipsis.
        if units < most {
            end = at + c.len_utf8();
        }
    }
    text.to_owned()
}

/// `tool(args) → tool(args)`: what a round of the loop looks like.
pub(crate) fn pattern<'a>(calls: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut shown = String::new();
    for (tool, args) in calls {
        if !shown.is_empty() {
            shown.push_str(" → ");
        }
        let args = super::canonical::text(args);
        let args = if matches!(args.as_str(), "{}" | "null") { "" } else { &args };
        shown.push_str(&format!("{tool}({args})"));
        if shown.len() > LONGEST * 4 {
            break;
        }
    }
    clip(&shown, LONGEST)
}

/// What to tell the model.
pub(crate) fn advice(kind: LoopKind, pattern: &str, repeats: u64, poll: bool) -> String {
    let what = clip(pattern, 80);
    match kind {
        LoopKind::ExactRepeat if poll => format!(
            "{what} was asked {repeats} times and its answer does not change. Wait once, with one \
             blocking call, instead of asking again; or go on with something else."
        ),
        LoopKind::ExactRepeat => format!(
            "The same call, {what}, was made {repeats} times in a row. Calling it again changes \
             nothing: use the answer that is there, change the arguments, or do something else. To \
             wait for something, wait once, with one blocking call."
        ),
        LoopKind::ExactError => format!(
            "The same call, {what}, is made {repeats} times in a row, and has failed each time so far. \
             It will fail again: read the error, change the arguments or the approach, or say that \
             it cannot be done."
        ),
        LoopKind::Cycle => format!(
            "These calls come round and round, {repeats} times now: {what}. Going round once more \
             leads nowhere: say what each was to achieve, and change one of them."
        ),
        LoopKind::InterleavedRepeat => format!(
            "{what} was called {repeats} times, with other work between, and gave the same result \
             each time. That work does not change it: look for the cause elsewhere."
        ),
        LoopKind::SameError => format!(
            "{what} failed {repeats} times with the same error, whatever the arguments. The \
             arguments are not the cause: mend what the error names, or do without this tool."
        ),
        LoopKind::NearRepeat => format!(
            "The last {repeats} calls like {what} differ in wording only and gave the very same \
             result. Take it as the answer, or ask for something else."
        ),
        LoopKind::Stagnation => format!(
            "{repeats} calls like {what}, with other arguments each, gave the very same result. The \
             arguments make no difference to it: check whether they are used at all."
        ),
        LoopKind::NoProgressRead => format!(
            "The last {repeats} reads, {what} among them, were of what was read before. What they \
             show is known: use it."
        ),
        LoopKind::DuplicateFanout => format!(
            "{what} was called {repeats} times in one turn. Once is enough: they all do the same."
        ),
        LoopKind::Chanting => format!(
            "The text repeats itself: {what} came {repeats} times. Stop it and go on with the task."
        ),
        LoopKind::Monologue => format!(
            "The same answer was given {repeats} times with nothing done between. Do the next step, \
             or end here."
        ),
        LoopKind::RepeatedReasoning => format!(
            "The same thought was thought {repeats} times with nothing done between. Decide, and do \
             the next step."
        ),
        LoopKind::ContextLoop => format!(
            "The context was compacted {repeats} times with nothing done between: what is left does \
             not fit. Start anew with less, or use a model with a larger context."
        ),
        LoopKind::MaxIterations => format!(
            "{repeats} calls were made, more than this run may make. Sum up what is done and what \
             is left, and ask how to go on."
        ),
    }
}
