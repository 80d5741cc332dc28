//! The tokens of Codex's `token_count` events, which tell of one answer each and of all before it.

use crate::fields::{number, of_kind, pick};
use crate::log::session_log::SessionLog;
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The counts of a `TokenUsage` object, as they are.
type RawUsage = [f64; 6];

/// What the counts so far said.
#[derive(Debug, Default)]
pub(crate) struct CodexUsage {
    /// The total of the last one. The same total again is a repeat.
    total: Option<RawUsage>,
    /// Tokens that wait for the next answer: old versions write them before it.
    pub(crate) waiting: Option<TokenCounts>,
}

fn usage(node: Option<Node<'_>>) -> Option<RawUsage> {
    let names = [
        "input_tokens",
        "cached_input_tokens",
        "cache_write_input_tokens",
        "output_tokens",
        "reasoning_output_tokens",
        "total_tokens",
    ];
    let node = of_kind(node, Kind::Object)?;
    Some(pick(node, names).map(|count| number(count).unwrap_or(0.0)))
}

impl CodexUsage {
    /// The tokens that an event's `info` adds; `None` if it repeats the one before or has none.
    fn read(&mut self, info: Option<Node<'_>>) -> Option<TokenCounts> {
        let info = of_kind(info, Kind::Object)?;
        let [last, total] = pick(info, ["last_token_usage", "total_token_usage"]);
        let total = usage(total);
        let before = total.and_then(|total| self.total.replace(total));
        if total.is_some() && before == total {
            return None;
        }
        // Without those of the answer they are what the total has grown by.
        let grown = || {
            let mut grown = total?;
            for (now, before) in grown.iter_mut().zip(before.unwrap_or_default()) {
                *now = (*now - before).max(0.0);
            }
            Some(grown)
        };
        let [input, cached, written, output, reasoning, total] = usage(last).or_else(grown)?;
        let tokens = TokenCounts {
            input: (input - cached - written).max(0.0),
            output: (output - reasoning).max(0.0),
            reasoning,
            read: cached,
            write: written,
            total: Some(total),
        };
        (tokens != TokenCounts { total: Some(0.0), ..TokenCounts::default() }).then_some(tokens)
    }

    /// Gives the tokens of an event to the last message of a session, if that is an answer without any;
    /// others wait for the next one.
    pub(crate) fn count(&mut self, info: Option<Node<'_>>, log: &mut SessionLog, session: usize) {
        let Some(tokens) = self.read(info) else { return };
        let last = log.last_answer(session).and_then(|last| log.message(last));
        match last.filter(|message| message.tokens.is_none()) {
            Some(message) => message.tokens = Some(tokens),
            None => self.waiting.get_or_insert_default().add(tokens),
        }
    }

    /// Adds the tokens for which no answer came to the last one of a session.
    pub(crate) fn finish(&mut self, log: &mut SessionLog, session: usize) {
        let Some(waiting) = self.waiting.take() else { return };
        let messages = log.session(session).map(|of| of.messages.clone()).unwrap_or_default();
        for message in messages.into_iter().rev() {
            if let Some(answer) = log.message(message).filter(|message| message.is_answer()) {
                return answer.tokens.get_or_insert_default().add(waiting);
            }
        }
    }
}
