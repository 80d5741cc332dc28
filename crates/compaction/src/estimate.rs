//! How many tokens the next request holds: what the provider reported last, and what was added since.

use super::config::{CompactionConfig, Estimator, ModelLimits, usable};
use super::head::Head;
use super::history::{History, MessageReader};
use super::note::Notes;
use super::token_count::MessageTokens;
use super::view::HistoryView;
use apex_parts_model::{Error, Key, View};

/// An estimate of the tokens of the next request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// All of them.
    pub tokens: f64,
    /// Where they come from.
    pub source: EstimateSource,
    /// Those that the provider reported.
    pub base: f64,
    /// Those that were counted.
    pub added: f64,
    /// By what the counted ones were multiplied: how much the provider counts more than the estimator.
    pub factor: f64,
    /// What images and other files take of the counted ones.
    pub media: f64,
}

/// Where an estimate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateSource {
    /// The provider reported it, and nothing came after.
    Reported,
    /// The provider reported a part, the rest was counted.
    Mixed,
    /// Nothing was reported.
    Counted,
}

impl EstimateSource {
    /// The name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EstimateSource::Reported => "reported",
            EstimateSource::Mixed => "mixed",
            EstimateSource::Counted => "counted",
        }
    }
}

/// What a request holds beside the messages: it is counted if nothing was reported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BesideMessages<'a> {
    /// The system prompt.
    pub system: Option<&'a str>,
    /// The definitions of the tools, as JSON.
    pub tools: Option<&'a str>,
}

/// How full the context is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextCheck {
    /// The next request does not fit.
    pub overflow: bool,
    /// What the next request holds.
    pub used: Estimate,
    /// What it may hold.
    pub usable: f64,
    /// The tokens that are left until it overflows; negative if it does.
    pub headroom: f64,
}

/// Tells whether the next request fits.
///
/// # Errors
/// `TranscriptError` if the host cannot read the bytes of a transcript.
pub fn check(
    history: &impl History,
    model: &ModelLimits,
    config: &CompactionConfig,
    beside: BesideMessages<'_>,
) -> Result<ContextCheck, Error> {
    let view = HistoryView::new(history);
    let context = ContextEstimate { history, view: &view, by: config.estimator };
    let mut used = context.run(beside)?;
    let mut rests = false;
    // OpenCode 2 counts what the answer thought, and calls the model once before it compacts again.
    if config.buffer.is_some() {
        let reasoning = context.reported_reasoning()?;
        used.base += reasoning;
        used.tokens += reasoning;
        let last = history.len().checked_sub(1).map(|last| history.head(last));
        rests = last.is_some_and(Head::is_good_summary);
    }
    Ok(ContextCheck {
        overflow: !rests && config.overflows(used.tokens, model),
        used,
        usable: usable(model, config),
        headroom: config.limit(model) - used.tokens,
    })
}

/// Estimates the tokens of the next request.
///
/// # Errors
/// As [`check`].
pub fn estimate(
    history: &impl History,
    by: Estimator,
    beside: BesideMessages<'_>,
) -> Result<Estimate, Error> {
    let view = HistoryView::new(history);
    ContextEstimate { history, view: &view, by }.run(beside)
}

/// What an answer says of the tokens of its reasoning.
struct Reasoning(f64);

impl MessageReader for Reasoning {
    fn read<V: View>(&mut self, message: &V) {
        self.0 = message.get(Key::Info).get(Key::Tokens).get_count(Key::Reasoning);
    }
}

/// The anchors that the factor is calibrated with.
const MOST_ANCHORS: usize = 16;

/// A sum of tokens and what files take of it.
#[derive(Clone, Copy, Default)]
struct Counted {
    tokens: u64,
    media: u64,
}

/// An estimate in the making.
pub(super) struct ContextEstimate<'a, H> {
    pub(super) history: &'a H,
    pub(super) view: &'a HistoryView<'a>,
    pub(super) by: Estimator,
}

