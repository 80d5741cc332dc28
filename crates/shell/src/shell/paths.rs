//! The paths that a command names and that are not inside. What one path is, is in `places.rs`.

use super::analysis::{Analysis, NamedWords, has_frame};
use super::folders::InnerFolder;
use super::following::{Following, Use};
use super::letters::{begins, ends, has_any, is_listed, owned, until};
use super::message_options::MessageOptions;
use super::names::{is_directory_change, own_words};
use super::opened::opened;
use super::parser::{AssignedBy, RedirectSource, Script, SimpleCommand};
use super::places::Places;
use super::renames::{is_rename, makes_link};
use super::value_texts::WILD;
use super::word::{ShellWord, text_at};
use super::written::written;
use std::rc::Rc;

/// The most directories in which a command may run; then the directory is not known.
const MAX_DIRECTORIES: usize = 8;
/// Commands that take files: a word of theirs that is not known may be any path.
pub(super) const FILE_COMMANDS: &str = " . cat chgrp chmod chown cp dd du file find head hexdump install less ln ls \
mkdir more mv od rm rmdir rsync shred source stat strings tail tar tee touch tree truncate xxd ";
/// Others that open the files of their words.
pub(super) const READERS: &str = " awk base64 bash bat cmp comm cut diff egrep expand fgrep fmt fold grep gunzip gzip \
iconv jq join md5sum nl node paste perl pr python python3 rev rg ruby sed sh sha1sum sha256sum shuf sort \
split tac tar uniq vi vim wc zcat zsh ";
/// Those that open no folders.
const FILE_READERS: &str =
    " cat cut head md5sum nl od rev sed sha256sum sort tac tail uniq wc xxd ";
/// Programs of these folders are no files that a command reads.
const PROGRAMS: &[&str] =
    &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/// Builtins that give variables values.
const ASSIGNING: &str = "export declare typeset local readonly";

/// What of a volume's word is a path here: `docker run -v HERE:THERE`.
fn mounted(name: &str, before: &str, word: &ShellWord) -> Option<ShellWord> {
    let text = word.text.as_str();
    let is_value = is_listed("-v --volume", before);
    let option = ["--volume=", "-v"].into_iter().find(|option| text.starts_with(option));
    let start = if is_value { 0 } else { option?.len() };
    let here = until(text.get(start..)?, ":");
    let is_mount = is_listed("docker podman nerdctl", name) && !has_any(here, "{}()`");
    let length = here.len();
    (is_mount && start + length < text.len()).then(|| ShellWord {
        text: owned(here),
        slash: has_any(here, "/"),
        wild: None,
        ..word.clone()
    })
}

/// Are the words of this command text?
fn is_text_command(name: &str) -> bool {
    is_listed("echo printf test [", name)
}

