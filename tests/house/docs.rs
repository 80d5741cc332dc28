//! Every file and function that the maps of the code name must exist.

use std::fs;

const MAPS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md"];
const FOLDERS: &[&str] =
    &["src/", "crates/", "js/", "ts/", "www/", "tests/", "fuzz/", "scripts/", "docs/"];

/// The words of a page between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).filter(|word| !word.contains('\n')).collect()
}

fn page(name: &str) -> String {
    let text = fs::read_to_string(crate::root().join(name)).unwrap();
    // Blocks of code are pictures here.
    text.split("```").step_by(2).collect()
}

#[test]
fn every_path_in_the_maps_exists() {
    for map in MAPS {
        let text = page(map);
        let paths: Vec<_> = quoted(&text)
            .into_iter()
            .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
            .filter(|word| !word.contains("NAME"))
            .collect();
        assert!(paths.len() > 20, "{map}");
        for path in paths {
            assert!(crate::root().join(path).exists(), "{map} names {path}, which is not there");
        }
    }
}

/// For each "`name` in `path`", the file declares the name.
#[test]
fn every_function_in_the_maps_is_where_they_say() {
    let mut count = 0;
    for map in MAPS {
        let text = page(map).split_whitespace().collect::<Vec<_>>().join(" ");
        for (at, _) in text.match_indices("` in `") {
            let name = text[..at].rsplit('`').next().unwrap();
            let path = text[at + 6..].split('`').next().unwrap();
            if !FOLDERS.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            let source = fs::read_to_string(crate::root().join(path)).unwrap_or_default();
            let declared = ["fn ", "function ", "class ", "const ", "struct ", "trait "]
                .iter()
                .any(|word| source.contains(&format!("{word}{name}")));
            assert!(declared, "{map} says that `{name}` is in {path}");
            count += 1;
        }
    }
    assert!(count > 12, "{count}");
}

#[test]
fn the_maps_are_short() {
    for (map, most) in [("ARCHITECTURE.md", 150), ("CONTRIBUTING.md", 80)] {
        let lines = fs::read_to_string(crate::root().join(map)).unwrap().lines().count();
        assert!(lines <= most, "{map} has {lines} lines, of {most}");
    }
}
