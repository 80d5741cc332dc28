//! What a search has found, in columns: for lists that show a few of very many matches.

use crate::transcript::search::query::Match;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// The names of fields come to no more than this, in bytes. Under one long key a file can have many
/// strings: each would cost a name as long as that key.
const NAMES: usize = 16 << 20;

/// No more matches than these, whatever is asked for: they take 640 MB.
const MOST: usize = 1 << 25;

/// Matches, each a row of the columns, and no excerpts: 20 bytes a match.
#[derive(Clone, Debug, Default)]
pub struct MatchColumns {
    /// The index of its message.
    pub messages: Vec<u32>,
    /// The index of its part in the message.
    pub parts: Vec<u32>,
    /// Where its string stands in the part: a place in `field_names`.
    pub fields: Vec<u32>,
    /// Where it starts in the string, in UTF-16 units.
    pub starts: Vec<u32>,
    /// Where it ends.
    pub ends: Vec<u32>,
    /// JSON Pointers, each once.
    pub field_names: Vec<String>,
    /// There are more matches than were taken.
    pub is_capped: bool,
    limit: usize,
    /// The places of the names, and their bytes.
    places: BTreeMap<String, u32>,
    named: usize,
    /// The name of the string that the last match was in, and its place.
    last: String,
    place: u32,
}

impl MatchColumns {
    /// Takes so many matches.
    #[must_use]
    pub fn new(limit: usize) -> MatchColumns {
        MatchColumns { limit: limit.min(MOST), ..MatchColumns::default() }
    }

    /// Takes a match, the first of each string before the others of it. Breaks where no more are
    /// taken, which is at the first one too many: only then are there known to be more.
    pub fn add(&mut self, message: usize, part: usize, found: &Match<'_>) -> ControlFlow<()> {
        if self.messages.len() >= self.limit || (found.is_first && self.name(found).is_none()) {
            self.is_capped = true;
            return ControlFlow::Break(());
        }
        let index = |n| u32::try_from(n).unwrap_or(u32::MAX);
        self.messages.push(index(message));
        self.parts.push(index(part));
        self.fields.push(self.place);
        self.starts.push(found.start);
        self.ends.push(found.end);
        ControlFlow::Continue(())
    }

    /// Notes the name of a string; `None` where there is no room for it.
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
    use crate::json::tape::Tape;
    use crate::model::{Key, View};
    use crate::transcript::search::query::Query;

    /// What is found of `query` in the parts of a message.
    fn of(parts: &str, query: &str, limit: usize) -> MatchColumns {
        let json = format!(r#"{{"parts":[{parts}]}}"#);
        let (mut tape, mut columns) = (Tape::default(), MatchColumns::new(limit));
        tape.read(json.as_bytes(), 0).unwrap();
        let parts = tape.root(json.as_bytes()).get(Key::Parts);
        let query = Query::new(query, false);
        let _: ControlFlow<()> = parts.children().enumerate().try_for_each(|(index, part)| {
            query.in_part(json.as_bytes(), part, &mut |found| columns.add(7, index, found))
        });
        columns
    }

    const PARTS: &str = r#"{"type":"tool","state":{"title":"a","input":{"x":"ba","y":"a"},"output":"\ud83d\ude00a éA"}},
        {"type":"text","text":"aa"},{"type":"tool","state":{"output":"a"}}"#;

    #[test]
    fn every_match_has_its_place_and_every_field_one_name() {
        let found = of(PARTS, "a", usize::MAX);
        let names = ["/state/title", "/state/input/x", "/state/input/y", "/state/output", "/text"];
        assert_eq!(found.field_names, names);
        assert_eq!(found.messages, [7; 8]);
        assert_eq!(found.parts, [0, 0, 0, 0, 0, 1, 1, 2]);
        assert_eq!(found.fields, [0, 1, 2, 3, 3, 4, 4, 3]);
        assert_eq!(found.starts, [0, 1, 0, 2, 5, 0, 1, 0]);
        assert_eq!(found.ends, [1, 2, 1, 3, 6, 1, 2, 1]);
        assert!(!found.is_capped);
    }

    #[test]
    fn it_is_capped_where_there_are_more_than_the_limit() {
        for limit in 0..10 {
            let found = of(PARTS, "a", limit);
            assert_eq!(found.messages.len(), limit.min(8));
            assert_eq!(found.is_capped, limit < 8, "{limit}");
        }
    }

    #[test]
    fn names_of_one_long_key_have_an_end() {
        let key = "k".repeat(NAMES / 10);
        let strings = r#""a a","#.repeat(99);
        let part = format!(r#"{{"type":"tool","state":{{"input":{{"{key}":[{strings}"a"]}}}}}}"#);
        let found = of(&part, "a", usize::MAX);
        assert!(found.is_capped);
        assert_eq!((found.messages.len(), found.field_names.len()), (18, 9));
    }
}
