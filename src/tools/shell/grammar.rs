//! Commands: lists, pipelines, compound commands, simple commands.

use super::parser::{MAX_COMMANDS, NotParsed, Parser, SimpleCommand};
use super::word::is_code_in_subscript;

/// Words that end a list where a command could begin.
const CLOSING: &[&str] = &["}", "then", "elif", "else", "fi", "do", "done", "esac"];
const OPENING: &[&str] =
    &["{", "if", "while", "until", "for", "select", "case", "function", "[[", "!"];

fn is_closing(word: &str) -> bool {
    CLOSING.contains(&word)
}

fn is_opening(word: &str) -> bool {
    OPENING.contains(&word)
}

impl Parser<'_, '_> {
    /// The whole text.
    pub(crate) fn whole(&mut self) -> Result<(), NotParsed> {
        self.list()?;
        if self.is_at_end() && self.pending.is_empty() { Ok(()) } else { Err(NotParsed) }
    }

    /// Commands up to what closes them: `)`, a closing word, `;;`, or the end of the text.
    pub(crate) fn list(&mut self) -> Result<(), NotParsed> {
        loop {
            self.line_feeds()?;
            match self.peek() {
                _ if self.is_at_end() => return Ok(()),
                b')' => return Ok(()),
                b';' if matches!(self.peek_at(1), b';' | b'&') => return Ok(()),
                b';' => self.at += 1,
                b'&' if self.peek_at(1) != b'>' => self.at += 1,
                _ if is_closing(self.reserved()) => return Ok(()),
                _ => {
                    self.and_or()?;
                    self.blanks();
                    // Behind a compound command a closing word may stand without a separator.
                    let is_separated = self.is_at_end()
                        || matches!(self.peek(), b';' | b'&' | b'\n' | b')')
                        || is_closing(self.reserved());
                    if !is_separated {
                        return Err(NotParsed);
                    }
                }
            }
        }
    }

