use super::*;
use apex_parts_json::tape::Tape;
use proptest::prelude::*;

/// A character, and how it is written in JSON.
#[derive(Clone, Debug)]
struct Written {
    c: char,
    bytes: Vec<u8>,
}

/// Characters that are difficult: upper and lower case of different lengths, escapes, damage.
const HARD: &str = "aAbBkKnNuUsS0 /\"\\\n\t\u{8}\u{1b}\u{1f}\u{7f}éÉßẞсСåÅ\u{212b}\u{212a}ſωΩ\u{2126}😀𐐀𐐨İıǅǆ\u{fffd}";

fn written() -> impl Strategy<Value = Written> {
    let hard: Vec<char> = HARD.chars().collect();
    (prop::sample::select(hard), 0..8).prop_map(|(c, way)| {
        let mut units = [0; 2];
        let escape = |upper: bool, units: &[u16]| -> Vec<u8> {
            let one = |u: &u16| if upper { format!("\\u{u:04X}") } else { format!("\\u{u:04x}") };
            units.iter().map(one).collect::<String>().into_bytes()
        };
        let bytes = match (c, way) {
            ('\u{fffd}', 0 | 1) => vec![0xff],
            ('\u{fffd}', 2 | 3) => b"\\udc00".to_vec(),
            ('/', 2 | 3) => b"\\/".to_vec(),
            (c, 0) => escape(false, c.encode_utf16(&mut units)),
            (c, 1) => escape(true, c.encode_utf16(&mut units)),
            // Control characters, quotes and backslashes as `serde_json` writes them.
            (c, _) => {
                let json = serde_json::to_string(&c.to_string()).unwrap();
                json.as_bytes()[1..json.len() - 1].to_vec()
            }
        };
        Written { c, bytes }
    })
}

fn plain(text: &str) -> Vec<Written> {
    text.chars().map(|c| Written { c, bytes: c.to_string().into_bytes() }).collect()
}

/// Texts of difficult characters, some of them with more than a block of other text before and after.
fn text() -> impl Strategy<Value = Vec<Written>> {
    let filler = prop::sample::select(vec!["", "", "word ", "banana kukuk nun ", "\u{e9}a"]);
    let piece = (prop::collection::vec(written(), 0..12), filler, 0_usize..30);
    prop::collection::vec(piece, 1..5).prop_map(|pieces| {
        let mut text = Vec::new();
        for (hard, filler, times) in pieces {
            text.extend(hard);
            text.extend(plain(&filler.repeat(times)));
        }
        text
    })
}

/// The matches by their definition, as ranges of characters.
fn naive(text: &[Written], query: &[char], sensitive: bool) -> Vec<Range<usize>> {
    let same = |a: char, b: char| a == b || (!sensitive && fold(a) == fold(b));
    let mut found = Vec::new();
    let mut at = 0;
    while !query.is_empty() && at + query.len() <= text.len() {
        if text[at..].iter().zip(query).all(|(w, q)| same(w.c, *q)) {
            found.push(at..at + query.len());
            at += query.len();
        } else {
            at += 1;
        }
    }
    found
}

fn part(text: &[Written]) -> Vec<u8> {
    let mut part = br#"{"type":"text","text":""#.to_vec();
    part.extend(text.iter().flat_map(|w| w.bytes.iter()));
    part.extend(b"\"}");
    part
}

