//! What a compaction would keep, summarise and drop, before anything happens.

use super::apply::TRUNCATION_NOTICE;
use super::cache_cost::CacheCost;
use super::config::{CompactionConfig, ModelLimits, usable};
use super::estimate::{BesideMessages, ContextEstimate};
use super::history::{History, MessageReader};
use super::pinned::{self, PinnedText};
use super::problems;
use super::tail::{TailLimits, tail_of};
use super::truncation::{Candidate, KeptTurns, TruncationLimits, kept_turns};
use super::view::{HistoryView, finished_among};
use apex_parts_model::order;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::view::{MAX_ELEMENTS, number_text};
use apex_parts_model::{Error, Key, Path, Problem, Severity, View, Word};

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PlanAction {
    /// It stays verbatim.
    Keep,
    /// The summary tells it.
    Summarise,
    /// It has nothing to say.
    DropSilent,
    /// It is asked again after the summary.
    DropReplayed,
    /// It came after what is asked again.
    DropAnswer,
    /// It belongs to the earliest turns, which are left out without a summary.
    DropEarliest,
}

impl PlanAction {
    /// Every action, in the order of the discriminants.
    pub const ALL: &'static [PlanAction] = &[
        PlanAction::Keep,
        PlanAction::Summarise,
        PlanAction::DropSilent,
        PlanAction::DropReplayed,
        PlanAction::DropAnswer,
        PlanAction::DropEarliest,
    ];

    /// The action in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            PlanAction::Keep => "keep",
            PlanAction::Summarise => "summarise",
            PlanAction::DropSilent
            | PlanAction::DropReplayed
            | PlanAction::DropAnswer
            | PlanAction::DropEarliest => "drop",
        }
    }

    /// Why, in words.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            PlanAction::Keep => {
                "it is among the newest messages, which fit in the budget of what stays"
            }
            PlanAction::Summarise => "it is older than what stays: the summary covers it",
            PlanAction::DropSilent => "it has no content to summarise",
            PlanAction::DropReplayed => {
                "the provider refused it: it is asked again after the summary, without media"
            }
            PlanAction::DropAnswer => "it belongs to the request that is asked again",
            PlanAction::DropEarliest => {
                "it belongs to the earliest turns, which are left out without a summary"
            }
        }
    }
}

/// A message of the view in a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanEntry {
    /// The index of the message.
    pub message: u32,
    /// What becomes of it.
    pub action: PlanAction,
    /// What it takes.
    pub tokens: f64,
}

/// A compaction that could be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompactionPlan {
    /// Each message of the view, in its order, but for older compactions and their summaries.
    pub entries: Vec<PlanEntry>,
    /// The message with which the part begins that stays verbatim.
    pub tail_start: Option<u32>,
    /// The text of the summary that the new one continues.
    pub previous_summary: Option<String>,
    /// The user's own words that go verbatim with the summary.
    pub pinned: Vec<PinnedText>,
    /// The tokens of the next request now.
    pub before: f64,
    /// The tokens afterwards, with a summary of the expected length.
    pub after: f64,
    /// Is `after` less than what is usable?
    pub fits: bool,
    /// What it costs with a prompt cache.
    pub cache: CacheCost,
    /// Of the history that the plan is for.
    pub fingerprint: String,
    /// What is wrong with the history's compactions, and whether nothing would be gained (CP-2).
    pub problems: Vec<Problem>,
}

impl CompactionPlan {
    /// The indices of the messages with an action of this name.
    pub fn with_action(&self, name: &str) -> Vec<u32> {
        let entries = self.entries.iter().filter(|entry| entry.action.as_str() == name);
        entries.map(|entry| entry.message).collect()
    }
}

/// The texts of a summary, without the notice of a truncation.
#[derive(Default)]
struct SummaryTexts(Vec<String>);

impl MessageReader for SummaryTexts {
    fn read<V: View>(&mut self, message: &V) {
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            if part.get_word(Key::Type) == Some(Word::Text)
                && let Some(text) = part.get(Key::Text).text()
                && !text.trim().is_empty()
                && text != TRUNCATION_NOTICE
            {
                self.0.push(text.trim().to_owned());
            }
        });
    }
}

/// What makes room in the context.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// A summary of what does not stay.
    Summary,
    /// The earliest turns are left out.
    Truncation,
}

/// A message of the view, weighed.
struct Weighed {
    index: u32,
    /// Does a turn begin with it?
    begins: bool,
    tokens: f64,
    media: f64,
    says: bool,
}

/// Plans a compaction. `overflow`: the provider refused the last request as too large.
///
/// # Errors
/// `TranscriptError` if the host cannot read the bytes of a transcript.
pub fn plan(
    history: &impl History,
    model: &ModelLimits,
    config: &CompactionConfig,
    beside: BesideMessages<'_>,
    overflow: bool,
) -> Result<CompactionPlan, Error> {
    planned(history, model, config, beside, overflow, Strategy::Summary)
}

