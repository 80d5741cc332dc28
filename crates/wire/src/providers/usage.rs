//! Turns the usage that a response states, once or again and again, into the increments that deltas carry.

use crate::providers::output::emit;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::delta::{Payload, Usage};

/// The counts of one usage object; `None` where it has none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stated {
    /// Tokens sent.
    pub(crate) input: Option<f64>,
    /// Tokens of tools that were sent, where they are no part of `input`.
    pub(crate) tools: Option<f64>,
    /// Tokens read from the cache.
    pub(crate) cache_read: Option<f64>,
    /// Tokens written to the cache.
    pub(crate) cache_write: Option<f64>,
    /// Tokens received.
    pub(crate) output: Option<f64>,
    /// Tokens of reasoning.
    pub(crate) reasoning: Option<f64>,
    /// All tokens.
    pub(crate) total: Option<f64>,
    /// US dollars.
    pub(crate) cost: Option<f64>,
}

/// What the counts of a format include.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenCounting {
    /// The input includes the cache, the output the reasoning.
    Included,
    /// The cache is counted beside the input.
    CacheApart,
    /// Reasoning is counted beside the output.
    ReasoningApart,
}

/// The totals of a response whose increments have been emitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    told: bool,
    input: f64,
    output: f64,
    total: f64,
    cost: Option<f64>,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    reasoning: Option<f64>,
    /// The part of `input` that was stated as tokens of tools.
    tools: f64,
}

state!(Totals { told, input, output, total, cost, cache_read, cache_write, reasoning, tools });

impl Totals {
    /// Takes a usage object, the last of which counts (W-73): what it has of the input replaces what was known of it if
    /// any of that is above 0, and likewise of the output. What it lacks stays. Emits the difference, which may be
    /// negative.
    pub(crate) fn state(&mut self, stated: Stated, counting: TokenCounting, out: &mut Sink<'_>) {
        let Stated { input, tools, cache_read, cache_write, output, reasoning, total, cost } =
            stated;
        let says = |counts: &[Option<f64>]| counts.iter().flatten().any(|count| *count > 0.0);
        let mut next = self.usage();
        if says(&[input, tools, cache_read, cache_write]) {
            let beside = |usage: &Usage| match counting {
                TokenCounting::CacheApart => {
                    usage.cache_read.unwrap_or_default() + usage.cache_write.unwrap_or_default()
                }
                _ => 0.0,
            };
            let own = input.unwrap_or(next.input - beside(&next) - self.tools);
            self.tools = tools.unwrap_or(self.tools);
            next.cache_read = cache_read.or(next.cache_read);
            next.cache_write = cache_write.or(next.cache_write);
            next.input = own + beside(&next) + self.tools;
        } else {
            next.cache_read = next.cache_read.or(cache_read);
            next.cache_write = next.cache_write.or(cache_write);
        }
        if says(&[output, reasoning]) {
            let beside = |usage: &Usage| match counting {
                TokenCounting::ReasoningApart => usage.reasoning.unwrap_or_default(),
                _ => 0.0,
            };
            let own = output.unwrap_or(next.output - beside(&next));
            next.reasoning = reasoning.or(next.reasoning);
            next.output = own + beside(&next);
        } else {
            next.reasoning = next.reasoning.or(reasoning);
        }
        next.cost = cost.filter(|cost| *cost > 0.0).or(next.cost).or(cost);
        if let Some(total) = total.filter(|total| *total > 0.0) {
            next.total = total;
        } else if (next.input, next.output) != (self.input, self.output) {
            next.total = next.input + next.output;
        }
        self.tell(next, out);
    }

    /// Takes sums that only grow, and emits what was added to them.
    pub(crate) fn advance(&mut self, now: Usage, out: &mut Sink<'_>) {
        let max = |known: Option<f64>, now: Option<f64>| match (known, now) {
            (Some(known), Some(now)) => Some(known.max(now)),
            (known, now) => known.or(now),
        };
        let next = Usage {
            input: self.input.max(now.input),
            output: self.output.max(now.output),
            total: self.total.max(now.total),
            cost: max(self.cost, now.cost),
            cache_read: max(self.cache_read, now.cache_read),
            cache_write: max(self.cache_write, now.cache_write),
            reasoning: max(self.reasoning, now.reasoning),
        };
        self.tell(next, out);
    }

    /// The totals so far.
    fn usage(&self) -> Usage {
        let Totals { input, output, total, cost, cache_read, cache_write, reasoning, .. } = *self;
        Usage { input, output, total, cost, cache_read, cache_write, reasoning }
    }

    /// Emits what leads from the totals so far to these.
    fn tell(&mut self, next: Usage, out: &mut Sink<'_>) {
        let change = Usage {
            input: step(&mut self.input, next.input),
            output: step(&mut self.output, next.output),
            total: step(&mut self.total, next.total),
            cost: step_some(&mut self.cost, next.cost),
            cache_read: step_some(&mut self.cache_read, next.cache_read),
            cache_write: step_some(&mut self.cache_write, next.cache_write),
            reasoning: step_some(&mut self.reasoning, next.reasoning),
        };
        if !self.told || change != Usage::default() {
            self.told = true;
            emit(out, Payload::Usage(change));
        }
    }
}

fn step(known: &mut f64, next: f64) -> f64 {
    // A sum of finite counts may be infinite, which JSON cannot write.
    let change = next.clamp(0.0, f64::MAX) - *known;
    // The sum of all changes, as the assembler has it.
    *known = (*known + change).clamp(0.0, f64::MAX);
    change
}

/// A count that appears for the first time is emitted even if it is zero.
fn step_some(known: &mut Option<f64>, next: Option<f64>) -> Option<f64> {
    let next = next?;
    let first = known.is_none();
    let change = step(known.get_or_insert(0.0), next);
    (first || change != 0.0).then_some(change)
}

/// A count: a finite number that is not negative.
pub(crate) fn count(value: Val<'_>) -> Option<f64> {
    value.number().filter(|n| *n >= 0.0)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use tests::totals_of;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
