//! Loops in a transcript, at once or some messages at a time.

use super::Transcript;
use crate::json::tape::Node;
use crate::loops::{Config, Finder, Loop};
use crate::model::Error;

/// A search for loops that goes on where it stopped.
///
/// ```
/// use apex_parts::loops::Config;
/// use apex_parts::transcript::{Env, LoopSearch, TranscriptOptions, Transcript};
/// let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]}]"#;
/// let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
/// let t = Transcript::open(bytes, TranscriptOptions::default(), &mut env)?;
/// let mut search = LoopSearch::new(Config::default());
/// while search.looked() < t.total_messages() {
///     let to = search.looked() + 100;
///     t.look_for_loops(&mut search, to)?;
/// }
/// assert!(search.found().is_empty());
/// # Ok::<(), apex_parts::model::Error>(())
/// ```
#[derive(Debug)]
pub struct LoopSearch {
    config: Config,
    finder: Finder,
    looked: usize,
}

impl LoopSearch {
    /// A search that has seen nothing.
    #[must_use]
    pub fn new(config: Config) -> LoopSearch {
        LoopSearch { finder: Finder::new(config.clone()), config, looked: 0 }
    }

    /// How it was set.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many messages it has seen.
    #[must_use]
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// The loops so far.
    #[must_use]
    pub fn found(&self) -> &[Loop] {
        self.finder.found()
    }
}

impl Transcript {
    /// The messages of all sessions.
    #[must_use]
    pub fn total_messages(&self) -> usize {
        self.lists().map(|list| list.index.messages.len()).sum()
    }

    /// Looks for loops in the messages before `to`, from where the search stopped. The messages are
    /// those of all sessions, where they were put together those of the first before the others'.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes; the search may go on.
    pub fn look_for_loops(&self, search: &mut LoopSearch, to: usize) -> Result<(), Error> {
        let LoopSearch { finder, looked, .. } = search;
        let mut before = 0;
        for list in self.lists() {
            let within = |place: usize| place.saturating_sub(before).min(list.index.messages.len());
            let range = within(*looked)..within(to);
            if !range.is_empty() {
                list.each_read(range, &mut |index, message| {
                    finder.message(&message, &|node: &Node<'_>| {
                        String::from_utf8_lossy(node.json()).into_owned()
                    });
                    *looked = before + index + 1;
                })?;
            }
            before += list.index.messages.len();
        }
        *looked = (*looked).max(to.min(before));
        Ok(())
    }

    /// The loops in it, session by session, across messages.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn loops(&self, config: &Config) -> Result<Vec<Loop>, Error> {
        let mut search = LoopSearch::new(config.clone());
        self.look_for_loops(&mut search, usize::MAX)?;
        Ok(search.finder.into_found())
    }
}

#[cfg(test)]
mod tests;
