//! Runs the bodies of the fuzz targets on pseudo-random input from fixed seeds, the same on every machine.
#![cfg(all(not(target_arch = "wasm32"), feature = "full"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

#[allow(missing_docs, unreachable_pub)]
#[path = "../../../fuzz/bodies/mod.rs"]
mod bodies;
mod inputs;

use apex_parts::wire::{Provider, WireFormat};
use inputs::pieces::{
    FRAMING, GLOB, HTML, JSON, LINES, MARKDOWN, MCP_CONTENT, SECRETS, SHELL, SKILL, WILDCARD,
};
use inputs::records::Records;
use inputs::{Random, bytes, files, records, schemas, values};

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
    let whole = include_bytes!("../../fixtures/aborted.export.json");
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

/// Files of every format, cut off, and with pieces changed, removed and repeated.
#[test]
fn transcript_of_every_format() {
    let wholes = files::of_formats();
    let mut random = Random(0x5eed_0010);
    for round in 0..600 {
        bodies::transcript(&files::damaged(&mut random, &wholes[round % wholes.len()]));
    }
}

/// Pieces of files of every format, with damage and with other values, among the lines of agents' files.
#[test]
fn agents() {
    let wholes = files::of_formats();
    let mut random = Random(0x5eed_0042);
    for round in 0..rounds(1_500) {
        let whole = &wholes[round % wholes.len()];
        let bytes = match round % 3 {
            0 => files::damaged(&mut random, whole),
            _ => files::twisted(&mut random, whole),
        };
        run(bodies::agents, &bytes);
    }
}

/// Archives that are cut off, and with pieces changed, removed and repeated; and bytes that only begin like one.
#[test]
fn archive() {
    let wholes = files::of_folders(&["archives"]);
    assert_eq!(wholes.len(), 2);
    let mut random = Random(0x5eed_0041);
    for round in 0..rounds(2_000) {
        let whole = &wholes[round % wholes.len()];
        bodies::archive(&files::damaged(&mut random, whole));
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        bodies::archive(&bytes);
        bodies::archive(&bytes[..random.below(bytes.len())]);
    }
}

/// Databases of SQLite that are cut off, and with pieces changed, removed and repeated.
#[test]
fn sqlite() {
    let wholes = files::of_folders(&["sqlite"]);
    let wholes: Vec<_> = wholes.into_iter().filter(|whole| !whole.starts_with(b"{")).collect();
    assert_eq!(wholes.len(), 7);
    let mut random = Random(0x5eed_0043);
    for round in 0..rounds(1_500) {
        let mut bytes = wholes[round % wholes.len()].clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        // Pages, and pieces of them, in the place of others.
        for _ in 0..random.below(3) {
            let length = 1 + random.below(512);
            let [from, to] =
                [0; 2].map(|_| random.below(bytes.len().saturating_sub(length).max(1)));
            let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
            let end = (to + piece.len()).min(bytes.len());
            bytes.splice(to..end, piece);
        }
        if random.one_in(3) {
            bytes.truncate(random.below(bytes.len()));
        }
        run(bodies::sqlite, &bytes);
    }
}

/// Files of every format as sessions of OpenCode, with damage, and with other values in their records.
#[test]
fn opencode() {
    let wholes =
        files::of_folders(&["formats", "streams", "", "recorded/opencode", "recorded/providers"]);
    assert!(wholes.len() > 20);
    let rounds = rounds(2_000);
    let mut random = Random(0x5eed_0033);
    for round in 0..rounds {
        let whole = &wholes[round % wholes.len()];
        if random.one_in(4) {
            run(bodies::opencode, &files::damaged(&mut random, whole));
        } else {
            run(bodies::opencode, &files::twisted(&mut random, whole));
        }
    }
}

/// How often to try: `ROUNDS` times for a long run.
fn rounds(usual: usize) -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

#[test]
fn markdown() {
    let mut random = Random(0x5eed_0004);
    for _ in 0..100_000 {
        bodies::markdown(&bytes(&mut random, MARKDOWN, 14));
    }
}

#[test]
fn edit() {
    const TEXT: &[&str] = &[
        "\n", "\r\n", "\r", " ", "  ", "\t", "abc", "abc def", "\"", "\\n", "}", "\u{e9}",
        "\u{201c}", "\u{feff}", "1: ", "2: ", "it's", "\n    ", "\n  ",
    ];
    let mut random = Random(0x5eed_0011);
    for _ in 0..40_000 {
        run(bodies::edit, &bytes(&mut random, TEXT, 30));
    }
}

#[test]
fn shell() {
    let mut random = Random(0x5eed_0012);
    for _ in 0..60_000 {
        run(bodies::shell, &bytes(&mut random, SHELL, 16));
    }
    // Many of one piece.
    for piece in SHELL {
        for start in SHELL {
            run(bodies::shell, [start, &*piece.repeat(300)].concat().as_bytes());
        }
    }
}

#[test]
fn html() {
    let mut random = Random(0x5eed_0011);
    for _ in 0..100_000 {
        run(bodies::html, &bytes(&mut random, HTML, 24));
    }
}

#[test]
fn wildcard() {
    let mut random = Random(0x5eed_0013);
    for _ in 0..60_000 {
        run(bodies::wildcard, &bytes(&mut random, WILDCARD, 16));
    }
}

#[test]
fn schema() {
    let mut random = Random(0x5eed_0014);
    for _ in 0..30_000 {
        run(bodies::schema, &schemas::text(&mut random));
    }
}

