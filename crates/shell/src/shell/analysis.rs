//! What one command runs, to any depth: the spellings on which a deny is tried, and what is not known.

use super::git::{git_subcommand, opens_program};
use super::globals::{subcommand, without_globals};
use super::letters::{add, is_listed, owned, until};
use super::names::{base_name, is_code_variable, is_command_variable, is_directory_change};
use super::parser::{Input, Parser, Script, SimpleCommand};
use super::prefixes::is_family;
use super::word::{ShellWord, joined, rest_words};
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
    /// More words follow.
    pub(crate) is_prefix: bool,
}

impl NamedWords {
    /// The words, of the command that has them.
    #[inline(never)]
    pub(super) fn words_of<'c>(&self, command: &'c SimpleCommand) -> &'c [ShellWord] {
        command.words.get(self.words.clone()).unwrap_or_default()
    }
}

/// What is found out about a simple command.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// Where a deny is tried.
    pub(crate) denied_as: Vec<String>,
    /// The same with a NUL for each word that is not known, where there is one.
    pub(crate) open_as: Vec<String>,
    /// The source of what wrappers run.
    pub(crate) inner: Vec<String>,
    pub(crate) is_opaque: bool,
    /// It runs a text of bash that is not known.
    pub(crate) runs_unknown: bool,
    /// Outer ones first.
    pub(crate) frames: Vec<NamedWords>,
    /// Words that are texts of bash.
    pub(crate) text_words: Vec<usize>,
    /// Words whose variables may have no value that is an option.
    pub(crate) values: Vec<ShellWord>,
    /// What texts of bash run.
    pub(crate) scripts: Vec<Script>,
    /// There are too many wrappers.
    pub(crate) is_over: bool,
    /// Texts within texts are left out.
    is_shallow: bool,
    is_in_text: bool,
}

/// Has one of these commands a name like this?
pub(super) fn has_frame(analyses: &[Analysis], is: fn(&str) -> bool) -> bool {
    analyses.iter().any(|own| own.frames.iter().any(|frame| is(&frame.name)))
}

/// The commands of a script.
pub(crate) fn script_of(text: &str, depth: usize) -> Script {
    let mut script = Script::default();
    let is_whole = !text.contains('\0') && Parser::new(text, depth, &mut script).whole().is_ok();
    script.is_broken |= !is_whole;
    script
}

/// Changes of the directory alone, and tests, are not asked; nor is nothing.
pub(crate) fn is_asked(command: &SimpleCommand) -> bool {
    let Some(name) = command.words.first() else { return !command.text.is_empty() };
    let is_free = is_directory_change(&name.text) || name.is("[");
    !is_free || command.is_cut || !command.redirects.is_empty() || !name.is_known_name()
}

