//! Expansions: `$( )`, backticks, `${ }`, `$NAME`, `<( )`. The commands in them are found. Arithmetic is in
//! `arithmetic.rs`.

use super::letters::{begins, ends, has_any, is_listed, name_length, owned, rest_of, up_to};
use super::parser::{AssignedBy, NotParsed, Parser, ScopeKind};
use super::word::ShellWord;

impl Parser<'_, '_> {
    /// An expansion at a `$`.
    pub(crate) fn dollar(
        &mut self,
        word: &mut ShellWord,
        is_quoted: bool,
    ) -> Result<(), NotParsed> {
        self.skip_joins();
        // Within quotes bash finds the end of what begins behind an escaped line feed in another way than here.
        self.out.is_broken |= self.is_joined_at(1) && b"({[".contains(&self.peek_at(1));
        let start = self.at;
        let mut variable = None;
        let (mut is_unknown, mut has_slash) = (true, false);
        match self.peek_at(1) {
            b'(' => {
                self.skip(1);
                if self.peek_at(1) == b'(' && self.takes_arithmetic()? {
                    is_unknown = false;
                } else {
                    self.skip(1);
                    self.commands_until_parenthesis()?;
                    has_slash = has_any(self.from(start), "/");
                }
            }
            b'[' => {
                self.skip(2);
                self.arithmetic(b'[', b']')?;
                is_unknown = false;
            }
            b'{' => {
                self.skip(2);
                self.parameter(is_quoted)?;
                let inner = self.from(start).replace("\\\n", "");
                let inner = inner.strip_prefix("${").and_then(|inner| inner.strip_suffix('}'));
                let inner = inner.ok_or(NotParsed)?;
                let other = rest_of(inner, name_length(inner));
                if other.is_empty() {
                    variable = Some(owned(inner));
                }
                // A default value is a word.
                let default = other.trim_start_matches(':');
                has_slash = begins(default, "-=+") && has_any(default, "/~");
                self.evaluated(inner);
            }
            b'?' | b'$' | b'!' | b'#' | b'-' => {
                self.skip(2);
                is_unknown = false;
            }
            b'@' | b'*' | b'0'..=b'9' => self.skip(2),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.skip(1);
                variable = Some(self.name());
            }
            _ => {
                self.skip(1);
                word.push('$');
                return Ok(());
            }
        }
        let source = self.from(start);
        // Also within quotes a list is several words.
        word.expansion(source, is_quoted && !has_any(source, "@"));
        word.unknown |= is_unknown;
        word.slash |= has_slash;
        if word.expansions == 1 {
            word.variable = variable;
        }
        Ok(())
    }

    /// Commands, and the `)` behind them.
    fn commands_until_parenthesis(&mut self) -> Result<(), NotParsed> {
        let pending = std::mem::take(&mut self.pending);
        let start = self.at;
        self.substitutions += 1;
        let outer = self.enter(ScopeKind::Shell);
        let result = self.nested(|parser| {
            parser.list()?;
            let is_whole = parser.pending.is_empty() && parser.takes(")");
            if is_whole { Ok(()) } else { Err(NotParsed) }
        });
        self.substitutions -= 1;
        result?;
        self.scope = outer;
        // Whose lines these are depends on the one who reads them.
        if !pending.is_empty() && has_any(self.from(start), "\n") {
            return Err(NotParsed);
        }
        self.pending = pending;
        Ok(())
    }

    /// `<( )` or `>( )`.
    pub(crate) fn process(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        self.skip_joins();
        let start = self.at;
        self.skip(2);
        self.commands_until_parenthesis()?;
        let source = self.from(start);
        word.expansion(source, true);
        Ok(())
    }

    /// Backticks. What is between them is unescaped first, then read as a text of its own.
    pub(crate) fn backticks(
        &mut self,
        word: &mut ShellWord,
        is_quoted: bool,
    ) -> Result<(), NotParsed> {
        self.skip_joins();
        let start = self.at;
        self.skip(1);
        let mut inner = String::new();
        loop {
            match self.take().ok_or(NotParsed)? {
                '`' => break,
                '\\' => {
                    let c = self.take_raw().ok_or(NotParsed)?;
                    if self.is_document && c == '"' {
                        return Err(NotParsed);
                    }
                    let is_escaped = matches!(c, '`' | '$' | '\\') || (is_quoted && c == '"');
                    if !is_escaped {
                        inner.push('\\');
                    }
                    inner.push(c);
                }
                c => inner.push(c),
            }
        }
        let outer = self.enter(ScopeKind::Shell);
        let mut parser = Parser::new(&inner, self.depth, self.out);
        parser.scope = self.scope;
        parser.nested(|parser| parser.whole())?;
        self.scope = outer;
        let source = self.from(start);
        word.expansion(source, is_quoted);
        word.unknown = true;
        word.slash |= has_any(source, "/");
        Ok(())
    }

    /// The rest of `${…}`.
    fn parameter(&mut self, is_quoted: bool) -> Result<(), NotParsed> {
        // `${ command; }` and `${| command; }` run commands in bash 5.3: not read here.
        if matches!(self.peek(), b' ' | b'\t' | b'\n' | b'|') {
            return Err(NotParsed);
        }
        self.nested(|parser| {
            let mut inner = ShellWord::default();
            loop {
                match parser.peek() {
                    b'}' => {
                        parser.skip(1);
                        return Ok(());
                    }
                    // Whether a quote is one depends on the operator before it.
                    b'\'' if is_quoted => return Err(NotParsed),
                    b'"' if parser.is_document => return Err(NotParsed),
                    b'<' | b'>' if parser.peek_at(1) == b'(' => return Err(NotParsed),
                    _ => parser.piece_within(&mut inner, is_quoted)?,
                }
            }
        })
    }

    /// One piece of what stands within brackets: a quoted text, an expansion, a character.
    pub(crate) fn piece_within(
        &mut self,
        word: &mut ShellWord,
        is_quoted: bool,
    ) -> Result<(), NotParsed> {
        match self.peek() {
            b'\'' if !is_quoted => {
                self.skip(1);
                while self.take_raw().ok_or(NotParsed)? != '\'' {}
            }
            b'"' => {
                self.skip(1);
                self.expanded_text(word, Some('"'))?;
            }
            b'$' if self.peek_at(1) == b'\'' && !is_quoted => {
                self.skip(2);
                self.escaped(word)?;
            }
            b'$' => {
                self.out.is_translated |= self.peek_at(1) == b'"';
                self.dollar(word, is_quoted)?;
            }
            b'`' => self.backticks(word, is_quoted)?,
            b'\\' => {
                self.skip(1);
                self.take_raw().ok_or(NotParsed)?;
            }
            _ => {
                self.take().ok_or(NotParsed)?;
            }
        }
        Ok(())
    }

    /// Notes what of a parameter's expansion, given without its braces, is evaluated or assigned.
    fn evaluated(&mut self, inner: &str) {
        let (is_indirect, rest) = match inner.strip_prefix('!') {
            Some(rest) => (true, rest),
            // A length.
            None => {
                (false, inner.strip_prefix('#').filter(|rest| !rest.is_empty()).unwrap_or(inner))
            }
        };
        let (name, mut behind) = match name_length(rest) {
            // A parameter that is one sign.
            0 => rest.split_at_checked(rest.chars().next().map_or(0, char::len_utf8)),
            length => rest.split_at_checked(length),
        }
        .unwrap_or_default();
        if let Some(subscript) = behind.strip_prefix('[') {
            // Brackets may be nested: what is too much does not matter.
            let end = subscript.rfind(']').unwrap_or(subscript.len());
            let first = subscript.find(']').unwrap_or(end);
            let index = up_to(subscript, first);
            if !is_listed("@ *", index) {
                let all = up_to(subscript, end);
                self.evaluate(all);
                behind = rest_of(subscript, end + 1);
            } else {
                behind = rest_of(subscript, first + 1);
                if is_indirect {
                    return;
                }
            }
        }
        if is_indirect && name != "#" && !is_listed("@ *", behind) {
            self.evaluate(&["$", name].concat());
        }
        self.out.is_evaluated |= begins(behind, "@") && ends(behind, "P");
        let operator = behind.strip_prefix(':').unwrap_or(behind);
        if begins(operator, "=") {
            let value = ShellWord::expanding(rest_of(operator, 1));
            self.assign(name, value, AssignedBy::Default);
        } else if begins(behind, ":") && !begins(operator, "-+?") {
            self.evaluate(operator);
        }
    }
}
