//! The state of the parser, and what it finds. Its grammar is in `grammar.rs`, words are in `words.rs`,
//! expansions in `expansions.rs`, here-documents in `here_documents.rs`.

use super::word::{ShellWord, is_code_in_subscript};

/// The most levels of nested commands, groups and expansions.
pub(crate) const MAX_DEPTH: usize = 40;
/// The most simple commands of a text.
pub(crate) const MAX_COMMANDS: usize = 4_096;

/// The text cannot be parsed: it is unbalanced, too deep, has too many commands, or is not bash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotParsed;

/// A redirect: its operator without a descriptor, and its target.
#[derive(Debug, Clone, Default)]
pub(crate) struct RedirectSource {
    pub(crate) op: String,
    pub(crate) target: ShellWord,
}

/// What a command reads from a here-document or a here-string.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    pub(crate) text: String,
    /// Nothing in it is expanded.
    pub(crate) is_literal: bool,
}

/// One simple command.
#[derive(Debug, Clone, Default)]
pub(crate) struct SimpleCommand {
    /// Its source, redirects included; a here-document's body follows after a line feed.
    pub(crate) text: String,
    pub(crate) words: Vec<ShellWord>,
    pub(crate) redirects: Vec<RedirectSource>,
    pub(crate) input: Option<Input>,
    /// The simple command before it, if this one runs only when that one succeeded (`a && b`).
    pub(crate) after: Option<usize>,
    /// It could not be parsed to its end.
    pub(crate) is_cut: bool,
}

impl Input {
    /// Adds this to what a command reads already. Of several the last one counts for bash; here all do.
    pub(crate) fn join(self, input: &mut Option<Input>) {
        match input {
            Some(input) => {
                input.text.push('\n');
                input.text.push_str(&self.text);
                input.is_literal &= self.is_literal;
            }
            None => *input = Some(self),
        }
    }
}

impl SimpleCommand {
    /// The number of assignments before the name.
    pub(crate) fn assignments(&self) -> usize {
        self.words.iter().take_while(|word| word.is_assignment()).count()
    }
}

/// What a text runs.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// In the order in which they begin.
    pub(crate) commands: Vec<SimpleCommand>,
    /// Words that are no command's: the lists of `for` and `select`.
    pub(crate) words: Vec<ShellWord>,
    /// The redirects of groups, loops and other compound commands.
    pub(crate) redirects: Vec<RedirectSource>,
    /// Names of variables whose values come from words of `for`.
    pub(crate) variables: Vec<String>,
    /// An expansion evaluates a value as code.
    pub(crate) is_evaluated: bool,
    /// Values of variables are read as arithmetic.
    pub(crate) has_arithmetic: bool,
    /// The text was not parsed to its end.
    pub(crate) is_broken: bool,
}

impl Script {
    /// May a value run a command, as arithmetic runs those in subscripts?
    pub(crate) fn evaluates(&self) -> bool {
        let is_code = |text: &str| is_code_in_subscript(&text.replace("$((", ""));
        let has_code = |word: &ShellWord| {
            (word.quoted || word.text.contains(['\'', '"'])) && is_code(&word.text)
        };
        let mut words = self.commands.iter().flat_map(|command| &command.words).chain(&self.words);
        let mut inputs = self.commands.iter().filter_map(|command| command.input.as_ref());
        let mut has_code = || words.any(has_code) || inputs.any(|input| is_code(&input.text));
        self.is_evaluated || (self.has_arithmetic && has_code())
    }
}

/// A here-document whose body begins after the next line feed.
#[derive(Debug)]
pub(crate) struct PendingDocument {
    pub(crate) delimiter: String,
    pub(crate) strips_tabs: bool,
    pub(crate) is_literal: bool,
    /// Whose it is; none for a compound command.
    pub(crate) command: Option<usize>,
}

/// Reads one text; commands within expansions go to the same script.
pub(crate) struct Parser<'s, 'o> {
    pub(crate) source: &'s str,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    pub(crate) pending: Vec<PendingDocument>,
    pub(crate) out: &'o mut Script,
}

impl Parser<'_, '_> {
    pub(crate) fn new<'s, 'o>(
        source: &'s str,
        depth: usize,
        out: &'o mut Script,
    ) -> Parser<'s, 'o> {
        Parser { source, at: 0, depth, pending: Vec::new(), out }
    }

    /// The byte at this place; 0 at the end (a NUL in the text ends it, as it does for bash).
    pub(crate) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.at.saturating_add(ahead)).copied().unwrap_or_default()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    pub(crate) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(crate) fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn from(&self, start: usize) -> &str {
        self.between(start, self.at)
    }

    pub(crate) fn between(&self, start: usize, end: usize) -> &str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// The next character, taken.
    pub(crate) fn take(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes the text if it is next.
    pub(crate) fn takes(&mut self, text: &str) -> bool {
        let is_next = self.starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// One level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, NotParsed>,
    ) -> Result<T, NotParsed> {
        if self.depth >= MAX_DEPTH {
            return Err(NotParsed);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips blanks, escaped line feeds, and a comment.
    pub(crate) fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.peek_at(1) == b'\n' => self.at += 2,
                b'#' => {
                    let rest = self.rest();
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }
}