/// Words with a space between them, behind a name if there is one.
fn spaced(name: &str, words: &[&str]) -> String {
    let mut text = owned(name);
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// Programs that run commands on what they find.
fn is_finder(name: &str) -> bool {
    is_listed("find gfind fd fdfind", name)
}

/// Commands whose words are data.
fn is_text_command(name: &str) -> bool {
    is_listed("echo printf test [ grep", name)
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

impl InnerCall<'_> {
    /// Is something put into this word?
    fn puts(&self, word: &ShellWord) -> bool {
        self.replaced.is_some_and(|put| !put.is_empty() && word.text.contains(put))
    }
}

impl Analysis {
    /// Of a command of the text itself.
    pub(crate) fn new(command: &SimpleCommand) -> Analysis {
        let mut analysis = Analysis::default();
        analysis.command(command, 0, false);
        analysis
    }

    /// The same, of a command of a text whose own texts are known.
    pub(crate) fn shallow(command: &SimpleCommand) -> Analysis {
        let mut analysis = Analysis { is_shallow: true, ..Analysis::default() };
        analysis.command(command, 0, false);
        analysis
    }

    fn command(&mut self, command: &SimpleCommand, level: usize, is_prefix: bool) {
        self.is_opaque |= command.is_cut;
        self.deny(command.text.clone());
        self.deny(joined(&command.words, false));
        self.variables(&command.words, level);
        self.call(&InnerCall {
            words: &command.words,
            input: command.input.as_ref(),
            level,
            is_prefix,
            offset: (level == 0).then_some(0),
            replaced: None,
        });
    }

    /// Variables that are set for what runs, and whose value is a command.
    fn variables(&mut self, words: &[ShellWord], level: usize) {
        let is_text = words.first().is_some_and(|word| is_text_command(&word.text));
        for word in words.iter().filter(|word| word.is_assignment() || !is_text) {
            let Some((name, value)) = word.text.split_once('=') else { continue };
            let name = until(name.trim_end_matches('+'), "[");
            let is_known = word.is_literal() && !word.is_array;
            self.is_opaque |= is_code_variable(name, if is_known { value } else { "$()" });
            if is_command_variable(name) && is_known {
                // As one path, of which `script` looks up the name, and as a command.
                self.deny(base_name(value).to_owned());
                self.inner_text(value, level + 1);
            }
        }
    }

    fn deny(&mut self, text: String) {
        if !text.is_empty() && !self.denied_as.iter().rev().take(4).any(|other| *other == text) {
            self.denied_as.push(text);
        }
    }

    fn open(&mut self, text: String) {
        if !self.open_as.iter().rev().take(4).any(|other| *other == text) {
            self.open_as.push(text);
        }
    }

    /// Words of a call, behind a name if they are not whole.
    fn deny_words(&mut self, name: &str, words: &[&ShellWord], call: &InnerCall) {
        let (mut texts, mut known, mut is_open) = (Vec::new(), Vec::new(), call.is_prefix);
        for word in words {
            let is_known = word.is_fixed() && !call.puts(word);
            is_open |= !is_known;
            texts.push(word.text.as_str());
            known.push(if is_known { word.text.as_str() } else { "\0" });
        }
        if is_open {
            let mut open = spaced(name, &known);
            open.push_str(if call.is_prefix { " \0" } else { "" });
            self.open(open);
        }
        self.deny(spaced(name, &texts));
    }

    fn deny_as(&mut self, name: &str, rest: &[ShellWord], call: &InnerCall) {
        self.deny_words(name, &rest.iter().collect::<Vec<_>>(), call);
    }

    fn call(&mut self, call: &InnerCall) {
        // Not all wrappers take assignments; with those that do not, nothing is lost by skipping them.
        let skipped = call.words.iter().take_while(|word| word.is_assignment()).count();
        let call = &InnerCall {
            words: rest_words(call.words, skipped),
            offset: call.offset.map(|offset| offset + skipped),
            ..*call
        };
        let Some((name, rest)) = call.words.split_first() else {
            // The words that follow are a command.
            self.is_opaque |= call.is_prefix;
            return;
        };
        self.deny_as("", call.words, call);
        if call.level >= MAX_LEVEL {
            self.is_opaque = true;
            self.is_over = true;
            return;
        }
        if let Some(start) = call.offset {
            let words = start..start + call.words.len();
            self.frames.push(NamedWords {
                name: owned(base_name(&name.text)),
                words,
                is_prefix: call.is_prefix,
            });
        }
        self.is_opaque |= call.puts(name);
        if !name.is_known_name() {
            self.unknown_name(call, name, rest);
            return;
        }
        let base = base_name(&name.text);
        self.deny_as(base, rest, call);
        self.family(call, base);
        let runs = runs(base, call.words, call.input);
        let runs_nothing = runs.words.is_empty() && runs.texts.is_empty();
        // More words may be options, of which some run what follows them.
        let takes_options = runs.is_wrapper && runs_nothing || is_finder(base);
        self.runs_unknown |= runs.is_unknown_text;
        self.is_opaque |=
            runs.is_opaque || runs.is_unknown_text || (call.is_prefix && takes_options);
        let first = runs.words.iter().map(|range| range.start).min().unwrap_or(call.words.len());
        let before = call.words.get(..first).unwrap_or_default();
        let has_put = before.iter().any(|word| call.puts(word));
        self.is_opaque |= (runs.is_wrapper || is_finder(base)) && has_put;
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
            if let Some((name, rest)) = words.split_first() {
                self.deny_as("", words, call);
                self.deny_as(base_name(&name.text), rest, call);
            }
        }
        self.values.extend(runs.values.iter().filter_map(|at| call.words.get(*at)).cloned());
        if let Some(offset) = call.offset {
            self.text_words.extend(runs.text_words.iter().map(|at| offset + at));
        }
        for (text, is_literal) in runs.texts {
            let is_put = call.replaced.is_some_and(|put| !put.is_empty() && text.contains(put));
            self.runs_unknown |= !is_literal || is_put;
            self.is_opaque |= !is_literal || is_put;
            self.text(&text, call.level + 1, runs.has_arguments);
        }
    }

    /// The value of a variable that may be run.
    fn inner_text(&mut self, text: &str, level: usize) {
        if level < MAX_LEVEL {
            self.text(text, level, true);
        }
    }

    /// A bash command line within a command.
    fn text(&mut self, text: &str, level: usize, has_arguments: bool) {
        if self.is_shallow && self.is_in_text {
            return;
        }
        let was_in_text = std::mem::replace(&mut self.is_in_text, true);
        let script = script_of(text, level);
        self.is_opaque |= script.is_broken;
        for command in &script.commands {
            if is_asked(command) {
                add(&mut self.inner, &command.text);
            }
            self.command(command, level, has_arguments);
        }
        self.scripts.push(script);
        self.is_in_text = was_in_text;
    }

    /// A name that is an expansion, a glob or a list in braces: it is not known, but what runs if it is
    /// empty is, and what the list says.
    fn unknown_name(&mut self, call: &InnerCall, name: &ShellWord, rest: &[ShellWord]) {
        self.is_opaque = true;
        if name.braces {
            let text: String = name.bare.chars().filter(|c| !matches!(c, '{' | '}')).collect();
            self.deny_as(&text.replace(',', " "), rest, call);
        } else if name.expands && !name.bare.is_empty() {
            self.deny_as(base_name(&name.bare), rest, call);
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
        let is_pip = is_listed("python python3 py", base)
            && call.words.get(1).is_some_and(|word| word.is("-m"))
            && call.words.get(2).is_some_and(|word| word.is("pip"));
        if is_pip {
            let words = rest_words(call.words, 2);
            let call = InnerCall { words, ..*call };
            self.deny_as("", words, &call);
            return self.without_globals("pip", &call);
        }
        if !is_family(base) {
            return;
        }
        if base == "git" {
            let (place, is_opaque) = git_subcommand(call.words);
            self.is_opaque |= is_opaque || opens_program(call.words, place);
        }
        let at = subcommand(base, call.words);
        if call.words.iter().take(at).any(ShellWord::may_be_several) {
            // The subcommand may be one of these words.
            self.open(spaced(base, &["\0"]));
        }
        match call.words.get(at) {
            None => self.is_opaque |= call.is_prefix,
            Some(word) => {
                self.is_opaque |= !word.is_fixed() && word.may_be_word() || call.puts(word)
            }
        }
        self.without_globals(base, call);
    }

    /// The spellings without the options before a subcommand.
    fn without_globals(&mut self, base: &str, call: &InnerCall) {
        for way in without_globals(base, call.words) {
            let words = way.iter().skip(1).filter_map(|at| call.words.get(*at));
            self.deny_words(base, &words.collect::<Vec<_>>(), call);
        }
    }
}
