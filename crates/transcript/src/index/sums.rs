//! [`IndexSums`]: the sums over a list of messages, of JSON or before it is written.

use super::entry::{PART_TYPES, PartFact};
use super::stats::{MessageUsage, TranscriptStats};
use super::step_tokens::StepTokens;
use apex_parts_agents::log::{GlanceScratch, MessageGlance, PartKind};
use apex_parts_compaction::Times;
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, View, Word};

/// Gives `NaN` for a time that was made up, and any other time as it is.
fn told_by(made_up: Option<f64>) -> impl Fn(f64) -> f64 {
    move |at| if made_up == Some(at) { f64::NAN } else { at }
}

/// The sums of a list while messages are added to it.
#[derive(Debug, Default)]
pub(crate) struct IndexSums {
    pub(crate) stats: TranscriptStats,
    /// The number of parts of each of the [`PART_TYPES`] that `stats` does not contain yet.
    kinds: [u32; PART_TYPES.len()],
    /// The time that messages without one were given, if any were.
    pub(crate) made_up: Option<f64>,
}

impl IndexSums {
    /// None yet; messages without a time were given this one.
    pub(crate) fn of(made_up: Option<f64>) -> IndexSums {
        IndexSums { made_up, ..IndexSums::default() }
    }

    /// Adds a part.
    pub(crate) fn add_part(&mut self, part: Node<'_>, fact: &PartFact, usage: &mut MessageUsage) {
        self.stats.add_part(part, fact, told_by(self.made_up));
        if PART_TYPES.get(usize::from(fact.kind)) == Some(&Word::StepFinish) {
            let tokens = StepTokens::read(part.get(Key::Tokens));
            self.add_step((&tokens, part.get(Key::Cost).number()), usage);
        }
        if let Some(count) = self.kinds.get_mut(usize::from(fact.kind)) {
            *count += 1;
        }
    }

    /// Adds a message, whose parts were added before, and what it says itself of its tokens and its cost. Returns what
    /// none of its steps has told of these.
    pub(crate) fn add_message(
        &mut self,
        times: &Times,
        usage: MessageUsage,
        told: (&StepTokens, f64),
    ) -> (f64, f64) {
        let told_time = told_by(self.made_up);
        self.stats.add_message(told_time(times.created), told_time(times.completed));
        usage.rest(told, &mut self.stats.tokens, &mut self.stats.cost)
    }

    /// Adds a message of which there is no JSON yet.
    pub(crate) fn add_glance(&mut self, message: MessageGlance<'_>, scratch: &mut GlanceScratch) {
        let mut usage = MessageUsage::default();
        for part in message.parts() {
            let kind = part.kind();
            match kind {
                PartKind::StepStart => self.stats.steps += 1,
                PartKind::StepFinish(tokens, cost) => {
                    self.add_step((&tokens.into(), cost), &mut usage);
                }
                PartKind::Text(_) | PartKind::Reasoning | PartKind::File => {}
                PartKind::Call | PartKind::Other(_) => {
                    let node = part.json(false, scratch);
                    let fact = PartFact::new(node, node.get(Key::Id));
                    self.add_part(node, &fact, &mut usage);
                    continue;
                }
            }
            self.stats.at(told_by(self.made_up)(part.at()));
            let place = PART_TYPES.iter().position(|known| Some(*known) == kind.word());
            place.and_then(|at| self.kinds.get_mut(at)).into_iter().for_each(|count| *count += 1);
        }
        let (created, completed) = message.times();
        // An answer without a step has no tokens.
        let told = (&StepTokens::NONE, message.cost());
        self.add_message(&Times { created, completed }, usage, told);
    }

    fn add_step(&mut self, took: (&StepTokens, f64), usage: &mut MessageUsage) {
        usage.step(took, &mut self.stats.tokens, &mut self.stats.cost);
    }

    /// Adds the counts of part types to `stats`.
    pub(crate) fn settle(&mut self) {
        for (kind, count) in PART_TYPES.iter().zip(&mut self.kinds).filter(|(_, count)| **count > 0)
        {
            self.stats.add_kind(*kind, std::mem::take(count));
        }
    }
}
