//! [`ModelWork`]: what each model did, which tells the first of them.

use super::seen::SeenMessage;
use crate::Transcript;
use crate::index::stats::{MessageUsage, TokenSums};
use apex_parts_agents::MODEL_USAGE;
use apex_parts_agents::fields::{get, number, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Word, order};
use std::cmp::Ordering;

/// What a model did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelWork {
    pub(crate) name: String,
    pub(crate) cost: f64,
    /// Its tokens.
    tokens: TokenSums,
    /// Its calls and texts.
    done: u32,
    /// It has taken tokens, or its messages have parts.
    has_worked: bool,
}

impl ModelWork {
    /// That of a model with this name, which has done nothing yet.
    pub(crate) fn new(name: String) -> ModelWork {
        ModelWork { name, ..ModelWork::default() }
    }

    /// Adds a message.
    pub(super) fn add(&mut self, message: SeenMessage<'_>) {
        let mut usage = MessageUsage::default();
        for part in message.parts() {
            self.has_worked = true;
            match part.word() {
                Some(Word::Tool | Word::Text) => self.done += 1,
                Some(Word::StepFinish) => {
                    let (tokens, cost) = part.took();
                    usage.step((&tokens, cost), &mut self.tokens, &mut self.cost);
                }
                _ => {}
            }
        }
        let (tokens, cost) = message.told();
        usage.rest((&tokens, cost), &mut self.tokens, &mut self.cost);
        self.has_worked |= self.tokens.total() > 0.0;
    }

    /// Which of two comes first: the one that did more.
    fn compare(&self, other: &ModelWork) -> Ordering {
        let by = (other.has_worked.cmp(&self.has_worked)).then(other.cost.total_cmp(&self.cost));
        by.then(other.tokens.output.total_cmp(&self.tokens.output)).then(other.done.cmp(&self.done))
    }
}

impl Transcript {
    /// The names of the models, those that did the most first, and of equal ones the one that was used first. What the
    /// program says that a model cost goes before the sum of its messages.
    pub(super) fn model_names(
        mut models: Vec<ModelWork>,
        session: Option<Node<'_>>,
    ) -> Vec<String> {
        let used = get(session, MODEL_USAGE);
        for model in &mut models {
            let cost = used.into_iter().flat_map(Node::fields).filter_map(|(name, usage)| {
                // `claude-x[1m]` is `claude-x` with a longer context.
                let name = string(Some(name))?;
                let is_it = name.split('[').next() == Some(&model.name);
                number(get(Some(usage), "costUSD")).filter(|_| is_it)
            });
            model.cost = cost.reduce(|sum, cost| sum + cost).unwrap_or(model.cost);
        }
        order::sort_by(&mut models, ModelWork::compare);
        models.into_iter().map(|model| model.name).collect()
    }
}
