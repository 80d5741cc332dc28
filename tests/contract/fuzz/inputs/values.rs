//! JSON texts like those in arguments of tools, valid and damaged ones.

use super::Random;

const STRINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"src/lib.rs\"",
    "\"é😀\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u00e9\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"[{]}\"",
    "\"\u{7f}\u{2028}\"",
];

const SCALARS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-17",
    "1.5",
    "10.25e-3",
    "1E+5",
    "123456789012345678901234",
    "true",
    "false",
    "null",
];

const SPACES: &[&str] = &["", "", "", " ", "\n  ", "\t", "\r\n"];

const RUBBISH: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u12", "tru", "nul", "01", "1.", "-", ".5", "1e",
    "+1", "'a'", "x", "\u{1}", "\u{c}", "\u{feff}", "é", "//", "NaN",
];

/// A text, which is usually valid.
pub(crate) fn text(random: &mut Random) -> Vec<u8> {
    let mut out = String::new();
    value(random, &mut out, 4);
    for _ in 0..random.below(5) / 3 {
        spoil(random, &mut out);
    }
    out.into_bytes()
}

fn value(random: &mut Random, out: &mut String, depth: usize) {
    out.push_str(random.word(SPACES));
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 | 1 => out.push_str(random.word(STRINGS)),
        2 => out.push_str(random.word(SCALARS)),
        3 => list(random, out, ('[', ']'), &mut |random, out| value(random, out, depth - 1)),
        _ => list(random, out, ('{', '}'), &mut |random, out| {
            out.push_str(random.word(SPACES));
            // Names are single letters, so that some are repeated.
            match random.below(8) {
                0 => out.push_str(random.word(STRINGS)),
                letter => out.push_str(&format!("\"{}\"", char::from(b'a' + letter as u8))),
            }
            out.push_str(random.word(SPACES));
            out.push(':');
            value(random, out, depth - 1);
        }),
    }
    out.push_str(random.word(SPACES));
}

fn list(
    random: &mut Random,
    out: &mut String,
    brackets: (char, char),
    write: &mut dyn FnMut(&mut Random, &mut String),
) {
    out.push(brackets.0);
    for i in 0..random.below(4) {
        out.push_str(if i > 0 { "," } else { "" });
        write(random, out);
    }
    out.push_str(random.word(SPACES));
    out.push(brackets.1);
}

fn spoil(random: &mut Random, out: &mut String) {
    let places: Vec<usize> = (0..=out.len()).filter(|at| out.is_char_boundary(*at)).collect();
    let at = *random.of(&places);
    match random.below(4) {
        0 => out.truncate(at),
        1 if at < out.len() => drop(out.remove(at)),
        _ => out.insert_str(at, random.word(RUBBISH)),
    }
}
