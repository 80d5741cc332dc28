//! Running totals of usage, as providers repeat them, and the increments that the contract wants.

use crate::json::record::Val;
use crate::json::saved::state;
use crate::model::delta::{Payload, Usage};
use crate::wire::providers::output::emit;
use crate::wire::reader::Sink;

/// What was told of a response's usage so far.
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
}

state!(Totals { told, input, output, total, cost, cache_read, cache_write, reasoning });

impl Totals {
    /// Takes the totals as they stand now and says what was added. A total never falls: a record
    /// that repeats zeros or lacks a count changes nothing.
    pub(crate) fn advance(&mut self, now: Usage, out: &mut Sink<'_>) {
        // Sums of counts that were finite may not be: JSON has no such numbers.
        let fit = |n: f64| n.min(f64::MAX);
        let fits = |n: Option<f64>| n.map(fit);
        let now = Usage {
            input: fit(now.input),
            output: fit(now.output),
            total: fit(now.total),
            cost: fits(now.cost),
            cache_read: fits(now.cache_read),
            cache_write: fits(now.cache_write),
            reasoning: fits(now.reasoning),
        };
        let added = Usage {
            input: grow(&mut self.input, now.input),
            output: grow(&mut self.output, now.output),
            total: grow(&mut self.total, now.total),
            cost: grow_some(&mut self.cost, now.cost),
            cache_read: grow_some(&mut self.cache_read, now.cache_read),
            cache_write: grow_some(&mut self.cache_write, now.cache_write),
            reasoning: grow_some(&mut self.reasoning, now.reasoning),
        };
        if !self.told || added != Usage::default() {
            self.told = true;
            emit(out, Payload::Usage(added));
        }
    }
}

fn grow(have: &mut f64, now: f64) -> f64 {
    let more = (now - *have).max(0.0);
    *have = (*have + more).min(f64::MAX);
    more
}

/// A count that is known for the first time is said even if it is zero.
fn grow_some(have: &mut Option<f64>, now: Option<f64>) -> Option<f64> {
    let now = now?;
    let first = have.is_none();
    let more = grow(have.get_or_insert(0.0), now);
    (first || more > 0.0).then_some(more)
}

/// A count: a finite number from 0.
pub(crate) fn count(value: Val<'_>) -> Option<f64> {
    value.number().filter(|n| *n >= 0.0)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