#[test]
fn glob() {
    let mut random = Random(0x5eed_0015);
    for _ in 0..60_000 {
        run(bodies::glob, &bytes(&mut random, GLOB, 16));
    }
}

#[test]
fn skill() {
    let mut random = Random(0x5eed_0020);
    for _ in 0..30_000 {
        bodies::skill(&bytes(&mut random, SKILL, 24));
    }
}

#[test]
fn mcp_content() {
    let mut random = Random(0x5eed_0017);
    for _ in 0..30_000 {
        run(bodies::mcp_content, &bytes(&mut random, MCP_CONTENT, 24));
    }
}

#[test]
fn redact() {
    let mut random = Random(0x5eed_0020);
    for _ in 0..30_000 {
        run(bodies::redact, &bytes(&mut random, SECRETS, 16));
    }
}

#[test]
fn lines() {
    let mut random = Random(0x5eed_0016);
    for _ in 0..10_000 {
        run(bodies::lines, &bytes(&mut random, LINES, 24));
    }
}

#[test]
fn compaction_tokens() {
    const TOKENS: &[&str] = &[
        "a",
        "word",
        "Upper",
        "0123456789abcdef",
        "A1b2",
        ".",
        "();",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\u{1}",
        "\"",
        "\\",
        "\\n",
        "\\/",
        "\\u",
        "\\u0022",
        "\\ud83d",
        "\\ude00",
        "\u{e9}",
        "漢",
        "🦀",
        "мир",
        "%",
        "%41",
        "=",
        "data:",
        ";base64,",
        "iVBORw0KGgoAAAANSUhEUg",
        "/9j/4AAQ",
        "R0lGODlh",
        "/Type",
        "/Page",
        "L1R5cGUgL1BhZ2Ug",
    ];
    let mut random = Random(0x5eed_0031);
    for _ in 0..20_000 {
        run(bodies::compaction_tokens, &bytes(&mut random, TOKENS, 16));
    }
}

#[test]
fn compaction() {
    let mut random = Random(0x5eed_0032);
    for _ in 0..4_000 {
        let length = random.below(40);
        let data: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        run(bodies::compaction, &data);
    }
}

#[test]
fn mcp_uri() {
    const URI: &[&str] = &[
        "mcp://", "MCP://", "/", "//", "..", "%", "%4", "%41", "%C3%A9", "%ff", "é", "@", ":", "?",
        "#", "[", " ", "\n", "\u{85}", "|", "a", "Z9", "-_.~", "\u{0}",
    ];
    let mut random = Random(0x5eed_0021);
    for _ in 0..40_000 {
        run(bodies::mcp_uri, &bytes(&mut random, URI, 16));
    }
}

#[test]
fn mcp_definition() {
    const SCHEMA: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"type\":",
        "\"object\"",
        "\"properties\":{",
        "\"anyOf\":[",
        "\"allOf\":[",
        "\"required\":[\"a\"]",
        "\"$ref\":\"#\"",
        "\"$ref\":\"#/$defs/a\"",
        "\"$defs\":{\"a\":",
        "\"a\":",
        "{}",
        "true",
        "false",
        "null",
        "\"\\u001b\"",
        "1e5",
        "\"items\":",
        "\"not\":",
    ];
    let mut random = Random(0x5eed_0022);
    for _ in 0..10_000 {
        run(bodies::mcp_definition, &bytes(&mut random, SCHEMA, 16));
        run(bodies::mcp_definition, &schemas::text(&mut random));
    }
}

#[test]
fn framing() {
    let mut random = Random(0x5eed_0005);
    for _ in 0..6_000 {
        run(bodies::framing, &bytes(&mut random, FRAMING, 16));
    }
}

#[test]
fn event_stream() {
    let mut random = Random(0x5eed_0043);
    for round in 0..rounds(4_000) {
        let data = match round % 2 {
            0 => bytes(&mut random, FRAMING, 16),
            _ => (0..random.below(60)).map(|_| random.next() as u8).collect(),
        };
        run(bodies::event_stream, &data);
    }
}

#[test]
fn partial_json() {
    let mut random = Random(0x5eed_0006);
    for _ in 0..4_000 {
        run(bodies::partial_json, &values::text(&mut random));
        run(bodies::partial_json, &bytes(&mut random, JSON, 12));
    }
}

#[test]
fn delta() {
    let pool = records::of_format(WireFormat::Delta);
    streams(0x5eed_0007, &pool, |stream| run(bodies::delta, stream));
}

/// Streams of every provider, in threads of their own.
#[test]
fn provider() {
    std::thread::scope(|scope| {
        for (first, format) in (0..).zip(Provider::ALL) {
            let pool = records::of_format(WireFormat::Provider(*format));
            scope.spawn(move || {
                streams(0x5eed_0008 + u64::from(first), &pool, |stream| {
                    run(bodies::provider, &[&[first], stream].concat());
                });
            });
        }
    });
}

/// Damaged streams, and random bytes.
fn streams(seed: u64, pool: &[Records], body: impl Fn(&[u8])) {
    let mut random = Random(seed);
    for _ in 0..160 {
        body(&records::stream(&mut random, pool));
    }
    for _ in 0..100 {
        body(&bytes(&mut random, FRAMING, 12));
    }
}

/// Runs a body; if it panics, the input is printed, which is all that is needed to repeat it.
fn run(body: fn(&[u8]), input: &[u8]) {
    struct Input<'a>(&'a [u8]);
    impl Drop for Input<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("the input: {}", self.0.escape_ascii());
            }
        }
    }
    let input = Input(input);
    body(input.0);
}
