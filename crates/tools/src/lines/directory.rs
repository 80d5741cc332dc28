//! A page of a directory's entries.

use super::PastEnd;

/// Entries of a directory, sorted by code point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryPage {
    /// The names that are shown; those of directories end with `/`.
    pub entries: Vec<String>,
    /// The number of the first that is shown, from 1.
    pub offset: usize,
    /// All entries of the directory.
    pub total: usize,
    /// Whether entries follow those that are shown.
    pub truncated: bool,
}

impl DirectoryPage {
    /// The page of at most `limit` entries from entry `offset` on (from 1; 0 is read as 1). `names` may be in
    /// any order; the caller has put `/` after directories and links to them.
    ///
    /// # Errors
    /// If the offset is past the last entry. (Entry 1 of an empty directory is not.)
    ///
    /// ```
    /// use apex_parts_tools::lines::directory::DirectoryPage;
    ///
    /// let names = ["b", "a/", "B"].map(str::to_owned).to_vec();
    /// let page = DirectoryPage::new(names, 1, 2).unwrap();
    /// assert_eq!(page.entries, ["B", "a/"]);
    /// assert_eq!(page.note(), "(2 of 3 entries. Go on with offset=3.)");
    /// ```
    pub fn new(
        mut names: Vec<String>,
        offset: usize,
        limit: usize,
    ) -> Result<DirectoryPage, PastEnd> {
        let (offset, total) = (offset.max(1), names.len());
        if offset > total.max(1) {
            return Err(PastEnd { offset, total, is_directory: true });
        }
        // The order of UTF-8 bytes is that of code points.
        names.sort_unstable();
        let entries: Vec<String> = names.into_iter().skip(offset - 1).take(limit).collect();
        let truncated = offset - 1 + entries.len() < total;
        Ok(DirectoryPage { entries, offset, total, truncated })
    }

    /// The closing note, in parentheses.
    pub fn note(&self) -> String {
        let (shown, total) = (self.entries.len(), self.total);
        if self.truncated {
            let next = self.offset + shown;
            format!("({shown} of {total} entries. Go on with offset={next}.)")
        } else {
            format!("({total} entries)")
        }
    }

    /// What the model is shown: the path, the names and the note, in tags.
    pub fn output(&self, path: &str) -> String {
        let open = "</path>\n<type>directory</type>\n<entries>\n";
        let names = self.entries.join("\n");
        ["<path>", path, open, &names, "\n\n", &self.note(), "\n</entries>"].concat()
    }
}
