//! Letters of texts, and lists of names that are one text: each is compiled once.

pub(super) const DIGITS: &str = "0123456789";

/// Is it one of the names in this list? Blanks stand between them.
#[inline(never)]
pub(super) fn is_listed(list: &str, name: &str) -> bool {
    let name = name.as_bytes();
    !name.is_empty() && list.as_bytes().split(|byte| *byte == b' ').any(|entry| entry == name)
}

/// Has it one of these letters, which are ASCII?
#[inline(never)]
pub(super) fn has_any(text: &str, letters: &str) -> bool {
    text.bytes().any(|byte| letters.as_bytes().contains(&byte))
}

/// Where it has the first of these letters, which are ASCII.
#[inline(never)]
pub(super) fn find_any(text: &str, letters: &str) -> Option<usize> {
    text.bytes().position(|byte| letters.as_bytes().contains(&byte))
}

/// Has it only these letters, which are ASCII, and letters and digits?
#[inline(never)]
pub(super) fn is_made_of(text: &str, letters: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || letters.as_bytes().contains(&byte))
}

/// The length of the letters, digits and `_` at its beginning.
#[inline(never)]
pub(super) fn name_length(text: &str) -> usize {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().take_while(|byte| is_part(*byte)).count()
}

/// Its beginning, up to this offset.
#[inline(never)]
pub(super) fn up_to(text: &str, end: usize) -> &str {
    text.get(..end).unwrap_or_default()
}

/// What is before the first of these letters, which are ASCII.
#[inline(never)]
pub(super) fn until<'t>(text: &'t str, letters: &str) -> &'t str {
    up_to(text, find_any(text, letters).unwrap_or(text.len()))
}

/// The rest of it, from this offset on.
#[inline(never)]
pub(super) fn rest_of(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

/// The letters, digits and `_` at its beginning.
pub(super) fn name_at(text: &str) -> &str {
    up_to(text, name_length(text))
}

/// Adds a copy of it.
#[inline(never)]
pub(super) fn add(texts: &mut Vec<String>, text: &str) {
    texts.push(owned(text));
}

/// A copy of it.
#[inline(never)]
pub(super) fn owned(text: &str) -> String {
    text.to_owned()
}

/// Does it begin with one of these letters, which are ASCII?
#[inline(never)]
pub(super) fn begins(text: &str, letters: &str) -> bool {
    text.bytes().next().is_some_and(|byte| letters.as_bytes().contains(&byte))
}

/// Does it end with one of these letters, which are ASCII?
#[inline(never)]
pub(super) fn ends(text: &str, letters: &str) -> bool {
    text.bytes().next_back().is_some_and(|byte| letters.as_bytes().contains(&byte))
}
