//! The loops of a session that were reported.

use apex_parts_json::saved::Numbering;

/// For the key of each loop: its index among all that were found, and the number of its last call.
#[derive(Debug, Default)]
pub(super) struct ReportedLoops {
    /// Indexes in `reports`. (One kind of map for all things: a map's code is large.)
    indexes: Numbering,
    reports: Vec<(usize, u64)>,
}

impl ReportedLoops {
    pub(super) fn get(&self, key: &str) -> Option<(usize, u64)> {
        self.reports.get(self.index(key)?).copied()
    }

    pub(super) fn insert(&mut self, key: String, report: (usize, u64)) {
        let known = self.index(&key);
        if let Some(there) = known.and_then(|index| self.reports.get_mut(index)) {
            *there = report;
        } else {
            self.indexes.insert(key, self.reports.len() as u64);
            self.reports.push(report);
        }
    }

    pub(super) fn clear(&mut self) {
        self.indexes.clear();
        self.reports.clear();
    }

    fn index(&self, key: &str) -> Option<usize> {
        usize::try_from(*self.indexes.get(key)?).ok()
    }
}
