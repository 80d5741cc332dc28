//! Patches in the form of `apply_patch`: where they stand in a call's arguments, and the files that they change.

use crate::formats::fields::{pick, string};
use apex_parts_json::tape::Node;
use std::borrow::Cow;

/// A file that a call changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedFile {
    pub(crate) path: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
}

/// How a patch begins.
pub const BEGIN: &str = "*** Begin Patch";

/// The most files of one patch.
const MOST: usize = 1000;

/// A patch in the arguments that are there for one.
pub(crate) fn patch_in(input: Node<'_>) -> Option<Cow<'_, str>> {
    let names = ["patchText", "patch", "input", "diff"];
    pick(input, names).into_iter().filter_map(string).find(|text| text.contains(BEGIN))
}

/// The files of a patch, in its order; none if the text has no patch.
pub(crate) fn patched(text: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let body = text.split_once(BEGIN).map_or("", |(_, body)| body);
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
