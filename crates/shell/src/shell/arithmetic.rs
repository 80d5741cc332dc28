//! Arithmetic: `$(( ))`, `(( ))`, `$[ ]`.

use super::parser::{MAX_TURNS, NotParsed, Parser};
use super::word::ShellWord;

impl Parser<'_, '_> {
    /// Takes `(( … ))`. Bash decides by the parenthesis that closes the inner one: another must follow at
    /// once, or it is a subshell within parentheses, and nothing is taken.
    pub(crate) fn takes_arithmetic(&mut self) -> Result<bool, NotParsed> {
        let start = self.at;
        let lengths = self.lengths();
        self.skip(2);
        self.arithmetic(b'(', b')')?;
        if self.peek() == b')' {
            let source = self.from(start);
            self.skip(1);
            // Two operands side by side are an error; what it is taken for is not known.
            self.out.is_evaluated |= has_neighbors(source);
            return Ok(true);
        }
        self.out.turns += 1;
        if self.out.turns > MAX_TURNS {
            self.out.is_over = true;
            return Err(NotParsed);
        }
        self.at = start;
        self.shorten(lengths);
        // Bash reads it a second time, without escaped line feeds: a here-document may end at another place.
        self.out.is_broken |= self.rest_raw().contains("<<");
        Ok(false)
    }

    fn lengths(&self) -> [usize; 4] {
        let out = &self.out;
        let redirects = out.redirects.len();
        [out.commands.len(), redirects, out.assigned.len(), out.evaluated.len()]
    }

    fn shorten(&mut self, [commands, redirects, assigned, evaluated]: [usize; 4]) {
        self.out.commands.truncate(commands);
        self.out.redirects.truncate(redirects);
        self.out.assigned.truncate(assigned);
        self.out.evaluated.truncate(evaluated);
    }

    /// The rest of arithmetic, and what closes it.
    pub(crate) fn arithmetic(&mut self, open: u8, close: u8) -> Result<(), NotParsed> {
        let start = self.at;
        self.nested(|parser| {
            let mut inner = ShellWord::default();
            let mut depth = 0_usize;
            loop {
                let byte = parser.peek();
                if byte == close && depth == 0 {
                    let source = parser.from(start).replace("\\\n", "");
                    parser.evaluate(&source);
                    parser.skip(1);
                    return Ok(());
                }
                match byte {
                    _ if byte == open => {
                        depth += 1;
                        parser.skip(1);
                    }
                    _ if byte == close => {
                        depth -= 1;
                        parser.skip(1);
                    }
                    // What quotes mean here is not the same everywhere, and a line feed may begin the body
                    // of a here-document.
                    b'\'' | b'\\' => return Err(NotParsed),
                    b'\n' if !parser.pending.is_empty() => return Err(NotParsed),
                    _ => parser.piece_within(&mut inner, true)?,
                }
            }
        })
    }
}

/// Do two operands stand side by side?
fn has_neighbors(source: &str) -> bool {
    let (mut is_operand, mut is_behind_blank) = (false, false);
    for c in source.chars() {
        let is_part = c.is_alphanumeric() || c == '_';
        if is_part && is_operand && is_behind_blank {
            return true;
        }
        is_behind_blank = c.is_whitespace();
        is_operand = is_part || (is_operand && is_behind_blank);
    }
    false
}
