//! Nothing reads what is beside the checkout, and no comment cites what is not in it: a clone at any place is whole.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose files are read by programs and people.
const FOLDERS: &[&str] = &[
    "benches", "crates", "docs", "examples", "fuzz", "js", "scripts", "src", "tests", "ts",
    "www/src",
];

/// Says what `.ci/run` finds beside the checkout.
const BUILDING: &str = "docs/building.md";

/// Files that hold recorded or generated text, and this one.
const LEFT_OUT: &[&str] = &["tests/fixtures/", "fuzz/target/", "tests/house/outside.rs", BUILDING];

/// The page that says where each requirement is, and its test. What a requirement asks is written beside its id.
const REQUIREMENTS: &[&str] = &["docs/seeds.md", "tests/package/seeds.test.mjs"];

/// What comes before a path that is read, where a path is not relative to the file that has it.
const FROM_THE_ROOT: &[&str] =
    &["at(\"", "root().join(\"", "CARGO_MANIFEST_DIR\"), \"/", "CARGO_MANIFEST_DIR\")).join(\""];

/// What comes before a path that is read, where it is relative to the file.
const FROM_THE_FILE: &[&str] = &[
    "new URL(\"",
    "from \"",
    "import(\"",
    "require(\"",
    "include_str!(\"",
    "include_bytes!(\"",
    "#[path = \"",
];

/// Files whose function `at` begins in their own folder.
const HAS_OWN_AT: &[&str] = &["examples/live-page/server.mjs", "tests/viewer/unit/house.test.mjs"];

/// Words of documents that are not in the repository.
const ABSENT: &[&str] =
    &["/shared/recorded", "/shared/vectors", "/shared/spec", "/shared/seeds", "shared/apex-bridge"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| {
            ["rs", "mjs", "cjs", "ts", "tsx", "md", "toml"].iter().any(|known| ending == *known)
        }) {
            found.push(path);
        }
    }
}

/// Every text file of these folders: its path from the root, and its text.
fn texts() -> Vec<(String, String)> {
    let root = crate::root();
    let mut found = Vec::new();
    for folder in FOLDERS {
        files(&root.join(folder), &mut found);
    }
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    let texts = found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap()));
    let texts: Vec<_> =
        texts.filter(|(name, _)| !LEFT_OUT.iter().any(|left| name.starts_with(left))).collect();
    assert!(texts.len() > 500, "the files are where they were");
    texts
}

/// How many folders above where it starts a path leads, at its highest.
fn climbs(path: &str) -> usize {
    let (mut depth, mut highest) = (0_isize, 0_isize);
    for step in path.split('/') {
        depth += match step {
            ".." => -1,
            "" | "." => 0,
            _ => 1,
        };
        highest = highest.min(depth);
    }
    highest.unsigned_abs()
}

/// The strings in a line that begin behind one of these words.
fn paths<'a>(line: &'a str, before: &[&str]) -> Vec<&'a str> {
    let places =
        before.iter().flat_map(|word| line.match_indices(word).map(|(at, _)| at + word.len()));
    places.map(|at| line[at..].split('"').next().unwrap()).collect()
}

/// Asserts of each line of each file that `fault` finds nothing wrong in it.
fn assert_lines(fault: impl Fn(&str, &str) -> bool, what: &str) {
    let texts = texts();
    let lines = texts.iter().flat_map(|(name, text)| {
        text.lines().enumerate().map(move |(number, line)| (name, number + 1, line))
    });
    let wrong = lines.filter(|(name, _, line)| fault(name, line));
    let wrong: Vec<_> =
        wrong.map(|(name, number, line)| format!("{name}:{number}: {line}")).collect();
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn nothing_reads_above_the_checkout() {
    let leads_out = |name: &str, line: &str| {
        let depth = name.matches('/').count();
        // Some files have an `at` that begins in their own folder.
        // The manifest of a crate is two folders below the root.
        let from = match name {
            name if HAS_OWN_AT.contains(&name) => depth,
            name if name.starts_with("crates/") => 2,
            _ => 0,
        };
        paths(line, FROM_THE_ROOT).iter().any(|path| climbs(path) > from)
            || paths(line, FROM_THE_FILE).iter().any(|path| climbs(path) > depth)
    };
    assert_lines(leads_out, "paths above the checkout");
}

/// Does a requirement's id stand here, such as FR-1?
fn has_requirement(line: &str) -> bool {
    ["FR-", "P0-"].iter().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].bytes().next_back();
            !before.is_some_and(|byte| byte.is_ascii_alphanumeric())
                && line[at + 3..].starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Does a page `spec/NAME.md` or a numbered requirement document stand here?
fn has_page(line: &str) -> bool {
    let ends = [' ', ')', '`', ',', '"'];
    let is_page =
        |at: usize| line[at..].split(ends).next().unwrap().trim_end_matches('.').ends_with(".md");
    let is_number = |at: usize| line[at + 6..].bytes().take_while(u8::is_ascii_digit).count() == 2;
    line.match_indices("spec/").any(|(at, _)| is_page(at))
        || line.match_indices("seed 0").any(|(at, _)| is_number(at))
}

#[test]
fn what_is_cited_is_in_the_repository() {
    let is_absent = |name: &str, line: &str| {
        ABSENT.iter().any(|word| line.contains(word))
            || (has_requirement(line) && !REQUIREMENTS.contains(&name))
            || has_page(line)
    };
    assert_lines(is_absent, "what is not in the repository");
}

#[test]
fn a_path_climbs_as_far_as_it_leads() {
    for (path, steps) in
        [("a/b", 0), ("../a", 1), ("a/../b", 0), ("a/../../b", 1), ("./../../x", 2), ("", 0)]
    {
        assert_eq!(climbs(path), steps, "{path}");
    }
    assert_eq!(paths("new URL(\"../a\", x)", FROM_THE_FILE), ["../a"]);
    assert!(
        has_page("as in spec/loops.md.")
            && has_page("seed 004")
            && !has_page("seed 0, spec/parts.rs")
    );
    assert!(has_requirement("(FR-22)") && !has_requirement("NFR-07 is none, nor is UTF-8"));
}
