//! What has no place in OpenCode's records, by name.

use apex_parts_model::Path;
use apex_parts_model::sorted_map::SortedMap;

/// The most names that are kept: hostile input has one a field.
const MOST: usize = 1000;

/// The names of what was left out, with how often.
#[derive(Clone, Debug, Default)]
pub struct LostFields {
    counts: SortedMap<String, u64>,
}

impl LostFields {
    /// Notes a value that is left out.
    pub(crate) fn note(&mut self, path: &Path<'_>) {
        let pointer = path.to_string();
        let name = pointer.trim_start_matches('/').replace('/', ".");
        let has_room = self.counts.len() < MOST;
        match self.counts.get_mut(&name) {
            Some(count) => *count += 1,
            None if has_room => drop(self.counts.insert(name, 1)),
            None => {}
        }
    }

    /// Each name, and how often it was left out.
    pub fn each(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(name, count)| (name.as_str(), *count))
    }
}
