//! Walks through folders in which links are followed, and lists of names: `grep -R`, `find -exec cat {}`, `tar -T`.

use super::analysis::{Analysis, NamedWords};
use super::letters::{begins, has_any, is_listed, rest_of, until};
use super::parser::{Script, SimpleCommand};
use super::paths::{FILE_COMMANDS, READERS};
use super::places::{Places, keep};
use super::renames::makes_link;
use super::word::{ShellWord, rest_words};

/// The most folders that are walked.
const MAX_WALKS: usize = 32;
/// Names, the groups of letters and long options, and the letters and long options against it.
type Follower = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// Programs that follow links: letters of which each list must have one, long options for the same, and letters and
/// long options by which they do not.
const FOLLOWING: &[Follower] = &[
    ("grep egrep fgrep", &[("R", "--dereference-recursive")], ""),
    ("find gfind", &[("L", "-follow")], ""),
    ("rg fd fdfind", &[("L", "--follow")], ""),
    ("du", &[("L", "--dereference")], ""),
    ("tree", &[("l", "")], ""),
    ("rsync", &[("Lk", "--copy-links --copy-dirlinks --copy-unsafe-links")], ""),
    ("tar gtar bsdtar", &[("hL", "--dereference")], ""),
    ("ls dir vdir", &[("L", "--dereference"), ("R", "--recursive")], ""),
    ("cp", &[("L", "--dereference"), ("rRa", "--recursive --archive")], ""),
    ("zip", &[("r", "--recurse-paths")], "y --symlinks"),
];
/// Programs that take a list of names from a file, and the options for it.
const LISTS: &[(&str, &str)] = &[
    ("sort wc du find gfind", "--files0-from -files0-from"),
    ("tar gtar bsdtar", "-T --files-from"),
    ("rsync", "--files-from"),
    ("xargs", "-a --arg-file"),
    ("cpio", "-o --create -p --pass-through"),
];
/// Programs that do not open what they are given.
const CLOSED: &str = "rm rmdir unlink readlink stat mv mkdir basename dirname";

/// Does it open what it is given?
fn is_opener(name: &str) -> bool {
    (is_listed(FILE_COMMANDS, name) || is_listed(READERS, name)) && !is_listed(CLOSED, name)
}

/// The letters of a word of short options.
fn cluster(word: &ShellWord) -> Option<&str> {
    word.text.strip_prefix('-').filter(|rest| !begins(rest, "-") && rest.len() < 8)
}

/// Does a program with these words follow links?
fn follows(name: &str, words: &[ShellWord]) -> bool {
    let has = |letters: &str, long: &str| {
        let mut rest = words.iter().enumerate().skip(1);
        rest.any(|(at, word)| {
            let is_bundle = at == 1 && name.ends_with("tar") && !begins(&word.text, "-");
            let letters_here = if is_bundle { Some(word.text.as_str()) } else { cluster(word) };
            letters_here.is_some_and(|own| has_any(own, letters)) || word.is(long)
        })
    };
    FOLLOWING.iter().filter(|(names, ..)| is_listed(names, name)).any(|(_, all, none)| {
        let (letters, long) = none.split_once(' ').unwrap_or_default();
        all.iter().all(|(letters, long)| has(letters, long)) && !has(letters, long)
    })
}

