//! The usage of a chat completion, under the names that its servers have for the counts.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;

/// What a usage object states; `None` if it counts nothing. Its output includes the reasoning.
pub(crate) fn stated(usage: Val<'_>) -> Option<Stated> {
    let [prompt, completion, total, of_prompt, of_prompt_too, of_completion, cost] =
        usage.fields(&[
            "prompt_tokens",
            "completion_tokens",
            "total_tokens",
            "prompt_tokens_details",
            "prompt_token_details",
            "completion_tokens_details",
            "cost",
        ]);
    let [hit, cached, number, reasoning, ticks] = usage.fields(&[
        "prompt_cache_hit_tokens",
        "cached_tokens",
        "num_cached_tokens",
        "reasoning_tokens",
        "cost_in_usd_ticks",
    ]);
    let (prompt, completion, total) = (count(prompt), count(completion), count(total));
    prompt.or(completion).or(total)?;
    let input = prompt.unwrap_or_default();
    let mut output = completion.unwrap_or_default();
    let mut reasoning = count(of_completion.get("reasoning_tokens")).or_else(|| count(reasoning));
    // xAI's `completion_tokens` lack the reasoning: its total shows that.
    if let Some(tokens) = reasoning {
        let is_apart = total.is_some_and(|t| t >= input + output + tokens);
        if tokens > output || is_apart {
            output += tokens;
        }
    } else if let Some(hidden) = total.map(|t| t - input - output).filter(|n| *n > 0.0)
        && prompt.is_some()
        && completion.is_some()
    {
        // Google's compatible endpoint counts the reasoning in the total only.
        output += hidden;
        reasoning = Some(hidden);
    }
    let [details, written, created] =
        of_prompt.fields(&["cached_tokens", "cache_write_tokens", "cache_creation_input_tokens"]);
    // xAI's tick is a ten-billionth of a dollar; Perplexity's cost is an object.
    let ticks = count(ticks).map(|t| t / 1e10);
    let cost = count(cost).or_else(|| count(cost.get("total_cost"))).or(ticks);
    Some(Stated {
        input: prompt,
        output: completion.or(reasoning).map(|_| output),
        total,
        cost,
        cache_read: [details, of_prompt_too.get("cached_tokens"), hit, cached, number]
            .into_iter()
            .find_map(count),
        cache_write: count(written).or_else(|| count(created)),
        reasoning,
        tools: None,
    })
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
