//! The name of a resource's file.

use crate::uri::decoded;
use apex_parts_model::invisible::{Controls, VisibleText};
use std::borrow::Cow;

/// The last segment of the URI's path, decoded; what a file's name must not have is `_`. `None` if it names
/// nothing.
pub(super) fn last_segment(uri: &str) -> Option<String> {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    let segment = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    // As it is written, if that is no percent-encoding.
    let decoded = decoded(segment).unwrap_or(Cow::Borrowed(segment));
    let safe = |c: char| if c.is_control() || c == '/' || c == '\\' { '_' } else { c };
    let name: String = decoded.chars().map(safe).collect();
    let name = VisibleText::new(&name, Controls::Remove).text.into_owned();
    if name.trim().is_empty() {
        return None;
    }
    // `.` and `..` are folders.
    Some(if matches!(&*name, "." | "..") { name.replace('.', "_") } else { name })
}

#[cfg(test)]
mod tests {
    use super::last_segment;

    #[test]
    fn the_last_segment_is_a_safe_name() {
        let cases = [
            ("file:///a/b%20c.txt?x#y", Some("b c.txt")),
            ("demo://x/dir/", Some("dir")),
            ("demo://x/a%2Fb%5Cc%00", Some("a_b_c_")),
            ("demo://x/%2e%2e", Some("__")),
            ("demo://x/%zz", Some("%zz")),
            ("urn:isbn:1", Some("urn:isbn:1")),
            ("demo://", None),
            ("", None),
        ];
        for (uri, name) in cases {
            assert_eq!(last_segment(uri).as_deref(), name, "{uri}");
        }
    }
}
