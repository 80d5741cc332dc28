//! Damaged files of transcripts: cut off, with bytes or whole values changed, removed and repeated.

use super::Random;
use super::tree::Tree;
use apex_parts::transcript::Format;
use std::fs;

/// The files of these folders, which are in `tests/fixtures`, in the order of their names.
pub(crate) fn of_folders(folders: &[&str]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for folder in folders {
        let folder = apex_parts_fixtures::path(folder);
        let entries = fs::read_dir(&folder).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        assert!(!paths.is_empty(), "{} is empty", folder.display());
        paths.sort_unstable();
        found
            .extend(paths.iter().filter(|path| path.is_file()).map(|path| fs::read(path).unwrap()));
    }
    found
}

/// The examples of all formats except streams of providers.
pub(crate) fn of_formats() -> Vec<Vec<u8>> {
    let folder = apex_parts_fixtures::path("formats");
    for format in Format::all().filter(|format| !matches!(format, Format::Stream(_))) {
        let example = folder.join(format!("{}.txt", format.as_str()));
        assert!(example.exists(), "there is no {}", example.display());
    }
    of_folders(&["formats"])
}

/// A piece of a file, cut off, and with pieces changed, removed and repeated.
pub(crate) fn damaged(random: &mut Random, whole: &[u8]) -> Vec<u8> {
    const MARKS: &[u8] = b"{}[],:\"\\\n\x00\xff-.e0tfn u";
    let from = if random.one_in(2) { 0 } else { random.below(whole.len()) };
    let mut bytes = whole[from..].to_vec();
    bytes.truncate(1 + random.below(6_000));
    for _ in 0..random.below(6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let to = (at + random.below(300)).min(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes.insert(at, MARKS[random.below(MARKS.len())]),
            2 => drop(bytes.drain(at..to)),
            3 => {
                let piece = bytes[at..to].to_vec();
                let place = random.below(bytes.len());
                drop(bytes.splice(place..place, piece));
            }
            _ => drop(bytes.remove(at)),
        }
    }
    bytes
}

/// A file whose records are JSON, with other values in them; of a long one the beginning and a part of the rest.
pub(crate) fn twisted(random: &mut Random, whole: &[u8]) -> Vec<u8> {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(whole);
    if let Some(mut tree) = Tree::read(&text) {
        shorten(random, &mut tree, MOST);
        for _ in 0..random.below(8) {
            tree.twist(random);
        }
        return tree.text().into_bytes();
    }
    let lines: Vec<&str> = text.lines().collect();
    let head = 1 + random.below(4);
    let from = random.below(lines.len());
    let rest = lines.iter().skip(from.max(head)).take(random.below(MOST));
    let mut out = String::new();
    for line in lines.iter().take(head).chain(rest) {
        let at = line.find('{').unwrap_or(line.len());
        let (before, json) = line.split_at(at);
        out.push_str(before);
        match Tree::read(json).filter(|_| random.one_in(6)) {
            Some(mut tree) => {
                tree.twist(random);
                tree.write(&mut out);
            }
            None => out.push_str(json),
        }
        out.push('\n');
        if random.one_in(20) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.into_bytes()
}

/// Takes elements out of the longest lists, so that a try takes little time.
fn shorten(random: &mut Random, tree: &mut Tree, most: usize) {
    match tree {
        Tree::Scalar(_) => {}
        Tree::Array(list) => {
            while list.len() > most {
                list.remove(random.below(list.len()));
            }
            list.iter_mut().for_each(|tree| shorten(random, tree, most));
        }
        Tree::Object(fields) => {
            fields.iter_mut().for_each(|(_, tree)| shorten(random, tree, most));
        }
    }
}
