//! A text to mask that the caller chose.

use std::fmt;
use std::ops::Range;

/// Finds the matches in a text: ranges of bytes, in order, none of them empty.
pub type MatchRanges = Box<dyn Fn(&str) -> Vec<Range<usize>>>;

/// What is looked for.
enum ChosenPattern {
    Literal(String),
    Matches(MatchRanges),
}

/// A text to mask that the caller chose: a literal, or a pattern.
pub struct ChosenText {
    wanted: ChosenPattern,
    is_used: bool,
}

impl fmt::Debug for ChosenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            ChosenPattern::Literal(text) => f.debug_tuple("Literal").field(text).finish(),
            ChosenPattern::Matches(_) => f.write_str("Matches"),
        }
    }
}

impl ChosenText {
    /// A literal, case-sensitive; `None` if it is empty.
    #[must_use]
    pub fn literal(text: &str) -> Option<ChosenText> {
        let wanted = ChosenPattern::Literal(text.to_owned());
        (!text.is_empty()).then_some(ChosenText { wanted, is_used: false })
    }

    /// The matches that this function finds, for example those of a regular expression.
    #[must_use]
    pub fn matches(find: MatchRanges) -> ChosenText {
        ChosenText { wanted: ChosenPattern::Matches(find), is_used: false }
    }

    /// Has it matched anywhere?
    pub(super) fn is_used(&self) -> bool {
        self.is_used
    }

    /// Finds every match in a text.
    pub(super) fn find(&mut self, text: &[u8]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = match &self.wanted {
            ChosenPattern::Literal(wanted) => memchr::memmem::find_iter(text, wanted)
                .map(|start| start..start + wanted.len())
                .collect(),
            ChosenPattern::Matches(find) => std::str::from_utf8(text).map(find).unwrap_or_default(),
        };
        ranges.retain(|range| !range.is_empty() && text.get(range.clone()).is_some());
        self.is_used |= !ranges.is_empty();
        ranges
    }
}
