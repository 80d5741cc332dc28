//! The paths that a command names and that are not inside.

use super::analysis::{Analysis, NamedWords};
use super::message_options::MessageOptions;
use super::names::is_directory_change;
use super::parser::{RedirectSource, Script, SimpleCommand};
use super::wild::may_lead_out;
use super::word::ShellWord;
use crate::model::order;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most paths; then one that is not known stands for the rest.
const MAX_PATHS: usize = 256;
/// The most directories in which a command may run; then the directory is not known.
const MAX_DIRECTORIES: usize = 8;
/// The most bytes of a path, as in Linux.
const MAX_LENGTH: usize = 4_096;
/// Commands that take files: a word of theirs that is not known may be any path.
const FILE_COMMANDS: &str = " . cat chgrp chmod chown cp dd du file find head hexdump install less ln ls \
mkdir more mv od rm rmdir rsync shred source stat strings tail tar tee touch tree truncate xxd ";
/// Others that open the files of their words: a name without `/` may be that of a link.
const READERS: &str = " awk bash bat cmp comm cut diff egrep fgrep grep gunzip gzip jq join nl node paste \
perl python python3 rev rg ruby sed sh sort split tac tar uniq vi vim wc zcat zsh ";
/// Their words are text.
const TEXT_COMMANDS: &str = " echo printf test [ ";
/// Programs of these folders are no files that a command reads.
const PROGRAMS: &[&str] =
    &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|entry| !entry.is_empty() && entry == word)
}

