//! Old outputs of tools that can be cleared (FR-56).

use super::cache_cost::CacheCost;
use super::config::CompactionConfig;
use super::head::Speaker;
use super::history::History;
use super::token_count::MessageTokens;
use super::view::HistoryView;
use crate::model::Error;

/// An output that is to be cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PruneEntry {
    /// The index of its message.
    pub message: u32,
    /// The index of its part within the message.
    pub part: u32,
    /// What clearing it saves.
    pub tokens: u32,
}

/// Which outputs are to be cleared; nothing has been changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrunePlan {
    /// The outputs, oldest first.
    pub entries: Vec<PruneEntry>,
    /// The tokens that are saved.
    pub saved: f64,
    /// What it costs with a prompt cache.
    pub cache: CacheCost,
    /// Of the history that the plan is for.
    pub fingerprint: String,
}

/// Finds the outputs to clear: completed calls beyond the newest `protect` tokens of output, if they hold more than
/// `minimum` tokens together. The newest turns, protected tools, what precedes a summary and what was cleared
/// before stay as they are.
///
/// # Errors
/// `TranscriptError` if the host cannot read the bytes of a transcript.
pub fn prune(history: &impl History, config: &CompactionConfig) -> Result<PrunePlan, Error> {
    let fingerprint = history.fingerprint();
    let mut entries = if config.prune { candidates(history, config)? } else { Vec::new() };
    let saved: f64 = entries.iter().map(|entry| f64::from(entry.tokens)).sum();
    if saved <= config.minimum {
        return Ok(PrunePlan { fingerprint, ..PrunePlan::default() });
    }
    entries.reverse();
    let cache = cost(history, config, &entries, saved)?;
    Ok(PrunePlan { entries, saved, cache, fingerprint })
}

/// The outputs beyond the protected ones, newest first.
fn candidates(history: &impl History, config: &CompactionConfig) -> Result<Vec<PruneEntry>, Error> {
    let (mut turns, mut total, mut found) = (0.0, 0.0, Vec::new());
    let mut tokens = MessageTokens::default();
    for message in (0..history.len()).rev() {
        let head = history.head(message);
        if head.speaker == Speaker::User {
            turns += 1.0;
        }
        if turns < config.protect_turns {
            continue;
        }
        if head.is_summary() {
            return Ok(found);
        }
        if head.speaker != Speaker::Assistant {
            continue;
        }
        history.tokens(message, config.estimator, &mut tokens)?;
        for (part, one) in tokens.parts.iter().enumerate().rev() {
            if !one.is_completed() {
                continue;
            }
            if one.is_cleared() {
                return Ok(found);
            }
            let name = history.tool_name(message, part);
            let is_protected =
                name.is_some_and(|name| config.protected_tools.iter().any(|own| *own == *name));
            if is_protected {
                continue;
            }
            total += f64::from(one.result);
            if total > config.protect {
                let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let (message, part) = (index(message), index(part));
                found.push(PruneEntry { message, part, tokens: one.result });
            }
        }
    }
    Ok(found)
}

/// What clearing these outputs, oldest first, costs with a prompt cache.
fn cost(
    history: &impl History,
    config: &CompactionConfig,
    entries: &[PruneEntry],
    saved: f64,
) -> Result<CacheCost, Error> {
    let by = config.estimator;
    let placeholder = f64::from(by.of_text(crate::model::Word::ClearedOutput.as_str()));
    let Some(first) = entries.first() else { return Ok(CacheCost::default()) };
    let (mut prefix, mut after, mut is_after) = (0.0, 0.0, false);
    let mut tokens = MessageTokens::default();
    for index in HistoryView::of(history).order {
        history.tokens(index as usize, by, &mut tokens)?;
        #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
        let all = tokens.sent(by) as f64;
        if index == first.message {
            let parts = tokens.parts.iter().take(first.part as usize);
            #[allow(clippy::cast_precision_loss)] // as above
            let before: f64 = parts.map(|part| part.sent(by) as f64).sum();
            prefix += before;
            after += all - before;
            is_after = true;
        } else if is_after {
            after += all;
        } else {
            prefix += all;
        }
    }
    #[allow(clippy::cast_precision_loss)] // as above
    let rewritten = (after - saved + placeholder * entries.len() as f64).max(0.0);
    Ok(CacheCost::new(prefix, rewritten, saved, &config.prices))
}

#[cfg(test)]
mod tests;
