//! What a step used.

use super::call_context::CallContext;
use apex_parts_model::view::number_text;
use apex_parts_model::{Build, Key};
use apex_parts_validate::negative_counts;

/// What a step used. A field of kind `Missing` means that it is not known.
#[derive(Clone, Debug)]
pub struct StepUsage<P> {
    /// US dollars, a number.
    pub cost: P,
    /// Token counts: `{input, output, reasoning, cache: {read, write}}`.
    pub tokens: P,
    /// The state of the work tree after the step, as an id.
    pub snapshot: P,
}

impl<V: Build> StepUsage<V> {
    /// The usage of a step of which nothing is known.
    pub(super) fn unknown() -> StepUsage<V> {
        let missing = V::object().get(Key::Snapshot);
        StepUsage { cost: missing.clone(), tokens: missing.clone(), snapshot: missing }
    }

    /// Puts the usage into a step-finish part. What is not known is left out (the snapshot) or 0.
    pub(super) fn write(&self, part: &mut V, context: &mut CallContext<'_>) {
        if self.snapshot.kind().is_string() {
            part.put(Key::Snapshot, &self.snapshot);
        }
        let cost = self.cost.number();
        part.put_number(Key::Cost, if cost.is_finite() { cost } else { 0.0 });
        if self.tokens.kind().is_nullish() {
            part.put(Key::Tokens, &zero_tokens());
            return;
        }
        for (keys, count) in negative_counts(&self.tokens) {
            let name = keys.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(".");
            let message = format!(
                "the step ends with {} tokens (`tokens.{name}`), which are kept: a count cannot be negative",
                number_text(count)
            );
            context.report("StepStateError", message);
        }
        part.put(Key::Tokens, &self.tokens);
    }
}

/// Token counts that are all 0.
fn zero_tokens<V: Build>() -> V {
    let mut cache = V::object();
    cache.put_number(Key::Read, 0.0);
    cache.put_number(Key::Write, 0.0);
    let mut tokens = V::object();
    for key in [Key::Input, Key::Output, Key::Reasoning] {
        tokens.put_number(key, 0.0);
    }
    tokens.put(Key::Cache, &cache);
    tokens
}
