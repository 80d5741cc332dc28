//! What one command runs, to any depth: the spellings on which a deny is tried, and what is not known.

use super::names::{
    base_name, git_subcommand, is_directory_change, is_run_variable, takes_variables,
};
use super::parser::{Input, Parser, Script, SimpleCommand};
use super::prefixes::is_family;
use super::word::{ShellWord, is_code_in_subscript, joined};
use super::wrappers::runs;
use std::ops::Range;

/// The most wrappers around a command.
const MAX_LEVEL: usize = 16;

/// Words of a command that have a name of their own: all of them, and those that a wrapper runs.
#[derive(Debug)]
pub(crate) struct NamedWords {
    /// The name without its directory.
    pub(crate) name: String,
    pub(crate) words: Range<usize>,
}

/// What is found out about a simple command.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// Where a deny is tried.
    pub(crate) denied_as: Vec<String>,
    /// The source of what wrappers run.
    pub(crate) inner: Vec<String>,
    pub(crate) is_opaque: bool,
    /// Outer ones first.
    pub(crate) frames: Vec<NamedWords>,
    /// Words that are texts of bash.
    pub(crate) text_words: Vec<usize>,
    /// What texts of bash run.
    pub(crate) scripts: Vec<Script>,
}

/// What a text runs.
pub(crate) fn script_of(text: &str, depth: usize) -> Script {
    let mut script = Script::default();
    let is_whole = !text.contains('\0') && Parser::new(text, depth, &mut script).whole().is_ok();
    script.is_broken = !is_whole;
    script
}

/// Changes of the directory alone, and tests, are not asked; nor is nothing.
pub(crate) fn is_asked(command: &SimpleCommand) -> bool {
    let Some(name) = command.words.first() else { return !command.text.is_empty() };
    let is_free = is_directory_change(&name.text) || name.text == "[";
    !is_free || command.is_cut || !command.redirects.is_empty() || !name.is_known_name()
}

/// Words that run as a command, in the place that they have.
struct InnerCall<'a> {
    words: &'a [ShellWord],
    input: Option<&'a Input>,
    level: usize,
    /// More words follow.
    is_prefix: bool,
    /// Where the words begin in those of the simple command; none if they are of another text.
    offset: Option<usize>,
    /// For this text in the words something else is put.
    replaced: Option<&'a str>,
}

impl Analysis {
    /// Of a command of the text itself.
    pub(crate) fn of(command: &SimpleCommand) -> Analysis {
        let mut analysis = Analysis::default();
        analysis.command(command, 0);
        analysis
    }

    fn command(&mut self, command: &SimpleCommand, level: usize) {
        self.is_opaque |= command.is_cut;
        self.deny(command.text.clone());
        self.deny(joined(&command.words, false));
        let is_code = |word: &ShellWord| word.is_assignment() && is_code_in_subscript(&word.text);
        self.is_opaque |= command.words.iter().any(|word| is_code(word) && word.quoted);
        self.is_opaque |= command.words.iter().any(|word| {
            let (name, value) = word.text.split_at(word.value.unwrap_or_default());
            is_run_variable(name.trim_end_matches('=').trim_end_matches('+'), value)
        });
        self.call(&InnerCall {
            words: &command.words,
            input: command.input.as_ref(),
            level,
            is_prefix: false,
            offset: (level == 0).then_some(0),
            replaced: None,
        });
    }

    fn deny(&mut self, text: String) {
        if !text.is_empty() && !self.denied_as.iter().rev().take(4).any(|other| *other == text) {
            self.denied_as.push(text);
        }
    }

    fn deny_as(&mut self, name: &str, rest: &[ShellWord]) {
        let mut text = name.to_owned();
        if !rest.is_empty() {
            text.push(' ');
            text.push_str(&joined(rest, false));
        }
        self.deny(text);
    }

