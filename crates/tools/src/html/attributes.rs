//! The attributes of a tag.

use super::references::decode;
use memchr::memchr;

/// Reads `name`, `name=value`, `name="value"` one after the other, up to the `>` of the tag.
#[derive(Clone)]
pub(super) struct Attributes<'h> {
    html: &'h str,
    at: usize,
    /// The last thing before the place was a lone `/`.
    slash: bool,
}

impl<'h> Attributes<'h> {
    /// `html` begins behind the name of the tag.
    pub(super) fn new(html: &'h str) -> Attributes<'h> {
        Attributes { html, at: 0, slash: false }
    }

    /// The place behind the tag, and whether it ends in `/>`; `None` if the text ends within the tag.
    pub(super) fn end(mut self) -> Option<(usize, bool)> {
        while self.next().is_some() {}
        (self.byte() == Some(b'>')).then_some((self.at + 1, self.slash))
    }

    /// The value of the first attribute of a name, decoded; `Some("")` if it has none.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let (_, raw) = self.clone().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        let mut value = String::new();
        decode(raw, true, &mut value);
        Some(value)
    }

    fn byte(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    /// Passes over bytes while they are of a kind.
    fn skip(&mut self, kind: fn(u8) -> bool) -> &'h str {
        let from = self.at;
        let rest = self.html.as_bytes().get(from..).unwrap_or_default();
        self.at += rest.iter().take_while(|b| kind(**b)).count();
        self.html.get(from..self.at).unwrap_or_default()
    }
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<Self::Item> {
        let before = self.skip(|b| is_space(b) || b == b'/');
        if matches!(self.byte(), None | Some(b'>')) {
            self.slash = before.ends_with('/');
            return None;
        }
        let from = self.at;
        // An equals sign at the start belongs to the name.
        self.at += usize::from(self.byte() == Some(b'='));
        self.skip(|b| !is_space(b) && !matches!(b, b'/' | b'>' | b'='));
        let name = self.html.get(from..self.at).unwrap_or_default();
        let behind = self.at;
        self.skip(is_space);
        if self.byte() != Some(b'=') {
            self.at = behind;
            return Some((name, ""));
        }
        self.at += 1;
        self.skip(is_space);
        let value = match self.byte() {
            Some(quote @ (b'"' | b'\'')) => {
                let from = self.at + 1;
                let rest = self.html.as_bytes().get(from..).unwrap_or_default();
                let Some(length) = memchr(quote, rest) else {
                    self.at = self.html.len();
                    return None;
                };
                self.at = from + length + 1;
                self.html.get(from..from + length).unwrap_or_default()
            }
            _ => self.skip(|b| !is_space(b) && b != b'>'),
        };
        Some((name, value))
    }
}

/// The white space of HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}
