//! [`RecordCount`]: how many records of a file are of its format.

/// How many records of a file are of its format, and how many are not. A line that is not JSON is damage, which is in
/// neither.
///
/// ```
/// use apex_parts_agents::RecordCount;
///
/// let mut records = RecordCount::default();
/// records.add(true, 0);
/// records.add(false, 40);
/// records.add(false, 80);
/// assert_eq!((records.total(), records.foreign, records.first), (3, 2, Some(40)));
/// assert!(records.is_above(2) && !records.is_above(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCount {
    /// The records of the format: those that are read, and those that are left out or repeat others.
    pub own: u64,
    /// The records of another program.
    pub foreign: u64,
    /// Where the first of those begins in the file.
    pub first: Option<u64>,
}

impl RecordCount {
    /// Counts a record that begins at this offset of the file.
    pub fn add(&mut self, is_own: bool, offset: u64) {
        if is_own {
            self.own += 1;
        } else {
            self.foreign += 1;
            self.first.get_or_insert(offset);
        }
    }

    /// All records.
    pub fn total(self) -> u64 {
        self.own + self.foreign
    }

    /// Is more than one in `of` records foreign?
    pub fn is_above(self, of: u64) -> bool {
        self.foreign.saturating_mul(of) > self.total()
    }
}