fn hits(query: &Query, part: &[u8], limit: usize) -> Vec<Hit> {
    let mut tape = Tape::default();
    tape.read(part, 0).unwrap();
    let mut hits = Vec::new();
    let ended = query.in_part(part, tape.root(part), &mut |found| {
        hits.push(found.hit());
        if hits.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(ended.is_break(), hits.len() == limit);
    hits
}

fn check(text: &[Written], query: &[char], sensitive: bool) {
    let part = part(text);
    let asked = Query::new(&query.iter().collect::<String>(), sensitive);
    let expected = naive(text, query, sensitive);
    let utf16 =
        |to: usize| text[..to].iter().map(|w| u32::try_from(w.c.len_utf16()).unwrap()).sum();
    let offsets: Vec<(u32, u32)> =
        expected.iter().map(|r| (utf16(r.start), utf16(r.end))).collect();
    let found = hits(&asked, &part, usize::MAX);
    let found: Vec<(u32, u32)> = found.iter().map(|h| (h.start, h.end)).collect();
    assert_eq!(found, offsets, "{query:?} in {}", String::from_utf8_lossy(&part));
    let start = part.len() - 2 - text.iter().map(|w| w.bytes.len()).sum::<usize>();
    let bytes = |to: usize| start + text[..to].iter().map(|w| w.bytes.len()).sum::<usize>();
    for range in expected {
        // From before the match and from its beginning, there is a candidate in it.
        let (from, to) = (bytes(range.start), bytes(range.end));
        let place = asked.next_candidate(&part, from);
        assert!(place.is_some_and(|p| p < to), "{query:?} at {from}..{to}, candidate {place:?}");
        let mut at = 0;
        while let Some(place) = asked.next_candidate(&part, at) {
            at = place + 1;
            if (from..to).contains(&place) {
                break;
            }
        }
        assert!(at > from);
    }
}

fn swap_case(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.len()) {
        (Some(u), 0) if u != c => u,
        _ => fold(c),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_query_from_the_text(
        text in text(),
        at in any::<prop::sample::Index>(),
        length in prop_oneof![3 => 1_usize..5, 1 => 1_usize..80],
        swap in any::<u64>(),
        sensitive in any::<bool>(),
    ) {
        prop_assume!(!text.is_empty());
        let start = at.index(text.len());
        let cut = text[start..].iter().take(length).enumerate();
        let query: Vec<char> = cut
            .map(|(i, w)| if swap >> (i % 64) & 1 == 1 { swap_case(w.c) } else { w.c })
            .collect();
        check(&text, &query, sensitive);
        let straight: Vec<char> = text[start..].iter().take(length).map(|w| w.c).collect();
        check(&text, &straight, sensitive);
    }

    #[test]
    fn any_query(
        text in text(),
        query in prop::collection::vec(written(), 0..4),
        sensitive in any::<bool>(),
    ) {
        let query: Vec<char> = query.iter().map(|w| w.c).collect();
        check(&text, &query, sensitive);
    }

    #[test]
    fn repetitions(
        text in "[ab]{0,200}",
        query in "[abA]{1,7}",
        sensitive in any::<bool>(),
    ) {
        check(&plain(&text), &query.chars().collect::<Vec<_>>(), sensitive);
    }

    #[test]
    fn any_bytes_can_be_searched(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        query in "\\PC{0,5}",
        from in 0_usize..310,
    ) {
        let query = Query::new(&query, false);
        if let Some(place) = query.next_candidate(&bytes, from) {
            prop_assert!((from..bytes.len()).contains(&place));
        }
    }
}

fn of(text: &str, query: &str) -> Vec<(u32, u32)> {
    let part = format!(r#"{{"type":"text","text":"{text}"}}"#);
    let found = hits(&Query::new(query, false), part.as_bytes(), 99);
    found.iter().map(|h| (h.start, h.end)).collect()
}

#[test]
fn halves_of_pairs_are_one_unit_each() {
    assert_eq!(of(r"\ud83dx\ude00x\ud83d\ude00x", "X"), [(1, 2), (3, 4), (6, 7)]);
    assert_eq!(of(r"\ud83dx\ud83d\ude00", "\u{fffd}"), [(0, 1)]);
    assert_eq!(of(r"\ud83d\ude00", "😀"), [(0, 2)]);
}

#[test]
fn an_empty_query_finds_nothing() {
    assert_eq!(of("abc", ""), []);
    assert_eq!(Query::new("", true).next_candidate(b"abc", 0), None);
    assert_eq!(Query::new("a", true).next_candidate(b"abc", 4), None);
    assert_eq!(Query::new("a", true).next_candidate(b"", 0), None);
}

#[test]
fn the_limit_holds() {
    let part = br#"{"type":"tool","state":{"output":"aaaa","error":"aaaa"}}"#;
    let query = Query::new("a", true);
    for limit in [1, 4, 5, 8, 9] {
        assert_eq!(hits(&query, part, limit).len(), limit.min(8));
    }
    let five = hits(&query, part, 5);
    assert_eq!((five[3].field.as_str(), five[4].field.as_str()), ("/state/output", "/state/error"));
}

#[test]
fn every_hit_has_its_position() {
    let part = br#"{"type":"tool","state":{"input":{"a/b":["x",{"~":"ab fOO cd"}]}}}"#;
    let hit = Hit {
        field: "/state/input/a~1b/1/~0".to_owned(),
        start: 3,
        end: 6,
        excerpt: "ab fOO cd".to_owned(),
    };
    assert_eq!(hits(&Query::new("Foo", false), part, 9), [hit]);
    assert_eq!(hits(&Query::new("Foo", true), part, 9), []);
}

/// This would take hours if the search were quadratic.
#[test]
fn hostile_texts_are_searched_in_linear_time() {
    const MB: usize = if cfg!(debug_assertions) { 1 << 18 } else { 10 << 20 };
    let blocks = format!("{}{}", "a".repeat(1000), "b".repeat(1000));
    let cases = [
        ("a".repeat(MB), format!("{}b", "a".repeat(MB / 2))),
        ("a".repeat(MB), format!("b{}", "a".repeat(MB / 2))),
        ("a".repeat(MB), "a".repeat(MB / 2 + 1)),
        (blocks.repeat(MB / 2000), format!("{}b{}", "a".repeat(1000), "a".repeat(1000))),
        ("\\u0061".repeat(MB / 6), format!("{}b", "a".repeat(1000))),
        ("ab".repeat(MB / 2), "abababababababababababababababababababac".to_owned()),
    ];
    for (text, query) in cases {
        of(&text, &query);
        of(&text, &query.to_uppercase());
    }
}
