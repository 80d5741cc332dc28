//! Usage of an interaction.

use crate::providers::usage::count;
use apex_parts_json::record::Val;
use apex_parts_model::delta::Usage;

/// The totals of a usage object; `None` if it has neither input nor output. What tools used is input, which Google
/// counts apart; thoughts are output.
pub(crate) fn totals(usage: Val<'_>) -> Option<Usage> {
    let names = &[
        "total_input_tokens",
        "total_output_tokens",
        "total_tool_use_tokens",
        "total_thought_tokens",
        "total_cached_tokens",
        "total_tokens",
    ];
    let [input, output, tools, reasoning, cache_read, total] = usage.fields(names).map(count);
    if input.is_none() && output.is_none() {
        return None;
    }
    let of = Option::unwrap_or_default;
    let (input, output) = (of(input) + of(tools), of(output) + of(reasoning));
    let total = total.unwrap_or(input + output);
    Some(Usage { input, output, total, cache_read, reasoning, ..Usage::default() })
}
