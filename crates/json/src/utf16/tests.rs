use super::*;
use proptest::prelude::*;

/// The UTF-16 units of the text of a JSON string, one escape after the other.
fn units_of_raw(raw: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(raw);
    let mut units = Vec::new();
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        } else {
            used = 2;
            units.push(match rest.as_bytes()[1] {
                b'b' => 8,
                b'f' => 12,
                b'n' => 10,
                b'r' => 13,
                b't' => 9,
                b'u' => {
                    used = 6;
                    hex4(rest.as_bytes()).unwrap()
                }
                other => other.into(),
            });
        }
        rest = rest.split_at(used).1;
    }
    units
}

/// The length of `JSON.stringify` as its definition has it, without quotes.
fn written(units: &[u16]) -> usize {
    let (mut sum, mut at) = (0, 0);
    while let Some(unit) = units.get(at) {
        let next = units.get(at + 1).copied().unwrap_or_default();
        at += 1;
        sum += match unit {
            0x22 | 0x5c | 8 | 9 | 10 | 12 | 13 => 2,
            ..0x20 => 6,
            0xd800..=0xdbff if (0xdc00..=0xdfff).contains(&next) => {
                at += 1;
                2
            }
            0xd800..=0xdfff => 6,
            _ => 1,
        };
    }
    sum
}

fn check(raw: &[u8]) {
    let units = units_of_raw(raw);
    let shown = String::from_utf8_lossy(raw);
    assert_eq!(utf16_of_raw(raw), units.len(), "{shown:?}");
    if raw.is_ascii() && !raw.windows(2).any(|two| two == br"\u") {
        assert_eq!(utf16_of_ascii(raw), units.len(), "{shown:?}");
    }
    assert_eq!(json_units_of_raw(raw), written(&units), "{shown:?}");
}

fn check_text(text: &str) {
    let json = serde_json::to_string(text).unwrap();
    let raw = &json.as_bytes()[1..json.len() - 1];
    assert_eq!(utf16_of_raw(raw), text.encode_utf16().count(), "{text:?}");
    assert_eq!(json_units_of_raw(raw), json.encode_utf16().count() - 2, "{text:?}");
}

/// Each piece at each place of a block, alone and twice.
#[test]
fn every_piece_is_counted_wherever_it_stands() {
    let pieces: &[&[u8]] = &[
        br"\n",
        br#"\""#,
        br"\\",
        br"\/",
        br"\b",
        br"\f",
        br"\r",
        br"\t",
        br"\u0041",
        br"\u0022",
        br"\u005c",
        br"\u000a",
        br"\u001f",
        br"\u00e9",
        br"\uD83D\uDE00",
        br"\uD83D",
        br"\uDE00",
        br"\ud83d\ud83d\ude00",
        br"\uD83D\n",
        br"\u2028",
        "é".as_bytes(),
        "漢字".as_bytes(),
        "🦀".as_bytes(),
        b"\xff",
        b"\xe6\xbc",
        b"\xf0\x9f\xa6",
        b"\xed\xa0\xbd",
        b"\xc0\x80",
        b"\x80",
        b"\x7f",
        b"\n",
        b"\x01",
        b"\"",
    ];
    for piece in pieces {
        for other in pieces {
            for before in 0..20 {
                for after in [0, 1, 20] {
                    let plain = |n| vec![b'x'; n];
                    check(&[&plain(before), *piece, *other, &plain(after)].concat());
                }
            }
        }
    }
}

#[test]
fn what_is_no_json_string_ends_too() {
    for raw in
        [&br"\"[..], br"\u", br"\u12", br"\u12zz", br"\x", b"\\\xff", b"a\\\xc3\xa9", br"\uD83D\u"]
    {
        for before in 0..20 {
            let text = [&vec![b'x'; before], raw].concat();
            assert!(utf16_of_raw(&text) > before);
            assert!(json_units_of_raw(&text) > before);
        }
    }
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => "[ -!#-\\[\\]-~]{1,20}".prop_map(String::into_bytes),
        3 => prop::sample::select(vec![r"\n", r#"\""#, r"\\", r"\/", r"\t"])
            .prop_map(|escape| escape.as_bytes().to_vec()),
        2 => "\\\\u(00[0-7]|[0-9a-fA-F]{3}|[dD][89a-fA-F][0-9a-f])[0-9a-fA-F]"
            .prop_map(String::into_bytes),
        2 => "[^\\x00-\\x7f]{1,8}".prop_map(String::into_bytes),
        1 => prop::collection::vec(0x80_u8.., 1..6),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn texts_agree_with_the_definition(text in "[a-z \"\\\\\n\t\u{1}\u{7f}é漢🦀]{0,80}|(?s).{0,60}") {
        check_text(&text);
    }

    #[test]
    fn strings_of_files_agree_with_the_definition(pieces in prop::collection::vec(piece(), 0..12)) {
        check(&pieces.concat());
    }
}
