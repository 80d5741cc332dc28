//! The ignore files of a tree.

use super::ignore_file::IgnoreFile;
use apex_parts_model::sorted_map::SortedMap;

/// The kinds of ignore files. An earlier one beats a later one, wherever they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IgnoreKind {
    /// `.rgignore`
    Rg,
    /// `.ignore`
    Ignore,
    /// `.gitignore`
    Git,
    /// `.git/info/exclude`, added for the folder that has the `.git`.
    GitExclude,
}

impl IgnoreKind {
    const ALL: [IgnoreKind; 4] =
        [IgnoreKind::Rg, IgnoreKind::Ignore, IgnoreKind::Git, IgnoreKind::GitExclude];

    /// The kind of a file by its name, without folders; `None` if it is no ignore file.
    #[must_use]
    pub fn of_name(name: &str) -> Option<IgnoreKind> {
        match name {
            ".rgignore" => Some(IgnoreKind::Rg),
            ".ignore" => Some(IgnoreKind::Ignore),
            ".gitignore" => Some(IgnoreKind::Git),
            _ => None,
        }
    }
}

/// The ignore files of one folder.
#[derive(Debug, Clone, Default)]
struct Folder {
    files: [IgnoreFile; 4],
    is_repository: bool,
}

/// The ignore files of a tree, found as a walk goes on. All paths are relative to one folder, with `/`
/// between names; that folder is `""`. It may lie above the place where the walk begins, as the files above
/// count too.
///
/// ```
/// use apex_parts_tools::glob::{IgnoreFile, IgnoreKind, IgnoreStack};
///
/// let mut stack = IgnoreStack::default();
/// stack.add("", IgnoreKind::Git, IgnoreFile::parse("*.log"));
/// stack.add("keep", IgnoreKind::Git, IgnoreFile::parse("!*.log"));
/// assert!(stack.is_ignored("a.log", false));
/// assert!(!stack.is_ignored("keep/a.log", false));
/// ```
#[derive(Debug, Clone, Default)]
pub struct IgnoreStack {
    folders: SortedMap<String, Folder>,
}

impl IgnoreStack {
    /// Adds the ignore file of a folder, in place of one of the same kind.
    pub fn add(&mut self, folder: &str, kind: IgnoreKind, file: IgnoreFile) {
        let entry = self.folders.or_default(folder.to_owned());
        if let Some(place) = entry.files.get_mut(kind as usize) {
            *place = file;
        }
    }

    /// Says that a folder has a `.git`: the `.gitignore` files above it do not count in it.
    pub fn add_repository(&mut self, folder: &str) {
        self.folders.or_default(folder.to_owned()).is_repository = true;
    }

    /// Does a walk pass over this entry? `.rgignore` beats `.ignore`, that `.gitignore`, that
    /// `.git/info/exclude`; of one kind the file nearest to the entry that has a matching line decides, in
    /// it the last such line. Time: the depth of the path times what the lines take.
    #[must_use]
    pub fn is_ignored(&self, path: &str, is_directory: bool) -> bool {
        if self.folders.is_empty() {
            return false;
        }
        for kind in IgnoreKind::ALL {
            let mut end = path.rfind('/');
            loop {
                let folder = end.and_then(|end| path.get(..end)).unwrap_or("");
                if let Some(entry) = self.folders.get(folder) {
                    let inner = end.and_then(|end| path.get(end + 1..)).unwrap_or(path);
                    let file = entry.files.get(kind as usize);
                    let decision = file.and_then(|file| file.decision(inner, is_directory));
                    if let Some(decision) = decision {
                        return decision;
                    }
                    if entry.is_repository && kind >= IgnoreKind::Git {
                        break;
                    }
                }
                if end.is_none() {
                    break;
                }
                end = folder.rfind('/');
            }
        }
        false
    }
}