impl Places<'_> {
    /// The paths of a script, and of what its commands run.
    #[inline(never)]
    pub(crate) fn script(&mut self, script: &Script, analyses: &[Analysis]) {
        // Something runs that may set any variable.
        let is_opaque = self.variables.is_opaque
            || script.is_broken
            || analyses.iter().any(|analysis| analysis.is_opaque);
        let is_renamed = self.variables.is_renamed;
        self.following = Following::new(script, is_opaque, is_renamed);
        self.renames.is_there = has_frame(analyses, is_rename);
        let (mut inner, mut makes_links) = (Vec::new(), false);
        for analysis in analyses {
            let mut own = Vec::new();
            for script in &analysis.scripts {
                let analyses: Vec<_> = script.commands.iter().map(Analysis::shallow).collect();
                // What a text sets that may run here.
                self.following.inner(script);
                self.renames.is_there |= has_frame(&analyses, is_rename);
                makes_links |= has_frame(&analyses, makes_link);
                own.push((script, analyses));
            }
            inner.push(own);
        }
        let folders = self.commands(script, analyses);
        for (own, folder) in inner.iter().zip(folders) {
            // A text in one of these texts may run elsewhere.
            let is_elsewhere = |(script, analyses): &(&Script, Vec<Analysis>)| {
                let mut commands = script.commands.iter().zip(analyses);
                commands.any(|(command, own)| self.inner_folder(command, own, &[]).is_some())
            };
            let is_deep = own.len() > 1 && own.iter().any(is_elsewhere);
            let known = folder.as_ref().and_then(|folder| folder.known.clone());
            let is_lost = is_deep || folder.is_some() && known.is_none();
            let outer = known.map(|known| std::mem::replace(&mut self.entered, known));
            let was_lost = self.is_lost;
            self.is_lost |= is_lost;
            for (script, analyses) in own {
                self.following = Following::new(script, is_opaque, is_renamed);
                self.commands(script, analyses);
            }
            if let Some(outer) = outer {
                self.entered = outer;
            }
            if is_lost {
                self.is_lost = was_lost;
            }
        }
        self.after_makers(script, analyses, makes_links);
        self.through_renames();
        let finds_more = self.finds_more || self.variables.is_set("GLOBIGNORE");
        if finds_more && !(self.request.globs.is_empty() && self.request.file_globs.is_empty()) {
            self.star();
        }
    }

    /// The paths of commands; gives where each runs what it runs.
    fn commands(&mut self, script: &Script, analyses: &[Analysis]) -> Vec<Option<InnerFolder>> {
        let mut folders = Vec::new();
        let mut directories: Vec<Rc<Vec<String>>> = Vec::new();
        for (at, (command, analysis)) in script.commands.iter().zip(analyses).enumerate() {
            self.at = Use::new(at, command.scope);
            let before = command.after.and_then(|at| directories.get(at));
            let here = before.cloned().unwrap_or_else(|| Rc::new(self.entered.clone()));
            let folder = self.inner_folder(command, analysis, &here);
            let is_own = |name: &str| is_rename(name) || is_listed("rm unlink readlink", name);
            self.renames.is_own = analysis.frames.iter().any(|frame| is_own(&frame.name));
            self.words(command, analysis, &here, folder.as_ref());
            self.is_read = false;
            self.renames.is_own = false;
            let piped = command.piped.and_then(|at| script.commands.get(at).zip(analyses.get(at)));
            let outer =
                folder.as_ref().map_or(&*here, |folder| folder.known.as_ref().unwrap_or(&here));
            self.walks(command, analysis, piped, outer);
            self.renamed(command, analysis, &here);
            self.takes_no_folders = false;
            self.redirects(&command.redirects, &here);
            folders.push(folder);
            let moved = self.moved(command, analysis, &here);
            // The next time it goes on from there.
            self.is_lost |= moved.is_some() && script.repeats_in_shell(command.scope);
            directories.push(moved.unwrap_or(here));
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
        folders
    }

    #[inline(never)]
    fn words(
        &mut self,
        command: &SimpleCommand,
        analysis: &Analysis,
        outer: &[String],
        folder: Option<&InnerFolder>,
    ) {
        let was_lost = self.is_lost;
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
        let mut opens = vec![true; command.words.len()];
        for (at, (word, frame)) in command.words.iter().zip(owners).enumerate() {
            self.is_read =
                opens.get(at) == Some(&true) && frame.is_some_and(|frame| frame.words.start < at);
            if is_text.get(at) == Some(&true) {
                continue;
            }
            let inner = folder.filter(|folder| at >= folder.from);
            let here = inner.and_then(|folder| folder.known.as_deref()).unwrap_or(outer);
            self.is_lost |= inner.is_some_and(|folder| folder.known.is_none());
            let Some(frame) = frame else {
                // An assignment before the name: its value is used elsewhere.
                if !word.expands {
                    self.word(word, here, false);
                }
                continue;
            };
            if frame.words.start == at {
                is_message = false;
                let words = frame.words_of(command);
                options = MessageOptions::new(&frame.name, words);
                let is_program = PROGRAMS.iter().any(|folder| {
                    word.text.strip_prefix(folder).is_some_and(|rest| rest.rfind('/') == Some(0))
                });
                if !is_program && word.slash {
                    self.word(word, here, false);
                }
                opens
                    .get_mut(frame.words.clone())
                    .unwrap_or_default()
                    .copy_from_slice(&opened(&frame.name, words));
                self.program(frame, words);
                for target in written(&frame.name, words) {
                    self.write(target, here);
                }
                continue;
            }
            let name = frame.name.as_str();
            // Numbers of processes, and values that are used elsewhere.
            let is_value = word.is_assignment() && is_listed(ASSIGNING, name);
            if name == "kill" || is_value {
                continue;
            }
            let before = text_at(&command.words, at - 1);
            if let Some(mounted) = mounted(name, before, word) {
                self.word(&mounted, here, false);
                continue;
            }
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
                    self.is_read = opens.get(at) == Some(&true);
                    let takes_files = is_open
                        && (is_listed(FILE_COMMANDS, name)
                            || (is_listed(READERS, name) && self.is_set(word)));
                    self.word(word, here, takes_files);
                }
            }
        }
        self.is_lost = was_lost;
    }

    /// Modes in which more is found.
    fn program(&mut self, frame: &NamedWords, words: &[ShellWord]) {
        let finds_more = |word: &ShellWord| {
            word.is("dotglob nocaseglob")
                || word.text.starts_with("GLOBIGNORE")
                || (frame.name == "shopt" && !word.is_fixed())
        };
        self.finds_more |= words.iter().skip(1).any(finds_more);
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
        for script in &analysis.scripts {
            for inner in &script.commands {
                let words = own_words(inner);
                let name = text_at(words, 0);
                self.is_lost |= name == "eval";
                if is_directory_change(name) {
                    let from = self.entered.clone();
                    self.changes(words, &from);
                }
            }
        }
        (self.entered.len() > known).then(|| Rc::new(self.entered.clone()))
    }

    /// Where `cd` and the like lead to.
    fn changes(&mut self, words: &[ShellWord], here: &[String]) -> Option<Rc<Vec<String>>> {
        let (name, rest) = words.split_first()?;
        let is_option = |word: &&ShellWord| begins(&word.text, "-") && word.text != "-";
        let to = rest.iter().find(|word| !is_option(word));
        let value = to.filter(|word| word.expands).and_then(|word| self.expanded(word, here));
        let text = match to {
            _ if name.is("popd") => "-",
            None if name.is("pushd") => "-",
            None => "~",
            Some(word) if word.is_literal() && word.wild.is_some() => {
                self.glob(word, here);
                self.is_lost = true;
                return None;
            }
            Some(word) if word.is_literal() => word.text.as_str(),
            Some(word) => match value.as_deref() {
                Some([text]) if !has_any(text, WILD) && !text.is_empty() => text.as_str(),
                other => {
                    match other {
                        Some(_) => self.word(word, here, true),
                        None => self.star(),
                    }
                    self.is_lost = true;
                    return None;
                }
            },
        };
        let is_set = |name: &str| self.variables.is_set(name);
        let is_relative = !begins(text, "/.~");
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
            let is_descriptor = ends(&redirect.op, "&")
                && target.text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            // A process substitution is no file.
            let is_process = target.expands && !target.unknown && target.bare.is_empty();
            if redirect.op.starts_with("<<") || is_descriptor || is_process {
                continue;
            }
            if has_any(&redirect.op, ">") && redirect.op != "<&" {
                self.write(target, here);
            }
            self.is_read = begins(&redirect.op, "<");
            if target.braces {
                self.star();
            } else if !target.expands {
                self.path(&target.text, target.wild, here);
            } else if self.expanded(target, here).is_some() {
                self.word(target, here, true);
            } else {
                self.star();
            }
            self.is_read = false;
        }
    }
}
