//! Paths: where they lead from the directories in which a command may run.

use super::following::{Following, Surroundings, Use};
use super::letters::{add, begins, ends, find_any, has_any, is_listed, owned, up_to};
use super::lists;
use super::renames::Renames;
use super::request::ShellRequest;
use super::value_texts::{GLOB, NUMBER, WILD};
use super::values::Variables;
use super::wild::may_lead_out;
use super::word::ShellWord;

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
    /// What is asked: its paths are those that are found.
    pub(crate) request: ShellRequest,
    /// The command at hand does not open folders.
    pub(super) takes_no_folders: bool,
    /// Where commands may run: the directories that were entered before.
    pub(super) entered: Vec<String>,
    /// A directory was entered that is not known.
    pub(super) is_lost: bool,
    /// Globs may find hidden names too, or letters of either case.
    pub(super) finds_more: bool,
    /// The word at hand may be a file that is read.
    pub(super) is_read: bool,
    pub(super) renames: Renames,
    /// The last command that goes through folders.
    pub(super) last_walk: usize,
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
            request: ShellRequest::default(),
            takes_no_folders: false,
            entered: vec![owned(cwd)],
            is_lost: false,
            finds_more: false,
            is_read: false,
            renames: Renames::default(),
            last_walk: 0,
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
                let is_home = begins(&text, "~") && !begins(&target.raw, "~");
                let wild = find_any(&text, WILD);
                self.written(&text, !is_home, wild, here);
            }
        } else {
            self.written(&target.text, target.is_fixed(), None, here);
        }
    }

    /// A file that is written to, if it is known; from `wild` on the name is not.
    fn written(&mut self, text: &str, is_known: bool, wild: Option<usize>, here: &[String]) {
        let is_known = is_known && (!self.is_lost || begins(text, "/~"));
        let known = up_to(text, wild.unwrap_or(text.len()));
        for base in here {
            let whole = if is_known { self.whole(base, known) } else { None };
            // What is behind `..` may be anything.
            let whole = whole
                .filter(|whole| wild.is_none() || !text.contains("..") && !whole.contains("/.."));
            // Behind a name `..` stays: it may be a link.
            let may_climb = !text.starts_with("..") || self.entered.first() != Some(base);
            let path = match whole {
                Some(whole) if wild.is_some() => {
                    let folder = if ends(&whole, "/") { "/" } else { "" };
                    [normal(&whole).trim_end_matches('/'), folder, "*"].concat()
                }
                Some(whole) if may_climb && whole.split('/').any(|part| part == "..") => whole,
                Some(whole) => normal(&whole),
                None => owned("*"),
            };
            if !is_device(&path) {
                keep(&mut self.request.writes, path, MAX_PATHS);
            }
        }
        // What is too much is not known.
        if self.request.writes.len() == MAX_PATHS {
            self.writes_any();
        }
    }

    /// Something runs that is not known: it may read and write any file.
    pub(super) fn unknown(&mut self) {
        self.star();
        self.writes_any();
    }

    fn writes_any(&mut self) {
        keep(&mut self.request.writes, owned("*"), usize::MAX);
    }

    /// A word: itself, the value of `NAME=VALUE` and of an option.
    pub(super) fn word(&mut self, word: &ShellWord, here: &[String], takes_files: bool) {
        let text = word.text.as_str();
        if word.expands {
            if let Some(texts) = self.expanded(word, here) {
                texts.iter().for_each(|text| self.value(text, word.splits, here));
                return;
            }
            let starts = |text: &str| begins(text, "~") || text.starts_with("..");
            let value = text.split_once('=').map(|(_, value)| value);
            let may_be_path = word.slash || starts(text) || value.is_some_and(starts);
            let is_file = takes_files && word.unknown && !begins(text, "-");
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
        if has_any(text, GLOB) && self.takes_no_folders {
            return;
        }
        let mut text = text.replace(GLOB, "");
        if splits && has_any(&text, " \t\n") {
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
        is_variable || word.text.starts_with("$1") || has_any(&word.text, "@")
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
        if begins(text, "-") {
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
        if self.is_read && self.request.reads.len() < MAX_PATHS {
            for base in here {
                let Some(path) = self.whole(base, text) else { continue };
                let reads = &mut self.request.reads;
                if let Err(at) = reads.binary_search(&path) {
                    reads.insert(at, path);
                }
            }
        }
        let mut known = text;
        if let Some(wild) = wild {
            if may_lead_out(text, wild) {
                return self.star();
            }
            let before = text.get(..wild).unwrap_or(text);
            known = up_to(before, before.rfind('/').map_or(0, |at| at + 1));
        }
        let goes_up = known.split('/').any(|part| part == "..");
        if self.is_lost && goes_up && !begins(known, "/~") {
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
                is_kept = keep(&mut self.request.climbs, whole, MAX_KEPT);
            }
            if wild.is_some()
                && let Some(glob) = self.whole(base, text)
            {
                let ShellRequest { globs, file_globs, .. } = &mut self.request;
                let globs = if self.takes_no_folders { file_globs } else { globs };
                is_kept &= keep(globs, glob, MAX_KEPT);
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
            text.strip_prefix("~+").filter(|rest| rest.is_empty() || begins(rest, "/"))
        {
            return (!self.is_lost && !self.variables.is_set("PWD")).then(|| [base, rest].concat());
        }
        if let Some(rest) = text.strip_prefix("/proc/") {
            // Of the shell, not of this process.
            let rest =
                rest.strip_prefix("self/cwd").filter(|rest| rest.is_empty() || begins(rest, "/"));
            return rest.filter(|_| !self.is_lost).map(|rest| [base, rest].concat());
        }
        if let Some(rest) = text.strip_prefix('~') {
            let is_home = rest.is_empty() || begins(rest, "/");
            let is_known = is_home && !self.variables.is_set("HOME");
            return is_known.then(|| [self.home, rest].concat());
        }
        let is_whole = begins(text, "/") || (has_drive(base) && has_drive(text));
        Some(if is_whole { owned(text) } else { [base, "/", text].concat() })
    }

    /// Notes a path that is not inside.
    pub(super) fn outside(&mut self, path: &str) {
        if is_device(path) || self.leads_to(path) || (self.is_inside)(path) {
            return;
        }
        if self.request.dirs.len() >= MAX_PATHS {
            return self.star();
        }
        add(&mut self.request.dirs, path);
    }

    #[inline(never)]
    pub(super) fn star(&mut self) {
        keep(&mut self.request.dirs, owned("*"), usize::MAX);
    }

    /// Was this directory found before?
    pub(crate) fn leads_to(&self, path: &str) -> bool {
        self.request.dirs.iter().any(|own| own == path)
    }
}

/// Is it no file, but what a command writes to anyway?
fn is_device(path: &str) -> bool {
    let is_below = |start: &&str| path.starts_with(*start) && !path.contains("/..");
    is_listed("/dev/null /dev/tty", path) || ["/dev/std", "/dev/fd/"].iter().any(is_below)
}

/// Keeps a path once; false if there are too many.
pub(super) fn keep(paths: &mut Vec<String>, path: String, most: usize) -> bool {
    let is_room = paths.len() < most;
    if is_room && !paths.contains(&path) {
        paths.push(path);
    }
    is_room
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// An absolute path without `.`, and without `..` by its letters.
fn normal(whole: &str) -> String {
    if !whole.contains("/.") && !whole.contains("//") && !ends(whole, "/") {
        return owned(whole);
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
    find_any(text, "*?[")
}
