//! The paths that a command names and that are not inside. What one path is, is in `places.rs`.

use super::analysis::{Analysis, NamedWords};
use super::following::{Following, Use};
use super::letters::{has_any, is_listed};
use super::message_options::MessageOptions;
use super::names::{is_directory_change, own_words};
use super::parser::{AssignedBy, RedirectSource, Script, SimpleCommand};
use super::places::Places;
use super::word::ShellWord;
use std::rc::Rc;

/// The most directories in which a command may run; then the directory is not known.
const MAX_DIRECTORIES: usize = 8;
/// Commands that take files: a word of theirs that is not known may be any path.
const FILE_COMMANDS: &str = " . cat chgrp chmod chown cp dd du file find head hexdump install less ln ls \
mkdir more mv od rm rmdir rsync shred source stat strings tail tar tee touch tree truncate xxd ";
/// Others that open the files of their words.
const READERS: &str = " awk base64 bash bat cmp comm cut diff egrep expand fgrep fmt fold grep gunzip gzip \
iconv jq join md5sum nl node paste perl pr python python3 rev rg ruby sed sh sha1sum sha256sum shuf sort \
split tac tar uniq vi vim wc zcat zsh ";
/// Options by which a program follows the links that it finds.
const FOLLOWING: &[(&str, char, &[&str])] = &[
    ("grep", 'R', &["--dereference-recursive"]),
    ("egrep", 'R', &["--dereference-recursive"]),
    ("fgrep", 'R', &["--dereference-recursive"]),
    ("find", 'L', &["-follow"]),
    ("rg", 'L', &["--follow"]),
    ("fd", 'L', &["--follow"]),
    ("du", 'L', &["--dereference"]),
    ("tree", 'l', &[]),
    ("rsync", 'L', &["--copy-links"]),
    ("tar", 'h', &["--dereference"]),
];
/// Those that open no folders.
const FILE_READERS: &str =
    " cat cut head md5sum nl od rev sed sha256sum sort tac tail uniq wc xxd ";
/// Programs of these folders are no files that a command reads.
const PROGRAMS: &[&str] =
    &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/// Are the words of this command text?
fn is_text_command(name: &str) -> bool {
    matches!(name, "echo" | "printf" | "test" | "[")
}