    fn call(&mut self, call: &InnerCall) {
        // Not all wrappers take assignments; with those that do not, nothing is lost by skipping them.
        let skipped = call.words.iter().take_while(|word| word.is_assignment()).count();
        let call = &InnerCall {
            words: call.words.get(skipped..).unwrap_or_default(),
            offset: call.offset.map(|offset| offset + skipped),
            ..*call
        };
        let Some((name, rest)) = call.words.split_first() else { return };
        self.deny(joined(call.words, false));
        if call.level >= MAX_LEVEL {
            self.is_opaque = true;
            return;
        }
        if let Some(start) = call.offset {
            let words = start..start + call.words.len();
            self.frames.push(NamedWords { name: base_name(&name.text).to_owned(), words });
        }
        let is_put = call.replaced.is_some_and(|put| !put.is_empty() && name.text.contains(put));
        self.is_opaque |= is_put;
        if !name.is_known_name() {
            self.unknown_name(call, name, rest);
            return;
        }
        let base = base_name(&name.text);
        self.deny_as(base, rest);
        self.family(call, base);
        let is_code = |word: &ShellWord| word.quoted && is_code_in_subscript(&word.text);
        self.is_opaque |= takes_variables(base) && rest.iter().any(is_code);
        let runs = runs(base, call.words, call.input);
        let runs_nothing = runs.words.is_empty() && runs.texts.is_empty();
        self.is_opaque |= runs.is_opaque || (call.is_prefix && runs.is_wrapper && runs_nothing);
        for range in runs.words {
            let words = call.words.get(range.clone()).unwrap_or_default();
            self.inner.push(joined(words, true));
            self.call(&InnerCall {
                words,
                input: call.input,
                level: call.level + 1,
                is_prefix: call.is_prefix || runs.is_prefix,
                offset: call.offset.map(|offset| offset + range.start),
                replaced: runs.replaced.as_deref().or(call.replaced),
            });
        }
        for range in runs.guesses {
            let words = call.words.get(range).unwrap_or_default();
            self.deny(joined(words, false));
            if let Some((name, rest)) = words.split_first() {
                self.deny_as(base_name(&name.text), rest);
            }
        }
        if let Some(offset) = call.offset {
            self.text_words.extend(runs.text_words.iter().map(|at| offset + at));
        }
        for (text, is_literal) in runs.texts {
            let is_put = call.replaced.is_some_and(|put| !put.is_empty() && text.contains(put));
            self.is_opaque |= !is_literal || is_put;
            self.text(&text, call.level + 1);
        }
    }

    /// A text of bash.
    fn text(&mut self, text: &str, level: usize) {
        let script = script_of(text, level);
        self.is_opaque |= script.is_broken || script.evaluates();
        for command in &script.commands {
            if is_asked(command) {
                self.inner.push(command.text.clone());
            }
            self.command(command, level);
        }
        self.scripts.push(script);
    }

    /// A name that is an expansion, a glob or a list in braces: it is not known, but what runs if it is
    /// empty is, and what the list says.
    fn unknown_name(&mut self, call: &InnerCall, name: &ShellWord, rest: &[ShellWord]) {
        self.is_opaque = true;
        if name.braces {
            let text: String = name.bare.chars().filter(|c| !matches!(c, '{' | '}')).collect();
            self.deny_as(&text.replace(',', " "), rest);
        } else if name.expands && !name.bare.is_empty() {
            self.deny_as(base_name(&name.bare), rest);
        } else if name.splits {
            self.call(&InnerCall {
                words: rest,
                level: call.level + 1,
                offset: call.offset.map(|offset| offset + 1),
                ..*call
            });
        }
    }

    /// Commands whose second word says what they do.
    fn family(&mut self, call: &InnerCall, base: &str) {
        if !is_family(base) {
            return;
        }
        let is_git = base == "git";
        let place = if is_git {
            let (place, is_opaque) = git_subcommand(call.words);
            self.is_opaque |= is_opaque;
            place
        } else {
            let options = call.words.iter().skip(1).take_while(|word| word.text.starts_with('-'));
            1 + options.count()
        };
        let behind = call.words.get(place..).unwrap_or_default();
        match behind.first() {
            None => self.is_opaque |= call.is_prefix,
            Some(word) => {
                let is_put = call.replaced.is_some_and(|put| word.text.contains(put));
                self.is_opaque |= word.unknown || word.braces || word.wild.is_some() || is_put;
            }
        }
        if is_git {
            self.deny_as(base, behind);
        }
    }
}
