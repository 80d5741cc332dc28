//! Usage of an interaction.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;

/// What a usage object states; `None` if it has neither input nor output. What tools used is input, which Google
/// counts apart; thoughts are output.
pub(crate) fn stated(usage: Val<'_>) -> Option<Stated> {
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
    Some(Stated { input, tools, output, reasoning, total, cache_read, ..Stated::default() })
}
