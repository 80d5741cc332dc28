//! What the detector says, and the evidence for it.

use crate::loops::fingerprint::Print;
use serde_json::{Value, json};

/// The kinds of loop (spec/loops.md, "Kinds").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Identical calls, one after another (BR-10, BR-11).
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

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 14] = [
        Kind::ExactRepeat,
        Kind::ExactError,
        Kind::Cycle,
        Kind::InterleavedRepeat,
        Kind::SameError,
        Kind::NearRepeat,
        Kind::Stagnation,
        Kind::NoProgressRead,
        Kind::DuplicateFanout,
        Kind::Chanting,
        Kind::Monologue,
        Kind::RepeatedReasoning,
        Kind::ContextLoop,
        Kind::MaxIterations,
    ];

    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::ExactRepeat => "exact_repeat",
            Kind::ExactError => "exact_error",
            Kind::Cycle => "cycle",
            Kind::InterleavedRepeat => "interleaved_repeat",
            Kind::SameError => "same_error",
            Kind::NearRepeat => "near_repeat",
            Kind::Stagnation => "stagnation",
            Kind::NoProgressRead => "no_progress_read",
            Kind::DuplicateFanout => "duplicate_fanout",
            Kind::Chanting => "chanting",
            Kind::Monologue => "monologue",
            Kind::RepeatedReasoning => "repeated_reasoning",
            Kind::ContextLoop => "context_loop",
            Kind::MaxIterations => "max_iterations",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Does it warn before it interrupts? Such kinds can be left out.
    #[must_use]
    pub const fn is_soft(self) -> bool {
        matches!(
            self,
            Kind::InterleavedRepeat
                | Kind::SameError
                | Kind::NearRepeat
                | Kind::Stagnation
                | Kind::NoProgressRead
                | Kind::DuplicateFanout
                | Kind::Monologue
                | Kind::RepeatedReasoning
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
    pub kind: Option<Kind>,
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
    pub(crate) loop_of: Print,
}

impl Verdict {
    /// Is there a loop?
    #[must_use]
    pub fn is_detected(&self) -> bool {
        self.kind.is_some()
    }

    /// Is it about calls that repeat one after another? Their results can withdraw it.
    pub(crate) fn is_of_core(&self) -> bool {
        matches!(self.kind, Some(Kind::ExactRepeat | Kind::ExactError | Kind::Cycle))
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
pub(crate) fn advice(kind: Kind, pattern: &str, repeats: u64, poll: bool) -> String {
    let what = clip(pattern, 80);
    match kind {
        Kind::ExactRepeat if poll => format!(
            "{what} was asked {repeats} times and its answer does not change. Wait once, with one \
             blocking call, instead of asking again; or go on with something else."
        ),
        Kind::ExactRepeat => format!(
            "The same call, {what}, was made {repeats} times in a row. Calling it again changes \
             nothing: use the answer that is there, change the arguments, or do something else. To \
             wait for something, wait once, with one blocking call."
        ),
        Kind::ExactError => format!(
            "The same call, {what}, is made {repeats} times in a row, and has failed each time so far. \
             It will fail again: read the error, change the arguments or the approach, or say that \
             it cannot be done."
        ),
        Kind::Cycle => format!(
            "These calls come round and round, {repeats} times now: {what}. Going round once more \
             leads nowhere: say what each was to achieve, and change one of them."
        ),
        Kind::InterleavedRepeat => format!(
            "{what} was called {repeats} times, with other work between, and gave the same result \
             each time. That work does not change it: look for the cause elsewhere."
        ),
        Kind::SameError => format!(
            "{what} failed {repeats} times with the same error, whatever the arguments. The \
             arguments are not the cause: mend what the error names, or do without this tool."
        ),
        Kind::NearRepeat => format!(
            "The last {repeats} calls like {what} differ in wording only and gave the very same \
             result. Take it as the answer, or ask for something else."
        ),
        Kind::Stagnation => format!(
            "{repeats} calls like {what}, with other arguments each, gave the very same result. The \
             arguments make no difference to it: check whether they are used at all."
        ),
        Kind::NoProgressRead => format!(
            "The last {repeats} reads, {what} among them, were of what was read before. What they \
             show is known: use it."
        ),
        Kind::DuplicateFanout => format!(
            "{what} was called {repeats} times in one turn. Once is enough: they all do the same."
        ),
        Kind::Chanting => format!(
            "The text repeats itself: {what} came {repeats} times. Stop it and go on with the task."
        ),
        Kind::Monologue => format!(
            "The same answer was given {repeats} times with nothing done between. Do the next step, \
             or end here."
        ),
        Kind::RepeatedReasoning => format!(
            "The same thought was thought {repeats} times with nothing done between. Decide, and do \
             the next step."
        ),
        Kind::ContextLoop => format!(
            "The context was compacted {repeats} times with nothing done between: what is left does \
             not fit. Start anew with less, or use a model with a larger context."
        ),
        Kind::MaxIterations => format!(
            "{repeats} calls were made, more than this run may make. Sum up what is done and what \
             is left, and ask how to go on."
        ),
    }
}