impl<H: History> ContextEstimate<'_, H> {
    #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
    pub(super) fn run(&self, beside: BesideMessages<'_>) -> Result<Estimate, Error> {
        let Some(anchor) = self.anchor() else {
            let counted = self.count(self.view.indices())?;
            let of = |text: Option<&str>| text.map_or(0, |text| u64::from(self.by.of_text(text)));
            let added = (counted.tokens + of(beside.system) + of(beside.tools)) as f64;
            let (source, media) = (EstimateSource::Counted, counted.media as f64);
            return Ok(Estimate { tokens: added, source, base: 0.0, added, factor: 1.0, media });
        };
        let head = self.history.head(anchor);
        let base = f64::from(head.prompt) + f64::from(head.output);
        let counted = self.between(anchor, self.history.len(), f64::INFINITY)?;
        if counted.tokens == 0 {
            let source = EstimateSource::Reported;
            let factor = 1.0;
            return Ok(Estimate { tokens: base, source, base, added: 0.0, factor, media: 0.0 });
        }
        let factor = self.factor(anchor)?;
        let added = (factor * counted.tokens as f64).round();
        let media = (factor * counted.media as f64).round();
        let source = EstimateSource::Mixed;
        Ok(Estimate { tokens: base + added, source, base, added, factor, media })
    }

    /// The tokens of reasoning that the provider reported for the anchor.
    fn reported_reasoning(&self) -> Result<f64, Error> {
        let mut read = Reasoning(0.0);
        if let Some(anchor) = self.anchor() {
            self.history.show(anchor, &mut read)?;
        }
        Ok(read.0)
    }

    /// The newest answer whose report still says what is sent.
    fn anchor(&self) -> Option<usize> {
        let since = self.view.since_cut();
        let reported = |index: &usize| self.history.head(*index).is_reported();
        let mut candidates = (since..self.history.len()).rev().filter(reported);
        // The latest mark of all that stands before each message with marks, and in it.
        let mut latest = f64::NEG_INFINITY;
        let mut marks: Vec<(usize, f64)> = Vec::new();
        for note in self.view.notes.iter().filter(|note| self.view.contains(note.index)) {
            latest = latest.max(note.marks.latest);
            marks.push((note.index as usize, latest));
        }
        candidates.find(|index| {
            let until = marks.partition_point(|(marked, _)| marked <= index);
            let latest = until.checked_sub(1).and_then(|place| marks.get(place));
            let latest = latest.map_or(f64::NEG_INFINITY, |(_, latest)| *latest);
            // Where it is not known when it was completed, no mark may be there at all.
            latest == f64::NEG_INFINITY || latest <= self.history.times(*index).completed
        })
    }

    /// How much more the provider counts than the estimator, by the steps before `anchor`.
    fn factor(&self, anchor: usize) -> Result<f64, Error> {
        const DAMPING: f64 = 500.0;
        const DECAY: f64 = 0.9;
        let model = self.history.head(anchor).model;
        let (mut reported, mut counted, mut weight, mut anchors) = (0.0, 0.0, 1.0, 1);
        let mut newer = anchor;
        for index in (self.view.since_cut()..anchor).rev() {
            let (head, next) = (self.history.head(index), self.history.head(newer));
            if !head.is_reported() {
                continue;
            }
            if head.model == model {
                anchors += 1;
                if anchors > MOST_ANCHORS {
                    break;
                }
            }
            let increase = f64::from(next.prompt) - f64::from(head.prompt) - f64::from(head.output);
            if increase > 0.0 && head.model == model && next.model == model {
                let between = self.between(index, newer, self.history.times(newer).completed)?;
                #[allow(clippy::cast_precision_loss)] // as above
                let tokens = between.tokens as f64;
                reported += weight * increase;
                counted += weight * tokens;
                weight *= DECAY;
            }
            newer = index;
        }
        Ok(((reported + DAMPING) / (counted + DAMPING)).clamp(0.5, 2.0))
    }

    /// What came after the answer of the message `from`: the results of its calls, and the messages before `to`.
    /// What was cleared later than `at` counts whole.
    fn between(&self, from: usize, to: usize, at: f64) -> Result<Counted, Error> {
        let was_cleared_later = |index: usize| self.view.notes.marks(index).latest > at;
        let mut message = MessageTokens::default();
        self.history.tokens(from, self.by, &mut message)?;
        let (tokens, media) = message.results(self.by, was_cleared_later(from));
        let mut counted = Counted { tokens, media };
        for index in from + 1..to {
            let sums = self.history.sums(index, self.by)?;
            counted.tokens += sums.sent(self.by);
            counted.media += sums.media();
            if at.is_finite() && was_cleared_later(index) {
                self.history.tokens(index, self.by, &mut message)?;
                let (now, whole) =
                    (message.results(self.by, false), message.results(self.by, true));
                counted.tokens += whole.0.saturating_sub(now.0);
            }
        }
        Ok(counted)
    }

    fn count(&self, indices: impl Iterator<Item = u32>) -> Result<Counted, Error> {
        let mut counted = Counted::default();
        for index in indices {
            let sums = self.history.sums(index as usize, self.by)?;
            counted.tokens += sums.sent(self.by);
            counted.media += sums.media();
        }
        Ok(counted)
    }
}

#[cfg(test)]
mod tests;
