//! JSON Schemas with values that nearly fit them.

use super::Random;

const NAMES: &[&str] = &["a", "b", "c", "a/b", "~", "é", "__proto__"];

const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "2.0",
    "-1",
    "2.5",
    "0.3",
    "1e300",
    "9007199254740993",
    "\"\"",
    "\"a\"",
    "\"ab\"",
    "\"2\"",
    "\"2.5\"",
    "\"1e999\"",
    "\"true\"",
    "\"False\"",
    "\"[1]\"",
    "\"{\\\"a\\\":1}\"",
    "\"{\"",
    "\"😀\"",
    "[]",
    "{}",
];

const TYPES: &[&str] = &["null", "boolean", "integer", "number", "string", "array", "object"];

const LIMITS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

const REFERENCES: &[&str] = &[
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/properties/a",
    "#/items",
    "#/anyOf/0",
    "#/$defs/a~1b",
    "other.json",
];

/// A schema and three values, sometimes damaged.
pub(crate) fn text(random: &mut Random) -> Vec<u8> {
    let mut out = String::new();
    schema(random, &mut out, 3, true);
    for _ in 0..3 {
        out.push('\n');
        value(random, &mut out, 3);
    }
    let mut bytes = out.into_bytes();
    if random.one_in(16) {
        super::damage(random, &mut bytes, 0);
    }
    bytes
}

fn value(random: &mut Random, out: &mut String, depth: usize) {
    // Sometimes many, so that there are more issues than are listed.
    let count = if random.one_in(200) { 120 } else { random.below(4) };
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0..=3 => out.push_str(random.word(VALUES)),
        4 | 5 => joined(random, out, ('[', ']'), count, &mut |random, out| {
            value(random, out, depth - 1);
        }),
        _ => joined(random, out, ('{', '}'), count, &mut |random, out| {
            out.push_str(&format!("\"{}\":", random.word(NAMES)));
            value(random, out, depth - 1);
        }),
    }
}

fn schema(random: &mut Random, out: &mut String, depth: usize, is_root: bool) {
    if !is_root && random.one_in(if depth == 0 { 2 } else { 12 }) {
        out.push_str(random.word(&["true", "false", "{}", "{\"type\":\"integer\"}"]));
        return;
    }
    out.push('{');
    if is_root && random.one_in(2) {
        out.push_str("\"$defs\":");
        named(random, out, depth);
        out.push(',');
    }
    for i in 0..1 + random.below(3) {
        out.push_str(if i > 0 { "," } else { "" });
        keyword(random, out, depth);
    }
    out.push('}');
}

fn keyword(random: &mut Random, out: &mut String, depth: usize) {
    let name = |out: &mut String, name: &str| out.push_str(&format!("\"{name}\":"));
    match random.below(if depth == 0 { 8 } else { 18 }) {
        0 | 1 => out.push_str(&format!("\"type\":\"{}\"", random.word(TYPES))),
        2 => {
            let (one, other) = (random.word(TYPES), random.word(TYPES));
            out.push_str(&format!("\"type\":[\"{one}\",\"{other}\"]"));
        }
        3 => out.push_str(&format!("\"{}\":{}", random.word(LIMITS), random.below(4))),
        4 => {
            name(out, "const");
            value(random, out, 1);
        }
        5 => {
            name(out, "enum");
            joined(random, out, ('[', ']'), 3, &mut |random, out| value(random, out, 1));
        }
        6 => out.push_str(&format!("\"$ref\":\"{}\"", random.word(REFERENCES))),
        7 => out.push_str(random.word(&["\"pattern\":\"a\"", "\"title\":1", "\"if\":{}"])),
        8 => {
            let (one, other) = (random.word(NAMES), random.word(NAMES));
            out.push_str(&format!("\"required\":[\"{one}\",\"{other}\"]"));
        }
        9..=11 => {
            name(out, "properties");
            named(random, out, depth - 1);
        }
        12 => {
            let keyword = ["additionalProperties", "not", "additionalItems"];
            name(out, random.word(&keyword));
            schema(random, out, depth - 1, false);
        }
        13 | 14 => {
            name(out, "items");
            schema(random, out, depth - 1, false);
        }
        _ => {
            name(out, random.word(&["anyOf", "anyOf", "oneOf", "allOf", "prefixItems", "items"]));
            let count = random.below(4);
            joined(random, out, ('[', ']'), count, &mut |random, out| {
                schema(random, out, depth - 1, false);
            });
        }
    }
}

/// Schemas by name.
fn named(random: &mut Random, out: &mut String, depth: usize) {
    let mut count = random.below(4);
    joined(random, out, ('{', '}'), 1 + count, &mut |random, out| {
        let name = if count == 0 { "a" } else { random.word(NAMES) };
        count = count.saturating_sub(1);
        out.push_str(&format!("\"{name}\":"));
        schema(random, out, depth, false);
    });
}

fn joined(
    random: &mut Random,
    out: &mut String,
    brackets: (char, char),
    count: usize,
    write: &mut dyn FnMut(&mut Random, &mut String),
) {
    out.push(brackets.0);
    for i in 0..count {
        out.push_str(if i > 0 { "," } else { "" });
        write(random, out);
    }
    out.push(brackets.1);
}
