//! Paths: where they lead from the directories in which a command may run.

use super::following::{Following, Surroundings, Use};
use super::lists;
use super::renames::Renames;
use super::value_texts::{GLOB, NUMBER};
use super::values::Variables;
use super::wild::may_lead_out;
use super::word::ShellWord;
use std::collections::BTreeSet;

/// The most paths; then one that is not known stands for the rest.
const MAX_PATHS: usize = 256;
/// The most globs, and paths with `..`.
const MAX_KEPT: usize = 64;
/// The most bytes of a path, as in Linux.
const MAX_LENGTH: usize = 4_096;

/// Collects paths.
pub(crate) struct Places<'a> {
    pub(super) home: &'a str,
    is_inside: &'a mut dyn FnMut(&str) -> bool,
    pub(super) variables: &'a Variables,
    /// The values in the script at hand, and the place there.
    pub(super) following: Following,
    pub(super) at: Use,
    /// Absolute paths that are not inside, and `*`.
    pub(crate) dirs: Vec<String>,
    /// Absolute paths with glob characters.
    pub(crate) globs: Vec<String>,
    /// The same, for commands that do not open folders.
    pub(crate) file_globs: Vec<String>,
    /// Absolute paths with `..`, which is not what it looks like behind a link.
    pub(crate) climbs: Vec<String>,
    /// The command at hand does not open folders.
    pub(super) takes_no_folders: bool,
    /// The files that redirects write to, and `*`.
    pub(crate) writes: Vec<String>,
    /// Where commands may run: the directories that were entered before.
    pub(super) entered: Vec<String>,
    /// A directory was entered that is not known.
    pub(super) is_lost: bool,
    /// Globs may find hidden names too, or letters of either case.
    pub(super) finds_more: bool,
    /// The paths that commands may read, absolute, with their `..` and globs.
    pub(crate) reads: BTreeSet<String>,
    /// The word at hand may be a file that is read.
    pub(super) is_read: bool,
    pub(super) renames: Renames,
    /// Folders that programs go through, each with what counts there before it; see [`Places::walks`].
    pub(crate) walked: Vec<String>,
    /// The last command that does.
    pub(super) last_walk: usize,
    seen: BTreeSet<String>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(
        cwd: &str,
        home: &'a str,
        variables: &'a Variables,
        is_inside: &'a mut dyn FnMut(&str) -> bool,
    ) -> Places<'a> {
        Places {
            home,
            is_inside,
            variables,
            following: Following::default(),
            at: Use::default(),
            dirs: Vec::new(),
            globs: Vec::new(),
            file_globs: Vec::new(),
            climbs: Vec::new(),
            takes_no_folders: false,
            writes: Vec::new(),
            entered: vec![cwd.to_owned()],
            is_lost: false,
            finds_more: false,
            reads: BTreeSet::new(),
            is_read: false,
            renames: Renames::default(),
            walked: Vec::new(),
            last_walk: 0,
            seen: BTreeSet::new(),
        }
    }

    /// The texts that a word with variables may become.
    pub(super) fn expanded(&self, word: &ShellWord, here: &[String]) -> Option<Vec<String>> {
        let here = Some(here).filter(|_| !self.is_lost);
        self.following.expanded(word, self.at, &Surroundings { home: self.home, here })
    }

    /// The file that a redirect writes to.
    pub(super) fn write(&mut self, target: &ShellWord, here: &[String]) {
        if target.expands
            && let Some(texts) = self.expanded(target, here)
        {
            for text in texts.iter().filter(|text| !text.is_empty()) {
                let text = text.replace(GLOB, "");
                let is_home = text.starts_with('~') && !target.raw.starts_with('~');
                let wild = text.find(['*', '?', '[', NUMBER]);
                self.written(&text, !is_home, wild, here);
            }
        } else {
            self.written(&target.text, target.is_fixed(), None, here);
        }
    }

    /// A file that is written to, if it is known; from `wild` on the name is not.
    fn written(&mut self, text: &str, is_known: bool, wild: Option<usize>, here: &[String]) {
        let is_known = is_known && (!self.is_lost || text.starts_with(['/', '~']));
        let known = text.get(..wild.unwrap_or(text.len())).unwrap_or_default();
        for base in here {
            let whole = if is_known { self.whole(base, known) } else { None };
            // What is behind `..` may be anything.
            let whole = whole
                .filter(|whole| wild.is_none() || !text.contains("..") && !whole.contains("/.."));
            // Behind a name `..` stays: it may be a link.
            let may_climb = !text.starts_with("..") || self.entered.first() != Some(base);
            let path = match whole {
                Some(whole) if wild.is_some() => {
                    let folder = if whole.ends_with('/') { "/" } else { "" };
                    [normal(&whole).trim_end_matches('/'), folder, "*"].concat()
                }
                Some(whole) if may_climb && whole.split('/').any(|part| part == "..") => whole,
                Some(whole) => normal(&whole),
                None => "*".to_owned(),
            };
            if !is_device(&path) && !self.writes.contains(&path) && self.writes.len() < MAX_PATHS {
                self.writes.push(path);
            }
        }
        // What is too much is not known.
        if self.writes.len() == MAX_PATHS && !self.writes.iter().any(|path| path == "*") {
            self.writes.push("*".to_owned());
        }
    }

    /// Something runs that is not known: it may read and write any file.
    pub(super) fn unknown(&mut self) {
        self.star();
        let any = "*".to_owned();
        if !self.writes.contains(&any) {
            self.writes.push(any);
        }
    }

    /// A word: itself, the value of `NAME=VALUE` and of an option.
    pub(super) fn word(&mut self, word: &ShellWord, here: &[String], takes_files: bool) {
        let text = word.text.as_str();
        if word.expands {
            if let Some(texts) = self.expanded(word, here) {
                texts.iter().for_each(|text| self.value(text, word.splits, here));
                return;
            }
            let starts = |text: &str| text.starts_with('~') || text.starts_with("..");
            let value = text.split_once('=').map(|(_, value)| value);
            let may_be_path = word.slash || starts(text) || value.is_some_and(starts);
            let is_file = takes_files && word.unknown && !text.starts_with('-');
            if may_be_path || is_file {
                self.star();
            }
            return;
        }
        match lists::expanded(word) {
            Some(words) => words.iter().for_each(|text| self.text(text, first_wild(text), here)),
            None => self.text(text, word.wild, here),
        }
    }

    /// What a word with variables becomes.
    fn value(&mut self, text: &str, splits: bool, here: &[String]) {
        // What a loop finds was looked for, but for folders.
        if text.contains(GLOB) && self.takes_no_folders {
            return;
        }
        let mut text = text.replace(GLOB, "");
        if splits && text.contains([' ', '\t', '\n']) {
            text.split_ascii_whitespace().for_each(|word| self.value(word, false, here));
        }
        // Numbers lead nowhere.
        if let Some(number) = text.find(NUMBER) {
            let folder = text.get(..number).and_then(|before| before.rfind('/'));
            text.truncate(folder.map_or(0, |at| at + 1));
        }
        self.text(&text, first_wild(&text), here);
    }

    /// A word of a list: what a glob finds is the value of a variable.
    pub(super) fn listed(&mut self, word: &ShellWord, here: &[String]) {
        if word.wild.is_some() && !word.expands {
            self.takes_no_folders = true;
            self.glob(word, here);
            self.takes_no_folders = false;
        } else if word.slash || word.expands {
            self.word(word, here, false);
        }
    }

    /// Is the only expansion of a word a variable that is set in the text, or an argument?
    pub(super) fn is_set(&self, word: &ShellWord) -> bool {
        let is_variable = word.variable.as_ref().is_some_and(|name| self.variables.is_set(name));
        is_variable || word.text.starts_with("$1") || word.text.contains('@')
    }

    /// A word with a glob.
    pub(super) fn glob(&mut self, word: &ShellWord, here: &[String]) {
        match lists::expanded(word) {
            Some(words) => words.iter().for_each(|text| self.path(text, first_wild(text), here)),
            None => self.path(&word.text, word.wild, here),
        }
    }

    /// A word that is known, but for what a glob finds from this offset on.
    fn text(&mut self, text: &str, wild: Option<usize>, here: &[String]) {
        let value = text.split_once('=').map(|(_, value)| value);
        let mut parts = [Some(text), value];
        if text.starts_with('-') {
            let attached = ["/", "~", ".."].iter().filter_map(|mark| text.find(mark)).min();
            parts = [value.or(attached.and_then(|at| text.get(at..))), None];
        }
        for part in parts.into_iter().flatten() {
            let part = part.strip_prefix('@').unwrap_or(part);
            let part = part.strip_prefix("file://").unwrap_or(part);
            if !part.is_empty() && !part.contains("://") {
                let skipped = text.len().saturating_sub(part.len());
                self.path(part, wild.map(|wild| wild.saturating_sub(skipped)), here);
            }
        }
    }

    /// A path that is known, but for what a glob or a list finds from this offset on.
    pub(super) fn path(&mut self, text: &str, wild: Option<usize>, here: &[String]) {
        if self.is_read && self.reads.len() < MAX_PATHS {
            let read = here.iter().filter_map(|base| self.whole(base, text)).collect::<Vec<_>>();
            self.reads.extend(read);
        }
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
            let Some(whole) = self.whole(base, known) else {
                self.star();
                continue;
            };
            let path = normal(&whole);
            self.outside(&path);
            match wild {
                Some(_) => self.renames.add(&[&path, "/"].concat()),
                None => self.renames.add(&path),
            }
            let mut is_kept = true;
            // Behind a link it is not what it looks like.
            if goes_up && whole != path {
                is_kept = keep(&mut self.climbs, whole);
            }
            if wild.is_some()
                && let Some(glob) = self.whole(base, text)
            {
                let no_folders = self.takes_no_folders;
                let globs = if no_folders { &mut self.file_globs } else { &mut self.globs };
                is_kept &= keep(globs, glob);
            }
            if !is_kept {
                self.star();
            }
        }
    }

    /// The absolute path; none if it is not known.
    pub(super) fn resolved(&self, base: &str, text: &str) -> Option<String> {
        self.whole(base, text).map(|whole| normal(&whole))
    }

    /// The same with its `..`.
    fn whole(&self, base: &str, text: &str) -> Option<String> {
        if text.len() + base.len() > MAX_LENGTH {
            return None;
        }
        if let Some(rest) =
            text.strip_prefix("~+").filter(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            return (!self.is_lost && !self.variables.is_set("PWD")).then(|| [base, rest].concat());
        }
        if let Some(rest) = text.strip_prefix("/proc/") {
            // Of the shell, not of this process.
            let rest = rest
                .strip_prefix("self/cwd")
                .filter(|rest| rest.is_empty() || rest.starts_with('/'));
            return rest.filter(|_| !self.is_lost).map(|rest| [base, rest].concat());
        }
        if let Some(rest) = text.strip_prefix('~') {
            let is_home = rest.is_empty() || rest.starts_with('/');
            let is_known = is_home && !self.variables.is_set("HOME");
            return is_known.then(|| [self.home, rest].concat());
        }
        let is_whole = text.starts_with('/') || (has_drive(base) && has_drive(text));
        Some(if is_whole { text.to_owned() } else { [base, "/", text].concat() })
    }

    /// Notes a path that is not inside.
    pub(super) fn outside(&mut self, path: &str) {
        if is_device(path) || self.seen.contains(path) || (self.is_inside)(path) {
            return;
        }
        if self.dirs.len() >= MAX_PATHS {
            return self.star();
        }
        self.seen.insert(path.to_owned());
        self.dirs.push(path.to_owned());
    }

    pub(super) fn star(&mut self) {
        if self.seen.insert("*".to_owned()) {
            self.dirs.push("*".to_owned());
        }
    }
}

/// Is it no file, but what a command writes to anyway?
fn is_device(path: &str) -> bool {
    let is_below = |start: &&str| path.starts_with(*start) && !path.contains("/..");
    matches!(path, "/dev/null" | "/dev/tty") || ["/dev/std", "/dev/fd/"].iter().any(is_below)
}

/// Keeps a path once; false if there are too many.
fn keep(paths: &mut Vec<String>, path: String) -> bool {
    if !paths.contains(&path) && paths.len() < MAX_KEPT {
        paths.push(path);
        return true;
    }
    paths.len() < MAX_KEPT
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// An absolute path without `.`, and without `..` by its letters.
fn normal(whole: &str) -> String {
    if !whole.contains("/.") && !whole.contains("//") && !whole.ends_with('/') {
        return whole.to_owned();
    }
    let is_drive = has_drive(whole);
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
    [if is_drive { "" } else { "/" }, &parts.join("/")].concat()
}

/// Where the first glob character of a text without lists is.
fn first_wild(text: &str) -> Option<usize> {
    text.find(['*', '?', '['])
}
