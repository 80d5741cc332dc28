//! A map in the order of its keys, whose search is compiled once: that of the standard library is 4 KB of the module
//! for each type of keys and values.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;

/// A block of more places is split in two.
const LARGEST: usize = 512;

/// Where in the blocks a place stands, or belongs.
#[derive(Clone, Copy, Debug)]
struct SortedSpot {
    block: usize,
    at: usize,
}

/// The places of entries in the order of their keys, in blocks, none of which is empty.
#[derive(Clone, Debug, Default)]
struct SortedPlaces {
    blocks: Vec<Vec<u32>>,
}

fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

impl SortedPlaces {
    /// Where the entry is that is equal, or where it belongs; `compare` compares the entry at a place with it.
    #[inline(never)]
    fn find(&self, compare: &dyn Fn(usize) -> Ordering) -> Result<SortedSpot, SortedSpot> {
        let starts_before =
            |block: &Vec<u32>| block.first().is_some_and(|first| compare(index(*first)).is_le());
        let block = self.blocks.partition_point(starts_before).saturating_sub(1);
        let places = self.blocks.get(block).map(Vec::as_slice).unwrap_or_default();
        match places.binary_search_by(|place| compare(index(*place))) {
            Ok(at) => Ok(SortedSpot { block, at }),
            Err(at) => Err(SortedSpot { block, at }),
        }
    }

    #[inline(never)]
    fn insert(&mut self, spot: SortedSpot, place: usize) {
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        let Some(block) = self.blocks.get_mut(spot.block) else {
            self.blocks.push(vec![place]);
            return;
        };
        block.insert(spot.at.min(block.len()), place);
        if block.len() > LARGEST {
            // Most keys come in their order: the next one has room then.
            let half = block.split_off(if spot.at == LARGEST { LARGEST } else { LARGEST / 2 });
            self.blocks.insert(spot.block + 1, half);
        }
    }

    #[inline(never)]
    fn remove(&mut self, spot: SortedSpot) {
        if let Some(block) = self.blocks.get_mut(spot.block) {
            if spot.at < block.len() {
                block.remove(spot.at);
            }
            if block.is_empty() {
                self.blocks.remove(spot.block);
            }
        }
    }

    fn at(&self, spot: SortedSpot) -> Option<usize> {
        Some(index(*self.blocks.get(spot.block)?.get(spot.at)?))
    }

    fn set(&mut self, spot: SortedSpot, place: usize) {
        let known = self.blocks.get_mut(spot.block).and_then(|block| block.get_mut(spot.at));
        if let (Some(known), Ok(place)) = (known, u32::try_from(place)) {
            *known = place;
        }
    }

    /// The place before a spot.
    fn before(&self, spot: SortedSpot) -> Option<usize> {
        let block = self.blocks.get(..spot.block)?;
        let own = self.blocks.get(spot.block).map(Vec::as_slice).unwrap_or_default();
        let last = own.get(..spot.at).and_then(<[u32]>::last);
        last.or_else(|| block.last()?.last()).map(|place| index(*place))
    }

    fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.blocks.iter().flatten().map(|place| index(*place))
    }
}

