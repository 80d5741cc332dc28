//! The tokens that the end of a session tells of.

use crate::fields::{get, number, of_kind, pick};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The sums over all models: cached tokens are inside those of the input, those of reasoning inside the output.
pub(super) fn sum(metrics: Option<Node<'_>>) -> Option<TokenCounts> {
    let mut sum: Option<TokenCounts> = None;
    for (_, model) in of_kind(metrics, Kind::Object)?.fields() {
        let Some(usage) = of_kind(get(Some(model), "usage"), Kind::Object) else { continue };
        let names = [
            "inputTokens",
            "outputTokens",
            "cacheReadTokens",
            "cacheWriteTokens",
            "reasoningTokens",
        ];
        let counts = pick(usage, names).map(|count| number(count).unwrap_or_default());
        let [input, output, read, write, reasoning] = counts;
        sum.get_or_insert_default().add(TokenCounts {
            input: input - read - write,
            output: output - reasoning,
            reasoning,
            read,
            write,
            total: None,
        });
    }
    sum
}
