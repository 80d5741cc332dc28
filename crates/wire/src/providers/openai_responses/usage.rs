//! The usage of a response.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;

/// What a usage object states.
pub(crate) fn stated(usage: Val<'_>) -> Stated {
    let [input, output, total, of_input, of_output] = usage.fields(&[
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "input_tokens_details",
        "output_tokens_details",
    ]);
    let [read, written] = of_input.fields(&["cached_tokens", "cache_write_tokens"]);
    Stated {
        input: count(input),
        output: count(output),
        total: count(total),
        cache_read: count(read),
        cache_write: count(written),
        reasoning: count(of_output.get("reasoning_tokens")),
        cost: count(usage.get("cost"))
            .or_else(|| count(usage.get("cost_in_usd_ticks")).map(|t| t / 1e10)),
        ..Stated::default()
    }
}
