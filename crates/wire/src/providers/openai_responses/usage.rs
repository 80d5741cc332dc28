//! The usage of a response.

use crate::providers::usage::count;
use apex_parts_json::record::Val;
use apex_parts_model::delta::Usage;

/// The totals of a usage object.
pub(crate) fn totals(usage: Val<'_>) -> Usage {
    let [input, output, total, of_input, of_output] = usage.fields(&[
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "input_tokens_details",
        "output_tokens_details",
    ]);
    let (input, output) = (count(input).unwrap_or_default(), count(output).unwrap_or_default());
    let [read, written] = of_input.fields(&["cached_tokens", "cache_write_tokens"]);
    Usage {
        input,
        output,
        total: count(total).filter(|t| *t > 0.0).unwrap_or(input + output),
        cache_read: count(read),
        cache_write: count(written),
        reasoning: count(of_output.get("reasoning_tokens")),
        cost: count(usage.get("cost"))
            .or_else(|| count(usage.get("cost_in_usd_ticks")).map(|t| t / 1e10)),
    }
}
