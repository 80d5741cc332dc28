//! Anthropic's counts: input without what was read from or written to the cache, and the usage of each iteration.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;

/// What a usage object states.
pub(crate) fn stated(usage: Val<'_>) -> Stated {
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
        let [kind, input, output] = iteration.fields(&["type", "input_tokens", "output_tokens"]);
        if matches!(&*kind.text(), "message" | "compaction" | "fallback_message") {
            input_sum += count(input).unwrap_or_default();
            output_sum += count(output).unwrap_or_default();
        }
    }
    let least = |stated: Option<f64>, sum: f64| {
        if sum > 0.0 { Some(stated.unwrap_or_default().max(sum)) } else { stated }
    };
    let sum = || created.entries().filter_map(|(_, tokens)| count(tokens)).reduce(|a, b| a + b);
    Stated {
        input: least(count(input), input_sum),
        output: least(count(output), output_sum),
        cache_read: count(read),
        cache_write: count(write).or_else(sum),
        reasoning: count(details.get("thinking_tokens")),
        ..Stated::default()
    }
}
