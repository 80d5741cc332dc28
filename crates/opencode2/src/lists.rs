//! Lists of names and of values, and texts of several pieces: not inlined, because the module has many of them.

use apex_parts_json::writer::list;

/// The names that are read, with the one of the provider's metadata.
pub(crate) fn with<'a>(names: &[&'a str], used: Option<&'a str>) -> Vec<&'a str> {
    names.iter().copied().chain(used).collect()
}

/// Writes strings of a list, each escaped already.
pub(crate) fn raw_list(out: &mut String, elements: &[String]) {
    list(out, elements, |out, element| out.push_str(element));
}

/// The pieces as one text.
#[inline(never)]
#[must_use]
pub fn joined(pieces: &[&str]) -> String {
    let mut out = String::new();
    push_all(&mut out, pieces);
    out
}

/// Adds the pieces to a text.
#[inline(never)]
pub fn push_all(out: &mut String, pieces: &[&str]) {
    for piece in pieces {
        out.push_str(piece);
    }
}
