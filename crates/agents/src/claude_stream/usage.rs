//! Tokens: of a step, and of the whole run.

use crate::claude_code::tokens;
use crate::fields::{get, number, of_kind, pick};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The tokens of a `usage`. Where it has a total, as Qwen Code writes it, the input contains what the cache had.
pub(super) fn of_usage(usage: Node<'_>) -> TokenCounts {
    let counts = tokens(usage);
    match get(Some(usage), "total_tokens") {
        Some(_) => TokenCounts { input: (counts.input - counts.read).max(0.0), ..counts },
        None => counts,
    }
}

/// The tokens of the run, with those of its sub-agents where the result has them for each model.
pub(super) fn of_run(result: Node<'_>) -> Option<TokenCounts> {
    let [models, usage] = pick(result, ["modelUsage", "usage"]);
    let models = of_kind(models, Kind::Object).into_iter().flat_map(Node::fields);
    let sum = models.map(|(_, model)| of_model(model)).reduce(|mut sum, model| {
        sum.add(model);
        sum
    });
    sum.or_else(|| of_kind(usage, Kind::Object).map(of_usage))
}

fn of_model(model: Node<'_>) -> TokenCounts {
    let names = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];
    let [input, output, read, write] = pick(model, names).map(|count| number(count).unwrap_or(0.0));
    TokenCounts { input, output, reasoning: 0.0, read, write, total: None }
}
