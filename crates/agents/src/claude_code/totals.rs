//! [`RunTotals`]: what Claude Code counted itself, over resumes, sub-agents and compactions.

use crate::fields::{get, is_true, number, of_kind, pick, raw};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The totals of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct RunTotals {
    pub(super) tokens: TokenCounts,
    /// In US dollars; `None` if it is not known for all models.
    pub(super) cost: Option<f64>,
    /// The counts and the cost of each model, as the file has them: a JSON object.
    pub(super) models: Box<str>,
}

impl RunTotals {
    /// Reads a line of the type `cost-state`; `None` if it counts nothing.
    pub(super) fn read(line: Node<'_>, json: &str) -> Option<RunTotals> {
        let [cost, unknown, models] =
            pick(line, ["totalCostUSD", "hasUnknownModelCost", "modelUsage"]);
        let models = of_kind(models, Kind::Object)?;
        let mut tokens = TokenCounts::default();
        for (_, usage) in models.fields() {
            let names =
                ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];
            let count = |name| number(get(Some(usage), name)).unwrap_or_default();
            let [input, output, read, write] = names.map(count);
            tokens.add(TokenCounts { input, output, reasoning: 0.0, read, write, total: None });
        }
        let has_tokens = [tokens.input, tokens.output, tokens.read, tokens.write] != [0.0; 4];
        // Nothing beside tokens is a price that is not known.
        let cost = number(cost).filter(|cost| !is_true(unknown) && (*cost > 0.0 || !has_tokens));
        Some(RunTotals { tokens, cost, models: raw(models, json).into() })
    }
}
