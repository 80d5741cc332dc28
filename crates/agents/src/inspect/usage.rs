//! The token counts of Inspect logs.

use crate::fields::{number, of_kind, pick};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The tokens and the cost of one answer, or of all answers of a model; `None` if it is not an object.
pub(super) fn usage(node: Option<Node<'_>>) -> Option<(TokenCounts, Option<f64>)> {
    const NAMES: [&str; 7] = [
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "input_tokens_cache_read",
        "input_tokens_cache_write",
        "reasoning_tokens",
        "total_cost",
    ];
    let [input, output, total, read, write, reasoning, cost] =
        pick(of_kind(node, Kind::Object)?, NAMES).map(number);
    let count = |tokens: Option<f64>| tokens.unwrap_or_default().max(0.0);
    let (all_input, all_output, read, write) =
        (count(input), count(output), count(read), count(write));
    let reasoning = count(reasoning);
    // Providers differ in whether cached tokens are counted as input: the total tells.
    let has_cached = total == Some(all_input + all_output);
    let input = if has_cached { (all_input - read - write).max(0.0) } else { all_input };
    let output = (all_output - reasoning).max(0.0);
    Some((TokenCounts { input, output, reasoning, read, write, total }, cost))
}

/// The tokens and the cost of all models; `None` where the log does not say them.
pub(super) fn sum(models: Option<Node<'_>>) -> (Option<TokenCounts>, Option<f64>) {
    let (mut tokens, mut cost): (Option<TokenCounts>, Option<f64>) = (None, None);
    for (_, model) in of_kind(models, Kind::Object).into_iter().flat_map(Node::fields) {
        let Some((counts, dollars)) = usage(Some(model)) else { continue };
        tokens.get_or_insert_default().add(counts);
        if let Some(dollars) = dollars {
            *cost.get_or_insert_default() += dollars;
        }
    }
    (tokens, cost)
}
