//! The rules of the house that can be read off the source.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

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

fn all() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    assert!(found.len() > 15, "the source is where it was");
    let name = |p: &PathBuf| p.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|p| (name(p), fs::read_to_string(p).unwrap())).collect()
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
                assert!(gated || !line.contains(word), "src/{name}:{}: {word}", number + 1);
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
            assert!(!text.contains(word), "src/{name}: {word}");
        }
    }
}

/// The modules in the order of the data; each may use those before it.
const ORDER: &[&str] = &[
    "model",
    "json",
    "wire",
    "assemble",
    "validate",
    "loops",
    "recorder",
    "transcript",
    "convert",
];

#[test]
fn modules_use_only_those_to_their_left() {
    for (name, text) in all() {
        let Some(own) = ORDER.iter().position(|m| name.starts_with(&format!("{m}/"))) else {
            continue;
        };
        for later in &ORDER[own + 1..] {
            let uses = format!("crate::{later}");
            assert!(!text.contains(&uses), "src/{name} uses {uses}, which is to its right");
        }
    }
}

#[test]
fn nothing_is_left_open() {
    for (name, text) in all() {
        for word in ["TODO", "FIXME", "XXX", "unimplemented!", "todo!"] {
            assert!(!text.contains(word), "src/{name}: {word}");
        }
    }
}

#[test]
fn unsafe_code_is_forbidden() {
    let manifest = include_str!("../Cargo.toml");
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for lint in ["unwrap_used", "expect_used", "panic", "indexing_slicing", "string_slice"] {
        assert!(manifest.contains(&format!("{lint} = \"deny\"")), "{lint}");
    }
}

#[test]
fn the_versions_agree() {
    let package: serde_json::Value = serde_json::from_str(include_str!("../package.json")).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}