/// Plans a compaction without a summary: the earliest turns are left out, as many as needed for the rest to fit in
/// `preserve_recent_tokens`, by default half of the tokens at which the context overflows. Turns are left out whole, so
/// a call stays with its result; the newest turn always stays. `overflow`: the provider refused the last request as too
/// large, so the earliest turn goes in any case.
///
/// ```
/// use apex_parts_compaction::{
///     BesideMessages, CompactionConfig, MessageArray, ModelLimits, plan_truncation,
/// };
/// let messages = serde_json::json!([
///     {"info": {"id": "a", "role": "user"}, "parts": [{"type": "text", "text": "x".repeat(40_000)}]},
///     {"info": {"id": "b", "role": "user"}, "parts": [{"type": "text", "text": "And now?"}]}
/// ]);
/// let model = ModelLimits { context: 12_000.0, input: None, output: Some(2_000.0) };
/// let (config, beside) = (CompactionConfig::default(), BesideMessages::default());
/// let plan = plan_truncation(&MessageArray::new(Some(&messages)), &model, &config, beside, false)?;
/// assert_eq!((plan.with_action("drop"), plan.with_action("keep")), (vec![0], vec![1]));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
///
/// # Errors
/// As [`plan`].
pub fn plan_truncation(
    history: &impl History,
    model: &ModelLimits,
    config: &CompactionConfig,
    beside: BesideMessages<'_>,
    overflow: bool,
) -> Result<CompactionPlan, Error> {
    planned(history, model, config, beside, overflow, Strategy::Truncation)
}

fn planned(
    history: &impl History,
    model: &ModelLimits,
    config: &CompactionConfig,
    beside: BesideMessages<'_>,
    overflow: bool,
    strategy: Strategy,
) -> Result<CompactionPlan, Error> {
    let by = config.estimator;
    let view = HistoryView::new(history);
    let finished = finished_among(history, &view.notes);
    let compactions = view.compactions(&finished);
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    // What the new summary replaces; beside it an unfinished compaction, which it finishes.
    let aside: SortedSet<u32> = order::inserted(
        compactions.iter().flat_map(|one| [place(one.message), place(one.summary)]),
    );
    let mut previous = SummaryTexts::default();
    if let Some(newest) = compactions.iter().map(|one| one.summary).max() {
        history.show(newest, &mut previous)?;
    }
    let is_open = |last: &u32| history.head(*last as usize).is_bare_compaction();
    let open = view.last().filter(is_open);
    let (mut shown, mut hidden, mut all) = (Vec::new(), Vec::new(), 0.0);
    for index in view.indices() {
        let message = history.sums(index as usize, by)?;
        #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
        let (tokens, media) = (message.sent(by) as f64, message.media() as f64);
        all += tokens;
        if open == Some(index) {
            continue;
        }
        let list = if aside.contains(&index) { &mut hidden } else { &mut shown };
        let begins = history.head(index as usize).begins_turn();
        list.push(Weighed { index, begins, tokens, media, says: message.says() });
    }
    let mut plan = CompactionPlan {
        previous_summary: (!previous.0.is_empty()).then(|| previous.0.join("\n\n")),
        fingerprint: history.fingerprint(),
        ..CompactionPlan::default()
    };
    let now = ContextEstimate { history, view: &view, by }.run(beside)?;
    // What the provider counts beside the messages (the system prompt, the tools) stays.
    let around = (now.tokens - now.factor * all).max(0.0);
    plan.before = now.tokens;
    let stays = match strategy {
        Strategy::Summary => Some(plan.summarise(history, &shown, model, config, overflow)?),
        Strategy::Truncation => {
            let room = (usable(model, config) - around) / now.factor;
            plan.truncate((&shown, &hidden), model, config, (overflow, room))
        }
    };
    plan.after = stays.map_or(plan.before, |tokens| (around + now.factor * tokens).round());
    plan.fits = plan.after < usable(model, config);
    let saved = (plan.before - plan.after).max(0.0);
    plan.cache = CacheCost::new(around.round(), plan.after - around.round(), saved, &config.prices);
    let mut take = |_, problem| plan.problems.push(problem);
    problems::report(history, &view.notes, &finished, &Path::ROOT, &mut take)?;
    if let Some(message) = plan.gains_nothing(strategy) {
        plan.problems.push(Problem::new(Severity::Warning, "CP-2", &Path::ROOT, message));
    }
    Ok(plan)
}

/// Where among these messages the request begins that is asked again: only if an earlier one of the user remains.
fn replayed_from(history: &impl History, shown: &[u32]) -> Option<usize> {
    let begins = |index: &u32| history.head(*index as usize).begins_turn();
    let last = shown.iter().rposition(begins)?;
    shown.iter().take(last).any(begins).then_some(last)
}

/// The tokens that a summary of so many will take: what models write is a tenth of short histories and seldom more
/// than this many of long ones.
fn expected_summary(summarised: f64, previous: f64) -> f64 {
    const MOST: f64 = 1_200.0;
    (summarised / 10.0).min(MOST).max(previous.min(MOST)).ceil()
}

