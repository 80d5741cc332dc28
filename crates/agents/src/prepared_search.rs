//! [`PreparedSearch`]: a search for a fixed string in many short texts.

use memchr::memmem::Finder;
use std::sync::OnceLock;

/// A search that is prepared once, when it is first used.
pub(crate) struct PreparedSearch {
    wanted: &'static str,
    finder: OnceLock<Finder<'static>>,
}

impl PreparedSearch {
    /// The search for this string.
    pub(crate) const fn new(wanted: &'static str) -> PreparedSearch {
        PreparedSearch { wanted, finder: OnceLock::new() }
    }

    fn finder(&self) -> &Finder<'static> {
        self.finder.get_or_init(|| Finder::new(self.wanted))
    }

    /// Does the text contain the string?
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.finder().find(text.as_bytes()).is_some()
    }

    /// The offsets in bytes at which the text has the string.
    pub(crate) fn places(&self, text: &str) -> impl Iterator<Item = usize> {
        self.finder().find_iter(text.as_bytes())
    }
}