impl Places<'_> {
    /// The paths of a script, and of what its commands run.
    pub(crate) fn script(&mut self, script: &Script, analyses: &[Analysis]) {
        let scripts: Vec<_> = analyses.iter().flat_map(|analysis| &analysis.scripts).collect();
        // Something runs that may set any variable.
        let is_opaque = self.variables.is_opaque
            || script.is_broken
            || analyses.iter().any(|analysis| analysis.is_opaque);
        let is_renamed = self.variables.is_renamed;
        self.following = Following::new(script, &scripts, is_opaque, is_renamed);
        self.commands(script, analyses);
        for inner in scripts {
            let analyses: Vec<_> = inner.commands.iter().map(Analysis::shallow).collect();
            self.following = Following::new(inner, &[], is_opaque, is_renamed);
            self.commands(inner, &analyses);
        }
        let finds_more = self.finds_more || self.variables.is_set("GLOBIGNORE");
        if finds_more && !(self.globs.is_empty() && self.file_globs.is_empty()) {
            self.star();
        }
    }

    fn commands(&mut self, script: &Script, analyses: &[Analysis]) {
        let mut directories: Vec<Rc<Vec<String>>> = Vec::new();
        for (at, (command, analysis)) in script.commands.iter().zip(analyses).enumerate() {
            self.at = Use::new(at, command.scope);
            let before = command.after.and_then(|at| directories.get(at));
            let here = before.cloned().unwrap_or_else(|| Rc::new(self.entered.clone()));
            self.words(command, analysis, &here);
            self.takes_no_folders = false;
            self.redirects(&command.redirects, &here);
            directories.push(self.moved(command, analysis, &here).unwrap_or(here));
        }
        let here = Rc::new(self.entered.clone());
        for assigned in script.assigned.iter().filter(|assigned| assigned.by != AssignedBy::Default)
        {
            self.at = assigned.place.into();
            self.listed(&assigned.value, &here);
        }
        for redirect in &script.redirects {
            self.at = redirect.place.into();
            self.redirects(std::slice::from_ref(redirect), &here);
        }
    }

    fn words(&mut self, command: &SimpleCommand, analysis: &Analysis, here: &[String]) {
        let mut is_message = false;
        let mut options = MessageOptions::default();
        // For each word the innermost command that has it.
        let mut owners: Vec<Option<&NamedWords>> = vec![None; command.words.len()];
        for frame in &analysis.frames {
            owners.get_mut(frame.words.clone()).unwrap_or_default().fill(Some(frame));
        }
        let mut is_text = vec![false; command.words.len()];
        for at in &analysis.text_words {
            is_text.get_mut(*at).into_iter().for_each(|is| *is = true);
        }
        for (at, (word, frame)) in command.words.iter().zip(owners).enumerate() {
            if is_text.get(at) == Some(&true) {
                continue;
            }
            let Some(frame) = frame else {
                // An assignment before the name: its value is used elsewhere.
                if !word.expands {
                    self.word(word, here, false);
                }
                continue;
            };
            if frame.words.start == at {
                is_message = false;
                let words = command.words.get(frame.words.clone()).unwrap_or_default();
                options = MessageOptions::new(&frame.name, words);
                let is_program = PROGRAMS.iter().any(|folder| {
                    word.text.strip_prefix(folder).is_some_and(|rest| rest.rfind('/') == Some(0))
                });
                if !is_program && word.slash {
                    self.word(word, here, false);
                }
                self.program(frame, words);
                continue;
            }
            let name = frame.name.as_str();
            let is_data = is_text_command(name);
            // Lists are looked through only for words that are not fixed.
            let is_open = !word.is_fixed();
            self.takes_no_folders = is_data || (is_open && is_listed(FILE_READERS, name));
            if std::mem::take(&mut is_message) || is_data {
                // Names of files are printed.
                if word.wild.is_some() && !word.expands && word.text != "[" && word.text != "]" {
                    self.glob(word, here);
                }
                continue;
            }
            match options.read(&word.text) {
                Some(takes_next) => is_message = takes_next,
                None => {
                    let takes_files = is_open
                        && (is_listed(FILE_COMMANDS, name)
                            || (is_listed(READERS, name) && self.is_set(word)));
                    self.word(word, here, takes_files);
                }
            }
        }
    }

    /// Words that are not in the text, and links that are found.
    fn program(&mut self, frame: &NamedWords, words: &[ShellWord]) {
        let takes_files =
            || is_listed(FILE_COMMANDS, &frame.name) || is_listed(READERS, &frame.name);
        let follows = FOLLOWING.iter().filter(|(name, ..)| *name == frame.name);
        let is_following = |word: &ShellWord| {
            follows.clone().any(|(_, letter, long)| {
                let text = word.text.as_str();
                let is_cluster = text.starts_with('-') && !text.starts_with("--") && text.len() < 8;
                (is_cluster && text.contains(*letter)) || long.contains(&text)
            })
        };
        let finds_more = |word: &ShellWord| {
            matches!(word.text.as_str(), "dotglob" | "nocaseglob")
                || word.text.starts_with("GLOBIGNORE")
                || (frame.name == "shopt" && !word.is_fixed())
        };
        self.finds_more |= words.iter().skip(1).any(finds_more);
        if (frame.is_prefix && takes_files()) || words.iter().skip(1).any(is_following) {
            self.star();
        }
    }

    /// Where the next command runs, if this one changes the directory and succeeds.
    fn moved(
        &mut self,
        command: &SimpleCommand,
        analysis: &Analysis,
        here: &[String],
    ) -> Option<Rc<Vec<String>>> {
        let words = own_words(command);
        let name = words.first()?.text.as_str();
        if is_directory_change(name) {
            return self.changes(words, here);
        }
        if name != "eval" {
            return None;
        }
        let known = self.entered.len();
        // Of texts within the text as well.
        for inner in analysis.scripts.iter().flat_map(|script| &script.commands) {
            let words = own_words(inner);
            let name = words.first().map_or("", |name| &name.text);
            self.is_lost |= name == "eval";
            if is_directory_change(name) {
                let from = self.entered.clone();
                self.changes(words, &from);
            }
        }
        (self.entered.len() > known).then(|| Rc::new(self.entered.clone()))
    }

    /// Where `cd` and the like lead to.
    fn changes(&mut self, words: &[ShellWord], here: &[String]) -> Option<Rc<Vec<String>>> {
        let (name, rest) = words.split_first()?;
        let is_option = |word: &&ShellWord| word.text.starts_with('-') && word.text != "-";
        let to = rest.iter().find(|word| !is_option(word));
        let value = to.filter(|word| word.expands).and_then(|word| self.expanded(word, here));
        let text = match to {
            _ if name.text == "popd" => "-",
            None if name.text == "pushd" => "-",
            None => "~",
            Some(word) if word.is_literal() && word.wild.is_some() => {
                self.glob(word, here);
                self.is_lost = true;
                return None;
            }
            Some(word) if word.is_literal() => word.text.as_str(),
            Some(_) => match value.as_deref() {
                Some([text]) if !has_any(text, "\0\u{1}*?[") && !text.is_empty() => text.as_str(),
                _ => {
                    self.star();
                    self.is_lost = true;
                    return None;
                }
            },
        };
        let is_set = |name: &str| self.variables.is_set(name);
        let is_relative = !text.starts_with(['/', '.', '~']);
        if (is_relative && is_set("CDPATH"))
            || (text == "-" && (is_set("OLDPWD") || is_set("DIRSTACK")))
        {
            self.star();
            self.is_lost = true;
            return None;
        }
        let mut moved = Vec::new();
        for base in here {
            if text != "-" && text != "~" {
                self.path(text, None, std::slice::from_ref(base));
            }
            let path = if text == "-" { Some(base.clone()) } else { self.resolved(base, text) };
            match path {
                Some(path) => {
                    self.outside(&path);
                    if !self.entered.contains(&path) {
                        self.entered.push(path.clone());
                    }
                    moved.push(path);
                }
                None => self.star(),
            }
        }
        if self.entered.len() > MAX_DIRECTORIES {
            self.entered.truncate(MAX_DIRECTORIES);
            self.is_lost = true;
        }
        // Back to where it was before: any of them.
        Some(Rc::new(if text == "-" { self.entered.clone() } else { moved }))
    }

    fn redirects(&mut self, redirects: &[RedirectSource], here: &[String]) {
        for redirect in redirects {
            let target = &redirect.target;
            let is_descriptor = redirect.op.ends_with('&')
                && target.text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            // A process substitution is no file.
            let is_process = target.expands && !target.unknown && target.bare.is_empty();
            if redirect.op.starts_with("<<") || is_descriptor || is_process {
                continue;
            }
            if redirect.op.contains('>') && redirect.op != "<&" {
                self.write(target, here);
            }
            if target.braces {
                self.star();
            } else if !target.expands {
                self.path(&target.text, target.wild, here);
            } else if self.expanded(target, here).is_some() {
                self.word(target, here, true);
            } else {
                self.star();
            }
        }
    }
}
