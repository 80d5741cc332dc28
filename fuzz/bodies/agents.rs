//! Sessions of other agents: hostile bytes among the lines of files that are in order.

use super::dice::Dice;
use super::files::transcript_as;
use apex_parts::transcript::Format;

/// A file of each format.
const FILES: [(&str, &[u8]); 6] = [
    ("codex", include_bytes!("../../tests/fixtures/formats/codex.txt")),
    ("gemini-cli", include_bytes!("../../tests/fixtures/formats/gemini-cli.txt")),
    ("copilot-cli", include_bytes!("../../tests/fixtures/formats/copilot-cli.txt")),
    ("pi", include_bytes!("../../tests/fixtures/formats/pi.txt")),
    ("swe-agent", include_bytes!("../../tests/fixtures/formats/swe-agent.txt")),
    ("inspect", include_bytes!("../../tests/fixtures/formats/inspect.txt")),
];

/// The bytes alone, behind the first line of a file, among its shuffled lines, or at a place of it where it is cut:
/// each opens, or gives an error, in the format that is told from them and in one that is given.
pub fn agents(data: &[u8]) {
    let mut dice = Dice::of(data);
    let (name, file) = FILES[dice.roll(FILES.len())];
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
    let given = if dice.roll(2) == 0 { None } else { Format::parse(name) };
    transcript_as(given, &bytes[..end]);
}
