//! Statistics of a transcript.

use super::entry::{COMPLETED, ERROR, FAILED, PART_TYPES, PartFact};
use super::step_tokens::StepTokens;
use apex_parts_agents::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, View, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts and sums over a transcript. Cost and tokens of a message are those of its step-finish parts; where these have
/// none, its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TranscriptStats {
    /// The number of messages.
    pub messages: u32,
    /// The number of parts by type.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, number>"))]
    pub parts: BTreeMap<String, u32>,
    /// By tool: calls, those that failed (`failedCalls`), of these those whose state is an error and those that are
    /// completed and have failed ([`apex_parts_model::outcome()`]), and milliseconds.
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(
            type = "Record<string, { calls: number; failedCalls?: number; errors: number; failed?: number; totalMs: number }>"
        )
    )]
    pub tools: BTreeMap<String, ToolStats>,
    /// Cost in US dollars.
    pub cost: f64,
    /// Tokens.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "TokenStats"))]
    pub tokens: TokenSums,
    /// The number of steps (step-start parts).
    pub steps: u32,
    /// The earliest time in the transcript, in milliseconds since the Unix epoch; left out if there is no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The latest time in the transcript, like `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// The sums of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolStats {
    /// The number of calls.
    pub calls: u32,
    /// The number of calls whose state is an error.
    pub errors: u32,
    /// The number of calls that are completed and have failed, as a command with exit code 1.
    #[serde(default)]
    pub failed: u32,
    /// The number of calls that failed: `failed` and `errors` together.
    #[serde(default)]
    pub failed_calls: u32,
    /// The time of all calls that ended, in milliseconds.
    pub total_ms: f64,
}

/// Tokens in disjoint counts: no token is in two of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenSums {
    /// Input tokens, without those of the cache.
    pub input: f64,
    /// Output tokens, without those of the reasoning.
    pub output: f64,
    /// Reasoning tokens.
    pub reasoning: f64,
    /// Tokens of the provider's cache.
    pub cache: CacheSums,
}

/// Tokens of the provider's cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheSums {
    /// Tokens read from it.
    pub read: f64,
    /// Tokens written to it.
    pub write: f64,
}

impl TokenSums {
    /// All of them.
    pub(crate) fn total(&self) -> f64 {
        self.input + self.output + self.reasoning + self.cache.read + self.cache.write
    }

    /// Adds the counts of a step or a message.
    fn add(&mut self, tokens: &StepTokens) {
        let [input, output, reasoning, read, write] = tokens.counts;
        add(&mut self.input, input);
        add(&mut self.output, output);
        add(&mut self.reasoning, reasoning);
        add(&mut self.cache.read, read);
        add(&mut self.cache.write, write);
    }
}

/// What a message took: its steps say it, and where they do not, the message itself does. Each of the two is told by
/// itself, so that a message can have the tokens of its steps and its own cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MessageUsage {
    has_tokens: bool,
    has_cost: bool,
}

impl MessageUsage {
    /// Adds what a step took.
    pub(crate) fn step(
        &mut self,
        (took, paid): (&StepTokens, f64),
        tokens: &mut TokenSums,
        cost: &mut f64,
    ) {
        self.has_tokens |= took.total() > 0.0;
        self.has_cost |= paid > 0.0;
        tokens.add(took);
        add(cost, paid);
    }

    /// Adds what no step has told, of what the message says itself. Returns this: all tokens, and the cost.
    pub(crate) fn rest(
        self,
        (told, paid): (&StepTokens, f64),
        tokens: &mut TokenSums,
        cost: &mut f64,
    ) -> (f64, f64) {
        let own = if !self.has_cost && paid > 0.0 { paid } else { 0.0 };
        *cost += own;
        if self.has_tokens {
            return (0.0, own);
        }
        tokens.add(told);
        (told.total(), own)
    }
}

impl TranscriptStats {
    /// Adds a message, without its parts.
    pub(crate) fn add_message(&mut self, created: f64, completed: f64) {
        self.messages += 1;
        self.at(created);
        self.at(completed);
    }

