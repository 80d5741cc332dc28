//! Sorting with one sort in the module: the standard library's is compiled for each type of items and each
//! comparison, 4 to 5 KB each time.

use std::cmp::Ordering;

/// Sorts as [`slice::sort_by`] does: equal items stay in their order. Allocates; for lists that are sorted once.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| taken.get_mut(at)?.take()));
}

/// The indexes of so many items in the order that the comparison gives.
#[inline(never)]
#[allow(clippy::disallowed_methods)] // this is the one
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Collects into a set or a map by inserting one after the other: `collect` would bring a sort of its own.
pub fn inserted<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut collected = C::default();
    collected.extend(items);
    collected
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_stable() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
        sort_by(&mut Vec::<u8>::new(), Ord::cmp);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let map: BTreeMap<u8, u8> = inserted([(1, 1), (0, 2), (1, 3)]);
        assert_eq!(map, BTreeMap::from([(0, 2), (1, 3)]));
    }
}
