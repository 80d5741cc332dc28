//! Turns running totals of usage, which providers repeat, into the increments that deltas carry.

use crate::providers::output::emit;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::delta::{Payload, Usage};

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
}

state!(Totals { told, input, output, total, cost, cache_read, cache_write, reasoning });

impl Totals {
    /// Takes the current totals and emits what was added to them. A total never falls: a record
    /// that repeats zeros or lacks a count changes nothing.
    pub(crate) fn advance(&mut self, now: Usage, out: &mut Sink<'_>) {
        // A sum of finite counts may be infinite, which JSON cannot write.
        let finite = |n: f64| n.min(f64::MAX);
        let finite_some = |n: Option<f64>| n.map(finite);
        let now = Usage {
            input: finite(now.input),
            output: finite(now.output),
            total: finite(now.total),
            cost: finite_some(now.cost),
            cache_read: finite_some(now.cache_read),
            cache_write: finite_some(now.cache_write),
            reasoning: finite_some(now.reasoning),
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

fn grow(known: &mut f64, now: f64) -> f64 {
    let more = (now - *known).max(0.0);
    *known = (*known + more).min(f64::MAX);
    more
}

/// A count that appears for the first time is emitted even if it is zero.
fn grow_some(known: &mut Option<f64>, now: Option<f64>) -> Option<f64> {
    let now = now?;
    let first = known.is_none();
    let more = grow(known.get_or_insert(0.0), now);
    (first || more > 0.0).then_some(more)
}

/// A count: a finite number that is not negative.
pub(crate) fn count(value: Val<'_>) -> Option<f64> {
    value.number().filter(|n| *n >= 0.0)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
