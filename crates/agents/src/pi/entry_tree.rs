//! [`EntryTree`]: the entries of a session, each below the one that it follows.

use apex_parts_model::text_map::TextMap;

/// The tree of a session's entries, which are told by their index in the file.
#[derive(Debug, Default)]
pub(crate) struct EntryTree {
    /// The entry that each follows; it stands before it in the file.
    parents: Vec<Option<usize>>,
    /// An entry does not follow the one before it.
    is_branched: bool,
    /// The last entry with each id.
    by_id: TextMap,
}

/// The entries of a session, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EntryPath {
    /// The entry that the first one follows; `None` if it begins the file.
    pub(crate) from: Option<usize>,
    pub(crate) entries: Vec<usize>,
}

/// What an entry says of the one that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParentName<'a> {
    /// It has this id.
    Id(&'a str),
    /// There is none.
    Root,
    /// It does not say it.
    Unknown,
}

impl EntryTree {
    /// Adds the next entry of the file. A parent that is not in the file is the entry before.
    pub(crate) fn add(&mut self, id: &str, parent: ParentName<'_>) {
        let index = self.parents.len();
        let named = match parent {
            ParentName::Id(id) => self.by_id.get(id),
            ParentName::Root | ParentName::Unknown => None,
        };
        let before = index.checked_sub(1);
        let parent = match parent {
            ParentName::Root => None,
            ParentName::Id(_) | ParentName::Unknown => named.or(before),
        };
        self.is_branched |= parent != before;
        self.parents.push(parent);
        if !id.is_empty() {
            self.by_id.insert(id, index);
        }
    }

    /// Does each entry follow the one before it?
    pub(crate) fn is_line(&self) -> bool {
        !self.is_branched
    }

    /// The entry that an entry follows.
    fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    /// The path of the run, which ends with the last entry, and then a path for each other entry that none
    /// follows: the entries to it that no path before has.
    pub(crate) fn paths(&self) -> Vec<EntryPath> {
        let count = self.parents.len();
        let mut is_followed = vec![false; count];
        for parent in self.parents.iter().flatten() {
            if let Some(is_followed) = is_followed.get_mut(*parent) {
                *is_followed = true;
            }
        }
        let leaves = is_followed.iter().enumerate().filter(|(_, is_followed)| !**is_followed);
        let leaves = leaves.map(|(index, _)| index);
        let Some(last) = count.checked_sub(1) else { return Vec::new() };
        let mut is_shown = vec![false; count];
        let others = leaves.filter(|leaf| *leaf != last);
        let paths = std::iter::once(last).chain(others).map(|leaf| {
            let mut entries = Vec::new();
            let mut next = Some(leaf);
            while let Some(index) = next
                && let Some(is_shown) = is_shown.get_mut(index)
                && !std::mem::replace(is_shown, true)
            {
                entries.push(index);
                next = self.parent(index);
            }
            entries.reverse();
            EntryPath { from: next, entries }
        });
        paths.collect()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    fn paths(entries: &[(&str, ParentName<'_>)]) -> Vec<(Option<usize>, Vec<usize>)> {
        let mut tree = EntryTree::default();
        entries.iter().for_each(|(id, parent)| tree.add(id, *parent));
        tree.paths().into_iter().map(|path| (path.from, path.entries)).collect()
    }

    #[test]
    fn the_run_ends_with_the_last_entry() {
        use ParentName::{Id, Root, Unknown};
        assert_eq!(paths(&[]), []);
        assert_eq!(paths(&[("", Unknown), ("", Unknown)]), [(None, vec![0, 1])]);
        // b is left for c, d for e; c itself was left for d.
        let tree = [("a", Root), ("b", Id("a")), ("c", Id("a")), ("d", Id("a")), ("e", Id("a"))];
        let expected =
            [(None, vec![0, 4]), (Some(0), vec![1]), (Some(0), vec![2]), (Some(0), vec![3])];
        assert_eq!(paths(&tree), expected);
    }

    #[test]
    fn what_two_branches_share_is_in_the_first() {
        use ParentName::{Id, Root};
        let tree = [("a", Root), ("b", Id("a")), ("c", Id("b")), ("d", Id("b")), ("e", Root)];
        let expected = [(None, vec![4]), (None, vec![0, 1, 2]), (Some(1), vec![3])];
        assert_eq!(paths(&tree), expected);
    }

    #[test]
    fn a_parent_that_is_not_in_the_file_is_the_entry_before() {
        use ParentName::{Id, Root};
        let tree = [("a", Id("session")), ("b", Id("a")), ("c", Id("call")), ("d", Id("d"))];
        assert_eq!(paths(&tree), [(None, vec![0, 1, 2, 3])]);
        // Of two entries with one id the last before is meant.
        let twice = [("a", Root), ("a", Root), ("b", Id("a"))];
        assert_eq!(paths(&twice), [(None, vec![1, 2]), (None, vec![0])]);
    }
}
