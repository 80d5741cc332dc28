//! Globs against the recorded calls, and ignore files against git, where it is installed.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use apex_parts_tools::glob::{Glob, IgnoreFile, IgnoreKind, IgnoreStack, is_skipped};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DIRECTORY: &str = "/home/dev/demo/";

/// The files of the recorded workspace, by the text of the program that writes it.
fn workspace(program: &str) -> BTreeSet<String> {
    let mut files: BTreeSet<String> = program
        .split("put('")
        .skip(1)
        .map(|rest| rest.split('\'').next().unwrap().into())
        .collect();
    files.extend((0..130).map(|i| format!("many/f{i:03}.txt")));
    assert!(files.len() > 180 && files.contains("[id].ts"));
    files
}

/// What a walk of the glob tool lists.
fn list(files: &BTreeSet<String>, folder: &str, glob: &Glob) -> BTreeSet<String> {
    let mut stack = IgnoreStack::default();
    let text = "dist/\nnode_modules/\n*.log\n";
    stack.add("", IgnoreKind::Git, IgnoreFile::parse(text));
    let is_taken = |path: &&String| {
        let Some(inner) = path.strip_prefix(folder) else { return false };
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_entered = |folder: &str| {
            let name = folder.rsplit('/').next().unwrap();
            !is_skipped(name, true, false) && !stack.is_ignored(folder, true)
        };
        folders.clone().all(is_entered) && !stack.is_ignored(path, false) && glob.lists(inner)
    };
    files.iter().filter(is_taken).cloned().collect()
}

/// Recorded calls that are decided otherwise: (id, the sentence).
const OTHERWISE: &[(&str, &str)] = &[
    ("glob-bad-class", "Bad pattern → error naming the place"),
    ("glob-bad-brace", "Bad pattern → error naming the place"),
    ("glob-abs-pattern", "An absolute pattern under the directory is made relative"),
    ("glob-brackets-literal", "also matches itself literally when the class finds nothing"),
];

#[test]
fn recorded_globs_find_the_same_files() {
    let text =
        |name| String::from_utf8(apex_parts_fixtures::recorded::file("tools", name)).unwrap();
    let (cases, files) = (text("cases.json"), workspace(&text("make-workspace.mjs")));
    // One case a line. Some have half characters, which serde_json refuses; none of those is a glob.
    let cases = cases.lines().map(|line| line.trim_end_matches(','));
    let cases: Vec<Value> = cases.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["tool"] == "glob") {
        let id = case["id"].as_str().unwrap();
        let (pattern, output) = (&case["args"]["pattern"], &case["state"]["output"]);
        let (Some(pattern), Some(output)) = (pattern.as_str(), output.as_str()) else { continue };
        let path = case["args"]["path"].as_str().unwrap_or("");
        if OTHERWISE.iter().any(|(other, _)| *other == id) || path.contains("outside") {
            continue;
        }
        let path = path.strip_prefix(DIRECTORY).unwrap_or(path);
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        let ours = list(&files, &folder, &Glob::new(pattern).unwrap());
        let theirs: BTreeSet<String> = output
            .lines()
            .filter_map(|line| line.strip_prefix(DIRECTORY))
            .map(str::to_owned)
            .collect();
        if output.contains("truncated") {
            assert!(ours.len() > theirs.len() && theirs.is_subset(&ours), "{id}");
        } else {
            assert_eq!(ours, theirs, "{id}");
        }
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}

/// A random generator (xorshift) with a fixed seed.
struct Random(u64);

impl Random {
    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        all[(self.0 % all.len() as u64) as usize]
    }

    fn line(&mut self) -> String {
        let count = self.of(&["1", "2", "3", "4", "5"]).parse().unwrap();
        let pieces = [
            "a", "b", "a", "/", "*", "?", "**/", "/**", "/**/", "[ab]", "[!a]", "[^b-c]", "[]a]",
            "\\a", "\\*", ".", "c", "[a-]", "\\ ",
        ];
        let line: String = (0..count).map(|_| self.of(&pieces)).collect();
        let front = self.of(&["", "", "", "!", "/", "!/", "#", "\\#", "\\!"]);
        [front, &line, self.of(&["", "", "", "/", " ", "  ", "\\ ", "/**"])].concat()
    }
}

/// The ignored paths as git says.
fn git(folder: &Path, paths: &[&str]) -> BTreeSet<String> {
    let mut child = Command::new("git")
        .args(["check-ignore", "--no-index", "-z", "--stdin"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(paths.join("\0").as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap().stdout;
    let text = String::from_utf8(output).unwrap();
    text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

#[test]
fn ignore_files_mean_what_git_says() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check-ignore");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    let is_there = Command::new("git").args(["init", "-q"]).current_dir(&folder).status();
    if !is_there.is_ok_and(|status| status.success()) {
        eprintln!("note: git is not there; ignore files are not compared with it");
        return;
    }
    let names = ["a", "b", "c", "ab", "a b", "#a", "!a", "*", "]", ".", "a.c", "ca", "aa", "a "];
    let names = names.iter().filter(|name| **name != ".");
    let mut tree: BTreeMap<String, bool> = BTreeMap::new();
    for name in names.clone() {
        tree.insert((*name).to_owned(), false);
        for top in ["da", "b-", "-", "bb"] {
            tree.insert(top.to_owned(), true);
            tree.insert(format!("{top}/{name}"), false);
            tree.insert(format!("{top}/cb"), true);
            tree.insert(format!("{top}/cb/{name}"), false);
        }
    }
    for (path, is_directory) in &tree {
        if *is_directory {
            fs::create_dir_all(folder.join(path)).unwrap();
        } else {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }
    let paths: Vec<&str> = tree.keys().map(String::as_str).collect();
    let mut random = Random(0x5eed_0001);
    for round in 0..400 {
        let mut stack = IgnoreStack::default();
        let mut texts = Vec::new();
        for below in ["", "da", "bb/cb"] {
            let count = random.of(&["1", "2", "3", "5"]).parse().unwrap();
            // Three stars are `**` for git and `*` for ripgrep.
            let lines = (0..count).map(|_| random.line().replace("***", "*"));
            let lines: Vec<String> = lines.map(|line| line.replace("***", "*")).collect();
            let text = lines.join(random.of(&["\n", "\r\n"]));
            fs::write(folder.join(below).join(".gitignore"), &text).unwrap();
            stack.add(below, IgnoreKind::Git, IgnoreFile::parse(&text));
            texts.push(text);
        }
        let is_ignored = |path: &str| {
            let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
            folders.clone().any(|folder| stack.is_ignored(folder, true))
                || stack.is_ignored(path, tree[path])
        };
        let ours: BTreeSet<String> =
            paths.iter().filter(|path| is_ignored(path)).map(|path| (*path).to_owned()).collect();
        assert_eq!(ours, git(&folder, &paths), "round {round}: {texts:?}");
    }
}
