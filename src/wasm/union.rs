//! TypeScript unions of the names that a registry has, made while the crate is compiled.
// An index out of bounds is an error of the compiler here; and what only a custom section uses counts
// as unused.
#![allow(clippy::indexing_slicing, dead_code)]

/// The declaration `head "a" | "b";` as text.
macro_rules! union {
    ($head:expr, $names:expr) => {{
        const LENGTH: usize = $crate::wasm::union::length($head, $names);
        const TEXT: [u8; LENGTH] = $crate::wasm::union::text($head, $names);
        $crate::wasm::union::as_str(&TEXT)
    }};
}
pub(crate) use union;

const BETWEEN: &str = " | ";

/// The length of the declaration, in bytes.
pub(crate) const fn length(head: &str, names: &[&str]) -> usize {
    let (mut length, mut i) = (head.len() + 1, 0);
    while i < names.len() {
        length += names[i].len() + 2 + if i > 0 { BETWEEN.len() } else { 0 };
        i += 1;
    }
    length
}

/// The declaration.
pub(crate) const fn text<const LENGTH: usize>(head: &str, names: &[&str]) -> [u8; LENGTH] {
    let mut out = [b';'; LENGTH];
    let (mut at, mut i) = (put(&mut out, 0, head), 0);
    while i < names.len() {
        if i > 0 {
            at = put(&mut out, at, BETWEEN);
        }
        at = put(&mut out, at, "\"");
        at = put(&mut out, at, names[i]);
        at = put(&mut out, at, "\"");
        i += 1;
    }
    out
}

const fn put<const LENGTH: usize>(out: &mut [u8; LENGTH], at: usize, text: &str) -> usize {
    let mut i = 0;
    while i < text.len() {
        out[at + i] = text.as_bytes()[i];
        i += 1;
    }
    at + text.len()
}

/// The text that was made.
pub(crate) const fn as_str(text: &'static [u8]) -> &'static str {
    match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => "",
    }
}
