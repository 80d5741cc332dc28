//! Expansions: `$( )`, backticks, `${ }`, `$NAME`, `<( )`. The commands in them are found. Arithmetic is in
//! `arithmetic.rs`.

use super::letters::{has_any, name_length};
use super::parser::{Assigned, AssignedBy, NotParsed, Parser, ScopeKind};
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
                    has_slash = self.from(start).contains('/');
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
                let other = inner.get(name_length(inner)..).unwrap_or_default();
                if other.is_empty() {
                    variable = Some(inner.to_owned());
                }
                // A default value is a word.
                let default = other.trim_start_matches(':');
                has_slash = default.starts_with(['-', '=', '+']) && has_any(default, "/~");
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
        let source = self.from(start).to_owned();
        // Also within quotes a list is several words.
        word.expansion(&source, is_quoted && !source.contains('@'));
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
        if !pending.is_empty() && self.from(start).contains('\n') {
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
        let source = self.from(start).to_owned();
        word.expansion(&source, true);
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
        let source = self.from(start).to_owned();
        word.expansion(&source, is_quoted);
        word.unknown = true;
        word.slash |= source.contains('/');
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
            let index = subscript.get(..first).unwrap_or_default();
            if !matches!(index, "@" | "*") {
                let all = subscript.get(..end).unwrap_or_default();
                self.out.evaluated.push(all.to_owned());
                behind = subscript.get(end + 1..).unwrap_or_default();
            } else {
                behind = subscript.get(first + 1..).unwrap_or_default();
                if is_indirect {
                    return;
                }
            }
        }
        if is_indirect && name != "#" && !matches!(behind, "@" | "*") {
            self.out.evaluated.push(["$", name].concat());
        }
        self.out.is_evaluated |= behind.starts_with('@') && behind.ends_with('P');
        let operator = behind.strip_prefix(':').unwrap_or(behind);
        if operator.starts_with('=') {
            let mut value = ShellWord::default();
            value.expansion(operator.get(1..).unwrap_or_default(), true);
            let (by, place) = (AssignedBy::Default, self.place());
            self.out.assigned.push(Assigned { name: name.to_owned(), value, by, place });
        } else if behind.starts_with(':') && !operator.starts_with(['-', '+', '?']) {
            self.out.evaluated.push(operator.to_owned());
        }
    }
}