    /// The word here, if no quote, expansion or redirect is in it: it may be a reserved one.
    fn reserved(&self) -> &str {
        let rest = self.rest();
        let end = rest.find([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    }

    fn takes_reserved(&mut self, word: &str) -> bool {
        let is_next = self.reserved() == word;
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn expects(&mut self, word: &str) -> Result<(), NotParsed> {
        if self.takes_reserved(word) { Ok(()) } else { Err(NotParsed) }
    }

    /// Pipelines joined by `&&` and `||`.
    fn and_or(&mut self) -> Result<(), NotParsed> {
        // The simple command that has succeeded when the next one runs; none after an `||`.
        let mut after = None;
        let mut is_sure = true;
        loop {
            let simple = self.pipeline(after)?;
            self.blanks();
            if self.takes("&&") {
                after = if is_sure { simple } else { None };
            } else if self.takes("||") {
                (after, is_sure) = (None, false);
            } else {
                return Ok(());
            }
            self.line_feeds()?;
        }
    }

    /// Commands joined by `|`; gives the place of its command if it is one simple command.
    fn pipeline(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        let mut is_plain = true;
        loop {
            self.blanks();
            while self.takes_reserved("!") {
                is_plain = false;
                self.blanks();
            }
            let simple = self.command(after.filter(|_| is_plain))?;
            self.blanks();
            if self.peek() != b'|' || self.peek_at(1) == b'|' {
                return Ok(simple.filter(|_| is_plain));
            }
            is_plain = false;
            self.at += 1;
            self.takes("&");
            self.line_feeds()?;
        }
    }

    fn command(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        for prefix in ["time", "coproc"] {
            if self.reserved() == prefix && self.has_compound(prefix) {
                self.at += prefix.len();
                self.blanks();
                if prefix == "coproc" {
                    self.skip_name();
                }
                while ["-p", "--"].iter().any(|option| self.takes_reserved(option)) {
                    self.blanks();
                }
                while self.takes_reserved("!") {
                    self.blanks();
                }
                return self.nested(|parser| parser.command(None)).map(|_| None);
            }
        }
        let is_compound = self.peek() == b'(' || is_opening(self.reserved());
        if !is_compound {
            return self.nested(|parser| parser.simple(after));
        }
        self.nested(Parser::compound)?;
        loop {
            self.blanks();
            let Some(redirect) = self.redirect(None)? else { return Ok(None) };
            self.out.redirects.push(redirect);
        }
    }

    /// Does a compound command follow this word (of `coproc` a name may stand between)?
    fn has_compound(&self, prefix: &str) -> bool {
        let rest = self.rest().get(prefix.len()..).unwrap_or_default();
        let mut rest = rest.trim_start_matches([' ', '\t']);
        for turn in 0..4 {
            let end = rest.find([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);
            let (word, behind) =
                rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or_default();
            if rest.starts_with('(') || is_opening(word) {
                return true;
            }
            let skips = matches!(word, "-p" | "--") || (prefix == "coproc" && turn == 0);
            if !skips || word.is_empty() {
                return false;
            }
            rest = behind.trim_start_matches([' ', '\t']);
        }
        false
    }

    /// Skips the name of a coprocess, if the word here is no reserved one.
    fn skip_name(&mut self) {
        if self.peek() != b'(' && !is_opening(self.reserved()) {
            self.at += self.reserved().len();
            self.blanks();
        }
    }

    fn compound(&mut self) -> Result<(), NotParsed> {
        if self.starts_with("((") && self.is_arithmetic(self.at) {
            self.at += 2;
            return self.arithmetic("))");
        }
        if self.takes("(") {
            self.list()?;
            return if self.takes(")") { Ok(()) } else { Err(NotParsed) };
        }
        let word = OPENING.iter().find(|word| self.reserved() == **word).ok_or(NotParsed)?;
        self.at += word.len();
        match *word {
            "{" => {
                self.list()?;
                self.expects("}")
            }
            "if" => loop {
                self.list()?;
                if self.takes_reserved("fi") {
                    return Ok(());
                }
                if !["then", "elif", "else"].iter().any(|word| self.takes_reserved(word)) {
                    return Err(NotParsed);
                }
            },
            "while" | "until" => {
                self.list()?;
                self.do_done()
            }
            "for" | "select" => self.each(),
            "case" => self.case(),
            "function" => {
                self.blanks();
                self.word()?;
                self.blanks();
                if self.takes("(") {
                    self.blanks();
                    if !self.takes(")") {
                        return Err(NotParsed);
                    }
                }
                self.function()
            }
            "[[" => self.test(),
            _ => Err(NotParsed),
        }
    }

    /// The body of a function, which is a compound command.
    fn function(&mut self) -> Result<(), NotParsed> {
        self.line_feeds()?;
        if self.peek() != b'(' && !is_opening(self.reserved()) {
            return Err(NotParsed);
        }
        self.nested(|parser| parser.command(None)).map(|_| ())
    }

    /// `do … done`
    fn do_done(&mut self) -> Result<(), NotParsed> {
        self.expects("do")?;
        self.list()?;
        self.expects("done")
    }

    /// What follows `for` or `select`.
    fn each(&mut self) -> Result<(), NotParsed> {
        self.blanks();
        if self.takes("((") {
            self.arithmetic("))")?;
        } else {
            let name = self.word()?;
            self.line_feeds()?;
            if self.takes_reserved("in") {
                let mut is_known = true;
                loop {
                    self.blanks();
                    let word = self.word()?;
                    if word.raw.is_empty() {
                        break;
                    }
                    is_known &= !word.unknown;
                    self.out.words.push(word);
                }
                if is_known {
                    self.out.variables.push(name.text);
                }
            }
        }
        self.blanks();
        self.takes(";");
        self.line_feeds()?;
        if self.takes_reserved("{") {
            self.list()?;
            return self.expects("}");
        }
        self.do_done()
    }

    /// What follows `case`.
    fn case(&mut self) -> Result<(), NotParsed> {
        self.blanks();
        self.word()?;
        self.line_feeds()?;
        self.expects("in")?;
        loop {
            self.line_feeds()?;
            if self.takes_reserved("esac") {
                return Ok(());
            }
            self.takes("(");
            loop {
                self.blanks();
                if self.word()?.raw.is_empty() {
                    return Err(NotParsed);
                }
                self.blanks();
                if self.takes(")") {
                    break;
                }
                if !self.takes("|") {
                    return Err(NotParsed);
                }
            }
            self.list()?;
            let is_next = [";;&", ";;", ";&"].iter().any(|end| self.takes(end));
            if !is_next {
                return self.expects("esac");
            }
        }
    }

    /// What follows `[[`.
    fn test(&mut self) -> Result<(), NotParsed> {
        loop {
            while matches!(self.peek(), b' ' | b'\t' | b'\n') {
                self.at += 1;
            }
            if self.takes_reserved("]]") {
                return Ok(());
            }
            // A comment, or a character of a pattern.
            if self.peek() == b'#' || !self.pending.is_empty() {
                return Err(NotParsed);
            }
            let word = self.word()?;
            // A test of numbers evaluates subscripts, even in quotes.
            self.out.is_evaluated |= word.quoted && is_code_in_subscript(&word.text);
            self.out.has_arithmetic |=
                matches!(word.raw.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge");
            // Operators, and the parentheses of patterns and groups.
            if word.raw.is_empty() {
                self.take().ok_or(NotParsed)?;
            }
        }
    }

    /// A simple command, or the definition of a function; gives its place.
    fn simple(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        let place = self.out.commands.len();
        if place >= MAX_COMMANDS {
            return Err(NotParsed);
        }
        self.out.commands.push(SimpleCommand::default());
        let start = self.at;
        let mut command = SimpleCommand { after, ..SimpleCommand::default() };
        let result = self.words_of(&mut command, place);
        let end = match result {
            Ok(end) => end,
            Err(NotParsed) => {
                command.is_cut = true;
                self.source.len()
            }
        };
        let text = self.between(start, end);
        command.text = if result.is_ok() { text } else { text.trim_end() }.to_owned();
        let is_function = result.is_ok()
            && self.peek() == b'('
            && self.out.commands.len() == place + 1
            && command.words.len() == 1
            && command.redirects.is_empty();
        if let Some(slot) = self.out.commands.get_mut(place) {
            *slot = command;
        }
        if !is_function {
            return if result.is_ok() && self.peek() != b'(' {
                Ok(Some(place))
            } else {
                Err(NotParsed)
            };
        }
        self.out.commands.pop();
        self.at += 1;
        self.blanks();
        if !self.takes(")") {
            return Err(NotParsed);
        }
        self.function().map(|()| None)
    }

    /// The words and redirects of a simple command; gives where the last of them ends.
    fn words_of(&mut self, command: &mut SimpleCommand, place: usize) -> Result<usize, NotParsed> {
        let mut end = self.at;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect(Some((&mut *command, place)))? {
                command.redirects.push(redirect);
            } else {
                let start = self.at;
                let word = match self.word() {
                    Ok(word) => word,
                    Err(error) => {
                        self.at = start;
                        return Err(error);
                    }
                };
                if word.raw.is_empty() {
                    let is_empty = command.words.is_empty() && command.redirects.is_empty();
                    return if is_empty { Err(NotParsed) } else { Ok(end) };
                }
                let is_first = command.words.is_empty() && command.redirects.is_empty();
                let is_reserved =
                    !word.quoted && (is_opening(&word.text) || is_closing(&word.text));
                // A reserved word that an escaped line feed hid.
                if is_first && is_reserved {
                    return Err(NotParsed);
                }
                command.words.push(word);
            }
            end = self.at;
        }
    }
}
