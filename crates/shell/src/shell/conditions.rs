//! `[[ … ]]`.

use super::parser::{NotParsed, Parser};
use super::word::ShellWord;

/// Operators between two words; those that compare with a pattern are read by themselves.
const BINARY: &[&str] = &["<", ">", "-nt", "-ot", "-ef"];
const NUMBERS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const PATTERNS: &[&str] = &["==", "=", "!="];
const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";

impl Parser<'_, '_> {
    /// What follows `[[`.
    pub(crate) fn condition(&mut self) -> Result<(), NotParsed> {
        let mut depth = 0_usize;
        loop {
            // An operand.
            self.feeds()?;
            if self.takes_reserved("!") {
                continue;
            }
            if self.takes("(") {
                depth += 1;
                continue;
            }
            self.operand()?;
            loop {
                self.feeds()?;
                if self.takes("&&") || self.takes("||") {
                    break;
                }
                if depth == 0 && self.takes_reserved("]]") {
                    return Ok(());
                }
                if !self.takes(")") {
                    return Err(NotParsed);
                }
                depth = depth.checked_sub(1).ok_or(NotParsed)?;
            }
        }
    }

    /// Blanks and line feeds; what a line feed means to a here-document, and a comment, is not read here.
    fn feeds(&mut self) -> Result<(), NotParsed> {
        while matches!(self.peek(), b' ' | b'\t' | b'\n') {
            self.skip(1);
        }
        let is_plain = self.peek() != b'#' && self.pending.is_empty();
        if is_plain { Ok(()) } else { Err(NotParsed) }
    }

    /// A word and what is tested of it.
    fn operand(&mut self) -> Result<(), NotParsed> {
        let first = self.tested()?;
        if let Some(letter) = unary(&first) {
            self.feeds()?;
            let word = self.tested()?;
            if matches!(letter, 'v' | 'R') {
                self.evaluate(&word.text);
            }
            return Ok(());
        }
        self.blanks();
        if self.takes_reserved("=~") {
            self.blanks();
            return self.pattern(true);
        }
        if PATTERNS.iter().any(|operator| self.takes_reserved(operator)) {
            self.blanks();
            return self.pattern(false);
        }
        if NUMBERS.iter().any(|operator| self.takes_reserved(operator)) {
            self.blanks();
            let second = self.tested()?;
            self.evaluate(&first.text);
            self.evaluate(&second.text);
        } else if BINARY.iter().any(|operator| self.takes(operator)) {
            self.blanks();
            self.tested()?;
        } else if self.peek() == b'\n' {
            return Err(NotParsed);
        }
        Ok(())
    }

    fn tested(&mut self) -> Result<ShellWord, NotParsed> {
        if self.is_reserved(&["]]"]) {
            return Err(NotParsed);
        }
        let word = self.word()?;
        if word.raw.is_empty() { Err(NotParsed) } else { Ok(word) }
    }

    /// A regular expression, or a pattern: within its parentheses anything may stand.
    fn pattern(&mut self, is_expression: bool) -> Result<(), NotParsed> {
        if self.is_reserved(&["]]"]) || self.peek() == b'#' {
            return Err(NotParsed);
        }
        let mut word = ShellWord::default();
        let (mut depth, mut before, start) = (0_usize, 0, self.at);
        loop {
            let byte = self.peek();
            match byte {
                _ if self.is_at_end() => return Err(NotParsed),
                b'(' if depth > 0 || is_expression || b"?*+@!".contains(&before) => {
                    depth += 1;
                    self.skip(1);
                }
                b')' if depth > 0 => {
                    depth -= 1;
                    self.skip(1);
                }
                b'<' | b'>' if self.peek_at(1) == b'(' => return Err(NotParsed),
                b'|' if is_expression && depth == 0 => self.skip(1),
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
                    if depth == 0 =>
                {
                    return if self.at > start { Ok(()) } else { Err(NotParsed) };
                }
                b'\n' if !self.pending.is_empty() => return Err(NotParsed),
                _ => self.piece_within(&mut word, false)?,
            }
            before = byte;
        }
    }
}

fn unary(word: &ShellWord) -> Option<char> {
    let letter = word.raw.strip_prefix('-')?;
    let mut letters = letter.chars();
    let first = letters.next()?;
    (letters.next().is_none() && UNARY.contains(first)).then_some(first)
}
