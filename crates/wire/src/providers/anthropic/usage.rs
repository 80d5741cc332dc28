//! Anthropic's counts: input without what was read from or written to the cache, and the usage of
//! each iteration.

use crate::providers::usage::count;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::delta::Usage;

/// The highest counts of a message so far: a record has only the counts that changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    own: f64,
    output: f64,
    read: Option<f64>,
    write: Option<f64>,
    reasoning: Option<f64>,
}

state!(Counts { own, output, read, write, reasoning });

impl Counts {
    /// Takes the counts of a record; returns the totals.
    pub(crate) fn take(&mut self, usage: Val<'_>) -> Usage {
        let [input, output, read, write, iterations, created, details] = usage.fields(&[
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "iterations",
            "cache_creation",
            "output_tokens_details",
        ]);
        // The totals beside `iterations` lack the tokens of a compaction or of a failed model.
        let (mut input_sum, mut output_sum) = (0.0, 0.0);
        for iteration in iterations.items() {
            let [kind, input, output] =
                iteration.fields(&["type", "input_tokens", "output_tokens"]);
            if matches!(&*kind.text(), "message" | "compaction" | "fallback_message") {
                input_sum += count(input).unwrap_or_default();
                output_sum += count(output).unwrap_or_default();
            }
        }
        self.own = self.own.max(input_sum.min(f64::MAX)).max(count(input).unwrap_or_default());
        self.output =
            self.output.max(output_sum.min(f64::MAX)).max(count(output).unwrap_or_default());
        raise(&mut self.read, count(read));
        let sum = || created.entries().filter_map(|(_, tokens)| count(tokens)).reduce(|a, b| a + b);
        raise(&mut self.write, count(write).or_else(sum));
        raise(&mut self.reasoning, count(details.get("thinking_tokens")));
        let input = self.own + self.read.unwrap_or_default() + self.write.unwrap_or_default();
        Usage {
            input,
            output: self.output,
            total: input + self.output,
            cache_read: self.read,
            cache_write: self.write,
            reasoning: self.reasoning,
            ..Usage::default()
        }
    }
}

fn raise(highest: &mut Option<f64>, now: Option<f64>) {
    if let Some(now) = now {
        *highest = Some(highest.unwrap_or_default().max(now));
    }
}
