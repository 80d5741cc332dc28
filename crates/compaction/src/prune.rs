//! Old outputs of tools that can be cleared.

use super::cache_cost::CacheCost;
use super::config::{CompactionConfig, Estimator};
use super::head::Speaker;
use super::history::History;
use super::token_count::{MessageTokens, ResultSums};
use super::view::HistoryView;
use apex_parts_model::Error;

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

/// Outputs that are to be cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruneRun {
    /// One.
    Output(PruneEntry),
    /// Those of all completed calls in these messages: the first, and the one after the last.
    Messages(u32, u32),
}

/// Which outputs are to be cleared; nothing has been changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrunePlan {
    /// The outputs, oldest first.
    pub runs: Vec<PruneRun>,
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
    let mut candidates = Candidates::default();
    if config.prune {
        candidates.look(history, config)?;
    }
    if candidates.saved <= config.minimum {
        return Ok(PrunePlan { fingerprint, ..PrunePlan::default() });
    }
    candidates.runs.reverse();
    let cache = cost(history, config, &candidates)?;
    Ok(PrunePlan { runs: candidates.runs, saved: candidates.saved, cache, fingerprint })
}

/// The outputs of a plan one by one, oldest first.
///
/// # Errors
/// As [`prune`].
pub fn outputs(
    history: &impl History,
    runs: &[PruneRun],
    by: Estimator,
) -> Result<Vec<PruneEntry>, Error> {
    let (mut entries, mut tokens) = (Vec::new(), MessageTokens::default());
    for run in runs {
        match *run {
            PruneRun::Output(entry) => entries.push(entry),
            PruneRun::Messages(from, to) => {
                for message in from..to.min(place(history.len())) {
                    history.tokens(message as usize, by, &mut tokens)?;
                    let completed = tokens.parts.iter().zip(0..).filter(|(p, _)| p.is_completed());
                    entries.extend(completed.map(|(one, part)| PruneEntry {
                        message,
                        part,
                        tokens: one.result,
                    }));
                }
            }
        }
    }
    Ok(entries)
}

/// The outputs beyond the protected ones.
#[derive(Default)]
struct Candidates {
    /// Newest first.
    runs: Vec<PruneRun>,
    /// How many outputs there are.
    count: u64,
    /// What they hold together.
    saved: f64,
    /// Has a message been looked at part by part since the last run of messages?
    is_cut: bool,
}

impl Candidates {
    fn look(&mut self, history: &impl History, config: &CompactionConfig) -> Result<(), Error> {
        let (mut turns, mut total) = (0.0, 0.0);
        let protected = history.tool_set(&config.protected_tools);
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
                break;
            }
            if head.speaker != Speaker::Assistant {
                continue;
            }
            if total > config.protect
                && let Some(results) = history.results(message, config.estimator, protected)
            {
                self.add_message(message, results);
                continue;
            }
            self.is_cut = true;
            history.tokens(message, config.estimator, &mut tokens)?;
            for (part, one) in tokens.parts.iter().enumerate().rev() {
                if !one.is_completed() {
                    continue;
                }
                if one.is_cleared() {
                    return Ok(());
                }
                let name = history.tool_name(message, part)?;
                if name.is_some_and(|name| config.protected_tools.iter().any(|own| *own == *name)) {
                    continue;
                }
                total += f64::from(one.result);
                if total > config.protect {
                    self.add_output(message, part, one.result);
                }
            }
        }
        Ok(())
    }

    fn add_output(&mut self, message: usize, part: usize, tokens: u32) {
        let (message, part) = (place(message), place(part));
        self.count += 1;
        self.saved += f64::from(tokens);
        self.runs.push(PruneRun::Output(PruneEntry { message, part, tokens }));
    }

    /// Adds the outputs of a message, which stands before all others.
    fn add_message(&mut self, message: usize, results: ResultSums) {
        if results.count == 0 {
            return;
        }
        self.count += u64::from(results.count);
        self.saved += f64::from(results.tokens);
        let message = place(message);
        match self.runs.last_mut() {
            Some(PruneRun::Messages(from, _)) if !self.is_cut => *from = message,
            _ => self.runs.push(PruneRun::Messages(message, message + 1)),
        }
        self.is_cut = false;
    }
}

/// An index as it is stored: no history has 2^32 messages.
fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// What clearing these outputs, oldest first, costs with a prompt cache.
fn cost(
    history: &impl History,
    config: &CompactionConfig,
    found: &Candidates,
) -> Result<CacheCost, Error> {
    let by = config.estimator;
    let placeholder = f64::from(by.of_text(apex_parts_model::Word::ClearedOutput.as_str()));
    let (message, part) = match found.runs.first() {
        None => return Ok(CacheCost::default()),
        Some(PruneRun::Output(entry)) => (entry.message, Some(entry.part as usize)),
        Some(PruneRun::Messages(from, _)) => (*from, None),
    };
    let mut tokens = MessageTokens::default();
    history.tokens(message as usize, by, &mut tokens)?;
    let part = part.or_else(|| tokens.parts.iter().position(|part| part.is_completed()));
    let (mut prefix, mut after, mut is_after) = (0, 0, false);
    for run in HistoryView::new(history).runs() {
        let (start, end) = (run.start as usize, run.end as usize);
        if !run.contains(&message) {
            let sent = history.sent(start..end, by)?;
            *if is_after { &mut after } else { &mut prefix } += sent;
            continue;
        }
        is_after = true;
        let before = tokens.parts.iter().take(part.unwrap_or(0));
        let before = before.map(|part| part.sent(by)).sum::<u64>();
        prefix += history.sent(start..message as usize, by)? + before;
        after += history.sent(message as usize..end, by)?.saturating_sub(before);
    }
    #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
    let (prefix, after, count) = (prefix as f64, after as f64, found.count as f64);
    let rewritten = (after - found.saved + placeholder * count).max(0.0);
    Ok(CacheCost::new(prefix, rewritten, found.saved, &config.prices))
}

#[cfg(test)]
mod tests;
