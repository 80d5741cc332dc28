mod laws;
mod levels;
mod refusals;
mod shown;

use super::*;

/// The file after an edit, as text, and the level.
fn done(file: &str, old: &str, new: &str) -> (String, u8) {
    let edited =
        edit(file.as_bytes(), old, new, false).unwrap_or_else(|e| panic!("{}", e.message("P")));
    (String::from_utf8(edited.bytes).unwrap(), edited.level.number())
}

fn all(file: &str, old: &str, new: &str) -> (String, usize) {
    let edited =
        edit(file.as_bytes(), old, new, true).unwrap_or_else(|e| panic!("{}", e.message("P")));
    (String::from_utf8(edited.bytes).unwrap(), edited.count)
}

fn refused(file: &str, old: &str, new: &str) -> EditRefusal {
    edit(file.as_bytes(), old, new, false).unwrap_err()
}

fn is_not_found(file: &str, old: &str, new: &str) -> bool {
    matches!(refused(file, old, new), EditRefusal::NotFound { .. })
}