/// Collects paths.
pub(crate) struct Places<'a> {
    pub(crate) home: &'a str,
    pub(crate) is_inside: &'a mut dyn FnMut(&str) -> bool,
    /// Absolute paths that are not inside, and `*`.
    pub(crate) dirs: Vec<String>,
    /// Where commands may run: the directories that were entered before.
    entered: Vec<String>,
    /// A directory was entered that is not known.
    is_lost: bool,
    seen: BTreeSet<String>,
    /// Variables that have values of this text only, and those that have others.
    known: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(
        cwd: &str,
        home: &'a str,
        is_inside: &'a mut dyn FnMut(&str) -> bool,
    ) -> Places<'a> {
        Places {
            home,
            is_inside,
            dirs: Vec::new(),
            entered: vec![cwd.to_owned()],
            is_lost: false,
            seen: BTreeSet::new(),
            known: BTreeSet::new(),
            unknown: BTreeSet::new(),
        }
    }

    /// The paths of a script, and of what its commands run.
    pub(crate) fn script(&mut self, script: &Script, analyses: &[Analysis]) {
        self.commands(script, analyses);
        for inner in analyses.iter().flat_map(|analysis| &analysis.scripts) {
            let analyses: Vec<_> = inner.commands.iter().map(Analysis::shallow).collect();
            self.commands(inner, &analyses);
        }
    }

    fn commands(&mut self, script: &Script, analyses: &[Analysis]) {
        self.variables(script);
        let mut directories: Vec<Rc<Vec<String>>> = Vec::new();
        for (command, analysis) in script.commands.iter().zip(analyses) {
            let before = command.after.and_then(|at| directories.get(at));
            let here = before.cloned().unwrap_or_else(|| Rc::new(self.entered.clone()));
            self.words(command, analysis, &here);
            self.redirects(&command.redirects, &here);
            directories.push(self.moved(command, analysis, &here).unwrap_or(here));
        }
        let here = Rc::new(self.entered.clone());
        script.words.iter().for_each(|word| self.word(word, &here, false));
        self.redirects(&script.redirects, &here);
    }

    fn variables(&mut self, script: &Script) {
        self.known.extend(script.variables.iter().cloned());
        for command in &script.commands {
            let is_read = command.words.first().is_some_and(|word| word.text == "read");
            for word in &command.words {
                let name = word.value.and_then(|value| word.text.get(..value.saturating_sub(1)));
                match name {
                    Some(name) if word.unknown => self.unknown.insert(name.to_owned()),
                    Some(name) => self.known.insert(name.to_owned()),
                    None => is_read && self.unknown.insert(word.text.clone()),
                };
            }
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
        let texts: BTreeSet<usize> = order::inserted(analysis.text_words.iter().copied());
        for (at, (word, frame)) in command.words.iter().zip(owners).enumerate() {
            if texts.contains(&at) {
                continue;
            }
            let Some(frame) = frame else {
                // An assignment before the name: its value is used elsewhere.
                if !word.unknown {
                    self.word(word, here, false);
                }
                continue;
            };
            if frame.words.start == at {
                is_message = false;
                let words = command.words.get(frame.words.clone()).unwrap_or_default();
                options = MessageOptions::of(&frame.name, words);
                let is_program = PROGRAMS.iter().any(|folder| {
                    word.text.strip_prefix(folder).is_some_and(|rest| rest.rfind('/') == Some(0))
                });
                if !is_program {
                    self.word(word, here, false);
                }
                continue;
            }
            if std::mem::take(&mut is_message) || is_in(TEXT_COMMANDS, &frame.name) {
                continue;
            }
            match options.read(&word.text) {
                Some(takes_next) => is_message = takes_next,
                None => {
                    let takes_files = is_in(FILE_COMMANDS, &frame.name);
                    self.word(word, here, takes_files);
                    let is_name = word.is_literal() && !word.text.starts_with(['-', '~', '.']);
                    if is_name
                        && !word.text.contains('/')
                        && (takes_files || is_in(READERS, &frame.name))
                    {
                        self.path(&word.text, word.wild, here);
                    }
                }
            }
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
        let text = match to {
            _ if name.text == "popd" => "-",
            None if name.text == "pushd" => "-",
            None => "~",
            Some(word) if !word.is_literal() => {
                self.star();
                self.is_lost = true;
                return None;
            }
            Some(word) if word.wild.is_some() => {
                self.is_lost = true;
                return None;
            }
            Some(word) => word.text.as_str(),
        };
        let mut moved = Vec::new();
        for base in here {
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
            if !target.is_literal() {
                self.star();
            } else {
                self.path(&target.text, target.wild, here);
            }
        }
    }

    /// A word: itself, the value of `NAME=VALUE` and of an option.
    fn word(&mut self, word: &ShellWord, here: &[String], takes_files: bool) {
        let text = word.text.as_str();
        let starts = |text: &str| text.starts_with('~') || text.starts_with("..");
        let value = text.split_once('=').map(|(_, value)| value);
        if word.expands {
            let may_be_path = word.slash || starts(text) || value.is_some_and(starts);
            let is_known = word
                .variable
                .as_ref()
                .is_some_and(|name| self.known.contains(name) && !self.unknown.contains(name));
            let is_file = takes_files && word.unknown && !is_known && !text.starts_with('-');
            if may_be_path || is_file {
                self.star();
            }
            return;
        }
        let mut parts = [Some(text), value];
        if text.starts_with('-') {
            let attached = ["/", "~", ".."].iter().filter_map(|mark| text.find(mark)).min();
            parts = [value.or(attached.and_then(|at| text.get(at..))), None];
        }
        for part in parts.into_iter().flatten() {
            let skipped = text.len().saturating_sub(part.len());
            let part = part.strip_prefix('@').unwrap_or(part);
            let part = part.strip_prefix("file://").unwrap_or(part);
            if part.contains('/') || starts(part) {
                let skipped = skipped.max(text.len().saturating_sub(part.len()));
                self.path(part, word.wild.map(|wild| wild.saturating_sub(skipped)), here);
            }
        }
    }

    /// A path that is known, but for what a glob or a list finds from this offset on.
    fn path(&mut self, text: &str, wild: Option<usize>, here: &[String]) {
        let mut known = text;
        if let Some(wild) = wild {
            if may_lead_out(text, wild) {
                return self.star();
            }
            let before = text.get(..wild).unwrap_or(text);
            known = before.get(..before.rfind('/').map_or(0, |at| at + 1)).unwrap_or_default();
        }
        let goes_up = known.split('/').any(|part| part == "..");
        if self.is_lost && goes_up && !known.starts_with(['/', '~']) {
            self.star();
        }
        for base in here {
            match self.resolved(base, known) {
                Some(path) => self.outside(&path),
                None => self.star(),
            }
        }
    }

    /// The absolute path; none if it is not known.
    fn resolved(&self, base: &str, text: &str) -> Option<String> {
        let drive = |text: &str| {
            let bytes = text.as_bytes();
            bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        };
        if text.len() + base.len() > MAX_LENGTH {
            return None;
        }
        let mut whole = String::new();
        if let Some(rest) = text.strip_prefix('~') {
            if !rest.is_empty() && !rest.starts_with('/') {
                return None;
            }
            whole.push_str(self.home);
            whole.push_str(rest);
        } else if text.starts_with('/') || (drive(base) && drive(text)) {
            whole.push_str(text);
        } else {
            whole.push_str(base);
            whole.push('/');
            whole.push_str(text);
        }
        let is_drive = drive(&whole);
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.len() > usize::from(is_drive) {
                        parts.pop();
                    }
                }
                _ => parts.push(part),
            }
        }
        let mut path = String::from(if is_drive { "" } else { "/" });
        path.push_str(&parts.join("/"));
        Some(path)
    }

    fn outside(&mut self, path: &str) {
        let is_device =
            path == "/dev/null" || ["/dev/std", "/dev/fd/"].iter().any(|d| path.starts_with(d));
        if is_device || self.seen.contains(path) || (self.is_inside)(path) {
            return;
        }
        if self.dirs.len() >= MAX_PATHS {
            return self.star();
        }
        self.seen.insert(path.to_owned());
        self.dirs.push(path.to_owned());
    }

    fn star(&mut self) {
        if self.seen.insert("*".to_owned()) {
            self.dirs.push("*".to_owned());
        }
    }
}

/// The words of what the shell itself runs: without assignments, `builtin` and `command`.
fn own_words(command: &SimpleCommand) -> &[ShellWord] {
    let words = command.words.get(command.assignments()..).unwrap_or_default();
    let mut at = 0;
    while words.get(at).is_some_and(|word| matches!(word.text.as_str(), "builtin" | "command")) {
        let options = words.iter().skip(at + 1).take_while(|word| word.text.starts_with('-'));
        at += 1 + options.count();
    }
    words.get(at..).unwrap_or_default()
}
