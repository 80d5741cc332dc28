//! Commands: lists, pipelines, compound commands, simple commands.

use super::letters::{add, is_listed, name_length, owned};
use super::parser::{
    AssignedBy, MAX_COMMANDS, NotParsed, Parser, RedirectSource, ScopeKind, SimpleCommand,
};
use super::word::{ShellWord, is_identifier};

/// Words that end a list where a command could begin.
const CLOSING: &[&str] = &["}", "then", "elif", "else", "fi", "do", "done", "esac"];
const OPENING: &[&str] =
    &["{", "if", "while", "until", "for", "select", "case", "function", "[[", "!"];

/// Does this word begin or end a compound command?
pub(crate) fn is_reserved(word: &str) -> bool {
    OPENING.contains(&word) || CLOSING.contains(&word) || is_listed("in time coproc", word)
}

impl Parser<'_, '_> {
    /// The whole text.
    pub(crate) fn whole(&mut self) -> Result<(), NotParsed> {
        self.list()?;
        if self.is_at_end() && self.pending.is_empty() { Ok(()) } else { Err(NotParsed) }
    }

    /// Commands up to what closes them, at least one.
    fn commands(&mut self) -> Result<(), NotParsed> {
        if self.list()? > 0 { Ok(()) } else { Err(NotParsed) }
    }

    /// Commands up to what closes them: `)`, a closing word, `;;`, or the end of the text; gives their number.
    pub(crate) fn list(&mut self) -> Result<usize, NotParsed> {
        let mut count = 0;
        loop {
            self.line_feeds()?;
            let is_over = self.is_at_end()
                || self.peek() == b')'
                || (self.peek() == b';' && matches!(self.peek_at(1), b';' | b'&'))
                || self.is_reserved(CLOSING);
            if is_over {
                return Ok(count);
            }
            let outer = self.enter(ScopeKind::Shell);
            self.and_or()?;
            count += 1;
            self.blanks();
            // What runs in the background has a shell of its own.
            let is_open = self.peek() != b'&';
            self.leave(outer, is_open);
            match self.peek() {
                b'\n' | b')' => {}
                b';' if matches!(self.peek_at(1), b';' | b'&') => {}
                b';' | b'&' => self.skip(1),
                // Behind a compound command a closing word may stand without a separator.
                _ if self.is_at_end() || self.is_reserved(CLOSING) => {}
                _ => return Err(NotParsed),
            }
        }
    }

    fn expects(&mut self, word: &str) -> Result<(), NotParsed> {
        if self.takes_reserved(word) { Ok(()) } else { Err(NotParsed) }
    }

    /// Pipelines joined by `&&` and `||`.
    fn and_or(&mut self) -> Result<(), NotParsed> {
        // The simple command that has succeeded when the next one runs; none after an `||`.
        let mut after = None;
        let mut is_sure = true;
        let outer = self.scope;
        loop {
            let simple = self.pipeline(after)?;
            self.blanks();
            if self.takes("&&") {
                after = if is_sure { simple } else { None };
            } else if self.takes("||") {
                (after, is_sure) = (None, false);
            } else {
                self.scope = outer;
                return Ok(());
            }
            if !is_sure {
                self.scope = outer;
            }
            self.enter(ScopeKind::Part);
            self.line_feeds()?;
        }
    }

    /// Commands joined by `|`; gives the place of its command if it is one simple command.
    fn pipeline(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        let (mut is_plain, mut is_first, mut before) = (true, true, None);
        loop {
            self.blanks();
            while self.takes_reserved("!") {
                is_plain = false;
                self.blanks();
            }
            let outer = self.enter(ScopeKind::Shell);
            let simple = self.command(after.filter(|_| is_plain))?;
            self.blanks();
            let is_last = self.peek() != b'|' || self.peek_at(1) == b'|';
            self.leave(outer, is_last && is_first);
            is_first = false;
            if let Some(command) = simple.and_then(|at| self.out.commands.get_mut(at)) {
                command.piped = before;
            }
            before = simple;
            if self.peek() != b'|' || self.peek_at(1) == b'|' {
                return Ok(simple.filter(|_| is_plain));
            }
            is_plain = false;
            self.skip(1);
            self.takes("&");
            self.line_feeds()?;
        }
    }