/// A map in the order of its keys, used as [`std::collections::BTreeMap`] is.
///
/// ```
/// use apex_parts_model::sorted_map::SortedMap;
///
/// let mut ages = SortedMap::new();
/// assert_eq!(ages.insert("Bo", 40), None);
/// *ages.or_default("Al") += 7;
/// assert_eq!(ages.insert("Bo", 41), Some(40));
/// assert_eq!(ages.iter().collect::<Vec<_>>(), [(&"Al", &7), (&"Bo", &41)]);
/// assert_eq!(ages.remove("Al"), Some(7));
/// assert_eq!(ages.get("Al"), None);
/// ```
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// In no order.
    entries: Vec<(K, V)>,
    order: SortedPlaces,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        SortedMap { entries: Vec::new(), order: SortedPlaces { blocks: Vec::new() } }
    }

    /// How many entries it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.order.places().filter_map(|place| self.entries.get(place)).map(|(key, of)| (key, of))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.iter().map(|(_, of)| of)
    }

    /// The values in no order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, of)| of)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<SortedSpot, SortedSpot>
    where
        K: Borrow<Q>,
    {
        let entries = self.entries.as_slice();
        self.order.find(&|place| match entries.get(place) {
            Some((known, _)) => known.borrow().cmp(key),
            None => Ordering::Less,
        })
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.order.at(self.find(key).ok()?)
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(self.place(key)?).map(|(_, of)| of)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key)?;
        self.entries.get_mut(place).map(|(_, of)| of)
    }

    /// Whether a key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// The entry with the greatest key that is less than this one.
    pub fn last_below<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (Ok(spot) | Err(spot)) = self.find(key);
        self.entries.get(self.order.before(spot)?).map(|(key, of)| (key, of))
    }

    /// Gives a key a value. Returns the one that it had.
    pub fn insert(&mut self, key: K, of: V) -> Option<V> {
        match self.find(&key) {
            Ok(spot) => {
                let place = self.order.at(spot)?;
                let (_, known) = self.entries.get_mut(place)?;
                Some(std::mem::replace(known, of))
            }
            Err(spot) => {
                self.order.insert(spot, self.entries.len());
                self.entries.push((key, of));
                None
            }
        }
    }

    /// The value of a key, which is made if there is none.
    #[allow(clippy::missing_panics_doc)] // what was found or added is there
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.find(&key) {
            Ok(spot) => self.order.at(spot).unwrap_or_default(),
            Err(spot) => {
                self.order.insert(spot, self.entries.len());
                self.entries.push((key, make()));
                self.entries.len() - 1
            }
        };
        #[allow(clippy::indexing_slicing)]
        &mut self.entries[place].1
    }

    /// The value of a key, or this one, which it has from then on.
    pub fn or_insert(&mut self, key: K, of: V) -> &mut V {
        self.or_insert_with(key, || of)
    }

    /// The value of a key, or the default one, which it has from then on.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert_with(key, V::default)
    }

    /// Takes a key out. Returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let spot = self.find(key).ok()?;
        let place = self.order.at(spot)?;
        // The last entry comes into its place.
        let last = self.entries.last().and_then(|(last, _)| self.find(last.borrow()).ok())?;
        self.order.set(last, place);
        self.order.remove(spot);
        Some(self.entries.swap_remove(place).1)
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, of) in entries {
            self.insert(key, of);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        let mut entries: Vec<Option<(K, V)>> = self.entries.into_iter().map(Some).collect();
        let ordered = self.order.places().filter_map(|place| entries.get_mut(place)?.take());
        ordered.collect::<Vec<_>>().into_iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// What is done to a map: a key, and a value that it gets, or none if it is taken out.
    fn changes() -> impl Strategy<Value = Vec<(u16, Option<u8>)>> {
        let keys = prop_oneof![0..20_u16, 0..4000_u16];
        prop::collection::vec((keys, prop::option::weighted(0.7, any::<u8>())), 0..3000)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// It is what the map of the standard library is.
        #[test]
        fn it_is_a_map(changes in changes(), ascending in any::<bool>()) {
            let (mut own, mut other) = (SortedMap::new(), BTreeMap::new());
            if ascending {
                for key in 0..2000_u16 {
                    assert_eq!(own.insert(key, 0), other.insert(key, 0));
                }
            }
            for (key, of) in changes {
                match of {
                    Some(of) => assert_eq!(own.insert(key, of), other.insert(key, of)),
                    None => assert_eq!(own.remove(&key), other.remove(&key)),
                }
                assert_eq!(own.get(&key), other.get(&key));
                assert_eq!(own.last_below(&key), other.range(..key).next_back());
            }
            assert_eq!(own.len(), other.len());
            assert_eq!(own.is_empty(), other.is_empty());
            assert!(own.iter().eq(other.iter()));
            assert!(own.keys().rev().eq(other.keys().rev()));
            assert!(own.values().eq(other.values()));
            assert_eq!(format!("{own:?}"), format!("{other:?}"));
            assert!(own.order.blocks.iter().all(|block| (1..=LARGEST).contains(&block.len())));
            let again: SortedMap<u16, u8> = other.clone().into_iter().rev().collect();
            assert_eq!(own, again);
            assert!(own.into_iter().eq(other));
        }
    }

    #[test]
    fn a_value_is_made_once() {
        let mut map: SortedMap<Box<str>, Vec<u8>> = SortedMap::default();
        map.or_default("a".into()).push(1);
        map.or_insert_with("a".into(), || unreachable!()).push(2);
        assert!(map.contains_key("a") && !map.contains_key("b"));
        map.values_mut().for_each(Vec::clear);
        assert_eq!(map.get("a"), Some(&Vec::new()));
        assert_eq!(map.get_mut("c"), None);
    }
}
