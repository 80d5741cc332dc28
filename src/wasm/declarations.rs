//! Text of TypeScript declarations, built at compile time or read from the files of `types/`.
// An index out of bounds is a compile error here; and the lint for dead code does not see what only a
// custom section uses.
#![allow(clippy::indexing_slicing, dead_code)]

/// The declarations of a `.d.ts` file without its head, which is for the compiler and the linter that check the file: imports
/// or a comment, and a blank line. In the package, what they name is in the same file.
pub(crate) const fn declared(file: &str) -> &str {
    let bytes = file.as_bytes();
    if !matches!(bytes, [b'i', b'm', b'p', b'o', b'r', b't', b' ', ..] | [b'/', b'/', ..]) {
        return file;
    }
    let mut at = 0;
    while bytes[at] != b'\n' || bytes[at + 1] != b'\n' {
        at += 1;
    }
    file.split_at(at + 2).1
}

/// More than the longest text, in bytes.
const CAPACITY: usize = 1 << 14;

/// A text that grows at compile time, where there is no heap.
pub(crate) struct Declarations {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Declarations {
    pub(crate) const fn new() -> Declarations {
        Declarations { bytes: [0; CAPACITY], length: 0 }
    }

    /// `head "a" | "b";`: a union of the names that a registry has.
    pub(crate) const fn union(head: &str, names: &[&str]) -> Declarations {
        let mut text = Declarations::new();
        text.push(head);
        let mut i = 0;
        while i < names.len() {
            text.push(if i > 0 { " | \"" } else { "\"" });
            text.push(names[i]);
            text.push("\"");
            i += 1;
        }
        text.push(";");
        text
    }

    /// A string in quotes. It may not contain what has to be escaped.
    pub(crate) const fn string(&mut self, text: &str) {
        self.push("\"");
        self.push(text);
        self.push("\"");
    }

    pub(crate) const fn push(&mut self, text: &str) {
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.length] = text.as_bytes()[i];
            self.length += 1;
            i += 1;
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
