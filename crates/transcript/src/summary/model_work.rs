//! [`ModelWork`]: what each model did, which tells the first of them.

use crate::Transcript;
use apex_parts_agents::MODEL_USAGE;
use apex_parts_agents::fields::{get, number, string};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Key, View, Word, order};
use std::cmp::Ordering;

/// What a model did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelWork {
    pub(crate) name: String,
    pub(crate) cost: f64,
    /// Its output tokens.
    output: f64,
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

    /// Adds a message. Its steps say what it took; where they do not, the message does.
    pub(crate) fn add(&mut self, message: Node<'_>) {
        let (mut cost, mut output, mut tokens) = (0.0, 0.0, 0.0);
        for part in message.get(Key::Parts).children() {
            self.has_worked = true;
            match part.get(Key::Type).word() {
                Some(Word::Tool | Word::Text) => self.done += 1,
                Some(Word::StepFinish) => {
                    add(&mut cost, part.get(Key::Cost));
                    let of = part.get(Key::Tokens);
                    add(&mut output, of.get(Key::Output));
                    add(&mut tokens, of.get(Key::Input));
                }
                _ => {}
            }
        }
        let info = message.get(Key::Info);
        if cost == 0.0 {
            add(&mut cost, info.get(Key::Cost));
        }
        if output == 0.0 && tokens == 0.0 {
            let of = info.get(Key::Tokens);
            add(&mut output, of.get(Key::Output));
            add(&mut tokens, of.get(Key::Input));
        }
        self.cost += cost;
        self.output += output;
        self.has_worked |= output > 0.0 || tokens > 0.0;
    }

    /// Which of two comes first: the one that did more.
    fn compare(&self, other: &ModelWork) -> Ordering {
        let by = (other.has_worked.cmp(&self.has_worked)).then(other.cost.total_cmp(&self.cost));
        by.then(other.output.total_cmp(&self.output)).then(other.done.cmp(&self.done))
    }
}

fn add(sum: &mut f64, number: Node<'_>) {
    let number = number.number();
    if number.is_finite() {
        *sum += number;
    }
}

impl Transcript {
    /// The names of the models, those that did the most first, and of equal ones the one that was used first. What the
    /// program says that a model cost goes before the sum of its messages.
    pub(super) fn model_names(&self, mut models: Vec<ModelWork>) -> Vec<String> {
        let mut tape = Tape::default();
        if let Some(info) = self.session()
            && tape.read(info, 0).is_ok()
        {
            let used = get(Some(tape.root(info)), MODEL_USAGE);
            for model in &mut models {
                let cost = used.into_iter().flat_map(Node::fields).filter_map(|(name, usage)| {
                    // `claude-x[1m]` is `claude-x` with a longer context.
                    let name = string(Some(name))?;
                    let is_it = name.split('[').next() == Some(&model.name);
                    number(get(Some(usage), "costUSD")).filter(|_| is_it)
                });
                model.cost = cost.reduce(|sum, cost| sum + cost).unwrap_or(model.cost);
            }
        }
        order::sort_by(&mut models, ModelWork::compare);
        models.into_iter().map(|model| model.name).collect()
    }
}