    fn command(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        for prefix in ["time", "coproc"] {
            if self.is_reserved(&[prefix]) && self.has_compound(prefix) {
                self.takes(prefix);
                self.blanks();
                let outer = self.scope;
                if prefix == "coproc" {
                    self.enter(ScopeKind::Shell);
                    self.process_name();
                }
                while ["-p", "--"].iter().any(|option| self.takes_reserved(option)) {
                    self.blanks();
                }
                while self.takes_reserved("!") {
                    self.blanks();
                }
                self.nested(|parser| parser.command(None))?;
                self.scope = outer;
                return Ok(None);
            }
        }
        if !self.is_compound() {
            if self.is_reserved(&["in"]) {
                return Err(NotParsed);
            }
            return self.nested(|parser| parser.simple(after));
        }
        self.skip_joins();
        let start = self.at;
        let place = self.place();
        let is_silent = self.starts_with("((") || self.is_reserved(&["[[", "function"]);
        self.nested(Parser::compound)?;
        if is_silent {
            self.silent(start);
        }
        loop {
            self.blanks();
            let Some(redirect) = self.redirect(None)? else { return Ok(None) };
            self.out.redirects.push(RedirectSource { place, ..redirect });
        }
    }

    /// What begins there is no simple command.
    fn silent(&mut self, start: usize) {
        let text = self.between(start, self.at);
        add(&mut self.out.silent, text);
    }

    fn is_compound(&self) -> bool {
        self.peek() == b'(' || self.is_reserved(OPENING)
    }

    /// Does a compound command follow this word (of `coproc` a name may stand between)?
    fn has_compound(&mut self, prefix: &str) -> bool {
        let start = self.at;
        self.takes(prefix);
        let mut is_found = false;
        for turn in 0.. {
            self.blanks();
            is_found = self.is_compound();
            let skips = ["-p", "--", "time"].iter().any(|word| self.takes_reserved(word));
            if is_found || !(skips || (prefix == "coproc" && turn == 0)) {
                break;
            }
            if !skips {
                self.name();
            }
        }
        self.at = start;
        is_found
    }

    /// The name of a coprocess, if the word here is no reserved one.
    fn process_name(&mut self) {
        if !self.is_compound() {
            let name = self.name();
            self.out.named.push(name);
            self.blanks();
        }
    }

    fn compound(&mut self) -> Result<(), NotParsed> {
        if self.starts_with("((") && self.takes_arithmetic()? {
            return Ok(());
        }
        if self.takes("(") {
            let outer = self.enter(ScopeKind::Shell);
            self.commands()?;
            self.scope = outer;
            return if self.takes(")") { Ok(()) } else { Err(NotParsed) };
        }
        let word = OPENING.iter().find(|word| self.takes_reserved(word)).ok_or(NotParsed)?;
        match *word {
            "{" => {
                self.commands()?;
                self.expects("}")
            }
            "if" => self.branches(),
            "while" | "until" => {
                self.commands()?;
                self.do_done()
            }
            "for" => self.each(AssignedBy::Loop),
            "select" => self.each(AssignedBy::Choice),
            "case" => self.case(),
            "function" => {
                self.blanks();
                let name = self.word()?;
                if name.raw.is_empty() {
                    return Err(NotParsed);
                }
                self.blanks();
                if self.takes("(") {
                    self.blanks();
                    if !self.takes(")") {
                        return Err(NotParsed);
                    }
                }
                self.function(name.text)
            }
            "[[" => self.condition(),
            _ => Err(NotParsed),
        }
    }

    /// What follows `if`.
    fn branches(&mut self) -> Result<(), NotParsed> {
        let (mut is_condition, mut is_last) = (true, false);
        let outer = self.scope;
        loop {
            self.commands()?;
            self.scope = outer;
            if is_condition {
                self.expects("then")?;
                is_condition = false;
            } else if self.takes_reserved("fi") {
                return Ok(());
            } else if !is_last && self.takes_reserved("elif") {
                is_condition = true;
            } else if !std::mem::replace(&mut is_last, true) {
                self.expects("else")?;
            } else {
                return Err(NotParsed);
            }
            self.enter(ScopeKind::Part);
        }
    }

