//! Files of each transcript format: hostile bytes among the lines of files that are in order.

use super::dice::Dice;
use super::files::transcript_as;
use apex_parts::transcript::Format;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// A file of each format; streams of providers have targets of their own.
static FILES: LazyLock<Vec<(Format, Vec<u8>)>> = LazyLock::new(|| {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // This file is part of the fuzzers and of a test.
    let folder = |up| here.join(up).join("tests/fixtures/formats");
    let folder = if folder("..").exists() { folder("..") } else { folder(".") };
    let formats = Format::all().filter(|format| !matches!(format, Format::Stream(_)));
    let read = |format: Format| fs::read(folder.join(format!("{}.txt", format.as_str())));
    formats.map(|format| (format, read(format).expect("each format has a file"))).collect()
});

/// The bytes alone, behind the first line of a file, among its shuffled lines, or at a place of it where it is cut:
/// each opens, or gives an error, in the format that is told from them and in one that is given.
pub fn agents(data: &[u8]) {
    let mut dice = Dice::new(data);
    let (format, file) = &FILES[dice.roll(FILES.len())];
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    let bytes = match dice.roll(4) {
        0 => data.to_vec(),
        1 => [lines[0], data].concat(),
        2 => {
            let mut all: Vec<&[u8]> = data.split_inclusive(|byte| *byte == b'\n').collect();
            all.extend(lines);
            let first = usize::from(dice.roll(2) == 0);
            for i in (1 + first..all.len()).rev() {
                all.swap(i, first + dice.roll(i + 1 - first));
            }
            all.concat()
        }
        _ => {
            let at = dice.roll(file.len() + 1);
            let rest = at + dice.roll(file.len() + 1 - at);
            [&file[..at], data, &file[rest..]].concat()
        }
    };
    let end = if dice.roll(2) == 0 { bytes.len() } else { dice.roll(bytes.len() + 1) };
    let given = (dice.roll(2) != 0).then_some(*format);
    transcript_as(given, &bytes[..end]);
}
