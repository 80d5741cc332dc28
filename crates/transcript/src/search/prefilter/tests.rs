use super::*;

fn needle(query: &str, sensitive: bool, form: TextEncoding) -> Prefilter {
    let folded = |c| if sensitive { c } else { fold(c) };
    Prefilter::new(&query.chars().map(folded).collect::<Vec<_>>(), sensitive, form).unwrap()
}

fn places(query: &str, json: &str) -> Vec<usize> {
    let needle = needle(query, false, TextEncoding::Json);
    let next = |at: Option<usize>| needle.find(json.as_bytes(), at.map_or(0, |at| at + 1));
    std::iter::successors(next(None), |at| next(Some(*at))).collect()
}

#[test]
fn terminal_colours_are_no_candidates() {
    let json = r"\u001b[31mred\u001b[0m".repeat(20);
    assert_eq!(places("blue", &json).len(), 0);
    assert_eq!(places("red", &json).len(), 20);
    assert_eq!(places("\u{1b}[0m", &json).len(), 20);
    assert_eq!(places("\u{1b}[0m", &json.replace("001b", "001B")).len(), 20);
}

#[test]
fn escapes_are_candidates_if_they_name_a_character_of_the_run() {
    assert_eq!(places("abc", r"xx \u0061bc \u0042 \u0064"), [3, 12]);
    assert_eq!(places("é", r"é \u00e9 \u00C9 \u00e8 É"), [0, 3, 10, 24]);
    assert_eq!(places("😀", r"\ud83d\ude00 \ud83d\ude01 \ud83d"), [0]);
    // An escaped backslash before `u`: only looks like an escape.
    assert_eq!(places("users", r"C:\\users"), [4]);
}

#[test]
fn characters_that_must_be_escaped_are_looked_for_escaped() {
    assert_eq!(places("say \"hi\"", r#""say": "say \"hi\"""#), [8]);
    assert_eq!(places("a\nb", r"a\nb a b"), [0]);
    assert_eq!(places("src/x", r"src/x src\/x src-x"), [3, 10]);
    assert_eq!(places("/", r"/ \/ \u002f"), [0, 3, 5]);
}

#[test]
fn a_run_is_found_at_every_position_of_a_block() {
    for length in 0..200 {
        for at in 0..length {
            let mut text = vec![b'.'; length + 3];
            text[at..at + 3].copy_from_slice(b"key");
            let needle = needle("KEY", false, TextEncoding::Json);
            assert_eq!(needle.find(&text, 0), Some(at));
            assert_eq!(needle.find(&text, at), Some(at));
            assert_eq!(needle.find(&text, at + 1), None);
        }
    }
}

#[test]
fn the_lead_of_a_plain_run() {
    let lead = |query: &str| needle(query, false, TextEncoding::Plain).lead();
    assert_eq!(lead("abc"), 0);
    // After a letter whose cases differ in length no distance is certain.
    assert_eq!(lead(&format!("ß{}q", "e".repeat(40))), 0);
    assert_eq!(lead(&format!("{}q", "e".repeat(40))), 41 - RUN);
}
