//! HTML cut into texts and tags, as the tokenizer of the WHATWG standard does; comments, declarations and
//! malformed tags are passed over.

use super::attributes::{Attributes, is_space};
use memchr::{memchr, memchr2, memmem};

/// A piece of a page.
pub(super) enum Token<'h> {
    /// Text as it was written, with its references.
    Text(&'h str),
    /// Text whose `&` is only that.
    Cdata(&'h str),
    /// `<name …>`, and whether it ends in `/>`.
    Start(&'h str, Attributes<'h>, bool),
    /// `</name>`
    End(&'h str),
}

/// The tokens of a page, one after the other.
pub(super) struct Tokens<'h> {
    html: &'h str,
    at: usize,
}

impl<'h> Tokens<'h> {
    pub(super) fn new(html: &'h str) -> Tokens<'h> {
        Tokens { html, at: 0 }
    }

    fn slice(&self, from: usize, to: usize) -> &'h str {
        self.html.get(from..to).unwrap_or_default()
    }

    fn bytes(&self, from: usize) -> &'h [u8] {
        self.html.as_bytes().get(from..).unwrap_or_default()
    }

    /// The next token. `foreign`: the place is in SVG or MathML, which have CDATA sections.
    pub(super) fn next(&mut self, foreign: bool) -> Option<Token<'h>> {
        loop {
            let rest = self.bytes(self.at);
            let text = match rest {
                [] => return None,
                [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                    if let Some((name, attributes, closed)) = self.tag(self.at + 1) {
                        return Some(Token::Start(name, attributes, closed));
                    }
                    continue;
                }
                [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                    if let Some((name, ..)) = self.tag(self.at + 2) {
                        return Some(Token::End(name));
                    }
                    continue;
                }
                [b'<', b'/', _, ..] | [b'<', b'?', ..] => {
                    self.skip_to(self.at + 2, b'>');
                    continue;
                }
                [b'<', b'!', b'-', b'-', ..] => {
                    self.comment();
                    continue;
                }
                [b'<', b'!', more @ ..] => {
                    if foreign && more.starts_with(b"[CDATA[") {
                        let from = self.at + 9;
                        let length = memmem::find(self.bytes(from), b"]]>");
                        let to = length.map_or(self.html.len(), |length| from + length);
                        self.at = (to + 3).min(self.html.len());
                        return Some(Token::Cdata(self.slice(from, to)));
                    }
                    self.skip_to(self.at + 2, b'>');
                    continue;
                }
                // A `<` that begins nothing is text.
                [_, more @ ..] => 1 + memchr(b'<', more).unwrap_or(more.len()),
            };
            let from = self.at;
            self.at += text;
            return Some(Token::Text(self.slice(from, self.at)));
        }
    }

    fn skip_to(&mut self, from: usize, byte: u8) {
        let position = memchr(byte, self.bytes(from));
        self.at = position.map_or(self.html.len(), |length| from + length + 1);
    }

    /// A comment may end at once: `<!-->`, `<!--->`.
    fn comment(&mut self) {
        let start = self.at + 4;
        let rest = self.bytes(start);
        if rest.starts_with(b">") || rest.starts_with(b"->") {
            return self.skip_to(start, b'>');
        }
        let mut at = start;
        while let Some(found) = memmem::find(self.bytes(at), b"--") {
            // Of more than two dashes the last two count.
            at += found;
            at += self.bytes(at).iter().take_while(|b| **b == b'-').count();
            let behind = self.bytes(at);
            if behind.starts_with(b">") || behind.starts_with(b"!>") {
                return self.skip_to(at, b'>');
            }
        }
        self.at = self.html.len();
    }

    /// Reads a tag whose name begins at `from`; a tag that the text ends in is none.
    fn tag(&mut self, from: usize) -> Option<(&'h str, Attributes<'h>, bool)> {
        let is_name = |b: &&u8| !is_space(**b) && !matches!(**b, b'/' | b'>');
        let length = self.bytes(from).iter().take_while(is_name).count();
        let attributes = Attributes::new(self.slice(from + length, self.html.len()));
        let Some((end, closed)) = attributes.clone().end() else {
            self.at = self.html.len();
            return None;
        };
        self.at = from + length + end;
        Some((self.slice(from, from + length), attributes, closed))
    }

    /// The text up to the end tag of this name, which is passed over; all that is left if there is none.
    pub(super) fn raw_text(&mut self, name: &str) -> &'h str {
        let from = self.at;
        let is_script = name.eq_ignore_ascii_case("script");
        // A script may hold `<!-- <script> </script> -->`. 1: within `<!--`, 2: within that script.
        let mut level = 0;
        let mut at = from;
        while let Some(found) = memchr2(b'<', b'-', self.bytes(at)) {
            at += found;
            let rest = self.bytes(at);
            if rest.starts_with(b"-") {
                if level > 0 && rest.starts_with(b"-->") {
                    level = 0;
                }
            } else if rest.starts_with(b"</") && is_tag(rest.get(2..), name) {
                if level < 2 {
                    self.tag(at + 2);
                    return self.slice(from, at);
                }
                level = 1;
            } else if is_script && level == 0 && rest.starts_with(b"<!--") {
                level = 1;
                // The dashes may be those of `-->` too.
                at += 1;
            } else if level == 1 && is_tag(rest.get(1..), name) {
                level = 2;
            }
            at += 1;
        }
        self.at = self.html.len();
        self.slice(from, self.at)
    }

    /// All that is left.
    pub(super) fn rest(&mut self) -> &'h str {
        let from = std::mem::replace(&mut self.at, self.html.len());
        self.slice(from, self.html.len())
    }
}

/// Does the text begin with this name, and does the name end there?
fn is_tag(text: Option<&[u8]>, name: &str) -> bool {
    let text = text.unwrap_or_default();
    let behind = text.get(name.len()).copied();
    text.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
        && behind.is_some_and(|b| is_space(b) || matches!(b, b'/' | b'>'))
}