    /// The body of a function, which is a compound command.
    fn function(&mut self, name: String) -> Result<(), NotParsed> {
        self.line_feeds()?;
        if !self.is_compound() || self.is_reserved(&["!", "function"]) {
            return Err(NotParsed);
        }
        self.out.repeats = true;
        let outer = self.enter(ScopeKind::Repeated);
        if let Some(scope) = self.out.scopes.last_mut() {
            scope.function = Some(name);
        }
        self.nested(|parser| parser.command(None))?;
        self.scope = outer;
        Ok(())
    }

    /// `do … done`
    fn do_done(&mut self) -> Result<(), NotParsed> {
        self.expects("do")?;
        self.out.repeats = true;
        let outer = self.enter(ScopeKind::Repeated);
        self.commands()?;
        self.scope = outer;
        self.expects("done")
    }

    /// What follows `for` or `select`.
    fn each(&mut self, by: AssignedBy) -> Result<(), NotParsed> {
        self.blanks();
        self.out.repeats = true;
        let outer = self.enter(ScopeKind::Repeated);
        if self.starts_with("((") {
            let start = self.at;
            if !self.takes_arithmetic()? {
                return Err(NotParsed);
            }
            // It counts in a variable.
            let source = self.from(start).trim_start_matches(['(', ' ']);
            let (name, rest) = source.split_at(name_length(source));
            if rest.trim_start().starts_with('=') && is_identifier(name) {
                self.assign(name, ShellWord::plain("0"), AssignedBy::Counter);
            }
        } else {
            let name = self.word()?;
            if name.raw.is_empty() || name.expands {
                return Err(NotParsed);
            }
            self.line_feeds()?;
            if self.takes_reserved("in") {
                loop {
                    self.blanks();
                    let value = self.word()?;
                    if value.raw.is_empty() {
                        break;
                    }
                    self.assign(&name.text, value, by);
                }
            } else {
                // Its values are the arguments.
                self.assign(&name.text, ShellWord::expanding("$@"), by);
            }
        }
        self.blanks();
        self.takes(";");
        self.line_feeds()?;
        if self.takes_reserved("{") {
            self.commands()?;
            self.scope = outer;
            return self.expects("}");
        }
        self.do_done()?;
        self.scope = outer;
        Ok(())
    }

    /// What follows `case`.
    fn case(&mut self) -> Result<(), NotParsed> {
        self.blanks();
        if self.word()?.raw.is_empty() {
            return Err(NotParsed);
        }
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
            let outer = self.enter(ScopeKind::Part);
            self.list()?;
            self.scope = outer;
            let is_next = [";;&", ";;", ";&"].iter().any(|end| self.takes(end));
            if !is_next {
                return self.expects("esac");
            }
        }
    }

    /// A simple command, or the definition of a function; gives its place.
    fn simple(&mut self, after: Option<usize>) -> Result<Option<usize>, NotParsed> {
        let place = self.out.commands.len();
        if place >= MAX_COMMANDS {
            self.out.is_over = true;
            return Err(NotParsed);
        }
        self.out.commands.push(SimpleCommand::default());
        self.skip_joins();
        let start = self.at;
        let mut command = SimpleCommand { after, scope: self.scope, ..SimpleCommand::default() };
        let result = self.words_of(&mut command, place);
        let end = match result {
            Ok(end) => end,
            Err(NotParsed) => {
                command.is_cut = true;
                self.source.len()
            }
        };
        command.end = self.out.commands.len();
        let text = self.between(start, end);
        command.text = owned(if result.is_ok() { text } else { text.trim_end() });
        let name = command.words.first().map(|name| name.text.clone());
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
        self.skip(1);
        self.blanks();
        if !self.takes(")") {
            return Err(NotParsed);
        }
        self.function(name.unwrap_or_default())?;
        self.silent(start);
        Ok(None)
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
                // Within a command substitution bash puts redirects last, and then it is a reserved one.
                let is_hidden = command.words.is_empty() && !command.redirects.is_empty();
                self.out.is_evaluated |= is_hidden && !word.quoted && is_reserved(&word.text);
                command.words.push(word);
            }
            end = self.at;
        }
    }
}
