//! Words: quotes, escapes, globs, braces, assignments.

use super::parser::{NotParsed, Parser};
use super::word::{ShellWord, is_assignable};

impl Parser<'_, '_> {
    /// Reads a word; it is empty if none begins here.
    pub(crate) fn word(&mut self) -> Result<ShellWord, NotParsed> {
        let mut word = ShellWord::default();
        let start = self.at;
        let result = self.pieces(&mut word);
        word.raw = self.from(start).to_owned();
        result.map(|()| word)
    }

    fn pieces(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        // The offset of a `{` that may begin a brace expansion, and whether it has a `,` or `..`.
        let (mut brace, mut is_list, mut has_equals) = (None, false, false);
        let start = self.at;
        loop {
            match self.peek() {
                0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' => return Ok(()),
                b'<' | b'>' => {
                    if self.peek_at(1) != b'(' {
                        return Ok(());
                    }
                    self.process(word)?;
                }
                b'(' => {
                    if word.value != Some(word.text.len()) {
                        return Ok(());
                    }
                    self.array(word)?;
                }
                b'\\' => {
                    self.at += 1;
                    if self.is_at_end() {
                        return Err(NotParsed);
                    }
                    // An escaped line feed is nothing.
                    if let Some(c) = self.take().filter(|c| *c != '\n') {
                        word.quoted = true;
                        word.push(c);
                    }
                }
                b'\'' => {
                    self.at += 1;
                    word.quoted = true;
                    self.single(word)?;
                }
                b'"' => {
                    self.at += 1;
                    word.quoted = true;
                    self.expanded_text(word, Some('"'))?;
                }
                b'$' if self.peek_at(1) == b'\'' => {
                    self.at += 2;
                    word.quoted = true;
                    self.escaped(word)?;
                }
                b'$' if self.peek_at(1) == b'"' => {
                    self.at += 2;
                    word.quoted = true;
                    self.expanded_text(word, Some('"'))?;
                }
                b'$' => self.dollar(word, false)?,
                b'`' => self.backticks(word, false)?,
                byte => {
                    let at = word.text.len();
                    match byte {
                        b'*' | b'?' | b'[' => word.mark_wild(at),
                        b'{' if brace.is_none() => brace = Some(at),
                        b',' => is_list |= brace.is_some(),
                        b'.' => is_list |= brace.is_some() && self.peek_at(1) == b'.',
                        b'}' if is_list => {
                            word.braces = true;
                            word.mark_wild(brace.unwrap_or_default());
                        }
                        b'=' if !std::mem::replace(&mut has_equals, true) => {
                            // Quotes may stand in the subscript only.
                            let before = self.from(start).replace("\\\n", "");
                            if is_assignable(&before) {
                                word.value = Some(at + 1);
                                word.wild = None;
                            }
                        }
                        _ => {}
                    }
                    if let Some(c) = self.take() {
                        word.push(c);
                    }
                }
            }
        }
    }

    /// The rest of `'…'`.
    fn single(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        loop {
            match self.take() {
                Some('\'') => return Ok(()),
                Some(c) => word.push(c),
                None => return Err(NotParsed),
            }
        }
    }

    /// The rest of `$'…'`.
    fn escaped(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        let mut bytes = Vec::new();
        loop {
            match self.take() {
                Some('\'') => break,
                Some('\\') => self.escape(&mut bytes)?,
                Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => return Err(NotParsed),
            }
        }
        // A NUL ends the string, as in C.
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let kept = bytes.get(..end).unwrap_or_default();
        String::from_utf8_lossy(kept).chars().for_each(|c| word.push(c));
        Ok(())
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), NotParsed> {
        let c = self.take().ok_or(NotParsed)?;
        let (radix, most) = match c {
            '0'..='7' => {
                self.at -= 1;
                (8, 3)
            }
            'x' => (16, 2),
            'u' => (16, 4),
            'U' => (16, 8),
            'c' => {
                let c = self.take().ok_or(NotParsed)?;
                out.push(c as u32 as u8 & 0x1f);
                return Ok(());
            }
            _ => {
                let byte = match c {
                    'n' => b'\n',
                    't' => b'\t',
                    'r' => b'\r',
                    'a' => 7,
                    'b' => 8,
                    'e' | 'E' => 27,
                    'f' => 12,
                    'v' => 11,
                    '\\' | '\'' | '"' | '?' => c as u32 as u8,
                    _ => {
                        out.push(b'\\');
                        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        return Ok(());
                    }
                };
                out.push(byte);
                return Ok(());
            }
        };
        let (mut value, mut digits) = (0_u32, 0);
        while digits < most
            && let Some(digit) = char::from(self.peek()).to_digit(radix)
        {
            value = value.wrapping_mul(radix).wrapping_add(digit);
            digits += 1;
            self.at += 1;
        }
        match c {
            _ if digits == 0 => out.extend_from_slice(&[b'\\', c as u32 as u8]),
            'u' | 'U' => {
                let c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => out.push(value as u8),
        }
        Ok(())
    }

    /// Text in which `$` and backticks expand, up to the quote that ends it; a here-document's body ends
    /// with its text, and its `"` are characters.
    pub(crate) fn expanded_text(
        &mut self,
        word: &mut ShellWord,
        end: Option<char>,
    ) -> Result<(), NotParsed> {
        loop {
            match self.peek() {
                b'$' => self.dollar(word, true)?,
                b'`' => self.backticks(word, true)?,
                b'\\' => {
                    self.at += 1;
                    let escapes = match self.peek() {
                        b'\n' => {
                            self.at += 1;
                            continue;
                        }
                        b'$' | b'`' | b'\\' => true,
                        b'"' => end.is_some(),
                        _ => false,
                    };
                    let taken = if escapes { self.take() } else { None };
                    word.push(taken.unwrap_or('\\'));
                }
                _ => match self.take() {
                    None if end.is_none() => return Ok(()),
                    None => return Err(NotParsed),
                    Some(c) if end == Some(c) => return Ok(()),
                    Some(c) => word.push(c),
                },
            }
        }
    }

    /// `(a b …)` behind `NAME=`.
    fn array(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        let start = self.at;
        self.at += 1;
        self.nested(|parser| {
            loop {
                parser.line_feeds()?;
                if parser.takes(")") {
                    return Ok(());
                }
                let element = parser.word()?;
                if element.raw.is_empty() {
                    return Err(NotParsed);
                }
                parser.out.words.push(element);
            }
        })?;
        let source = self.from(start).to_owned();
        word.expansion(&source, true);
        Ok(())
    }
}
