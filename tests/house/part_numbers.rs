//! The numbers of part types in the columns of rows, stated for their readers, are those of the table of parts.

use apex_parts::model::spec::PARTS;
use std::fs;
use std::path::Path;

#[test]
fn the_layout_names_the_numbers_of_part_types() {
    let listed: Vec<_> =
        PARTS.iter().map(|row| format!("{} {}", row.code, row.word.as_str())).collect();
    let listed = format!("The type of each part: {}, 255 other.", listed.join(", "));
    assert!(include_str!("../../src/wasm/types/transcripts.d.ts").contains(&listed), "{listed}");
}

/// Adds the texts of all TypeScript files below a folder.
fn typescript(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            typescript(&path, texts);
        } else if path.extension().is_some_and(|e| e == "ts") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn the_viewer_has_the_numbers_of_part_types() {
    let viewer = crate::root().join("www/src");
    if !viewer.exists() {
        return; // the published crate does not contain the viewer
    }
    let mut texts = Vec::new();
    typescript(&viewer, &mut texts);
    let lists: Vec<&str> = texts
        .iter()
        .filter_map(|text| text.split_once("export const PART_TYPES = [")?.1.split_once(']'))
        .map(|(list, _)| list)
        .collect();
    let [list] = lists[..] else { panic!("{} files list the part types", lists.len()) };
    let words: Vec<_> = list.split(',').map(|word| word.trim().trim_matches('"')).collect();
    let expected: Vec<_> = PARTS.iter().map(|row| row.word.as_str()).collect();
    assert_eq!(words[..expected.len()], expected);
    assert_eq!(words.concat(), expected.concat());
}
