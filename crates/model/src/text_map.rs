//! [`TextMap`]: the number of each text, as of the ids in a file.

use crate::bytes::same;
use crate::fingerprint;
use crate::sorted_map::SortedMap;
use std::fmt;

/// The longest way from the slot of a hash to that of its entry. It is never so long by chance: texts that were chosen for
/// it are found by their order instead.
const LONGEST_WAY: usize = 64;

/// A text of the map: where it stands in the texts, and its number, if it has one.
#[derive(Clone, Copy, Debug)]
struct TextEntry {
    hash: u64,
    start: usize,
    end: usize,
    number: Option<usize>,
}

/// Numbers by texts. It is a hash table in the order of nothing, and keeps its texts in one string: a search compares
/// eight bytes, where one in a sorted map compares whole ids, whose beginnings are often the same.
///
/// ```
/// use apex_parts_model::text_map::TextMap;
///
/// let mut lines = TextMap::default();
/// assert_eq!(lines.insert("toolu_1", 7), None);
/// assert_eq!(lines.insert("toolu_1", 8), Some(7));
/// assert_eq!(lines.get("toolu_1"), Some(8));
/// assert_eq!(lines.remove("toolu_1"), Some(8));
/// assert_eq!(lines.get("toolu_1"), None);
/// ```
#[derive(Clone, Default)]
pub struct TextMap {
    texts: String,
    entries: Vec<TextEntry>,
    /// Of each slot one more than the index of its entry; 0 if it is empty. Their number is a power of 2.
    slots: Vec<u32>,
    /// The entries that are not in a slot.
    crowded: SortedMap<Box<str>, usize>,
}

/// Where a string is in the map, or where it would be put.
enum TextSpot {
    /// In this entry.
    At(usize),
    /// In this slot, which is empty.
    Free(usize),
    /// In no slot.
    Crowded,
}

#[allow(clippy::cast_possible_truncation)] // half of the fingerprint
fn hash_of(text: &str) -> u64 {
    fingerprint::of(text.as_bytes(), 0) as u64
}

impl TextMap {
    /// The number of a text.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<usize> {
        match self.spot(text, hash_of(text)) {
            TextSpot::At(entry) => self.entries.get(entry)?.number,
            TextSpot::Free(_) | TextSpot::Crowded => None,
        }
    }

    /// Does the text have a number?
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.get(text).is_some()
    }

    /// Gives a text a number. Returns the one that it had.
    pub fn insert(&mut self, text: &str, number: usize) -> Option<usize> {
        if 2 * self.entries.len() >= self.slots.len() {
            self.grow();
        }
        let hash = hash_of(text);
        let entry = self.entries.len();
        match self.spot(text, hash) {
            TextSpot::At(entry) => {
                return self.entries.get_mut(entry)?.number.replace(number);
            }
            TextSpot::Free(slot) => self.fill(slot, entry),
            TextSpot::Crowded => drop(self.crowded.insert(text.into(), entry)),
        }
        let start = self.texts.len();
        self.texts.push_str(text);
        let end = self.texts.len();
        self.entries.push(TextEntry { hash, start, end, number: Some(number) });
        None
    }

    /// Takes the number of a text away.
    pub fn remove(&mut self, text: &str) -> Option<usize> {
        match self.spot(text, hash_of(text)) {
            TextSpot::At(entry) => self.entries.get_mut(entry)?.number.take(),
            TextSpot::Free(_) | TextSpot::Crowded => None,
        }
    }

    /// The texts that have a number, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries.iter().filter_map(|entry| Some((self.text_of(entry), entry.number?)))
    }

    /// Takes all numbers away.
    pub fn clear(&mut self) {
        *self = TextMap::default();
    }

    fn text_of(&self, entry: &TextEntry) -> &str {
        self.texts.get(entry.start..entry.end).unwrap_or_default()
    }

    /// Where a text with this hash is.
    fn spot(&self, text: &str, hash: u64) -> TextSpot {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = place_of(hash) & mask;
        for _ in 0..LONGEST_WAY.min(self.slots.len()) {
            let Some(entry) =
                (self.slots.get(slot).copied().unwrap_or_default() as usize).checked_sub(1)
            else {
                return TextSpot::Free(slot);
            };
            let known = self.entries.get(entry).filter(|entry| entry.hash == hash);
            if known.is_some_and(|known| same(self.text_of(known).as_bytes(), text.as_bytes())) {
                return TextSpot::At(entry);
            }
            slot = (slot + 1) & mask;
        }
        self.crowded.get(text).map_or(TextSpot::Crowded, |entry| TextSpot::At(*entry))
    }

    fn fill(&mut self, slot: usize, entry: usize) {
        // An entry that has no number of 32 bits cannot be: the memory of a module has no room for so many.
        if let (Some(slot), Ok(entry)) = (self.slots.get_mut(slot), u32::try_from(entry + 1)) {
            *slot = entry;
        }
    }

    /// Doubles the slots.
    #[inline(never)]
    fn grow(&mut self) {
        let count = (2 * self.slots.len()).max(16);
        self.slots.clear();
        self.slots.resize(count, 0);
        self.crowded = SortedMap::new();
        for at in 0..self.entries.len() {
            let Some(entry) = self.entries.get(at).copied() else { continue };
            let first = place_of(entry.hash);
            let way = (0..LONGEST_WAY.min(count)).map(|step| (first + step) & (count - 1));
            let free = way.into_iter().find(|slot| self.slots.get(*slot) == Some(&0));
            match free {
                Some(slot) => self.fill(slot, at),
                None => {
                    let text = self.text_of(&entry).into();
                    self.crowded.insert(text, at);
                }
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // the low half, of which the mask leaves a part
const fn place_of(hash: u64) -> usize {
    hash as usize
}

impl fmt::Debug for TextMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// It is what a map of the standard library is.
        #[test]
        fn it_is_a_map(changes in prop::collection::vec(("[ab]{0,9}", prop::option::weighted(0.7, 0..9_usize)), 0..3000)) {
            let (mut own, mut other) = (TextMap::default(), BTreeMap::new());
            for (text, number) in changes {
                match number {
                    Some(number) => assert_eq!(own.insert(&text, number), other.insert(text.clone(), number)),
                    None => assert_eq!(own.remove(&text), other.remove(&text)),
                }
                assert_eq!(own.get(&text), other.get(&text).copied());
                assert_eq!(own.contains(&text), other.contains_key(&text));
            }
            for (text, number) in &other {
                assert_eq!(own.get(text), Some(*number));
            }
        }
    }

    #[test]
    fn texts_whose_slots_are_full_are_found() {
        let mut map = TextMap::default();
        // Texts whose hashes end alike are chosen, as an attacker would.
        let texts = (0..4_000_000).map(|number| format!("{number}"));
        let chosen: Vec<String> =
            texts.filter(|text| hash_of(text).trailing_zeros() >= 13).take(300).collect();
        assert_eq!(chosen.len(), 300);
        for (number, text) in chosen.iter().enumerate() {
            assert_eq!(map.insert(text, number), None);
        }
        assert!(map.crowded.len() > 100);
        for (number, text) in chosen.iter().enumerate() {
            assert_eq!(map.get(text), Some(number));
            assert_eq!(map.insert(text, number + 1), Some(number));
        }
        assert_eq!(map.remove(&chosen[299]), Some(300));
        assert_eq!(map.get(&chosen[299]), None);
        assert_eq!(map.get("none of them"), None);
        assert_eq!(format!("{map:?}").matches(": ").count(), 299);
    }
}
