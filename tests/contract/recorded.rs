//! What tests read of recorded sessions and streams: the project's own in `tests/fixtures/recorded`, or those in the
//! folder that `APEX_PARTS_RECORDED` names, which `npm run test:recorded -- DIR` sets. Both have the same folders.
//!
//! A test that uses this has `recorded` in its path or name: that is how `npm run test:recorded` finds it. A test of one
//! file of other people is ignored unless it is asked for.
#![allow(dead_code, unreachable_pub)] // each test uses what it needs
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of one kind: `agents`, `compaction`, `opencode`, `providers` or `tools`.
pub fn folder(kind: &str) -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recorded");
    let folder = std::env::var_os("APEX_PARTS_RECORDED").map_or_else(own, PathBuf::from).join(kind);
    assert!(
        folder.is_dir(),
        "{} is not a folder: there are no recordings to test with",
        folder.display()
    );
    folder
}

/// The paths in a folder whose names are wanted, in the order of their names; at least one.
pub fn paths(kind: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = folder(kind);
    let mut found: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| is_wanted(&path.file_name().unwrap().to_string_lossy()));
    assert!(!found.is_empty(), "{} has no file that this test wants", folder.display());
    found.sort_unstable();
    found
}

/// Names and contents of the files in a folder whose names are wanted; at least one.
pub fn files(kind: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
    };
    paths(kind, is_wanted).into_iter().map(read).collect()
}

/// The content of one file.
pub fn file(kind: &str, name: &str) -> Vec<u8> {
    let path = folder(kind).join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
