//! Lists of names and of values.

use apex_parts_json::writer::list;

/// The names that are read, with the one of the provider's metadata.
pub(crate) fn with<'a>(names: &[&'a str], used: Option<&'a str>) -> Vec<&'a str> {
    names.iter().copied().chain(used).collect()
}

/// Writes strings of a list, each escaped already.
pub(crate) fn raw_list(out: &mut String, elements: &[String]) {
    list(out, elements, |out, element| out.push_str(element));
}
