//! Loops in a transcript, found at once or in steps of some messages.

use super::Transcript;
use crate::assembled_list::AssembledList;
use apex_parts_json::tape::Node;
use apex_parts_loops::{Config, Finder, Loop};
use apex_parts_model::Error;

/// A search for loops that can be continued.
///
/// ```
/// use apex_parts_loops::Config;
/// use apex_parts_transcript::{Env, LoopSearch, TranscriptOptions, Transcript};
/// let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]}]"#;
/// let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
/// let t = Transcript::open(bytes, TranscriptOptions::default(), &mut env)?;
/// let mut search = LoopSearch::new(Config::default());
/// while search.looked() < t.total_messages() {
///     let to = search.looked() + 100;
///     t.look_for_loops(&mut search, to)?;
/// }
/// assert!(search.loops().is_empty());
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
#[derive(Debug)]
pub struct LoopSearch {
    /// The session that is searched; all if there is none.
    session: Option<String>,
    config: Config,
    finder: Finder,
    looked: usize,
}

impl LoopSearch {
    /// A search that has read no message yet.
    #[must_use]
    pub fn new(config: Config) -> LoopSearch {
        LoopSearch { session: None, finder: Finder::new(config.clone()), config, looked: 0 }
    }

    /// The same of a session instead of the whole file.
    #[must_use]
    pub fn of_session(config: Config, id: &str) -> LoopSearch {
        LoopSearch { session: Some(id.to_owned()), ..LoopSearch::new(config) }
    }

    /// The session that it searches; `None` for the whole file.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many messages it has read.
    #[must_use]
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// The loops found so far, each once.
    #[must_use]
    pub fn loops(&self) -> Vec<Loop> {
        self.finder.loops()
    }
}

impl Transcript {
    /// The number of messages of all sessions.
    #[must_use]
    pub fn total_messages(&self) -> usize {
        let own = self.is_in_file().then(|| self.list.index.messages.len());
        let assembled = self.session_set.lists.iter().map(AssembledList::count);
        own.into_iter().chain(assembled).sum()
    }

    /// Continues a search for loops, up to the message before `to`. The messages are those of all sessions,
    /// counted together; if sessions were assembled, those of the first session come first.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes; the search can be continued.
    pub fn look_for_loops(&self, search: &mut LoopSearch, to: usize) -> Result<(), Error> {
        let LoopSearch { session, finder, looked, .. } = search;
        let mut before = 0;
        let scope = self.scope(session.as_deref()).unwrap_or_default();
        for (place, list) in self.lists().enumerate() {
            let within = |place: usize| place.saturating_sub(before).min(list.index.messages.len());
            let range = within(*looked)..within(to);
            let scoped = scope.iter().find(|scoped| scoped.place == place);
            if let Some(scoped) = scoped.filter(|_| !range.is_empty()) {
                list.each_read(range, &mut |index, message| {
                    if !list.index.messages.get(index).is_some_and(|fact| scoped.has(fact)) {
                        return;
                    }
                    finder.skip_to(before + index);
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

    /// The loops in the transcript. A loop may go on over several messages of a session.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn loops(&self, config: &Config) -> Result<Vec<Loop>, Error> {
        let mut search = LoopSearch::new(config.clone());
        self.look_for_loops(&mut search, usize::MAX)?;
        Ok(search.loops())
    }
}

#[cfg(test)]
mod tests;
