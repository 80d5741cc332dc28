//! Wildcards of permission rules, against the sentence that defines them.

use super::dice::Dice;
use apex_parts::tools::wildcard::matches;

/// A text and a wildcard, cut from the input or made from the text, match as the definition says.
pub fn wildcard(data: &[u8]) {
    let mut dice = Dice::new(data);
    let cut = dice.roll(data.len() + 1);
    let (front, back) = data.split_at(cut);
    let front = String::from_utf8_lossy(front);
    let wildcard = match dice.roll(3) {
        0 => String::from_utf8_lossy(back).into_owned(),
        _ => like(&front, &mut dice),
    };
    for windows in [false, true] {
        let found = matches(&front, &wildcard, windows);
        assert_eq!(found, defined(&front, &wildcard, windows), "{front:?} {wildcard:?} {windows}");
    }
    // Nothing is lost without case, and a star takes all.
    assert!(matches(&front, "*", false));
    assert!(matches(&front, &wildcard, true) || !matches(&front, &wildcard, false));
}

/// A wildcard that may match the text.
fn like(text: &str, dice: &mut Dice) -> String {
    let mut wildcard = String::new();
    for c in text.chars() {
        match dice.roll(12) {
            0 | 1 => wildcard.push('*'),
            2 => wildcard.push('?'),
            3 => wildcard.extend(c.to_uppercase()),
            4 => wildcard.extend(c.to_lowercase()),
            5 => wildcard.push_str(if c == '/' { "\\" } else { "/" }),
            6 => {}
            _ => wildcard.push(c),
        }
    }
    if dice.roll(4) == 0 {
        wildcard.push_str(" *");
    }
    wildcard
}

/// `*` is any run of characters, `?` one; `\` reads as `/`; a last " *" may match nothing; the whole text.
fn defined(text: &str, wildcard: &str, windows: bool) -> bool {
    let text: Vec<char> = text.chars().collect();
    let is = |wildcard: &str| {
        // Which beginnings of the text match what is read of the wildcard.
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        for wanted in wildcard.chars() {
            let mut next = vec![false; text.len() + 1];
            for end in 0..=text.len() {
                next[end] = match wanted {
                    '*' => reached[..=end].contains(&true),
                    _ if end == 0 => false,
                    '?' => reached[end - 1],
                    _ => reached[end - 1] && same(text[end - 1], wanted, windows),
                };
            }
            reached = next;
        }
        reached[text.len()]
    };
    is(wildcard) || wildcard.strip_suffix(" *").is_some_and(is)
}

fn same(one: char, other: char, windows: bool) -> bool {
    let slashed = |c: char| if c == '\\' { '/' } else { c };
    let (one, other) = (slashed(one), slashed(other));
    let lower = |c: char| c.to_lowercase().collect::<String>();
    let upper = |c: char| c.to_uppercase().collect::<String>();
    let folded = lower(one) == lower(other)
        || (!one.is_ascii() && !other.is_ascii() && upper(one) == upper(other));
    one == other || (windows && folded)
}
