//! What a compaction would keep, summarise and drop, before anything happens.

use super::cache_cost::CacheCost;
use super::config::{CompactionConfig, ModelLimits, usable};
use super::estimate::{BesideMessages, ContextEstimate};
use super::history::{History, MessageReader};
use super::pinned::{self, PinnedText};
use super::problems;
use super::tail::{TailLimits, tail_of};
use super::view::{HistoryView, finished_among};
use apex_parts_model::order;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, Path, Problem, Severity, View, Word};
use std::collections::BTreeSet;

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
}

impl PlanAction {
    /// Every action, in the order of the discriminants.
    pub const ALL: &'static [PlanAction] = &[
        PlanAction::Keep,
        PlanAction::Summarise,
        PlanAction::DropSilent,
        PlanAction::DropReplayed,
        PlanAction::DropAnswer,
    ];

    /// The action in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            PlanAction::Keep => "keep",
            PlanAction::Summarise => "summarise",
            PlanAction::DropSilent | PlanAction::DropReplayed | PlanAction::DropAnswer => "drop",
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

/// The texts of a summary.
#[derive(Default)]
struct SummaryTexts(Vec<String>);

impl MessageReader for SummaryTexts {
    fn read<V: View>(&mut self, message: &V) {
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            if part.get_word(Key::Type) == Some(Word::Text)
                && let Some(text) = part.get(Key::Text).text()
                && !text.trim().is_empty()
            {
                self.0.push(text.trim().to_owned());
            }
        });
    }
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
    let by = config.estimator;
    let view = HistoryView::new(history);
    let finished = finished_among(history, &view.notes);
    let compactions = view.compactions(&finished);
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    // What the new summary replaces, and an unfinished compaction, which it finishes.
    let mut aside: BTreeSet<u32> = order::inserted(
        compactions.iter().flat_map(|one| [place(one.message), place(one.summary)]),
    );
    let mut previous = SummaryTexts::default();
    if let Some(newest) = compactions.iter().map(|one| one.summary).max() {
        history.show(newest, &mut previous)?;
    }
    let is_open = |last: &u32| history.head(*last as usize).is_bare_compaction();
    aside.extend(view.last().filter(is_open));
    let shown: Vec<u32> = view.indices().filter(|index| !aside.contains(index)).collect();
    let replayed = if overflow { replayed_from(history, &shown) } else { None };
    let asked = shown.get(..replayed.unwrap_or(shown.len())).unwrap_or_default();
    let limits = TailLimits { budget: config.tail_budget(model), turns: config.tail_turns, by };
    let tail = tail_of(history, asked, limits)?.unwrap_or(asked.len());
    let mut plan = CompactionPlan {
        tail_start: asked.get(tail).copied(),
        previous_summary: (!previous.0.is_empty()).then(|| previous.0.join("\n\n")),
        fingerprint: history.fingerprint(),
        ..CompactionPlan::default()
    };
    let mut sums = PlanSums::default();
    for index in view.indices() {
        let message = history.sums(index as usize, by)?;
        #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
        let (tokens, media) = (message.sent(by) as f64, message.media() as f64);
        sums.all += tokens;
        if aside.contains(&index) {
            continue;
        }
        let place = plan.entries.len();
        let action = match replayed {
            Some(from) if place == from => PlanAction::DropReplayed,
            Some(from) if place > from => PlanAction::DropAnswer,
            _ if place >= tail => PlanAction::Keep,
            _ if message.says() => PlanAction::Summarise,
            _ => PlanAction::DropSilent,
        };
        match action {
            PlanAction::Keep => sums.kept += tokens,
            PlanAction::DropReplayed => sums.kept += tokens - media,
            PlanAction::Summarise => sums.summarised += tokens,
            _ => {}
        }
        plan.entries.push(PlanEntry { message: index, action, tokens });
    }
    let summarised = plan.with_action("summarise");
    plan.pinned = pinned::pinned_of(history, &summarised, config.pin_user, by)?;
    plan.weigh(history, &view, sums, model, config, beside)?;
    let mut take = |_, problem| plan.problems.push(problem);
    problems::report(history, &view.notes, &finished, &Path::ROOT, &mut take)?;
    if summarised.is_empty() || plan.after >= plan.before {
        let message = if summarised.is_empty() {
            "there is nothing to summarise: the history would not become smaller".to_owned()
        } else {
            let (before, after) = (plan.before, plan.after);
            format!("nothing would be gained: about {before} tokens now, about {after} afterwards")
        };
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

/// Tokens by what becomes of them.
#[derive(Clone, Copy, Default)]
struct PlanSums {
    /// Of the whole view.
    all: f64,
    kept: f64,
    summarised: f64,
}

/// The tokens that a summary of so many will take: what models write is a tenth of short histories and seldom more
/// than this many of long ones.
fn expected_summary(summarised: f64, previous: f64) -> f64 {
    const MOST: f64 = 1_200.0;
    (summarised / 10.0).min(MOST).max(previous.min(MOST)).ceil()
}

impl CompactionPlan {
    /// Fills in what is gained.
    fn weigh(
        &mut self,
        history: &impl History,
        view: &HistoryView<'_>,
        sums: PlanSums,
        model: &ModelLimits,
        config: &CompactionConfig,
        beside: BesideMessages<'_>,
    ) -> Result<(), Error> {
        let by = config.estimator;
        let now = ContextEstimate { history, view, by }.run(beside)?;
        let previous = self.previous_summary.as_deref().map_or(0, |text| by.of_text(text));
        let new = f64::from(by.of_text(Word::WhatDidWeDo.as_str()))
            + expected_summary(sums.summarised, f64::from(previous))
            + pinned::tokens_of(&self.pinned, by);
        // What the provider counts beside the messages (the system prompt, the tools) stays.
        let around = (now.tokens - now.factor * sums.all).max(0.0);
        self.before = now.tokens;
        self.after = (around + now.factor * (sums.kept + new)).round();
        self.fits = self.after < usable(model, config);
        let saved = (self.before - self.after).max(0.0);
        self.cache =
            CacheCost::new(around.round(), self.after - around.round(), saved, &config.prices);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
