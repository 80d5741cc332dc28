//! Letters of texts, and lists of names that are one text: each is compiled once.

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
