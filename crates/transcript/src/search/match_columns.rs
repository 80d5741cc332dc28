//! The matches of a search in columns: for lists that show a few of very many matches.

use crate::search::query::Match;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// The most bytes of all field names together. A file can have many strings under one long key, and the
/// name of each contains that key.
const NAMES: usize = 16 << 20;

/// The most matches, whatever limit is asked for: they take 640 MB.
const MOST: usize = 1 << 25;

/// Matches as columns, without excerpts: 20 bytes per match. Row `i` is entry `i` of each column.
#[derive(Clone, Debug, Default)]
pub struct MatchColumns {
    /// The index of its message.
    pub messages: Vec<u32>,
    /// The index of its part in the message; [`u32::MAX`] if it is in the error of the message itself.
    pub parts: Vec<u32>,
    /// The field in which it is: an index into `field_names`.
    pub fields: Vec<u32>,
    /// Where it starts in the string, in UTF-16 code units.
    pub starts: Vec<u32>,
    /// Where it ends, like `starts`.
    pub ends: Vec<u32>,
    /// JSON Pointers of fields within a part, each once.
    pub field_names: Vec<String>,
    /// There are more matches than these.
    pub is_capped: bool,
    limit: usize,
    /// The index of each name in `field_names`.
    places: BTreeMap<String, u32>,
    /// The bytes of all names.
    named: usize,
    /// The field name of the last match, and its index.
    last: String,
    place: u32,
}

impl MatchColumns {
    /// Columns for at most `limit` matches.
    #[must_use]
    pub fn new(limit: usize) -> MatchColumns {
        MatchColumns { limit: limit.min(MOST), ..MatchColumns::default() }
    }

    /// Adds a match. The matches of a string must be added one after another, from its first one on. Returns
    /// `Break` at the first match that is not taken: only then is it known that there are more.
    pub fn add(
        &mut self,
        message: usize,
        part: Option<usize>,
        found: &Match<'_>,
    ) -> ControlFlow<()> {
        if self.messages.len() >= self.limit || (found.is_first && self.name(found).is_none()) {
            self.is_capped = true;
            return ControlFlow::Break(());
        }
        let index = |n| u32::try_from(n).unwrap_or(u32::MAX);
        self.messages.push(index(message));
        self.parts.push(part.map_or(u32::MAX, index));
        self.fields.push(self.place);
        self.starts.push(found.start);
        self.ends.push(found.end);
        ControlFlow::Continue(())
    }

    /// Adds the field name of a match; `None` if there is no room for it.
    fn name(&mut self, found: &Match<'_>) -> Option<()> {
        let mut name = String::with_capacity(self.last.len());
        write!(name, "{}", found.pointer).ok()?;
        if name == self.last {
            return Some(());
        }
        self.place = match self.places.get(&name) {
            Some(place) => *place,
            None => {
                self.named += name.len();
                if self.named > NAMES {
                    return None;
                }
                let place = u32::try_from(self.field_names.len()).ok()?;
                self.field_names.push(name.clone());
                self.places.insert(name.clone(), place);
                place
            }
        };
        self.last = name;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::Query;
    use apex_parts_json::tape::Tape;
    use apex_parts_model::{Key, View};

    /// The matches of `query` in the parts of a message.
    fn of(parts: &str, query: &str, limit: usize) -> MatchColumns {
        let json = format!(r#"{{"parts":[{parts}]}}"#);
        let (mut tape, mut columns) = (Tape::default(), MatchColumns::new(limit));
        tape.read(json.as_bytes(), 0).unwrap();
        let parts = tape.root_of(&json).get(Key::Parts);
        let query = Query::new(query, false);
        let _: ControlFlow<()> = parts.children().enumerate().try_for_each(|(index, part)| {
            query.in_part(json.as_bytes(), part, &mut |found| columns.add(7, Some(index), found))
        });
        columns
    }

    const PARTS: &str = r#"{"type":"tool","state":{"title":"a","input":{"x":"ba","y":"a"},"output":"\ud83d\ude00a éA"}},
        {"type":"text","text":"aa"},{"type":"tool","state":{"output":"a"}}"#;

    #[test]
    fn every_match_has_its_position_and_every_field_one_name() {
        let columns = of(PARTS, "a", usize::MAX);
        let names = ["/state/title", "/state/input/x", "/state/input/y", "/state/output", "/text"];
        assert_eq!(columns.field_names, names);
        assert_eq!(columns.messages, [7; 8]);
        assert_eq!(columns.parts, [0, 0, 0, 0, 0, 1, 1, 2]);
        assert_eq!(columns.fields, [0, 1, 2, 3, 3, 4, 4, 3]);
        assert_eq!(columns.starts, [0, 1, 0, 2, 5, 0, 1, 0]);
        assert_eq!(columns.ends, [1, 2, 1, 3, 6, 1, 2, 1]);
        assert!(!columns.is_capped);
    }

    #[test]
    fn it_is_capped_if_there_are_more_matches_than_the_limit() {
        for limit in 0..10 {
            let columns = of(PARTS, "a", limit);
            assert_eq!(columns.messages.len(), limit.min(8));
            assert_eq!(columns.is_capped, limit < 8, "{limit}");
        }
    }

    #[test]
    fn the_bytes_of_field_names_are_limited() {
        let key = "k".repeat(NAMES / 10);
        let strings = r#""a a","#.repeat(99);
        let part = format!(r#"{{"type":"tool","state":{{"input":{{"{key}":[{strings}"a"]}}}}}}"#);
        let columns = of(&part, "a", usize::MAX);
        assert!(columns.is_capped);
        assert_eq!((columns.messages.len(), columns.field_names.len()), (18, 9));
    }
}
