//! A value of a tape as `JSON.stringify` would write it: no white space, numbers and escapes in their shortest
//! form. A name that occurs twice in an object is written twice; such files are damaged.

use super::reader::{Entry, KEY, Tape};
use crate::block::{BEYOND, ESCAPED};
use crate::number::{double, js_number};
use crate::utf16::json_units_of_raw;
use crate::writer;
use apex_parts_model::Kind;
use std::ops::Range;

/// A value: an entry of a tape, with all that is in it.
#[derive(Clone, Copy)]
pub(super) struct TapeValue<'a> {
    pub(super) tape: &'a Tape,
    pub(super) bytes: &'a [u8],
    pub(super) index: u32,
}

impl<'a> TapeValue<'a> {
    /// The places of its entries.
    fn places(self) -> Range<usize> {
        let at = self.index as usize;
        // The entry of a field's name reaches to the end of the field's value.
        let end = |e: &Entry| if e.how & KEY == 0 { e.next as usize } else { at + 1 };
        at..self.tape.entries.get(at).map_or(at, end)
    }

    fn bytes_of(self, entry: &Entry) -> &'a [u8] {
        self.bytes.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }
}

/// Is the number an integer as JavaScript writes it, each of whose digits a double holds?
fn is_plain_integer(raw: &[u8]) -> bool {
    let is_short = raw.len() <= 15 && (raw.len() == 1 || raw.first() != Some(&b'0'));
    is_short && raw.iter().all(u8::is_ascii_digit)
}

/// The length of the text in UTF-16 units.
pub(super) fn units(value: TapeValue<'_>) -> usize {
    // Of the separators: a colon a name; a comma a value, but for the first of each container and the root.
    let (mut units, mut values, mut filled) = (0, 0_usize, 0);
    for place in value.places() {
        let Some(entry) = value.tape.entries.get(place) else { break };
        let raw = value.bytes_of(entry);
        units += match entry.kind {
            Kind::String | Kind::EmptyString if entry.how & (ESCAPED | BEYOND) == 0 => {
                raw.len() + 2
            }
            Kind::String | Kind::EmptyString => json_units_of_raw(raw) + 2,
            Kind::Number if is_plain_integer(raw) => raw.len(),
            Kind::Number => js_number(double(raw)).len(),
            Kind::Array | Kind::Object => 2,
            _ => raw.len(),
        };
        if entry.how & KEY == 0 {
            values += 1;
            filled += usize::from(entry.next as usize > place + 1);
        } else {
            units += 1;
        }
    }
    units + values.saturating_sub(1 + filled)
}

/// The text.
pub(super) fn text(value: TapeValue<'_>) -> String {
    let mut out = String::new();
    // The containers that are open: where each ends, and what closes it.
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut is_first = true;
    for place in value.places() {
        let Some(entry) = value.tape.entries.get(place) else { break };
        while let Some((end, closes)) = open.last()
            && *end <= place
        {
            out.push(*closes);
            open.pop();
            is_first = false;
        }
        if !is_first {
            out.push(',');
        }
        is_first = false;
        let raw = value.bytes_of(entry);
        match entry.kind {
            Kind::String | Kind::EmptyString => {
                writer::string(&mut out, &crate::string::unescape_bytes(raw));
            }
            Kind::Number => out.push_str(&js_number(double(raw))),
            Kind::Array | Kind::Object => {
                let (opens, closes) =
                    if entry.kind == Kind::Array { ('[', ']') } else { ('{', '}') };
                out.push(opens);
                open.push((entry.next as usize, closes));
                is_first = true;
            }
            _ => out.push_str(&String::from_utf8_lossy(raw)),
        }
        if entry.how & KEY != 0 {
            out.push(':');
            is_first = true;
        }
    }
    while let Some((_, closes)) = open.pop() {
        out.push(closes);
    }
    out
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use crate::tape::Tape;
    use apex_parts_model::View;
    use apex_parts_model::utf16::utf16_of;
    use proptest::prelude::*;
    use serde_json::Value;

    fn compact(json: &str) -> (String, usize) {
        let mut tape = Tape::default();
        tape.read(json.as_bytes(), 0).unwrap();
        let root = tape.root_of(json);
        (root.json_text().unwrap().into_owned(), root.json_units())
    }

    #[test]
    fn it_is_what_stringify_writes() {
        for (json, expected) in [
            (
                r#" { "a" : [ 1 , 2.50 , -0 , 1e3 , 1E21, 1e-7, 0.000001 ] , "b" : { } , "c" : [ ] } "#,
                r#"{"a":[1,2.5,0,1000,1e+21,1e-7,0.000001],"b":{},"c":[]}"#,
            ),
            (r#""\u0041\/\n\u0001\ud83c\udf89é""#, "\"A/\\n\\u0001🎉é\""),
            ("[[[]],[{}],null,true]", "[[[]],[{}],null,true]"),
            (r#"{"a\n":{"b":{"c":1}},"d":2}"#, r#"{"a\n":{"b":{"c":1}},"d":2}"#),
            ("7", "7"),
        ] {
            assert_eq!(compact(json), (expected.to_owned(), utf16_of(expected)), "{json}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\\n\u{1}é🎉]{0,6}".prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::btree_map("[a-z\n]{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_equals_serde(value in any_json()) {
            let written = serde_json::to_string(&value).unwrap();
            let spaced = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(compact(&spaced), (written.clone(), utf16_of(&written)));
        }
    }
}
