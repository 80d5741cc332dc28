//! The conditions of a search: texts that a part must have, and filters that it must pass.

use crate::search::language::QueryFilter;
use crate::search::query::{Match, Query};
use crate::search::strings::{Pointer, Visit, strings};
use apex_parts_json::tape::Node;
use apex_parts_model::order::sort_by;
use std::ops::{ControlFlow, Range};

/// A regular expression of the host.
pub trait TextPattern {
    /// The starts and ends of its first `most` matches in a text, in UTF-16 code units, without empty ones.
    fn matches(&self, text: &str, most: usize) -> Vec<(u32, u32)>;
}

/// A text that a part must have.
pub enum Condition {
    /// A literal text.
    Literal(Box<Query>),
    /// A regular expression.
    Pattern(Box<dyn TextPattern>),
}

/// What a search looks for: the matches of every text in the parts that have all of them and pass the filters. Without
/// a text, the parts themselves.
#[derive(Default)]
pub struct Conditions {
    /// The texts.
    pub texts: Vec<Condition>,
    /// The filters.
    pub filters: Vec<QueryFilter>,
    /// The most matches that are wanted: of one string no more are looked for.
    pub most: usize,
}

/// A string of a part, with its path; and what is called with each.
pub(crate) type Strings<'a, 'v> = dyn Fn(&mut Visit<'a, '_>) -> ControlFlow<()> + 'v;
/// Called with each match.
pub(crate) type TellMatch<'t> = dyn FnMut(&Match<'_>) -> ControlFlow<()> + 't;

impl Condition {
    /// The first `most` matches in a text: their bytes, and where each starts and ends in UTF-16 code units.
    fn matches(&self, text: &str, most: usize) -> Vec<(Range<usize>, u32, u32)> {
        let mut found = Vec::new();
        match self {
            Condition::Literal(query) => {
                let _ = query.in_text(text, &mut |at, start, end| {
                    found.push((at, start, end));
                    if found.len() < most {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
            }
            Condition::Pattern(pattern) => {
                let mut place = Utf16Place { text, unit: 0, byte: 0 };
                let places = pattern.matches(text, most);
                found.extend(places.into_iter().map(|(start, end)| {
                    let from = place.byte_at(start);
                    (from..place.byte_at(end), start, end)
                }));
            }
        }
        found
    }

    fn is_in(&self, text: &str) -> bool {
        !self.matches(text, 1).is_empty()
    }
}

impl Conditions {
    /// A search for one literal text.
    #[must_use]
    pub fn literal(query: Query, most: usize) -> Conditions {
        Conditions { texts: vec![Condition::Literal(Box::new(query))], filters: Vec::new(), most }
    }

    /// The first literal text: whatever lacks it need not be read.
    pub(crate) fn candidate(&self) -> Option<&Query> {
        self.texts.iter().find_map(|text| match text {
            Condition::Literal(query) => Some(query.as_ref()),
            Condition::Pattern(_) => None,
        })
    }

    /// Calls `tell` with the matches in a part of `bytes`, if it has every text.
    pub(crate) fn in_part(
        &self,
        bytes: &[u8],
        part: Node<'_>,
        tell: &mut TellMatch<'_>,
    ) -> ControlFlow<()> {
        match self.texts.as_slice() {
            [Condition::Literal(query)] => query.in_part(bytes, part, tell),
            _ => self.in_strings(&|visit| strings(part, visit), tell),
        }
    }

    /// The same for the strings of something else than a part.
    pub(crate) fn in_strings<'a>(
        &self,
        strings: &Strings<'a, '_>,
        tell: &mut TellMatch<'_>,
    ) -> ControlFlow<()> {
        if self.texts.len() > 1 {
            let mut missing: Vec<&Condition> = self.texts.iter().collect();
            let _ = strings(&mut |_, node| {
                let Some(text) = node.str() else { return ControlFlow::Continue(()) };
                missing.retain(|condition| !condition.is_in(&text));
                if missing.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !missing.is_empty() {
                return ControlFlow::Continue(());
            }
        }
        strings(&mut |pointer: &Pointer<'_>, node| {
            let Some(text) = node.str() else { return ControlFlow::Continue(()) };
            let mut found: Vec<_> =
                self.texts.iter().flat_map(|each| each.matches(&text, self.most)).collect();
            if self.texts.len() > 1 {
                // In the order of the string; of those that start together, the shortest first. A place is one match.
                sort_by(&mut found, |(a, ..), (b, ..)| (a.start, a.end).cmp(&(b.start, b.end)));
                found.dedup_by(|(a, ..), (b, ..)| a == b);
            }
            let mut is_first = true;
            found.into_iter().try_for_each(|(at, start, end)| {
                let goes_on = tell(&Match { pointer, text: &text, at, start, end, is_first });
                is_first = false;
                goes_on
            })
        })
    }
}

/// Converts ascending offsets in UTF-16 units to bytes, continuing from the last one.
struct Utf16Place<'a> {
    text: &'a str,
    unit: u32,
    byte: usize,
}

impl Utf16Place<'_> {
    fn byte_at(&mut self, unit: u32) -> usize {
        let rest = self.text.get(self.byte..).unwrap_or_default();
        for c in rest.chars() {
            if self.unit >= unit {
                break;
            }
            self.unit += if c > '\u{ffff}' { 2 } else { 1 };
            self.byte += c.len_utf8();
        }
        self.byte
    }
}
