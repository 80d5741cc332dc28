//! The result of a check: the kind of loop, the suggested action, and the evidence.

use apex_parts_json::saved::object_with;
use apex_parts_model::fingerprint::Fingerprint;
use serde_json::Value;

/// The kinds of loop (docs/loops.md).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// Identical calls, one after another (BR-10, BR-11).
    #[default]
    ExactRepeat,
    /// Identical calls that all fail.
    ExactError,
    /// A sequence of two to eight calls that repeats, or equal sets of calls round by round.
    Cycle,
    /// The same call with the same result, with other calls in between.
    InterleavedRepeat,
    /// One tool that fails with the same error for different arguments.
    SameError,
    /// Consecutive calls with nearly equal arguments and equal results.
    NearRepeat,
    /// One tool that gives the same long result for different arguments.
    Stagnation,
    /// Reads of ranges that were read before.
    NoProgressRead,
    /// Many identical calls in one round.
    DuplicateFanout,
    /// Streamed text that repeats one unit.
    Chanting,
    /// Equal answers in a row, with no call in between.
    Monologue,
    /// Equal reasoning in a row, with no call in between.
    RepeatedReasoning,
    /// Compactions in a row with nothing in between.
    ContextLoop,
    /// More calls than `max_iterations` allows.
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

    /// The kind with this name in the API.
    #[must_use]
    pub fn parse(name: &str) -> Option<LoopKind> {
        LoopKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Does it warn before it interrupts? Only such kinds can be disabled.
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

/// The suggested reaction to a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Nothing: there is no loop.
    #[default]
    Continue,
    /// Tell the model about the loop and continue.
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

/// The verdict about a call or a text: no loop, or a loop with the evidence for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The suggested action.
    pub action: Action,
    /// The kind of loop; `None` if there is none.
    pub kind: Option<LoopKind>,
    /// How many calls were counted so far; calls of ignored and boundary tools are not counted.
    pub step_count: u64,
    /// One round of the loop as `tool(args) → tool(args)`, or the repeated text; at most 160 UTF-16 code
    /// units.
    pub pattern: String,
    /// How many calls one round of the loop has; for chanting, the characters of the repeated text.
    pub period: u64,
    /// How many times the loop came round.
    pub repeats: u64,
    /// The calls that are the evidence, at most the last 64: for each, how many calls were checked before
    /// it.
    pub calls: Vec<u64>,
    /// The ids of those of them that have one.
    pub call_ids: Vec<String>,
    /// Advice for the model: what is wrong and what to do about it.
    pub message: String,
    /// Identifies the loop among those of its kind: a fingerprint of what repeats.
    pub(crate) loop_of: Fingerprint,
}

impl Verdict {
    /// Is there a loop?
    #[must_use]
    pub fn is_detected(&self) -> bool {
        self.kind.is_some()
    }

    /// Is it a kind that `ExactCycles` finds? Results can withdraw these verdicts.
    pub(crate) fn is_of_core(&self) -> bool {
        matches!(self.kind, Some(LoopKind::ExactRepeat | LoopKind::ExactError | LoopKind::Cycle))
    }
}

impl Verdict {
    /// As a `DoomLoopDetectionResult` of the JavaScript API.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = vec![
            ("isDetected", Value::from(self.is_detected())),
            ("stepCount", Value::from(self.step_count)),
            ("suggestedAction", Value::from(self.action.as_str())),
        ];
        if let Some(kind) = self.kind {
            fields.extend([
                ("kind", Value::from(kind.as_str())),
                ("pattern", Value::from(self.pattern.as_str())),
                ("period", Value::from(self.period)),
                ("repeats", Value::from(self.repeats)),
                ("calls", Value::from(self.calls.as_slice())),
                ("callIDs", Value::from(self.call_ids.as_slice())),
                ("message", Value::from(self.message.as_str())),
            ]);
        }
        Value::Object(object_with(fields))
    }
}

