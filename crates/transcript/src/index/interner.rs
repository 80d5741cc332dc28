//! Names that are repeated often, as small numbers.

use apex_parts_json::tape::Node;
use apex_parts_model::start_of;
use apex_parts_model::text_map::TextMap;

/// The most different names; the number of any further one is 0.
pub const MOST_NAMES: usize = 65_534;
/// The most bytes of a name that are kept.
pub const LONGEST_NAME: usize = 200;

/// Names in the order of their first occurrence. The number of a name is its index plus 1.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    list: Vec<Box<str>>,
    places: TextMap,
    /// The last returned number: the same name often comes several times in a row.
    last: u16,
}

impl Interner {
    /// The number of a name; 0 if it is empty or not a string, or if there are too many names.
    pub(crate) fn number(&mut self, name: Node<'_>) -> u16 {
        name.str().map_or(0, |name| self.number_of(&name))
    }

    /// The same of a string.
    pub(crate) fn number_of(&mut self, name: &str) -> u16 {
        let name = start_of(name, LONGEST_NAME);
        if name.is_empty() {
            return 0;
        }
        let last = usize::from(self.last).checked_sub(1).and_then(|place| self.list.get(place));
        if last.is_some_and(|last| **last == *name) {
            return self.last;
        }
        let place = match self.places.get(name) {
            Some(place) => place,
            None if self.list.len() >= MOST_NAMES => return 0,
            None => {
                self.places.insert(name, self.list.len());
                self.list.push(name.into());
                self.list.len() - 1
            }
        };
        self.last = u16::try_from(place + 1).unwrap_or_default();
        self.last
    }

    /// All names: the index of a name is its number minus 1.
    pub(crate) fn list(&self) -> &[Box<str>] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;

    fn numbers(json: &str) -> (Vec<u16>, Interner) {
        let mut tape = Tape::default();
        tape.read(json.as_bytes(), 0).unwrap();
        let mut names = Interner::default();
        let all = tape.root_of(json).children();
        (all.map(|name| names.number(name)).collect(), names)
    }

    #[test]
    fn a_name_keeps_its_number() {
        let (numbers, names) = numbers(r#"["a","b","b","a","\u0061","",null,7,"c",["a"]]"#);
        assert_eq!(numbers, [1, 2, 2, 1, 1, 0, 0, 0, 3, 0]);
        assert_eq!(names.list().join(" "), "a b c");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let long = |end: &str| format!("\"{}é{end}\"", "x".repeat(LONGEST_NAME - 1));
        let (numbers, names) = numbers(&format!("[{},{}]", long("1"), long("2")));
        assert_eq!(numbers, [1, 1]);
        assert_eq!(&*names.list()[0], "x".repeat(LONGEST_NAME - 1));
    }

    #[test]
    fn further_names_have_the_number_0() {
        let many: Vec<String> = (0..1_000_000).map(|n| format!("\"tool {n}\"")).collect();
        let (numbers, names) = numbers(&format!("[{},\"tool 7\"]", many.join(",")));
        assert_eq!(names.list().len(), MOST_NAMES);
        assert_eq!(usize::from(numbers[MOST_NAMES - 1]), MOST_NAMES);
        assert!(numbers[MOST_NAMES..1_000_000].iter().all(|number| *number == 0));
        assert_eq!(numbers[1_000_000], 8);
    }
}
