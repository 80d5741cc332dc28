//! Expansions: `$( )`, backticks, `${ }`, `$(( ))`, `$NAME`, `<( )`. The commands in them are found.

use super::parser::{NotParsed, Parser};
use super::word::ShellWord;

impl Parser<'_, '_> {
    /// An expansion at a `$`.
    pub(crate) fn dollar(
        &mut self,
        word: &mut ShellWord,
        is_quoted: bool,
    ) -> Result<(), NotParsed> {
        let start = self.at;
        let mut variable = None;
        let (mut is_unknown, mut has_slash) = (true, false);
        match self.peek_at(1) {
            b'(' if self.peek_at(2) == b'(' && self.is_arithmetic(self.at + 1) => {
                self.at += 3;
                self.arithmetic("))")?;
                is_unknown = false;
            }
            b'(' => {
                self.at += 2;
                self.commands_until_parenthesis()?;
                has_slash = self.from(start).contains('/');
            }
            b'[' => {
                self.at += 2;
                self.arithmetic("]")?;
                is_unknown = false;
            }
            b'{' => {
                self.at += 2;
                self.parameter(is_quoted)?;
                let inner = self.from(start).trim_start_matches("${").trim_end_matches('}');
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let other = inner.trim_start_matches(name);
                if other.is_empty() {
                    variable = Some(inner.to_owned());
                }
                // A default value is a word.
                let other = other.trim_start_matches(':');
                has_slash = other.starts_with(['-', '=', '+']) && other.contains(['/', '~']);
                self.out.is_evaluated |= other.ends_with("@P");
            }
            b'?' | b'$' | b'!' | b'#' | b'-' => {
                self.at += 2;
                is_unknown = false;
            }
            b'@' | b'*' | b'0'..=b'9' => self.at += 2,
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.at += 1;
                let rest = self.rest();
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                self.at += end.unwrap_or(rest.len());
                variable = Some(self.between(start + 1, self.at).to_owned());
            }
            _ => {
                self.at += 1;
                word.push('$');
                return Ok(());
            }
        }
        let source = self.from(start).to_owned();
        word.expansion(&source, is_quoted);
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
        self.nested(|parser| {
            parser.list()?;
            let is_whole = parser.pending.is_empty() && parser.takes(")");
            if is_whole { Ok(()) } else { Err(NotParsed) }
        })?;
        self.pending = pending;
        Ok(())
    }

    /// `<( )` or `>( )`.
    pub(crate) fn process(&mut self, word: &mut ShellWord) -> Result<(), NotParsed> {
        let start = self.at;
        self.at += 2;
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
        let start = self.at;
        self.at += 1;
        let mut inner = String::new();
        loop {
            match self.take() {
                Some('`') => break,
                Some('\\') => {
                    let c = self.take().ok_or(NotParsed)?;
                    let is_escaped = matches!(c, '`' | '$' | '\\') || (is_quoted && c == '"');
                    if !is_escaped {
                        inner.push('\\');
                    }
                    inner.push(c);
                }
                Some(c) => inner.push(c),
                None => return Err(NotParsed),
            }
        }
        let mut parser = Parser::new(&inner, self.depth, self.out);
        parser.nested(|parser| parser.whole())?;
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
                        parser.at += 1;
                        return Ok(());
                    }
                    // Whether a quote is one depends on the operator before it.
                    b'\'' if is_quoted => return Err(NotParsed),
                    _ => parser.piece_within(&mut inner, is_quoted)?,
                }
            }
        })
    }

    /// One piece of what stands within brackets: a quoted text, an expansion, a character.
    fn piece_within(&mut self, word: &mut ShellWord, is_quoted: bool) -> Result<(), NotParsed> {
        match self.peek() {
            b'\'' => {
                let rest = self.rest();
                let end = rest.get(1..).and_then(|rest| rest.find('\'')).ok_or(NotParsed)?;
                self.at += end + 2;
            }
            b'"' => {
                self.at += 1;
                self.expanded_text(word, Some('"'))?;
            }
            b'$' if self.peek_at(1) == b'\'' && !is_quoted => return Err(NotParsed),
            b'$' => self.dollar(word, is_quoted)?,
            b'`' => self.backticks(word, is_quoted)?,
            b'<' | b'>' if self.peek_at(1) == b'(' && !is_quoted => self.process(word)?,
            b'\\' => {
                self.at += 1;
                self.take().ok_or(NotParsed)?;
            }
            _ => {
                self.take().ok_or(NotParsed)?;
            }
        }
        Ok(())
    }

    /// Is what begins here with `((` arithmetic? Bash decides by the parenthesis that closes the inner
    /// one: another must follow at once. What has two operands side by side is an error there, and is
    /// read here as the subshells that it looks like.
    pub(crate) fn is_arithmetic(&self, at: usize) -> bool {
        let bytes = self.source.as_bytes().get(at.saturating_add(2)..).unwrap_or_default();
        let (mut depth, mut quote, mut escaped) = (1_usize, 0, false);
        // The depth at which an expansion began, in which anything may stand.
        let mut expansion = None;
        let mut before = 0;
        // An operand, then a blank.
        let mut is_behind_operand = false;
        for (i, byte) in bytes.iter().enumerate() {
            let is_operand = byte.is_ascii_alphanumeric() || *byte == b'_';
            let begins = is_operand || matches!(byte, b'\'' | b'"');
            if begins && is_behind_operand && expansion.is_none() && quote == 0 && !escaped {
                return false;
            }
            let was_operand = before != b'$' && (before as char).is_ascii_alphanumeric();
            is_behind_operand = matches!(byte, b' ' | b'\t')
                && (was_operand || (is_behind_operand && before == b' '));
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quote != b'\'' => escaped = true,
                _ if quote == *byte => quote = 0,
                _ if quote != 0 => {}
                b'\'' | b'"' | b'`' => quote = *byte,
                b'(' | b'{' => {
                    if before == b'$' && expansion.is_none() {
                        expansion = Some(depth);
                    }
                    depth += 1;
                }
                b')' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return *byte == b')' && bytes.get(i + 1) == Some(&b')');
                    }
                    expansion = expansion.filter(|from| *from != depth);
                }
                _ => {}
            }
            before = *byte;
        }
        false
    }

    /// The rest of arithmetic, and what closes it.
    pub(crate) fn arithmetic(&mut self, end: &str) -> Result<(), NotParsed> {
        let start = self.at;
        self.nested(|parser| {
            let mut inner = ShellWord::default();
            let mut depth = 0_usize;
            loop {
                if depth == 0 && parser.takes(end) {
                    let has_names = parser.from(start).contains(|c: char| c.is_alphabetic());
                    parser.out.has_arithmetic |= has_names || parser.from(start).contains('$');
                    return Ok(());
                }
                match parser.peek() {
                    b'(' | b'[' => {
                        depth += 1;
                        parser.at += 1;
                    }
                    b')' | b']' => {
                        depth = depth.checked_sub(1).ok_or(NotParsed)?;
                        parser.at += 1;
                    }
                    // Comparisons, not process substitutions.
                    b'<' | b'>' => parser.at += 1,
                    _ => parser.piece_within(&mut inner, false)?,
                }
            }
        })
    }
}
