//! Patches in the form of `apply_patch`: the files that they change.

/// A file that a call changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path.
    pub path: String,
    /// How many lines it gained.
    pub added: u32,
    /// How many lines it lost.
    pub removed: u32,
}

/// How a patch begins.
pub const PATCH_BEGIN: &str = "*** Begin Patch";

/// The most files of one patch.
const MOST: usize = 1000;

/// The files of a patch, in its order; none if the text has no patch.
#[must_use]
pub fn parse_patch(text: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let body = text.split_once(PATCH_BEGIN).map_or("", |(_, body)| body);
    for line in body.lines() {
        if line.starts_with("*** End Patch") {
            break;
        }
        let heads = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
        if let Some(path) = heads.iter().find_map(|head| line.strip_prefix(head)) {
            if files.len() == MOST {
                break;
            }
            files.push(ChangedFile { path: path.trim().to_owned(), added: 0, removed: 0 });
        } else if let Some(file) = files.last_mut() {
            file.added += u32::from(line.starts_with('+'));
            file.removed += u32::from(line.starts_with('-'));
        }
    }
    files
}
