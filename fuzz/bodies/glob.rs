//! Globs and ignore files, against a slow matcher of the grammar that was written apart.

use super::dice::Dice;
use apex_parts::tools::glob::{Glob, IgnoreFile, IgnoreKind, IgnoreStack, relative_pattern};
use std::collections::BTreeSet;

/// A pattern and a path, cut from the input, match as the grammar says; an error names a place in the
/// pattern; a file of lines says what its last line that matches says.
pub fn glob(data: &[u8]) {
    let mut dice = Dice::new(data);
    let (pattern, path) = data.split_at(dice.roll(data.len() + 1));
    let pattern = String::from_utf8_lossy(pattern);
    let path =
        if dice.roll(2) == 0 { named(&pattern) } else { String::from_utf8_lossy(path).into() };
    for literal in [false, true] {
        let read = if literal { Glob::literal(&pattern) } else { Glob::new(&pattern) };
        match read {
            Ok(glob) => {
                let wanted = defined(&pattern, &path, literal);
                assert_eq!(glob.matches(&path), wanted, "{pattern:?} {path:?} {literal}");
                assert!(glob.matches(&path) || !glob.lists(&path));
                assert!(!(literal && glob.has_class()));
            }
            Err(error) => assert!(pattern.is_char_boundary(error.at), "{pattern:?} {error}"),
        }
    }
    let _ = Glob::new(&relative_pattern(&pattern, "/a"));
    let text = String::from_utf8_lossy(data);
    let file = IgnoreFile::parse(&text);
    let is_directory = dice.roll(2) == 0;
    let lines = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let of_line =
        |line: &str| IgnoreFile::parse(&format!("\n{line}")).decision(&path, is_directory);
    let decision = lines.rsplit('\n').find_map(of_line);
    assert_eq!(file.decision(&path, is_directory), decision, "{text:?} {path:?}");
    let mut stack = IgnoreStack::default();
    stack.add("", IgnoreKind::Git, file);
    let is_ignored = stack.is_ignored(&path, is_directory);
    assert!(path.starts_with('/') || is_ignored == (decision == Some(true)), "{text:?} {path:?}");
}

/// A path that the pattern may match.
fn named(pattern: &str) -> String {
    let path = pattern.trim_start_matches(['!', '/']).replace("**", "a/b").replace('*', "aa");
    path.replace('?', "b").chars().filter(|c| !"{}[]\\".contains(*c)).collect()
}

enum Part {
    Char(char),
    One,
    Star,
    Stars,
    Folders,
    Class(bool, Vec<(char, char)>),
    Group(Vec<Vec<Part>>),
}

fn defined(pattern: &str, path: &str, literal: bool) -> bool {
    let pattern = if pattern.is_empty() { "**" } else { pattern };
    let behind = pattern.strip_prefix('!');
    let line = behind.unwrap_or(pattern);
    let (line, is_anchored) = (line.strip_prefix('/').unwrap_or(line), line.starts_with('/'));
    let is_for_files = !line.ends_with('/');
    let line = line.strip_suffix('/').map_or(line, |l| l.strip_suffix('\\').unwrap_or(l));
    let chars: Vec<char> = line.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, literal };
    let mut parts = reader.sequence(false);
    if !is_anchored && !line.contains('/') && line != "**" {
        parts.insert(0, Part::Folders);
    }
    if line.ends_with("/**") {
        parts.push(Part::One);
    }
    let path: Vec<char> = path.chars().collect();
    let found = is_for_files && ends(&parts, BTreeSet::from([0]), &path).contains(&path.len());
    found != behind.is_some()
}

/// Where matches of the parts end that begin at one of these places.
fn ends(parts: &[Part], mut places: BTreeSet<usize>, path: &[char]) -> BTreeSet<usize> {
    for part in parts {
        let one = |at: usize, fits: &dyn Fn(char) -> bool| -> Vec<usize> {
            path.get(at).filter(|c| fits(**c)).map(|_| at + 1).into_iter().collect()
        };
        let from = |at: usize| -> Vec<usize> {
            match part {
                Part::Char(own) => one(at, &|c| c == *own),
                Part::One => one(at, &|c| c != '/'),
                Part::Class(negated, ranges) => one(at, &|c| {
                    c != '/' && ranges.iter().any(|(a, z)| (*a..=*z).contains(&c)) != *negated
                }),
                Part::Star => {
                    let run = path[at..].iter().take_while(|c| **c != '/').count();
                    (at..=at + run).collect()
                }
                Part::Stars => (at..=path.len()).collect(),
                Part::Folders => {
                    let behind = (at + 1..=path.len()).filter(|end| path[end - 1] == '/');
                    std::iter::once(at).chain(behind).collect()
                }
                Part::Group(all) => {
                    all.iter().flat_map(|one| ends(one, BTreeSet::from([at]), path)).collect()
                }
            }
        };
        places = places.into_iter().flat_map(from).collect();
    }
    places
}

/// Reads a pattern that is known to be one.
struct Reader<'c> {
    chars: &'c [char],
    at: usize,
    literal: bool,
}

impl Reader<'_> {
    fn sequence(&mut self, in_group: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        while let Some(c) = self.chars.get(self.at).copied() {
            if in_group && (c == ',' || c == '}') {
                break;
            }
            self.at += 1;
            parts.push(match c {
                '?' => Part::One,
                '*' => self.star(parts.is_empty(), in_group),
                '[' if !self.literal => self.class(),
                '{' => {
                    let mut all = vec![self.sequence(true)];
                    while self.chars[self.at] == ',' {
                        self.at += 1;
                        all.push(self.sequence(true));
                    }
                    self.at += 1;
                    Part::Group(all)
                }
                '\\' => {
                    self.at += 1;
                    Part::Char(self.chars[self.at - 1])
                }
                c => Part::Char(c),
            });
        }
        parts
    }

    /// Two stars cross folders between `/`, the start and the end of the pattern (or of the alternative).
    fn star(&mut self, is_first: bool, in_group: bool) -> Part {
        if self.chars.get(self.at) != Some(&'*') {
            return Part::Star;
        }
        self.at += 1;
        let before = self.at.checked_sub(3).and_then(|at| self.chars.get(at));
        let is_open = is_first || before == Some(&'/');
        match self.chars.get(self.at) {
            Some('/') if is_open => {
                self.at += 1;
                Part::Folders
            }
            None if is_open => Part::Stars,
            Some(',' | '}') if in_group && !is_first && is_open => Part::Stars,
            _ => Part::Star,
        }
    }

    fn class(&mut self) -> Part {
        let negated = matches!(self.chars.get(self.at), Some('!' | '^'));
        self.at += usize::from(negated);
        // What stands in it: a character, and whether it is a bare `-`.
        let mut items: Vec<(char, bool)> = Vec::new();
        while items.is_empty() || self.chars[self.at] != ']' {
            let mut c = self.chars[self.at];
            let is_dash = c == '-';
            if c == '\\' {
                self.at += 1;
                c = self.chars[self.at];
            }
            items.push((c, is_dash));
            self.at += 1;
        }
        self.at += 1;
        let mut ranges = Vec::new();
        let mut at = 0;
        while at < items.len() {
            match (items.get(at + 1), items.get(at + 2)) {
                (Some((_, true)), Some((last, _))) => {
                    ranges.push((items[at].0, *last));
                    at += 3;
                }
                _ => {
                    ranges.push((items[at].0, items[at].0));
                    at += 1;
                }
            }
        }
        Part::Class(negated, ranges)
    }
}
