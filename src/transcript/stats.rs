//! Sums over a transcript.

use super::json::Node;
use crate::model::{Key, Status, View, Word, tool_state};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a transcript adds up to. Cost and tokens are summed from step-finish parts (their messages
/// have the same again).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TranscriptStats {
    /// Messages.
    pub messages: u32,
    /// Parts by type.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, number>"))]
    pub parts: BTreeMap<String, u32>,
    /// Calls, failed calls, and milliseconds, by tool.
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "Record<string, { calls: number; errors: number; totalMs: number }>")
    )]
    pub tools: BTreeMap<String, ToolStats>,
    /// US dollars.
    pub cost: f64,
    /// Tokens.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "TokenStats"))]
    pub tokens: TokenSums,
    /// Steps: step-start parts.
    pub steps: u32,
    /// The first time in it, in milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The last time in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// What is known of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolStats {
    /// Calls.
    pub calls: u32,
    /// Calls that failed.
    pub errors: u32,
    /// The milliseconds of calls that ended.
    pub total_ms: f64,
}

/// Tokens, in disjoint counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenSums {
    /// Sent and not cached.
    pub input: f64,
    /// Received, thoughts left out.
    pub output: f64,
    /// Thoughts.
    pub reasoning: f64,
    /// The provider's cache.
    pub cache: CacheSums,
}

/// Tokens of the provider's cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheSums {
    /// Read.
    pub read: f64,
    /// Written.
    pub write: f64,
}

impl TranscriptStats {
    /// Adds a message.
    pub(super) fn add(&mut self, message: Node<'_>) {
        self.messages += 1;
        let time = message.get(Key::Info).get(Key::Time);
        self.span(time, &[Key::Created, Key::Completed]);
        for part in message.get(Key::Parts).children() {
            self.add_part(part);
        }
    }

    fn add_part(&mut self, part: Node<'_>) {
        let kind = part.get(Key::Type);
        let Some(name) = kind.str() else { return };
        *self.parts.entry(name.into_owned()).or_default() += 1;
        self.span(part.get(Key::Time), &[Key::Created, Key::Start, Key::End]);
        match kind.word() {
            Some(Word::Tool) => self.add_tool(part),
            Some(Word::StepStart) => self.steps += 1,
            Some(Word::StepFinish) => {
                add(&mut self.cost, part, Key::Cost);
                let tokens = part.get(Key::Tokens);
                add(&mut self.tokens.input, tokens, Key::Input);
                add(&mut self.tokens.output, tokens, Key::Output);
                add(&mut self.tokens.reasoning, tokens, Key::Reasoning);
                let cache = tokens.get(Key::Cache);
                add(&mut self.tokens.cache.read, cache, Key::Read);
                add(&mut self.tokens.cache.write, cache, Key::Write);
            }
            _ => {}
        }
    }

    fn add_tool(&mut self, part: Node<'_>) {
        let state = part.get(Key::State);
        self.span(state.get(Key::Time), &[Key::Start, Key::End]);
        let Some(name) = part.get(Key::Tool).str() else {
            return;
        };
        let tool = self.tools.entry(name.into_owned()).or_default();
        tool.calls += 1;
        tool.errors += u32::from(Status::of(&state) == Some(Status::Error));
        tool.total_ms += tool_state::duration(&state).unwrap_or(0.0);
    }

    fn span(&mut self, time: Node<'_>, keys: &[Key]) {
        for key in keys {
            let at = time.get(*key).number();
            if at.is_nan() {
                continue;
            }
            self.start = Some(self.start.map_or(at, |start| start.min(at)));
            self.end = Some(self.end.map_or(at, |end| end.max(at)));
        }
    }
}

fn add(sum: &mut f64, from: Node<'_>, key: Key) {
    let value = from.get(key).number();
    if !value.is_nan() {
        *sum += value;
    }
}
