//! A set in the order of its elements, compiled as [`SortedMap`] is.

use super::sorted_map::SortedMap;
use std::borrow::Borrow;

/// A set in the order of its elements, used as [`std::collections::BTreeSet`] is.
///
/// ```
/// use apex_parts_model::sorted_set::SortedSet;
///
/// let mut seen = SortedSet::new();
/// assert!(seen.insert("b") && seen.insert("a") && !seen.insert("b"));
/// assert!(seen.iter().eq(&["a", "b"]) && seen.contains("a"));
/// assert!(seen.remove("a") && seen.first() == Some(&"b"));
/// ```
#[derive(Clone, Debug)]
pub struct SortedSet<T> {
    elements: SortedMap<T, ()>,
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet::new()
    }
}

impl<T> SortedSet<T> {
    /// An empty set.
    #[must_use]
    pub const fn new() -> Self {
        SortedSet { elements: SortedMap::new() }
    }

    /// How many elements it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The least element.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The elements in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.elements.keys()
    }
}

impl<T: Ord> SortedSet<T> {
    /// Adds an element. False if it was there already.
    pub fn insert(&mut self, element: T) -> bool {
        self.elements.insert(element, ()).is_none()
    }

    /// Takes an element out. False if it was not there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.elements.remove(element).is_some()
    }

    /// Whether it has an element.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.elements.contains_key(element)
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}
