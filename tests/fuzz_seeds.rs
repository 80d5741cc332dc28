//! The fuzz targets with fixed seeds, in a fuzzer's place: the same bytes on every machine.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

#[allow(missing_docs, unreachable_pub)]
#[path = "../fuzz/bodies.rs"]
mod bodies;

/// A small generator of numbers: the same ones for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Pieces that parsers trip over, put together at random, with bytes changed here and there.
fn bytes(random: &mut Random, pieces: &[&str], most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..random.below(most) {
        out.extend_from_slice(pieces[random.below(pieces.len())].as_bytes());
    }
    if random.below(4) == 0 && !out.is_empty() {
        for _ in 0..1 + random.below(3) {
            let at = random.below(out.len());
            out[at] = random.next() as u8;
        }
    }
    if random.below(4) == 0 && !out.is_empty() {
        out.truncate(random.below(out.len()));
    }
    out
}

const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "0",
    "-",
    "1e5",
    ".5",
    "true",
    "false",
    "null",
    "\"a\"",
    "\"type\"",
    "\"info\"",
    "\"parts\"",
    "\"messages\"",
    "\"text\"",
    " ",
    "\n",
    "\u{1}",
    "é",
    "\u{feff}",
    "{\"info\":{\"id\":\"m\",\"role\":\"user\"},\"parts\":[]}",
    "[{\"info\":{},\"parts\":[{\"type\":\"tool\",\"state\":",
    "{\"status\":\"error\",\"error\":\"\"}",
    "}]}]",
    "\"__proto__\":",
    "123456789012345678901234567890",
    "\"id\":\"x\"",
];

const MARKDOWN: &[&str] = &[
    "<",
    ">",
    "[",
    "]",
    "(",
    ")",
    "!",
    "`",
    "```",
    "*",
    "_",
    "#",
    "\n",
    "\n\n",
    " ",
    "\t",
    "|",
    "-",
    "\"",
    "'",
    "&",
    "&lt;",
    "&#106;",
    "javascript:",
    "data:image/png;base64,AA",
    "https://x.example",
    "//x",
    "mailto:a@b.c",
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<!--",
    "-->",
    "<svg",
    "\\",
    "[a]: ",
    "[^1]",
    "~~",
    "- [x] ",
    "> ",
    "1. ",
    "on",
    "=",
];

#[test]
fn json() {
    let mut random = Random(0x5eed_0001);
    for _ in 0..200_000 {
        bodies::json(&bytes(&mut random, JSON, 12));
    }
}

#[test]
fn transcript() {
    let mut random = Random(0x5eed_0002);
    for _ in 0..100_000 {
        bodies::transcript(&bytes(&mut random, JSON, 16));
    }
}

#[test]
fn transcript_with_damage() {
    let whole = include_bytes!("fixtures/aborted.export.json");
    let mut random = Random(0x5eed_0003);
    for cut in 0..whole.len() {
        bodies::transcript(&whole[..cut]);
    }
    for _ in 0..5_000 {
        let mut bytes = whole.to_vec();
        for _ in 0..1 + random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        bodies::transcript(&bytes);
    }
}

#[test]
fn markdown() {
    let mut random = Random(0x5eed_0004);
    for _ in 0..100_000 {
        bodies::markdown(&bytes(&mut random, MARKDOWN, 14));
    }
}