/// The longest pattern, in UTF-16 code units.
const MAX_PATTERN: usize = 160;

/// Truncates a text to at most `most` UTF-16 code units. A truncated text ends with an ellipsis; no
/// character is split.
pub(crate) fn clip(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let (mut units, mut end) = (0, 0);
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > most {
            return format!("{}…", text.get(..end).unwrap_or_default());
        }
        // Up to here there is room for the ellipsis.
        if units < most {
            end = at + c.len_utf8();
        }
    }
    text.to_owned()
}

/// One round of a loop as `tool(args) → tool(args)`.
pub(crate) fn pattern<'a>(calls: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::new();
    for (tool, args) in calls {
        if !text.is_empty() {
            text.push_str(" → ");
        }
        let args = super::canonical::text(args);
        let args = if matches!(args.as_str(), "{}" | "null") { "" } else { &args };
        text.push_str(&format!("{tool}({args})"));
        if text.len() > MAX_PATTERN * 4 {
            break;
        }
    }
    clip(&text, MAX_PATTERN)
}

/// The advice for the model, fit for the kind of loop.
pub(crate) fn advice(kind: LoopKind, pattern: &str, repeats: u64, poll: bool) -> String {
    let what = clip(pattern, 80);
    match kind {
        LoopKind::ExactRepeat if poll => format!(
            "{what} was called {repeats} times and its answer does not change. Wait once, with one \
             blocking call, instead of asking again; or continue with something else."
        ),
        LoopKind::ExactRepeat => format!(
            "The same call, {what}, was made {repeats} times in a row. Calling it again changes \
             nothing: use the answer that you have, change the arguments, or do something else. To \
             wait for something, wait once, with one blocking call."
        ),
        LoopKind::ExactError => format!(
            "The same call, {what}, was made {repeats} times in a row, and has failed each time so far. \
             It will fail again: read the error, change the arguments or the approach, or say that \
             it cannot be done."
        ),
        LoopKind::Cycle => format!(
            "These calls have repeated {repeats} times: {what}. Repeating them again will not help: \
             say what each was meant to achieve, and change one of them."
        ),
        LoopKind::InterleavedRepeat => format!(
            "{what} was called {repeats} times, with other work in between, and returned the same \
             result each time. That work does not change it: look for the cause elsewhere."
        ),
        LoopKind::SameError => format!(
            "{what} failed {repeats} times with the same error, whatever the arguments. The \
             arguments are not the cause: fix what the error names, or do without this tool."
        ),
        LoopKind::NearRepeat => format!(
            "The last {repeats} calls like {what} differ only in wording and returned exactly the \
             same result. Accept it as the answer, or ask for something else."
        ),
        LoopKind::Stagnation => format!(
            "{repeats} calls like {what}, each with different arguments, returned exactly the same \
             result. The arguments make no difference: check whether they are used at all."
        ),
        LoopKind::NoProgressRead => format!(
            "The last {repeats} reads, {what} among them, covered content that was read before. It is \
             already in the history: use it."
        ),
        LoopKind::DuplicateFanout => format!(
            "{what} was called {repeats} times in one turn. One call is enough: they all do the same."
        ),
        LoopKind::Chanting => format!(
            "The text repeats itself: {what} occurred {repeats} times. Stop, and continue with the task."
        ),
        LoopKind::Monologue => format!(
            "The same answer was given {repeats} times with nothing done in between. Do the next \
             step, or end here."
        ),
        LoopKind::RepeatedReasoning => format!(
            "The same reasoning was repeated {repeats} times with nothing done in between. Decide, \
             and do the next step."
        ),
        LoopKind::ContextLoop => format!(
            "The context was compacted {repeats} times with nothing done in between: what is left \
             does not fit. Start again with less, or use a model with a larger context."
        ),
        LoopKind::MaxIterations => format!(
            "{repeats} calls were made, more than this run may make. Summarise what is done and what \
             is left, and ask how to continue."
        ),
    }
}
