//! Words: quotes, escapes, globs, braces, assignments.

use super::ansi_c;
use super::letters::{begins, has_any, owned, rest_of, until};
use super::parser::{AssignedBy, NotParsed, Parser};
use super::word::{ShellWord, is_assignable, is_identifier};

impl Parser<'_, '_> {
    /// Reads a word; it is empty if none begins here.
    pub(crate) fn word(&mut self) -> Result<ShellWord, NotParsed> {
        let mut word = ShellWord::default();
        self.skip_joins();
        let start = self.at;
        let result = self.pieces(&mut word);
        word.raw = owned(self.from(start));
        result.map(|()| word)
    }

    #[inline(never)]
    fn pieces(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        // The offset of a `{` that may begin a brace expansion, and whether it has a `,` or `..`.
        let (mut brace, mut is_list, mut has_equals) = (None, false, false);
        let start = self.at;
        let is_element = std::mem::take(&mut self.is_element);
        // Brackets that are open, if they are a subscript's: in one of an assignment anything may stand.
        let mut brackets = None;
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
                    if brackets.is_some_and(|open| open > 0) =>
                {
                    return Err(NotParsed);
                }
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
                    self.skip(1);
                    let c = self.take_raw().ok_or(NotParsed)?;
                    word.quoted = true;
                    word.push(c);
                }
                b'\'' => {
                    self.skip(1);
                    word.quoted = true;
                    self.single(word)?;
                }
                b'"' => {
                    self.skip(1);
                    word.quoted = true;
                    self.expanded_text(word, Some('"'))?;
                }
                b'$' if self.peek_at(1) == b'\'' => {
                    self.skip(2);
                    word.quoted = true;
                    self.escaped(word)?;
                }
                b'$' if self.peek_at(1) == b'"' => {
                    self.skip(2);
                    word.quoted = true;
                    self.out.is_translated = true;
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
                    match (byte, &mut brackets) {
                        (b'[', Some(open)) => *open += 1,
                        (b'[', None) if at == 0 && is_element => brackets = Some(1),
                        (b'[', None) if is_plain_name(word) => brackets = Some(1),
                        (b']', Some(open)) => *open = usize::saturating_sub(*open, 1),
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
            match self.take_raw() {
                Some('\'') => return Ok(()),
                Some(c) => word.push(c),
                None => return Err(NotParsed),
            }
        }
    }

    /// The rest of `$'…'`: it ends before anything in it is decoded.
    pub(crate) fn escaped(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        let start = self.at;
        loop {
            match self.take_raw().ok_or(NotParsed)? {
                '\'' => break,
                '\\' => {
                    self.take_raw().ok_or(NotParsed)?;
                }
                _ => {}
            }
        }
        let inner = self.between(start, self.at - 1);
        ansi_c::decoded(inner).chars().for_each(|c| word.push(c));
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
                    self.skip(1);
                    let escapes = match self.rest_raw().bytes().next() {
                        Some(b'$' | b'`' | b'\\') => true,
                        Some(b'"') => end.is_some(),
                        _ => false,
                    };
                    let taken = if escapes { self.take_raw() } else { None };
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
        self.skip_joins();
        let start = self.at;
        self.skip(1);
        let name = owned(until(&word.text, "[+="));
        // Behind a `+=`, a subscript or what may be several words, their numbers are not known.
        let mut number = Some(0).filter(|_| word.text.len() == name.len() + 1);
        self.nested(|parser| {
            loop {
                parser.line_feeds()?;
                if parser.takes(")") {
                    return Ok(());
                }
                let value = parser.element()?;
                let is_one = !value.may_be_several() && !begins(&value.text, "[");
                number = number.filter(|_| is_one);
                parser.assign(&name, value, AssignedBy::Element(number));
                number = number.map(|number| number + 1);
            }
        })?;
        let source = self.from(start);
        word.expansion(source, true);
        word.is_array = true;
        Ok(())
    }

    /// An element of an array; its subscript is arithmetic.
    fn element(&mut self) -> Result<ShellWord, NotParsed> {
        let is_subscript = self.peek() == b'[';
        self.is_element = true;
        let element = self.word()?;
        if element.raw.is_empty() {
            return Err(NotParsed);
        }
        if is_subscript {
            let (subscript, behind) = element.text.split_once(']').ok_or(NotParsed)?;
            // One that bash reads further.
            if subscript.get(1..).is_some_and(|rest| has_any(rest, "[")) && has_any(behind, "]") {
                return Err(NotParsed);
            }
            self.evaluate(rest_of(subscript, 1));
        }
        Ok(element)
    }
}

/// May a subscript follow?
fn is_plain_name(word: &ShellWord) -> bool {
    !word.quoted && !word.expands && is_identifier(&word.text)
}
