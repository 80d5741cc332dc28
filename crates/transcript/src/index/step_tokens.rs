//! [`StepTokens`]: the tokens of a step or a message.

use apex_parts_agents::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, View};

/// The tokens of a step or a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTokens {
    /// Input, output, reasoning, read from the cache and written to it; `NaN` where that is not given.
    pub(super) counts: [f64; 5],
}

impl StepTokens {
    /// Reads a `tokens` object.
    pub(crate) fn read(tokens: Node<'_>) -> StepTokens {
        let cache = tokens.get(Key::Cache);
        let counts = [
            tokens.get(Key::Input),
            tokens.get(Key::Output),
            tokens.get(Key::Reasoning),
            cache.get(Key::Read),
            cache.get(Key::Write),
        ];
        StepTokens { counts: counts.map(|count| count.number()) }
    }

    /// The tokens of a message that does not report any.
    pub(crate) const NONE: StepTokens = StepTokens { counts: [f64::NAN; 5] };

    /// All of them.
    pub(crate) fn total(&self) -> f64 {
        0.0 + self.counts.iter().filter(|count| !count.is_nan()).sum::<f64>()
    }
}

impl From<TokenCounts> for StepTokens {
    fn from(counts: TokenCounts) -> StepTokens {
        let TokenCounts { input, output, reasoning, read, write, .. } = counts;
        StepTokens { counts: [input, output, reasoning, read, write] }
    }
}