impl Places<'_> {
    /// The walks and lists of a command; `piped` is the one whose output it gets.
    #[inline(never)]
    pub(super) fn walks(
        &mut self,
        command: &SimpleCommand,
        analysis: &Analysis,
        piped: Option<(&SimpleCommand, &Analysis)>,
        here: &[String],
    ) {
        for (at, frame) in analysis.frames.iter().enumerate() {
            let words = frame.words_of(command);
            let name = frame.name.as_str();
            if follows(name, words) {
                self.walk(name, words, "l-", here);
            }
            self.list(name, words, command, here);
            let inner = analysis.frames.get(at + 1..).unwrap_or_default();
            let opens = inner.iter().any(|frame| is_opener(&frame.name));
            match name {
                "find" | "gfind" | "fd" | "fdfind" if opens && !finds_no_links(words) => {
                    self.walk(name, words, "l-", here);
                }
                "xargs" if inner.iter().any(takes_files) => {
                    let end = inner.first().map_or(words.len(), |frame| frame.words.start);
                    let own = command.words.get(frame.words.start..end).unwrap_or_default();
                    self.through_xargs(own, opens, piped, here);
                }
                _ => {}
            }
        }
    }

    /// `find … | xargs PROGRAM`
    fn through_xargs(
        &mut self,
        options: &[ShellWord],
        opens: bool,
        piped: Option<(&SimpleCommand, &Analysis)>,
        here: &[String],
    ) {
        let finder = piped.and_then(|(command, analysis)| match analysis.frames.as_slice() {
            [frame] if is_listed("find gfind", &frame.name) => {
                command.words.get(frame.words.clone())
            }
            _ => None,
        });
        let is_odd =
            |word: &ShellWord| word.text.starts_with("-printf") || word.text.starts_with("-f");
        let Some(finder) = finder.filter(|words| !words.iter().any(is_odd)) else {
            return self.star();
        };
        let has_null = options.iter().skip(1).any(|word| {
            let letters = cluster(word).map(|own| own.trim_start_matches(['r', 't', 'x', 'p']));
            word.is("--null") || letters.is_some_and(|own| begins(own, "0"))
        });
        let is_split = !has_null || finder.iter().all(|word| word.text != "-print0");
        let has_links = opens && !finds_no_links(finder);
        match (has_links, is_split) {
            (true, true) => self.walk("find", finder, "ln", here),
            (true, false) => self.walk("find", finder, "l-", here),
            (false, true) => self.walk("find", finder, "-n", here),
            (false, false) => {}
        }
    }

    /// Names that a program takes from a list.
    #[inline(never)]
    fn list(&mut self, name: &str, words: &[ShellWord], command: &SimpleCommand, here: &[String]) {
        let options = LISTS.iter().find(|(names, _)| is_listed(names, name));
        let Some((_, options)) = options else { return };
        for option in options.split(' ') {
            let is_there = |word: &ShellWord| {
                let text = word.text.as_str();
                let is_short = option.len() == 2;
                let letter = rest_of(option, 1);
                let is_long = until(text, "=") == option;
                let in_cluster = is_short && cluster(word).is_some_and(|own| has_any(own, letter));
                if is_short { in_cluster } else { is_long }
            };
            let Some(at) = words.iter().position(is_there) else { continue };
            // The list itself is in the text.
            let given =
                words.get(at).and_then(|word| word.text.split_once('=')).map(|(_, value)| value);
            let given = given.or_else(|| words.get(at + 1).map(|word| word.text.as_str()));
            let is_input = name == "cpio" || given == Some("-");
            match command.input.as_ref().filter(|input| is_input && input.is_literal) {
                Some(input) => {
                    for line in input.text.split(['\n', '\0']).filter(|line| !line.is_empty()) {
                        self.path(line, None, here);
                    }
                }
                None => self.star(),
            }
        }
    }

    /// Notes the folders that a program goes through: `kind` tells what in them counts, links (`l`) and names that are
    /// split into words (`n`).
    fn walk(&mut self, name: &str, words: &[ShellWord], kind: &str, here: &[String]) {
        let words = rest_words(words, 1);
        let is_option = |word: &ShellWord| begins(&word.text, "-") && word.text.len() > 1;
        let mut roots: Vec<&ShellWord> = Vec::new();
        match name {
            "find" | "gfind" => {
                let is_global =
                    |word: &&ShellWord| word.is("-L -H -P") || word.text.starts_with("-O");
                let is_test = |word: &ShellWord| is_option(word) || word.is("( ) ! ,");
                let rest = words.iter().skip_while(is_global);
                roots.extend(rest.take_while(|word| !is_test(word)));
            }
            _ => roots.extend(words.iter().filter(|word| !begins(&word.text, "-"))),
        }
        let has_pattern = |word: &ShellWord| {
            is_listed("--regexp --file", until(&word.text, "="))
                || cluster(word).is_some_and(|own| has_any(own, "ef"))
        };
        let is_search = is_listed("grep egrep fgrep rg fd fdfind", name);
        if is_search && !roots.is_empty() && !words.iter().any(has_pattern) {
            roots.remove(0);
        }
        if name == "cp" {
            roots.pop();
        }
        let cwd = ShellWord::plain(".");
        if roots.is_empty() {
            roots.push(&cwd);
        }
        if self.is_lost {
            return self.star();
        }
        for root in roots {
            let Some(texts) = self.texts(root, here) else { return self.star() };
            for base in here {
                for text in &texts {
                    let Some(path) = self.resolved(base, text) else { return self.star() };
                    let walk = [kind, &path].concat();
                    if !keep(&mut self.request.walks, walk, MAX_WALKS) {
                        return self.star();
                    }
                    self.last_walk = self.at.command();
                }
            }
        }
    }

    /// A walk through what the same text makes may meet links that are not there yet.
    pub(super) fn after_makers(
        &mut self,
        script: &Script,
        analyses: &[Analysis],
        is_made_within: bool,
    ) {
        if self.request.walks.is_empty() {
            return;
        }
        let own = script.commands.iter().zip(analyses).enumerate();
        let walks = |command: &SimpleCommand, frame: &NamedWords| {
            follows(&frame.name, frame.words_of(command))
        };
        // What comes later does not matter, unless it comes again.
        let last = if script.repeats { usize::MAX } else { self.last_walk };
        let mut own = own.take_while(|(at, _)| *at <= last);
        let makes = own.any(|(_, (command, analysis))| {
            analysis.frames.iter().any(|frame| makes_link(&frame.name) && !walks(command, frame))
        });
        if makes || is_made_within {
            self.star();
        }
    }
}

/// May a program that gets more words open files of these names?
fn takes_files(frame: &NamedWords) -> bool {
    is_listed(FILE_COMMANDS, &frame.name) || is_listed(READERS, &frame.name)
}

/// Does `find` with these words give no links?
fn finds_no_links(words: &[ShellWord]) -> bool {
    let place = |is: &dyn Fn(&str) -> bool| words.iter().position(|word| is(&word.text));
    let typed = words
        .windows(2)
        .position(|pair| matches!(pair, [option, kind] if option.is("-type") && kind.is("f d")));
    let acts = place(&|text| {
        text.starts_with("-print") || text.starts_with("-exec") || text.starts_with("-ok")
    });
    let is_open = place(&|text| is_listed("-o -or -not ! , -L -follow -H", text)).is_some();
    let is_fixed = words.iter().all(ShellWord::is_literal);
    !is_open && is_fixed && typed.is_some_and(|typed| acts.is_none_or(|acts| typed < acts))
}
