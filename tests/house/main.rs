//! Rules for the source of the crates, checked in its text.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod docs;
mod imports;
mod lengths;
mod outside;
mod part_numbers;

use imports::{Imports, circles};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    apex_parts_fixtures::root()
}

/// The folders of the workspace's crates but for that of the fixtures, which only tests use.
fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir() && !folder.ends_with("fixtures"));
    assert!(folders.len() > 10, "the crates are where they were");
    folders.sort_unstable();
    folders
}

/// The sources: `loops/detector.rs` for that of a crate, `wasm/handle.rs` for that of the package itself.
fn all() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut add = |folder: &Path, prefix: &str| {
        let mut found = Vec::new();
        sources(folder, &mut found);
        for path in found {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            texts.push((format!("{prefix}{name}"), fs::read_to_string(path).unwrap()));
        }
    };
    for folder in crates() {
        let name = folder.file_name().unwrap().to_string_lossy();
        add(&folder.join("src"), &format!("{name}/"));
    }
    add(&root().join("src"), "");
    assert!(texts.len() > 500, "the source is where it was");
    texts
}

#[test]
fn core_knows_no_javascript() {
    for (name, text) in all() {
        if name.starts_with("wasm/") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            // A Tsify derive, target-gated, is the one exception.
            let gated = line.contains("cfg_attr(target_arch = \"wasm32\"")
                || line.trim_start().starts_with("//");
            for word in ["wasm_bindgen", "js_sys", "web_sys", "JsValue"] {
                assert!(gated || !line.contains(word), "{name}:{}: {word}", number + 1);
            }
        }
    }
}

#[test]
fn core_has_no_ambient_inputs() {
    for (name, text) in all() {
        if name.starts_with("wasm/") || name.contains("tests") {
            continue;
        }
        for word in ["SystemTime", "Instant::now", "getrandom", "rand::", "println!", "std::env::"]
        {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn every_crate_is_made_as_the_others() {
    for folder in crates() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let text = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
        let manifest = text("Cargo.toml");
        assert!(manifest.contains("[lints]\nworkspace = true\n"), "{name}: the lints");
        assert!(manifest.contains(&format!("name = \"apex-parts-{name}\"\n")), "{name}: its name");
        // The example of the README runs as a test, because the README is the documentation of the crate.
        assert!(text("README.md").contains("```rust\n"), "{name}: an example in its README");
        let head = "#![doc = include_str!(\"../README.md\")]\n";
        assert!(text("src/lib.rs").starts_with(head), "{name}: the README as its documentation");
    }
}

/// The sources without tests.
fn code() -> Vec<(String, String)> {
    all()
        .into_iter()
        .filter(|(name, _)| !name.contains("tests") && !name.contains("made_up"))
        .collect()
}

#[test]
fn there_are_no_circles_of_imports() {
    let found = circles(&Imports::of(&code()).edges());
    let words: Vec<_> = found
        .iter()
        .map(|circle| circle.iter().map(|file| file.join("::")).collect::<Vec<_>>().join(" ↔ "))
        .collect();
    assert!(words.is_empty(), "files that use each other in a circle:\n{}", words.join("\n"));
}

/// Names that two types may have, and why.
const NAMESAKES: &[&str] = &[
    // The class for JavaScript wraps the core's type of that name.
    "Transcript",
];

#[test]
fn type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, text) in code() {
        for line in text.lines() {
            let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            // Only declarations at the top level of the file.
            let own = ["pub ", "pub(crate) ", "struct ", "enum ", "trait ", "type ", "union "];
            if !own.iter().any(|word| line.starts_with(word)) {
                continue;
            }
            let kinds = ["struct", "enum", "trait", "type", "union"];
            let at = words.iter().take(4).position(|word| kinds.contains(word));
            if let Some(found) = at.and_then(|at| words.get(at + 1)).filter(|w| !w.is_empty()) {
                places.entry((*found).to_owned()).or_default().push(name.clone());
            }
        }
    }
    assert!(places.len() > 100);
    places.retain(|name, places| places.len() > 1 && !NAMESAKES.contains(&name.as_str()));
    assert!(places.is_empty(), "one name for several types: {places:?}");
}

#[test]
fn there_are_no_open_tasks() {
    for (name, text) in all() {
        for word in ["TODO", "FIXME", "XXX", "unimplemented!", "todo!"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn unsafe_code_is_forbidden() {
    let manifest = include_str!("../../Cargo.toml");
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for lint in ["unwrap_used", "expect_used", "panic", "indexing_slicing", "string_slice"] {
        assert!(manifest.contains(&format!("{lint} = \"deny\"")), "{lint}");
    }
}

#[test]
fn the_versions_agree() {
    let package: serde_json::Value =
        serde_json::from_str(include_str!("../../package.json")).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}
