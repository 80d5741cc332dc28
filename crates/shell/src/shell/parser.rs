//! The state of the parser, and what it finds. Its grammar is in `grammar.rs`, words are in `words.rs`,
//! expansions in `expansions.rs`, here-documents in `here_documents.rs`.

use super::letters::{add, owned};
use super::word::ShellWord;

/// The most levels of nested commands, groups and expansions.
pub(crate) const MAX_DEPTH: usize = 40;
/// The most often that arithmetic may turn out to be something else.
pub(crate) const MAX_TURNS: usize = 16;
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
    /// Of a compound command: where it begins.
    pub(crate) place: CodePlace,
}

/// What a command reads from a here-document or a here-string.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    pub(crate) text: String,
    /// Nothing in it is expanded.
    pub(crate) is_literal: bool,
    /// A pipe gives it, whose other end might do something else after all.
    pub(crate) is_piped: bool,
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
    /// The simple command whose output it reads.
    pub(crate) piped: Option<usize>,
    /// Its scope; see [`CodeScope`].
    pub(crate) scope: usize,
    /// The number of commands up to its last word, those in its expansions included.
    pub(crate) end: usize,
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

/// A variable that gets a value from a word.
#[derive(Debug, Clone)]
pub(crate) struct Assigned {
    pub(crate) name: String,
    pub(crate) value: ShellWord,
    pub(crate) by: AssignedBy,
    pub(crate) place: CodePlace,
}

/// How a variable gets a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AssignedBy {
    /// By `for`, whose body is the scope.
    Loop,
    /// By `select`, which also gives nothing.
    Choice,
    /// By `for ((NAME = …; …))`, which gives numbers.
    Counter,
    /// As the element of an array with this number, if that is known.
    Element(Option<usize>),
    /// By `${X:=…}`.
    Default,
}

/// Where something of a script stands: how many commands begin before it, and its scope.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CodePlace {
    pub(crate) at: usize,
    pub(crate) scope: usize,
}

/// Commands of which all run in one shell, one after the other: what one sets, those behind it and in scopes within
/// have. Scopes have numbers from 1 on; 0 is the script itself.
#[derive(Debug)]
pub(crate) struct CodeScope {
    pub(crate) parent: usize,
    pub(crate) kind: ScopeKind,
    /// It is the body of the function with this name.
    pub(crate) function: Option<String>,
}

/// How the commands of a scope run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// As those around them: it turned out to be no scope.
    Open,
    /// They may not run.
    Part,
    /// They may run several times: a loop, a function.
    Repeated,
    /// In a shell of their own.
    Shell,
}

/// The commands of a script.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// In the order in which they begin.
    pub(crate) commands: Vec<SimpleCommand>,
    /// The redirects of groups, loops and other compound commands.
    pub(crate) redirects: Vec<RedirectSource>,
    /// Variables that get a value other than by an assignment before a name: from the list of a loop, as an
    /// array, by `${X:=…}`.
    pub(crate) assigned: Vec<Assigned>,
    pub(crate) scopes: Vec<CodeScope>,
    /// Something may run again: there is a loop or a function.
    pub(crate) repeats: bool,
    /// Variables that get a value that is not read here: a descriptor, a coprocess.
    pub(crate) named: Vec<String>,
    /// Texts whose values are read as arithmetic or as a variable's name, which may run commands.
    pub(crate) evaluated: Vec<String>,
    /// An expansion evaluates a value as code.
    pub(crate) is_evaluated: bool,
    /// There is a text that bash translates, and expands then: `$"…"`.
    pub(crate) is_translated: bool,
    /// How often arithmetic turned out to be something else, and was read again.
    pub(crate) turns: usize,
    /// Tests, arithmetic and functions: what is no simple command.
    pub(crate) silent: Vec<String>,
    /// The text was not parsed to its end.
    pub(crate) is_broken: bool,
    /// The text is beyond a limit.
    pub(crate) is_over: bool,
}