impl CompactionPlan {
    /// Decides what a summary covers; gives the tokens of what is sent afterwards.
    fn summarise(
        &mut self,
        history: &impl History,
        shown: &[Weighed],
        model: &ModelLimits,
        config: &CompactionConfig,
        overflow: bool,
    ) -> Result<f64, Error> {
        let by = config.estimator;
        let indices: Vec<u32> = shown.iter().map(|one| one.index).collect();
        let replayed = if overflow { replayed_from(history, &indices) } else { None };
        let asked = indices.get(..replayed.unwrap_or(indices.len())).unwrap_or_default();
        let limits = TailLimits { budget: config.tail_budget(model), turns: config.tail_turns, by };
        let tail = tail_of(history, asked, limits)?.unwrap_or(asked.len());
        self.tail_start = asked.get(tail).copied();
        let (mut kept, mut summarised) = (0.0, 0.0);
        for (place, one) in shown.iter().enumerate() {
            let action = match replayed {
                Some(from) if place == from => PlanAction::DropReplayed,
                Some(from) if place > from => PlanAction::DropAnswer,
                _ if place >= tail => PlanAction::Keep,
                _ if one.says => PlanAction::Summarise,
                _ => PlanAction::DropSilent,
            };
            match action {
                PlanAction::Keep => kept += one.tokens,
                PlanAction::DropReplayed => kept += one.tokens - one.media,
                PlanAction::Summarise => summarised += one.tokens,
                _ => {}
            }
            self.entries.push(PlanEntry { message: one.index, action, tokens: one.tokens });
        }
        let covered = self.with_action("summarise");
        self.pinned = pinned::pinned_of(history, &covered, config.pin_user, by)?;
        let previous = self.previous_summary.as_deref().map_or(0, |text| by.of_text(text));
        Ok(kept
            + f64::from(by.of_text(Word::WhatDidWeDo.as_str()))
            + expected_summary(summarised, f64::from(previous))
            + pinned::tokens_of(&self.pinned, by))
    }

    /// Decides which of the earliest turns are left out; gives the tokens of what is sent afterwards, `None` if it stays
    /// as it is. `room`: what the messages can take, as they are counted.
    fn truncate(
        &mut self,
        (shown, hidden): (&[Weighed], &[Weighed]),
        model: &ModelLimits,
        config: &CompactionConfig,
        (overflow, room): (bool, f64),
    ) -> Option<f64> {
        let by = config.estimator;
        let count = |text: &str| f64::from(by.of_text(text));
        let notice = count(Word::WhatDidWeDo.as_str()) + count(TRUNCATION_NOTICE);
        let previous = self.previous_summary.as_deref().map_or(0.0, count);
        // The older compactions that are sent if the view begins with this message, as they stand behind it.
        let behind = |from: u32| hidden.iter().filter(move |one| one.index >= from);
        let added = |from: u32| {
            let stays: f64 = behind(from).map(|one| one.tokens).sum();
            notice + if stays > 0.0 { stays } else { previous }
        };
        let candidates =
            shown.iter().map(|one| Candidate { begins: one.begins, tokens: one.tokens });
        let candidates: Vec<Candidate> = candidates.collect();
        let from_place = |place: usize| shown.get(place).map_or(0.0, |one| added(one.index));
        let limits = TruncationLimits {
            budget: config.truncation_budget(model),
            turns: config.tail_turns,
            room,
            overflow,
        };
        let KeptTurns { from, tokens, over } = kept_turns(&candidates, limits, &from_place);
        for (place, one) in shown.iter().enumerate() {
            let action = if place < from { PlanAction::DropEarliest } else { PlanAction::Keep };
            self.entries.push(PlanEntry { message: one.index, action, tokens: one.tokens });
        }
        if over {
            let budget = number_text(limits.budget.min(room.max(0.0)).floor());
            let tokens = number_text(tokens);
            let message = format!(
                "the newest turn is never left out, but it takes about {tokens} tokens and the budget is {budget}: clear \
                 old outputs (`prune`), or let a model summarise it"
            );
            self.problems.push(Problem::new(Severity::Warning, "CP-6", &Path::ROOT, message));
        }
        let first = shown.get(from).map(|one| one.index);
        if from == 0 {
            return None;
        }
        self.tail_start = first;
        let sent = tokens + first.map_or(0.0, added);
        if first.is_some_and(|first| behind(first).next().is_some()) {
            self.previous_summary = None;
        }
        Some(sent)
    }

    /// Why the history would not become smaller, if it would not.
    fn gains_nothing(&self, strategy: Strategy) -> Option<String> {
        let (before, after) = (self.before, self.after);
        let goes = match strategy {
            Strategy::Summary => PlanAction::Summarise,
            Strategy::Truncation => PlanAction::DropEarliest,
        };
        let is_idle = !self.entries.iter().any(|entry| entry.action == goes);
        match strategy {
            Strategy::Summary if is_idle => {
                Some("there is nothing to summarise: the history would not become smaller".into())
            }
            Strategy::Truncation if is_idle => Some(
                "no turn can be dropped: all of them fit in the budget, or there is only one"
                    .into(),
            ),
            _ if after >= before => Some(format!(
                "nothing would be gained: about {} tokens now, about {} afterwards",
                number_text(before),
                number_text(after)
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