    /// Adds those of another session. `tokens` and `cost` say whether its sums of these count.
    pub(crate) fn add(&mut self, other: &TranscriptStats, tokens: bool, cost: bool) {
        self.messages += other.messages;
        self.steps += other.steps;
        for (name, count) in &other.parts {
            *self.parts.entry(name.clone()).or_default() += count;
        }
        for (name, tool) in &other.tools {
            let sum = self.tools.entry(name.clone()).or_default();
            sum.calls += tool.calls;
            sum.errors += tool.errors;
            sum.failed += tool.failed;
            sum.failed_calls += tool.failed_calls;
            sum.total_ms += tool.total_ms;
        }
        if cost {
            self.cost += other.cost;
        }
        if tokens {
            let (sum, more) = (&mut self.tokens, &other.tokens);
            sum.input += more.input;
            sum.output += more.output;
            sum.reasoning += more.reasoning;
            sum.cache.read += more.cache.read;
            sum.cache.write += more.cache.write;
        }
        for at in [other.start, other.end].into_iter().flatten() {
            self.at(at);
        }
    }

    /// Leaves the times out where there is no clock: they count from 0.
    pub(crate) fn without_clock(&mut self) {
        if !self.start.is_some_and(|start| start >= FIRST_CLOCK) {
            (self.start, self.end) = (None, None);
        }
    }

    /// Puts the sums that a file gives for the whole session in place of those of its steps.
    pub(crate) fn replace_sums(&mut self, tokens: Option<TokenCounts>, cost: Option<f64>) {
        if let Some(TokenCounts { input, output, reasoning, read, write, .. }) = tokens {
            self.tokens = TokenSums { input, output, reasoning, cache: CacheSums { read, write } };
        }
        self.cost = cost.unwrap_or(self.cost);
    }

    /// Adds a number of parts of one of the [`PART_TYPES`].
    pub(crate) fn add_kind(&mut self, kind: Word, parts: u32) {
        *self.parts.entry(kind.as_str().to_owned()).or_default() += parts;
    }

    /// Adds a part, except what a step took, and to the count of its type if that is one of the [`PART_TYPES`]. `told` is a
    /// time if the file has it.
    pub(crate) fn add_part(&mut self, part: Node<'_>, fact: &PartFact, told: impl Fn(f64) -> f64) {
        self.at(told(fact.from));
        self.at(told(fact.to));
        match PART_TYPES.get(usize::from(fact.kind)) {
            Some(word) => match word {
                Word::Tool => self.add_tool(part, fact),
                Word::StepStart => self.steps += 1,
                Word::Retry => self.at(told(part.get(Key::Time).get(Key::Created).number())),
                _ => {}
            },
            None => {
                if let Some(name) = part.get(Key::Type).str() {
                    count(&mut self.parts, &name);
                }
            }
        }
    }

    fn add_tool(&mut self, part: Node<'_>, fact: &PartFact) {
        let Some(name) = part.get(Key::Tool).str() else {
            return;
        };
        if !self.tools.contains_key(name.as_ref()) {
            if self.tools.len() >= MOST_NAMES {
                return;
            }
            self.tools.insert(name.clone().into_owned(), ToolStats::default());
        }
        let Some(tool) = self.tools.get_mut(name.as_ref()) else { return };
        tool.calls += 1;
        tool.errors += u32::from(fact.status == ERROR);
        tool.failed += u32::from(fact.status == FAILED);
        tool.failed_calls += u32::from(matches!(fact.status, ERROR | FAILED));
        let ms = fact.to - fact.from;
        if fact.status >= COMPLETED && !ms.is_nan() {
            tool.total_ms += ms;
        }
    }

    /// Adds a time.
    pub(crate) fn at(&mut self, ms: f64) {
        if ms.is_nan() {
            return;
        }
        self.start = Some(self.start.map_or(ms, |start| start.min(ms)));
        self.end = Some(self.end.map_or(ms, |end| end.max(ms)));
    }
}

/// Times before this one, in milliseconds since the Unix epoch, are those of no clock: they count from the beginning of
/// the run.
const FIRST_CLOCK: f64 = 1e10;

/// The most different names of tools, or of types, that are counted: no agent has more.
const MOST_NAMES: usize = 100_000;

fn count(counts: &mut BTreeMap<String, u32>, name: &str) {
    if let Some(count) = counts.get_mut(name) {
        *count += 1;
    } else if counts.len() < MOST_NAMES {
        counts.insert(name.to_owned(), 1);
    }
}

fn add(sum: &mut f64, value: f64) {
    if !value.is_nan() {
        *sum += value;
    }
}
