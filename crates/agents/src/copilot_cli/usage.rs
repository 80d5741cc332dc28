//! The tokens that events tell: of an answer, and at the end of the session.

use crate::fields::{get, number, of_kind, pick};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The counts of a `usage`: cached tokens are inside those of the input, those of reasoning inside the output.
pub(super) fn tokens(usage: Option<Node<'_>>) -> Option<TokenCounts> {
    let usage = of_kind(usage, Kind::Object)?;
    let names =
        ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"];
    let counts = pick(usage, names).map(|count| number(count).unwrap_or_default());
    let [input, output, read, write, reasoning] = counts;
    Some(TokenCounts {
        input: input - read - write,
        output: output - reasoning,
        reasoning,
        read,
        write,
        total: None,
    })
}

/// The sums over all models.
pub(super) fn sum(metrics: Option<Node<'_>>) -> Option<TokenCounts> {
    let mut sum: Option<TokenCounts> = None;
    for (_, model) in of_kind(metrics, Kind::Object)?.fields() {
        if let Some(used) = tokens(get(Some(model), "usage")) {
            sum.get_or_insert_default().add(used);
        }
    }
    sum
}