impl Script {
    /// May what stands in this scope run several times in the same shell?
    pub(crate) fn repeats_in_shell(&self, mut scope: usize) -> bool {
        while let Some(own) = scope.checked_sub(1).and_then(|at| self.scopes.get(at)) {
            match own.kind {
                ScopeKind::Repeated => return true,
                ScopeKind::Shell => return false,
                ScopeKind::Open | ScopeKind::Part => scope = own.parent,
            }
        }
        false
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
///
/// An escaped line feed is nothing to bash, wherever it stands but in single quotes, comments and the bodies
/// of literal here-documents. So the reader sees the text without them: only functions whose name ends with
/// `raw` see them.
pub(crate) struct Parser<'s, 'o> {
    pub(crate) source: &'s str,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    pub(crate) pending: Vec<PendingDocument>,
    /// The number of command substitutions around.
    pub(crate) substitutions: usize,
    /// The text is the body of a here-document.
    pub(crate) is_document: bool,
    /// The next word is an element of an array.
    pub(crate) is_element: bool,
    /// The scope at hand.
    pub(crate) scope: usize,
    pub(crate) out: &'o mut Script,
}

impl Parser<'_, '_> {
    pub(crate) fn new<'s, 'o>(
        source: &'s str,
        depth: usize,
        out: &'o mut Script,
    ) -> Parser<'s, 'o> {
        Parser {
            source,
            at: 0,
            depth,
            pending: Vec::new(),
            substitutions: 0,
            is_document: false,
            is_element: false,
            scope: 0,
            out,
        }
    }

    /// Begins a scope; gives the one around it.
    #[inline(never)]
    pub(crate) fn enter(&mut self, kind: ScopeKind) -> usize {
        let parent = self.scope;
        self.out.scopes.push(CodeScope { parent, kind, function: None });
        self.scope = self.out.scopes.len();
        parent
    }

    /// Ends the scope at hand, which is a shell of its own unless it turned out to be none.
    pub(crate) fn leave(&mut self, parent: usize, is_open: bool) {
        if let Some(scope) = self.scope.checked_sub(1).and_then(|at| self.out.scopes.get_mut(at)) {
            scope.kind = if is_open { ScopeKind::Open } else { ScopeKind::Shell };
        }
        self.scope = parent;
    }

    pub(crate) fn place(&self) -> CodePlace {
        CodePlace { at: self.out.commands.len(), scope: self.scope }
    }

    /// Notes that a variable gets a value here.
    #[inline(never)]
    pub(crate) fn assign(&mut self, name: &str, value: ShellWord, by: AssignedBy) {
        let (name, place) = (owned(name), self.place());
        self.out.assigned.push(Assigned { name, value, by, place });
    }

    /// Notes a text that is evaluated.
    pub(crate) fn evaluate(&mut self, text: &str) {
        add(&mut self.out.evaluated, text);
    }

    /// This place, or the one behind the escaped line feeds there.
    #[inline]
    fn joined(&self, at: usize) -> usize {
        if self.byte_at(at) == b'\\' { self.behind_joins(at) } else { at }
    }

    fn behind_joins(&self, mut at: usize) -> usize {
        let bytes = self.source.as_bytes();
        while bytes.get(at) == Some(&b'\\') && bytes.get(at + 1) == Some(&b'\n') {
            at += 2;
        }
        at
    }

    /// Does an escaped line feed stand so many bytes on?
    pub(crate) fn is_joined_at(&self, ahead: usize) -> bool {
        self.joined(self.at + ahead) > self.at + ahead
    }

    /// The byte here; 0 at the end.
    #[inline(never)]
    pub(crate) fn peek(&self) -> u8 {
        self.byte_at(self.joined(self.at))
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> u8 {
        let mut at = self.joined(self.at);
        for _ in 0..ahead {
            at = self.joined(at + 1);
        }
        self.byte_at(at)
    }

    #[inline]
    fn byte_at(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or_default()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.joined(self.at) >= self.source.len()
    }

    /// Goes behind so many characters, all of one byte.
    pub(crate) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.at = self.joined(self.at) + 1;
        }
    }

    /// Goes to the next character.
    #[inline(never)]
    pub(crate) fn skip_joins(&mut self) {
        self.at = self.joined(self.at);
    }

    /// The place behind this text, if it is next.
    fn behind(&self, text: &str) -> Option<usize> {
        let mut at = self.at;
        for byte in text.bytes() {
            at = self.joined(at);
            if self.byte_at(at) != byte {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    pub(crate) fn starts_with(&self, text: &str) -> bool {
        self.behind(text).is_some()
    }

    /// Takes the text if it is next.
    #[inline(never)]
    pub(crate) fn takes(&mut self, text: &str) -> bool {
        let behind = self.behind(text);
        self.at = behind.unwrap_or(self.at);
        behind.is_some()
    }

    /// The place behind this word, if it is next and has no quote, expansion or anything else to it: it may
    /// be a reserved one.
    pub(crate) fn behind_reserved(&self, word: &str) -> Option<usize> {
        let at = self.behind(word)?;
        let ends = b" \t\n;&|()<>\0".contains(&self.byte_at(self.joined(at)));
        ends.then_some(at)
    }

    pub(crate) fn is_reserved(&self, words: &[&str]) -> bool {
        let first = self.peek();
        let mut words = words.iter().filter(|word| word.as_bytes().first() == Some(&first));
        words.any(|word| self.behind_reserved(word).is_some())
    }

    #[inline(never)]
    pub(crate) fn takes_reserved(&mut self, word: &str) -> bool {
        let behind = self.behind_reserved(word);
        self.at = behind.unwrap_or(self.at);
        behind.is_some()
    }

    /// The next character, taken.
    pub(crate) fn take(&mut self) -> Option<char> {
        self.skip_joins();
        self.take_raw()
    }

    pub(crate) fn take_raw(&mut self) -> Option<char> {
        let c = self.rest_raw().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The letters, digits and `_` here, taken.
    pub(crate) fn name(&mut self) -> String {
        let mut name = String::new();
        while self.peek().is_ascii_alphanumeric() || self.peek() == b'_' {
            name.extend(self.take());
        }
        name
    }

    /// One level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, NotParsed>,
    ) -> Result<T, NotParsed> {
        self.descend()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    #[inline(never)]
    fn descend(&mut self) -> Result<(), NotParsed> {
        if self.depth >= MAX_DEPTH {
            self.out.is_over = true;
            return Err(NotParsed);
        }
        self.depth += 1;
        Ok(())
    }

    /// Skips blanks, and a comment.
    pub(crate) fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.skip(1),
                b'#' => {
                    self.skip_joins();
                    let rest = self.rest_raw();
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }
}

/// Pieces of the source.
impl<'s> Parser<'s, '_> {
    pub(crate) fn rest_raw(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    #[inline(never)]
    pub(crate) fn from(&self, start: usize) -> &'s str {
        self.between(start, self.at)
    }

    pub(crate) fn between(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }
}
